#include <bit>

#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.1.14 to 9.7.1.22: counting, finding and moving bits.
namespace warpcheck::simt::alu {
namespace {

constexpr std::uint32_t kNotFound = 0xffffffffu;

template <class T>
struct CountOnes {
  static constexpr std::uint32_t apply(T a) { return static_cast<std::uint32_t>(std::popcount(a)); }
};

template <class T>
struct CountLeadingZeros {
  static constexpr std::uint32_t apply(T a) { return static_cast<std::uint32_t>(std::countl_zero(a)); }
};

template <class T>
struct ReverseBits {
  static constexpr T apply(T a) {
    // Swap neighbours, then pairs, then quads …: the mask for width w has w zeros and w ones in turn.
    for (unsigned width = 1; width < 8 * sizeof(T); width *= 2) {
      const T low = static_cast<T>(~T{0}) / static_cast<T>((T{1} << width) + 1);
      a = static_cast<T>(((a >> width) & low) | ((a & low) << width));
    }
    return a;
  }
};

/// Position of the most significant bit that is not the sign, or the distance from it to the top.
template <class T, bool kShiftAmount>
struct FindMostSignificant {
  static constexpr std::uint32_t apply(T a) {
    using Bits = std::make_unsigned_t<T>;
    Bits bits = static_cast<Bits>(a);
    if constexpr (std::is_signed_v<T>) bits ^= static_cast<Bits>(a >> (8 * sizeof(T) - 1));
    const int zeros = std::countl_zero(bits);
    const int position = static_cast<int>(8 * sizeof(T)) - 1 - zeros;
    return bits == 0 ? kNotFound : static_cast<std::uint32_t>(kShiftAmount ? zeros : position);
  }
};

/// Position of the n-th set bit of `set` from `base` on; base > 31 is undefined in the text and finds nothing
/// here.
struct FindNthSet {
  static constexpr std::uint32_t apply(std::uint32_t set, std::uint32_t base, std::int32_t offset) {
    if (base > 31) return kNotFound;
    if (offset == 0) return ((set >> base) & 1u) != 0 ? base : kNotFound;
    // Drop the bits before the base, in the direction of the search, and then all found ones but the last.
    std::uint32_t rest = offset > 0 ? set & (0xffffffffu << base) : set & (0xffffffffu >> (31 - base));
    std::uint32_t skip =
        (offset > 0 ? static_cast<std::uint32_t>(offset) : 0u - static_cast<std::uint32_t>(offset)) - 1;
    if (skip >= 32) return kNotFound;
    for (; skip != 0 && rest != 0; --skip) rest &= offset > 0 ? rest - 1 : ~std::bit_floor(rest);
    if (rest == 0) return kNotFound;
    return static_cast<std::uint32_t>(offset > 0 ? std::countr_zero(rest) : std::bit_width(rest) - 1);
  }
};

/// bfe: len bits of a from pos on, extended; see the table of edge cases in 9.7.1.19.
template <class T>
struct ExtractField {
  static constexpr T apply(T a, std::uint32_t b, std::uint32_t c) {
    using Bits = std::make_unsigned_t<T>;
    constexpr std::uint32_t width = 8 * sizeof(T);
    const std::uint32_t pos = b & 0xffu;
    const std::uint32_t len = c & 0xffu;
    // Bits above the register are copies of the sign (zero if unsigned), so an arithmetic shift already
    // supplies them; what remains is to cut at len and to extend from there.
    const T shifted = static_cast<T>(a >> (pos < width ? pos : width - 1));
    const T field = pos < width || std::is_signed_v<T> ? shifted : T{0};
    const std::uint32_t cut = len < width ? width - len : 0;
    const T extended = static_cast<T>(static_cast<T>(static_cast<Bits>(field) << (cut & (width - 1))) >>
                                      (cut & (width - 1)));
    return len == 0 ? T{0} : extended;
  }
};

/// bfi: the low len bits of a replace those of b from pos on.
template <class T>
struct InsertField {
  static constexpr T apply(T a, T b, std::uint32_t c, std::uint32_t d) {
    constexpr std::uint32_t width = 8 * sizeof(T);
    const std::uint32_t pos = c & 0xffu;
    const std::uint32_t len = d & 0xffu;
    const T ones = static_cast<T>(~T{0});
    const T field = len < width ? static_cast<T>(~static_cast<T>(ones << (len & (width - 1)))) : ones;
    const T window = pos < width ? static_cast<T>(field << (pos & (width - 1))) : T{0};
    return static_cast<T>((b & ~window) | (static_cast<T>(a << (pos & (width - 1))) & window));
  }
};

/// bmsk: b ones from bit a on.
template <bool kWrap>
struct MakeMask {
  static constexpr std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    if (kWrap) {
      a &= 31u;
      b &= 31u;
    }
    const std::uint64_t ones = (std::uint64_t{1} << (b < 32 ? b : 32)) - 1;
    return a < 32 ? static_cast<std::uint32_t>(ones << (a & 31u)) : 0;
  }
};

/// szext: the low b bits of a, extended to 32.
template <class T, bool kWrap>
struct ExtendLowBits {
  static constexpr T apply(T a, std::uint32_t b) {
    if (kWrap) b &= 31u;
    const std::uint32_t cut = (32 - b) & 31u;
    const T extended = static_cast<T>(static_cast<T>(static_cast<std::uint32_t>(a) << cut) >> cut);
    return b == 0 ? T{0} : b < 32 ? extended : a;
  }
};

}  // namespace

void append_bit_field_rows(RowTable& table) {
  constexpr Lane w32 = Lane::w32;
  using WideBits = TypeList<B32, B64>;
  using WideIntegers = TypeList<U32, U64, S32, S64>;
  for_each_type(WideBits{}, [&]<class T>() {
    table.add({"popc", T::name}, lanewise<CountOnes<typename T::Value>, U32, T>, {w32, T::lane});
  });
  for_each_type(WideBits{}, [&]<class T>() {
    table.add({"clz", T::name}, lanewise<CountLeadingZeros<typename T::Value>, U32, T>, {w32, T::lane});
  });
  for_each_type(WideBits{}, [&]<class T>() {
    table.add({"brev", T::name}, lanewise<ReverseBits<typename T::Value>, T, T>, {T::lane, T::lane});
  });
  for_each_type(WideIntegers{}, [&]<class T>() {
    using Value = typename T::Value;
    table.add({"bfind", T::name}, lanewise<FindMostSignificant<Value, false>, U32, T>, {w32, T::lane});
    table.add({"bfind.shiftamt", T::name}, lanewise<FindMostSignificant<Value, true>, U32, T>,
              {w32, T::lane});
  });
  table.add({"fns.b32"}, lane_by_lane<FindNthSet, U32, U32, U32, S32>, {w32, w32, w32, w32}, 1, 30);
  for_each_type(WideIntegers{}, [&]<class T>() {
    table.add({"bfe", T::name}, lanewise<ExtractField<typename T::Value>, T, T, U32, U32>,
              {T::lane, T::lane, w32, w32});
  });
  for_each_type(WideBits{}, [&]<class T>() {
    table.add({"bfi", T::name}, lanewise<InsertField<typename T::Value>, T, T, T, U32, U32>,
              {T::lane, T::lane, T::lane, w32, w32});
  });
  table.add({"bmsk.clamp.b32"}, lanewise<MakeMask<false>, U32, U32, U32>, {w32, w32, w32}, 1, 70);
  table.add({"bmsk.wrap.b32"}, lanewise<MakeMask<true>, U32, U32, U32>, {w32, w32, w32}, 1, 70);
  using WordTypes = TypeList<U32, S32>;
  for_each_type(WordTypes{}, [&]<class T>() {
    using Value = typename T::Value;
    table.add({"szext.clamp", T::name}, lanewise<ExtendLowBits<Value, false>, T, T, U32>, {w32, w32, w32}, 1,
              70);
    table.add({"szext.wrap", T::name}, lanewise<ExtendLowBits<Value, true>, T, T, U32>, {w32, w32, w32}, 1,
              70);
  });
}

}  // namespace warpcheck::simt::alu

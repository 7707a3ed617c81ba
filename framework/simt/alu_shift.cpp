#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.8.7 to 9.7.8.9. Shift amounts are unsigned 32-bit values whatever the type, and clamp at the
// width.
namespace warpcheck::simt::alu {
namespace {

template <class T>
struct ShiftLeft {
  static constexpr T apply(T a, std::uint32_t b) {
    constexpr std::uint32_t width = 8 * sizeof(T);
    const T shifted = static_cast<T>(a << (b & (width - 1)));
    return b < width ? shifted : T{0};
  }
};

/// Fills with the sign if T is signed.
template <class T>
struct ShiftRight {
  static constexpr T apply(T a, std::uint32_t b) {
    constexpr std::uint32_t width = 8 * sizeof(T);
    const T shifted = static_cast<T>(a >> (b < width ? b : width - 1));
    return b < width || std::is_signed_v<T> ? shifted : T{0};
  }
};

template <bool kLeft, bool kWrap>
struct FunnelShift {
  static constexpr std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t both = std::uint64_t{b} << 32 | a;
    const std::uint32_t n = kWrap ? c & 31u : c < 32 ? c : 32;
    return static_cast<std::uint32_t>(kLeft ? (both << n) >> 32 : both >> n);
  }
};

}  // namespace

void append_shift_rows(RowTable& table) {
  constexpr Lane w32 = Lane::w32;
  for_each_type(BitTypes{}, [&]<class T>() {
    table.add({"shl", T::name}, lanewise<ShiftLeft<typename T::Value>, T, T, U32>, {T::lane, T::lane, w32});
  });
  using Shiftable = TypeList<B16, B32, B64, U16, U32, U64, S16, S32, S64>;
  for_each_type(Shiftable{}, [&]<class T>() {
    table.add({"shr", T::name}, lanewise<ShiftRight<typename T::Value>, T, T, U32>, {T::lane, T::lane, w32});
  });
  const auto funnel = [&]<bool kLeft, bool kWrap>(std::string_view variant) {
    table.add({variant}, lanewise<FunnelShift<kLeft, kWrap>, B32, B32, B32, B32>, {w32, w32, w32, w32}, 1,
              32);
  };
  funnel.operator()<true, false>("shf.l.clamp.b32");
  funnel.operator()<true, true>("shf.l.wrap.b32");
  funnel.operator()<false, false>("shf.r.clamp.b32");
  funnel.operator()<false, true>("shf.r.wrap.b32");
}

}  // namespace warpcheck::simt::alu

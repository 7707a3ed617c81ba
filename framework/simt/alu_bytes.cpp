#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// Operations on the bytes and halves of a 32-bit register: PTX ISA 9.7.9.7 (prmt), 9.7.1.23 and 24 (dp4a,
// dp2a), 9.7.18.2.3 (vabsdiff4) and the .u16x2 and .s16x2 forms of add, min and max.
namespace warpcheck::simt::alu {
namespace {

enum class Permute { generic, forward4, backward4, replicate8, edge_left, edge_right, replicate16 };

/// Which of the eight source bytes goes to byte `to` of the result, for the two-bit selector s.
template <Permute kMode>
constexpr std::uint32_t source_byte(std::uint32_t to, std::uint32_t s) {
  switch (kMode) {
    case Permute::forward4:
      return to + s;
    case Permute::backward4:
      return (s - to) & 7u;
    case Permute::replicate8:
      return s;
    case Permute::edge_left:
      return to > s ? to : s;
    case Permute::edge_right:
      return to < s ? to : s;
    case Permute::replicate16:
      return ((s & 1u) << 1) | (to & 1u);
    case Permute::generic:
      break;
  }
  return 0;
}

template <Permute kMode>
struct PermuteBytes {
  static constexpr std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    const std::uint64_t bytes = std::uint64_t{b} << 32 | a;
    std::uint32_t result = 0;
    for (std::uint32_t to = 0; to < 4; ++to) {
      const std::uint32_t control = (c >> (4 * to)) & 0xfu;
      const std::uint32_t from = kMode == Permute::generic ? control & 7u : source_byte<kMode>(to, c & 3u);
      std::uint32_t byte = static_cast<std::uint32_t>(bytes >> (8 * from)) & 0xffu;
      if (kMode == Permute::generic && (control & 8u) != 0) byte = (byte & 0x80u) != 0 ? 0xffu : 0;
      result |= byte << (8 * to);
    }
    return result;
  }
};

template <class T>
constexpr std::int32_t byte_of(std::uint32_t word, int index) {
  using Byte = std::conditional_t<std::is_signed_v<typename T::Value>, std::int8_t, std::uint8_t>;
  return static_cast<Byte>(word >> (8 * index));
}

template <class T>
constexpr std::int32_t half_of(std::uint32_t word, int index) {
  using HalfWord = std::conditional_t<std::is_signed_v<typename T::Value>, std::int16_t, std::uint16_t>;
  return static_cast<HalfWord>(word >> (16 * index));
}

template <class A, class B>
struct DotFourBytes {
  static constexpr std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (int i = 0; i < 4; ++i) c += static_cast<std::uint32_t>(byte_of<A>(a, i) * byte_of<B>(b, i));
    return c;
  }
};

/// kFirst: the byte of b that meets the low half of a (0 for .lo, 2 for .hi).
template <class A, class B, int kFirst>
struct DotTwoHalves {
  static constexpr std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    for (int i = 0; i < 2; ++i) c += static_cast<std::uint32_t>(half_of<A>(a, i) * byte_of<B>(b, kFirst + i));
    return c;
  }
};

enum class Secondary { merge, merge_saturated, accumulate };

/// Absolute differences of four bytes with the default selectors and mask; .add sums them onto c.
template <class D, class A, class B, Secondary kSecondary>
struct AbsoluteDifferencesOfBytes {
  static constexpr std::uint32_t apply(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    std::uint32_t result = kSecondary == Secondary::accumulate ? c : 0;
    for (int i = 0; i < 4; ++i) {
      const std::int32_t difference = byte_of<A>(a, i) - byte_of<B>(b, i);
      std::int32_t t = difference < 0 ? -difference : difference;
      constexpr std::int32_t high = std::is_signed_v<typename D::Value> ? 127 : 255;
      if (kSecondary == Secondary::merge_saturated) t = t > high ? high : t;
      if (kSecondary == Secondary::accumulate)
        result += static_cast<std::uint32_t>(t);
      else
        result |= (static_cast<std::uint32_t>(t) & 0xffu) << (8 * i);
    }
    return result;
  }
};

enum class HalfOp { add, minimum, maximum, minimum_relu, maximum_relu };

template <class T, HalfOp kOp>
struct BothHalves {
  static constexpr std::uint32_t apply(std::uint32_t a, std::uint32_t b) {
    std::uint32_t result = 0;
    for (int i = 0; i < 2; ++i) {
      const std::int32_t x = half_of<T>(a, i);
      const std::int32_t y = half_of<T>(b, i);
      constexpr bool smaller = kOp == HalfOp::minimum || kOp == HalfOp::minimum_relu;
      std::int32_t t = kOp == HalfOp::add ? x + y : (x < y) == smaller ? x : y;
      if (kOp == HalfOp::minimum_relu || kOp == HalfOp::maximum_relu) t = t < 0 ? 0 : t;
      result |= (static_cast<std::uint32_t>(t) & 0xffffu) << (16 * i);
    }
    return result;
  }
};

}  // namespace

void append_byte_rows(RowTable& table) {
  constexpr Lane w = Lane::w32;
  const auto permute = [&]<Permute kMode>(std::string_view mode) {
    table.add({"prmt.b32", mode}, lanewise<PermuteBytes<kMode>, B32, B32, B32, B32>, {w, w, w, w});
  };
  permute.operator()<Permute::generic>("");
  permute.operator()<Permute::forward4>("f4e");
  permute.operator()<Permute::backward4>("b4e");
  permute.operator()<Permute::replicate8>("rc8");
  permute.operator()<Permute::edge_left>("ecl");
  permute.operator()<Permute::edge_right>("ecr");
  permute.operator()<Permute::replicate16>("rc16");

  using WordTypes = TypeList<U32, S32>;
  for_each_type(WordTypes{}, [&]<class A>() {
    for_each_type(WordTypes{}, [&]<class B>() {
      table.add({"dp4a", A::name, B::name}, lanewise<DotFourBytes<A, B>, B32, B32, B32, B32>, {w, w, w, w}, 1,
                61);
      table.add({"dp2a.lo", A::name, B::name}, lanewise<DotTwoHalves<A, B, 0>, B32, B32, B32, B32>,
                {w, w, w, w}, 1, 61);
      table.add({"dp2a.hi", A::name, B::name}, lanewise<DotTwoHalves<A, B, 2>, B32, B32, B32, B32>,
                {w, w, w, w}, 1, 61);
    });
  });

  for_each_type(WordTypes{}, [&]<class D>() {
    for_each_type(WordTypes{}, [&]<class A>() {
      for_each_type(WordTypes{}, [&]<class B>() {
        const auto difference = [&]<Secondary kSecondary>(std::string_view suffix) {
          table.add({"vabsdiff4", D::name, A::name, B::name, suffix},
                    lanewise<AbsoluteDifferencesOfBytes<D, A, B, kSecondary>, B32, B32, B32, B32>,
                    {w, w, w, w}, 1, 30);
        };
        difference.template operator()<Secondary::merge>("");
        difference.template operator()<Secondary::merge_saturated>("sat");
        difference.template operator()<Secondary::accumulate>("add");
      });
    });
  });

  const auto halves = [&]<class T, HalfOp kOp>(std::string_view variant) {
    table.add({variant}, lanewise<BothHalves<T, kOp>, B32, B32, B32>, {w, w, w}, 1, 90);
  };
  halves.operator()<U32, HalfOp::add>("add.u16x2");
  halves.operator()<S32, HalfOp::add>("add.s16x2");
  halves.operator()<U32, HalfOp::minimum>("min.u16x2");
  halves.operator()<S32, HalfOp::minimum>("min.s16x2");
  halves.operator()<S32, HalfOp::minimum_relu>("min.relu.s16x2");
  halves.operator()<U32, HalfOp::maximum>("max.u16x2");
  halves.operator()<S32, HalfOp::maximum>("max.s16x2");
  halves.operator()<S32, HalfOp::maximum_relu>("max.relu.s16x2");
}

}  // namespace warpcheck::simt::alu

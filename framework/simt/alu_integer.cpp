#include <limits>

#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.1.1 to 9.7.1.13: integer arithmetic. Results are modulo 2^n unless .sat is given.
namespace warpcheck::simt::alu {
namespace {

template <class T>
constexpr T modular(Modular<T> value) {
  return static_cast<T>(value);
}

template <class T>
struct Add {
  static constexpr T apply(T a, T b) {
    return modular<T>(static_cast<Modular<T>>(a) + static_cast<Modular<T>>(b));
  }
};

template <class T>
struct Subtract {
  static constexpr T apply(T a, T b) {
    return modular<T>(static_cast<Modular<T>>(a) - static_cast<Modular<T>>(b));
  }
};

constexpr std::int32_t clamp_to_s32(std::int64_t value) {
  constexpr std::int64_t low = std::numeric_limits<std::int32_t>::min();
  constexpr std::int64_t high = std::numeric_limits<std::int32_t>::max();
  value = value < low ? low : value;
  return static_cast<std::int32_t>(value > high ? high : value);
}

struct AddSaturating {
  static constexpr std::int32_t apply(std::int32_t a, std::int32_t b) {
    return clamp_to_s32(std::int64_t{a} + b);
  }
};

struct SubtractSaturating {
  static constexpr std::int32_t apply(std::int32_t a, std::int32_t b) {
    return clamp_to_s32(std::int64_t{a} - b);
  }
};

template <class T>
struct MultiplyLow {
  static constexpr T apply(T a, T b) {
    return modular<T>(static_cast<Modular<T>>(a) * static_cast<Modular<T>>(b));
  }
};

/// The product at twice the width; it always fits.
template <class T>
constexpr Twice<T> product(T a, T b) {
  // 16-bit factors would be promoted to int, in which 65535 · 65535 overflows.
  return static_cast<Twice<T>>(static_cast<Twice<T>>(a) * static_cast<Twice<T>>(b));
}

template <class T>
struct MultiplyHigh {
  static constexpr T apply(T a, T b) { return static_cast<T>(product(a, b) >> (8 * sizeof(T))); }
};

template <class T>
struct MultiplyWide {
  static constexpr Twice<T> apply(T a, T b) { return product(a, b); }
};

template <class T>
struct MultiplyLowAdd {
  static constexpr T apply(T a, T b, T c) { return Add<T>::apply(MultiplyLow<T>::apply(a, b), c); }
};

template <class T>
struct MultiplyHighAdd {
  static constexpr T apply(T a, T b, T c) { return Add<T>::apply(MultiplyHigh<T>::apply(a, b), c); }
};

struct MultiplyHighAddSaturating {
  static constexpr std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    return AddSaturating::apply(MultiplyHigh<std::int32_t>::apply(a, b), c);
  }
};

template <class T>
struct MultiplyWideAdd {
  static constexpr Twice<T> apply(T a, T b, Twice<T> c) { return Add<Twice<T>>::apply(product(a, b), c); }
};

/// The low 24 bits of a, extended by the type's sign.
template <class T>
constexpr std::int64_t low_24(T a) {
  return static_cast<T>(static_cast<std::uint32_t>(a) << 8) >> 8;
}

template <class T>
struct Multiply24Low {
  static constexpr T apply(T a, T b) { return static_cast<T>(low_24(a) * low_24(b)); }
};

template <class T>
struct Multiply24High {
  static constexpr T apply(T a, T b) { return static_cast<T>((low_24(a) * low_24(b)) >> 16); }
};

template <class T>
struct Multiply24LowAdd {
  static constexpr T apply(T a, T b, T c) { return Add<T>::apply(Multiply24Low<T>::apply(a, b), c); }
};

template <class T>
struct Multiply24HighAdd {
  static constexpr T apply(T a, T b, T c) { return Add<T>::apply(Multiply24High<T>::apply(a, b), c); }
};

struct Multiply24HighAddSaturating {
  static constexpr std::int32_t apply(std::int32_t a, std::int32_t b, std::int32_t c) {
    return AddSaturating::apply(Multiply24High<std::int32_t>::apply(a, b), c);
  }
};

/// The quotient truncated towards zero. Division by zero is unspecified in the text; devices give all ones.
/// MININT / -1 wraps to MININT.
template <class T>
struct Divide {
  static constexpr T apply(T a, T b) {
    if constexpr (sizeof(T) < 8) {
      // The nearest double of a / b has the exact quotient as its integer part while |a| < 2^53; vectors have
      // no integer division.
      const double quotient = static_cast<double>(a) / static_cast<double>(b == 0 ? T{1} : b);
      return b == 0 ? static_cast<T>(-1) : static_cast<T>(static_cast<std::int64_t>(quotient));
    } else {
      if (b == 0) return static_cast<T>(-1);
      if constexpr (std::is_signed_v<T>)
        if (b == -1) return Subtract<T>::apply(0, a);
      return a / b;
    }
  }
};

/// a - b · (a / b); all ones if b is zero, as devices give.
template <class T>
struct Remainder {
  static constexpr T apply(T a, T b) {
    const T rest = Subtract<T>::apply(a, MultiplyLow<T>::apply(Divide<T>::apply(a, b), b));
    return b == 0 ? static_cast<T>(-1) : rest;
  }
};

template <class T>
struct SumOfAbsoluteDifferences {
  static constexpr T apply(T a, T b, T c) {
    return Add<T>::apply(c, a < b ? Subtract<T>::apply(b, a) : Subtract<T>::apply(a, b));
  }
};

template <class T>
struct Negate {
  static constexpr T apply(T a) { return Subtract<T>::apply(0, a); }
};

template <class T>
struct Absolute {
  static constexpr T apply(T a) { return a < 0 ? Negate<T>::apply(a) : a; }
};

template <class T>
struct Minimum {
  static constexpr T apply(T a, T b) { return a < b ? a : b; }
};

template <class T>
struct Maximum {
  static constexpr T apply(T a, T b) { return a > b ? a : b; }
};

/// min.relu and max.relu: a negative result becomes 0.
template <template <class> class Op>
struct NonNegative {
  static constexpr std::int32_t apply(std::int32_t a, std::int32_t b) {
    const std::int32_t result = Op<std::int32_t>::apply(a, b);
    return result < 0 ? 0 : result;
  }
};

/// The tag of the type twice as wide.
template <class T>
struct WideTag;
template <>
struct WideTag<U16> : std::type_identity<U32> {};
template <>
struct WideTag<U32> : std::type_identity<U64> {};
template <>
struct WideTag<S16> : std::type_identity<S32> {};
template <>
struct WideTag<S32> : std::type_identity<S64> {};

}  // namespace

void append_integer_rows(RowTable& table) {
  const auto binary = [&]<template <class> class Op, class... T>(std::string_view name, TypeList<T...>) {
    (table.add({name, T::name}, lanewise<Op<typename T::Value>, T, T, T>, {T::lane, T::lane, T::lane}), ...);
  };
  const auto ternary = [&]<template <class> class Op, class... T>(std::string_view name, TypeList<T...>) {
    (table.add({name, T::name}, lanewise<Op<typename T::Value>, T, T, T, T>,
               {T::lane, T::lane, T::lane, T::lane}),
     ...);
  };
  const auto unary = [&]<template <class> class Op, class... T>(std::string_view name, TypeList<T...>) {
    (table.add({name, T::name}, lanewise<Op<typename T::Value>, T, T>, {T::lane, T::lane}), ...);
  };
  constexpr Lane w32 = Lane::w32;
  using NarrowTypes = TypeList<U16, U32, S16, S32>;
  using WordTypes = TypeList<U32, S32>;

  binary.operator()<Add>("add", IntegerTypes{});
  table.add({"add.sat.s32"}, lanewise<AddSaturating, S32, S32, S32>, {w32, w32, w32});
  binary.operator()<Subtract>("sub", IntegerTypes{});
  table.add({"sub.sat.s32"}, lanewise<SubtractSaturating, S32, S32, S32>, {w32, w32, w32});

  binary.operator()<MultiplyLow>("mul.lo", IntegerTypes{});
  binary.operator()<MultiplyHigh>("mul.hi", IntegerTypes{});
  for_each_type(NarrowTypes{}, [&]<class T>() {
    using Wide = typename WideTag<T>::type;
    table.add({"mul.wide", T::name}, lanewise<MultiplyWide<typename T::Value>, Wide, T, T>,
              {Wide::lane, T::lane, T::lane});
  });
  ternary.operator()<MultiplyLowAdd>("mad.lo", IntegerTypes{});
  ternary.operator()<MultiplyHighAdd>("mad.hi", IntegerTypes{});
  table.add({"mad.hi.sat.s32"}, lanewise<MultiplyHighAddSaturating, S32, S32, S32, S32>,
            {w32, w32, w32, w32});
  for_each_type(NarrowTypes{}, [&]<class T>() {
    using Wide = typename WideTag<T>::type;
    table.add({"mad.wide", T::name}, lanewise<MultiplyWideAdd<typename T::Value>, Wide, T, T, Wide>,
              {Wide::lane, T::lane, T::lane, Wide::lane});
  });
  binary.operator()<Multiply24Low>("mul24.lo", WordTypes{});
  binary.operator()<Multiply24High>("mul24.hi", WordTypes{});
  ternary.operator()<Multiply24LowAdd>("mad24.lo", WordTypes{});
  ternary.operator()<Multiply24HighAdd>("mad24.hi", WordTypes{});
  table.add({"mad24.hi.sat.s32"}, lanewise<Multiply24HighAddSaturating, S32, S32, S32, S32>,
            {w32, w32, w32, w32});
  ternary.operator()<SumOfAbsoluteDifferences>("sad", IntegerTypes{});

  const auto division = [&]<template <class> class Op, class... T>(std::string_view name, TypeList<T...>) {
    (table.add({name, T::name},
               sizeof(typename T::Value) == 8 ? lane_by_lane<Op<typename T::Value>, T, T, T>
                                              : lanewise<Op<typename T::Value>, T, T, T>,
               {T::lane, T::lane, T::lane}),
     ...);
  };
  division.operator()<Divide>("div", IntegerTypes{});
  division.operator()<Remainder>("rem", IntegerTypes{});

  unary.operator()<Absolute>("abs", SignedTypes{});
  unary.operator()<Negate>("neg", SignedTypes{});
  binary.operator()<Minimum>("min", IntegerTypes{});
  table.add({"min.relu.s32"}, lanewise<NonNegative<Minimum>, S32, S32, S32>, {w32, w32, w32}, 1, 90);
  binary.operator()<Maximum>("max", IntegerTypes{});
  table.add({"max.relu.s32"}, lanewise<NonNegative<Maximum>, S32, S32, S32>, {w32, w32, w32}, 1, 90);
}

}  // namespace warpcheck::simt::alu

#include <bit>
#include <limits>

#include "framework/simt/alu_float.hpp"
#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_rounding.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.9.21: cvt from integers to floats.
namespace warpcheck::simt::alu {
namespace {

/// The float next to an integer, in integer arithmetic so that no rounding mode of the processor is involved.
template <class I, class F, Rounding kRounding>
struct FromInteger {
  static F apply(I a) {
    if constexpr (std::numeric_limits<I>::digits <= std::numeric_limits<F>::digits ||
                  kRounding == Rounding::nearest) {
      return static_cast<F>(a);
    } else {
      const bool negative = a < 0;
      const std::uint64_t wide = static_cast<std::uint64_t>(a);
      const std::uint64_t magnitude = negative ? 0 - wide : wide;
      const int width = static_cast<int>(std::bit_width(magnitude));
      const int excess = width - std::numeric_limits<F>::digits;
      const int shift = excess > 0 ? excess : 0;
      const bool inexact = (magnitude & ((std::uint64_t{1} << shift) - 1)) != 0;
      const bool away = (kRounding == Rounding::down && negative) || (kRounding == Rounding::up && !negative);
      const std::uint64_t significand = (magnitude >> shift) + (inexact && away ? 1 : 0);
      // Both factors and the product are exact.
      const F value =
          static_cast<F>(static_cast<std::int64_t>(significand)) * static_cast<F>(std::uint64_t{1} << shift);
      return negative ? -value : value;
    }
  }
};

template <class I, class F, Rounding kRounding>
struct FromIntegerSaturating {
  static F apply(I a) { return saturate(FromInteger<I, F, kRounding>::apply(a)); }
};

template <class I, class F>
void add_from_integer(RowTable& table) {
  const auto rows = [&]<Rounding kRounding>() {
    using Op = FromInteger<typename I::Value, typename F::Value, kRounding>;
    using Saturating = FromIntegerSaturating<typename I::Value, typename F::Value, kRounding>;
    const auto row = [&](std::string_view qualifiers, LaneOp op) {
      table.add({"cvt", name_of(kRounding), qualifiers, F::name, I::name}, op, {F::lane, I::lane});
    };
    row("", lanewise<Op, F, I>);
    row("sat", lanewise<Saturating, F, I>);
    if constexpr (sizeof(typename F::Value) == 4) {
      // No integer converts to a subnormal.
      row("ftz", lanewise<Op, F, I>);
      row("ftz.sat", lanewise<Saturating, F, I>);
    }
  };
  rows.template operator()<Rounding::nearest>();
  rows.template operator()<Rounding::zero>();
  rows.template operator()<Rounding::down>();
  rows.template operator()<Rounding::up>();
}

}  // namespace

void append_integer_to_float_rows(RowTable& table) {
  for_each_type(FloatTypes{}, [&]<class F>() {
    for_each_type(ConvertibleIntegers{}, [&]<class I>() { add_from_integer<I, F>(table); });
  });
}

}  // namespace warpcheck::simt::alu

#include <bit>
#include <limits>

#include "framework/simt/alu_float.hpp"
#include "framework/simt/alu_integral_rounding.hpp"
#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.9.21: cvt from floats to integers.
namespace warpcheck::simt::alu {
namespace {

/// Clamps to the destination's range. NaN gives 0, or the value with only the top bit set if the source is
/// f64 or the destination has 64 bits.
template <class F, class I, IntegralRounding kRounding, bool kFlush>
struct ToInteger {
  static I apply(F a) {
    constexpr I low = std::numeric_limits<I>::min();
    constexpr I high = std::numeric_limits<I>::max();
    constexpr bool nan_is_top_bit = sizeof(F) == 8 || sizeof(I) == 8;
    constexpr I of_nan = nan_is_top_bit ? static_cast<I>(static_cast<I>(1) << (8 * sizeof(I) - 1)) : I{0};
    const F x = to_integral<kRounding>(flush_if<kFlush>(a));
    if constexpr (sizeof(I) < 8) {
      // Every bound is a double, so that the clamp is exact and the cast stays in range.
      double clamped = static_cast<double>(x);
      clamped = clamped < double{low} ? double{low} : clamped;
      clamped = clamped > double{high} ? double{high} : clamped;
      clamped = clamped != clamped ? double{of_nan} : clamped;
      return static_cast<I>(static_cast<std::int64_t>(clamped));
    } else {
      // high + 1 is a power of two and low is one or zero: both are floats.
      constexpr F beyond = std::is_signed_v<I> ? F{0x1p63} : F{0x1p64};
      constexpr F lowest = std::is_signed_v<I> ? F{-0x1p63} : F{0};
      const bool inside = x >= lowest && x < beyond;
      const I converted = static_cast<I>(inside ? x : F{0});
      if (x != x) return of_nan;
      return inside ? converted : x < lowest ? low : high;
    }
  }
};

template <class F, class I>
void add_to_integer(RowTable& table) {
  for_each_integral_rounding([&]<IntegralRounding kRounding>() {
    const auto row = [&](std::string_view qualifiers, LaneOp op) {
      table.add({"cvt", name_of(kRounding), qualifiers, I::name, F::name}, op, {I::lane, F::lane});
    };
    using Value = typename F::Value;
    const LaneOp plain = lanewise<ToInteger<Value, typename I::Value, kRounding, false>, I, F>;
    row("", plain);
    row("sat", plain);
    if constexpr (sizeof(Value) == 4) {
      const LaneOp flushing = lanewise<ToInteger<Value, typename I::Value, kRounding, true>, I, F>;
      row("ftz", flushing);
      row("ftz.sat", flushing);
    }
  });
}

}  // namespace

void append_float_to_integer_rows(RowTable& table) {
  for_each_type(FloatTypes{}, [&]<class F>() {
    for_each_type(ConvertibleIntegers{}, [&]<class I>() { add_to_integer<F, I>(table); });
  });
}

}  // namespace warpcheck::simt::alu

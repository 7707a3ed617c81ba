#include "framework/simt/alu_float.hpp"
#include "framework/simt/alu_integral_rounding.hpp"
#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.9.21: cvt between floats where nothing is rounded, or to an integral value. cvt.f32.f64 rounds
// and stands with the arithmetic.
namespace warpcheck::simt::alu {
namespace {

struct Same {
  template <class F>
  static F apply(F a) {
    return a;
  }
};

template <IntegralRounding kRounding>
struct Integral {
  template <class F>
  static F apply(F a) {
    return to_integral<kRounding>(a);
  }
};

/// A NaN keeps its payload, moved to the top of the wider field, and becomes quiet.
template <bool kFlush, bool kSaturate>
struct WidenToF64 {
  static double apply(float a) {
    const auto bits = std::bit_cast<std::uint32_t>(a);
    const std::uint64_t payload = std::uint64_t{bits & 0x7fffffu} << 29;
    const std::uint64_t nan =
        std::uint64_t{bits & kSignBit<float>} << 32 | kInfinityBits<double> | kQuietBit<double> | payload;
    const double value = a == a ? double{flush_if<kFlush>(a)} : std::bit_cast<double>(nan);
    return kSaturate ? saturate(value) : value;
  }
};

template <class T, class Core>
void add_same_width(RowTable& table, std::string_view rounding) {
  using F = typename T::Value;
  const auto row = [&](std::string_view qualifiers, LaneOp op) {
    table.add({"cvt", rounding, qualifiers, T::name, T::name}, op, {T::lane, T::lane});
  };
  row("", lanewise<FloatOp<Core, F, false, false>, T, T>);
  row("sat", lanewise<FloatOp<Core, F, false, true>, T, T>);
  if constexpr (sizeof(F) == 4) {
    row("ftz", lanewise<FloatOp<Core, F, true, false>, T, T>);
    row("ftz.sat", lanewise<FloatOp<Core, F, true, true>, T, T>);
  }
}

}  // namespace

void append_float_conversion_rows(RowTable& table) {
  for_each_type(FloatTypes{}, [&]<class T>() {
    add_same_width<T, Same>(table, "");
    for_each_integral_rounding([&]<IntegralRounding kRounding>() {
      add_same_width<T, Integral<kRounding>>(table, name_of(kRounding));
    });
  });
  table.add({"cvt.f64.f32"}, lanewise<WidenToF64<false, false>, F64, F32>, {Lane::f64, Lane::f32});
  table.add({"cvt.sat.f64.f32"}, lanewise<WidenToF64<false, true>, F64, F32>, {Lane::f64, Lane::f32});
  table.add({"cvt.ftz.f64.f32"}, lanewise<WidenToF64<true, false>, F64, F32>, {Lane::f64, Lane::f32});
  table.add({"cvt.ftz.sat.f64.f32"}, lanewise<WidenToF64<true, true>, F64, F32>, {Lane::f64, Lane::f32});
}

}  // namespace warpcheck::simt::alu

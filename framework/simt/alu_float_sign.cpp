#include "framework/simt/alu_float.hpp"
#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.3.1, 2, 9 to 12: operations that choose or change a sign and never round.
namespace warpcheck::simt::alu {
namespace {

/// abs.f64 passes NaN through unchanged; abs.f32 may give any NaN, and keeps the payload here.
template <class F, bool kFlush>
struct AbsoluteValue {
  static F apply(F a) {
    a = flush_if<kFlush>(a);
    const auto bits = std::bit_cast<FloatBits<F>>(a);
    const bool keep = sizeof(F) == 8 && a != a;
    return std::bit_cast<F>(keep ? bits : bits & ~kSignBit<F>);
  }
};

template <class F, bool kFlush>
struct NegatedValue {
  static F apply(F a) {
    return std::bit_cast<F>(std::bit_cast<FloatBits<F>>(flush_if<kFlush>(a)) ^ kSignBit<F>);
  }
};

/// The sign of a on the value of b.
template <class F>
struct CopySign {
  static F apply(F a, F b) {
    const auto sign = std::bit_cast<FloatBits<F>>(a) & kSignBit<F>;
    return std::bit_cast<F>((std::bit_cast<FloatBits<F>>(b) & ~kSignBit<F>) | sign);
  }
};

enum class Extreme { minimum, maximum };

/// min and max: the number if one operand is NaN (unless kNan), -0 below +0. With kXorSign the magnitudes are
/// compared and a number gets the product's sign.
template <class F, Extreme kExtreme, bool kFlush, bool kNan, bool kXorSign>
struct ExtremeOf {
  using Bits = FloatBits<F>;

  /// Orders all numbers like their values, with -0 below +0.
  static std::make_signed_t<Bits> key(Bits bits) {
    using Signed = std::make_signed_t<Bits>;
    const Bits negative = static_cast<Bits>(static_cast<Signed>(bits) >> (8 * sizeof(Bits) - 1));
    return static_cast<Signed>(bits ^ (negative >> 1));
  }

  static F apply(F a, F b) {
    a = flush_if<kFlush>(a);
    b = flush_if<kFlush>(b);
    Bits x = std::bit_cast<Bits>(a);
    Bits y = std::bit_cast<Bits>(b);
    const Bits sign = (x ^ y) & kSignBit<F>;
    if constexpr (kXorSign) {
      x &= ~kSignBit<F>;
      y &= ~kSignBit<F>;
    }
    const bool takes_a = kExtreme == Extreme::minimum ? key(x) < key(y) : key(x) > key(y);
    const Bits number = b != b || (takes_a && a == a) ? x : y;
    const Bits chosen = kXorSign ? (number & ~kSignBit<F>) | sign : number;
    const bool is_nan = kNan ? a != a || b != b : a != a && b != b;
    // .NaN asks for the canonical NaN; only min.f64 and max.f64 without it have a payload to keep.
    return is_nan ? nan_of<F>(a, b) : std::bit_cast<F>(chosen);
  }
};

enum class Property { finite, infinite, number, notanumber, normal, subnormal };

template <class F, Property kProperty>
constexpr bool has_property(FloatBits<F> bits) {
  const FloatBits<F> magnitude = bits & ~kSignBit<F>;
  constexpr FloatBits<F> smallest_normal = FloatBits<F>{1} << kMantissaBits<F>;
  switch (kProperty) {
    case Property::finite:
      return magnitude < kInfinityBits<F>;
    case Property::infinite:
      return magnitude == kInfinityBits<F>;
    case Property::number:
      return magnitude <= kInfinityBits<F>;
    case Property::notanumber:
      return magnitude > kInfinityBits<F>;
    case Property::normal:
      return magnitude == 0 || (magnitude >= smallest_normal && magnitude < kInfinityBits<F>);
    case Property::subnormal:
      return magnitude != 0 && magnitude < smallest_normal;
  }
  return false;
}

template <class F, Property kProperty>
void test_property(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const auto* a = context.at<const FloatBits<F>>(instr.a);
  LaneMask result = 0;
  for (int i = 0; i < kWarpSize; ++i) result |= has_property<F, kProperty>(a[i]) ? LaneMask{1} << i : 0;
  store_predicate(context, instr.d, mask, result);
}

template <Extreme kExtreme>
void add_extreme(RowTable& table, std::string_view name) {
  constexpr Lane f32 = Lane::f32, f64 = Lane::f64;
  const auto row = [&]<bool kFlush, bool kNan, bool kXorSign>(int min_sm) {
    table.add({name, kFlush ? "ftz" : "", kNan ? "NaN" : "", kXorSign ? "xorsign.abs" : "", "f32"},
              lanewise<ExtremeOf<float, kExtreme, kFlush, kNan, kXorSign>, F32, F32, F32>, {f32, f32, f32}, 1,
              min_sm);
  };
  row.template operator()<false, false, false>(0);
  row.template operator()<true, false, false>(0);
  row.template operator()<false, true, false>(80);
  row.template operator()<true, true, false>(80);
  row.template operator()<false, false, true>(86);
  row.template operator()<true, false, true>(86);
  row.template operator()<false, true, true>(86);
  row.template operator()<true, true, true>(86);
  table.add({name, "f64"}, lanewise<ExtremeOf<double, kExtreme, false, false, false>, F64, F64, F64>,
            {f64, f64, f64});
}

}  // namespace

void append_float_sign_rows(RowTable& table) {
  constexpr Lane f32 = Lane::f32, f64 = Lane::f64;
  table.add({"abs.f32"}, lanewise<AbsoluteValue<float, false>, F32, F32>, {f32, f32});
  table.add({"abs.ftz.f32"}, lanewise<AbsoluteValue<float, true>, F32, F32>, {f32, f32});
  table.add({"abs.f64"}, lanewise<AbsoluteValue<double, false>, F64, F64>, {f64, f64});
  table.add({"neg.f32"}, lanewise<NegatedValue<float, false>, F32, F32>, {f32, f32});
  table.add({"neg.ftz.f32"}, lanewise<NegatedValue<float, true>, F32, F32>, {f32, f32});
  table.add({"neg.f64"}, lanewise<NegatedValue<double, false>, F64, F64>, {f64, f64});
  table.add({"copysign.f32"}, lanewise<CopySign<float>, F32, F32, F32>, {f32, f32, f32});
  table.add({"copysign.f64"}, lanewise<CopySign<double>, F64, F64, F64>, {f64, f64, f64});
  add_extreme<Extreme::minimum>(table, "min");
  add_extreme<Extreme::maximum>(table, "max");
  const auto property = [&]<Property kProperty>(std::string_view name) {
    table.add({"testp", name, "f32"}, test_property<float, kProperty>, {Lane::pred, f32});
    table.add({"testp", name, "f64"}, test_property<double, kProperty>, {Lane::pred, f64});
  };
  property.operator()<Property::finite>("finite");
  property.operator()<Property::infinite>("infinite");
  property.operator()<Property::number>("number");
  property.operator()<Property::notanumber>("notanumber");
  property.operator()<Property::normal>("normal");
  property.operator()<Property::subnormal>("subnormal");
}

}  // namespace warpcheck::simt::alu

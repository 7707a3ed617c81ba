#include <cmath>

#include "framework/simt/alu_float.hpp"
#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.3.8 (.approx, .full) and 9.7.3.13 to 9.7.3.22: approximate functions, returned correctly
// rounded.
namespace warpcheck::simt::alu {
namespace {

/// Rounds the value of a function to single precision, correctly, given it in double precision with an error
/// of a few ulp: only where the neighbourhood of that value does not round to one float is the slower, wider
/// value asked for. (The 64-bit significand of x87 leaves about one chance in 2^8 that a single operand of
/// all floats is misrounded; where long double is no wider than double, one in 2^28 operands may be.)
template <class Wider>
float round_to_float(double value, Wider wider) {
  const double slack = std::abs(value) * 0x1p-50;
  const float below = static_cast<float>(value - slack);
  const float above = static_cast<float>(value + slack);
  if (std::bit_cast<std::uint32_t>(below) == std::bit_cast<std::uint32_t>(above)) return below;
  return static_cast<float>(wider());
}

struct Exp2 {
  static float apply(float a) {
    if (!(std::abs(a) < 256)) return a < 0 ? 0.0f : a > 0 ? std::numeric_limits<float>::infinity() : a;
    return round_to_float(std::exp2(double{a}), [a] { return std::exp2(static_cast<long double>(a)); });
  }
};

struct Log2 {
  static float apply(float a) {
    if (a == 0) return -std::numeric_limits<float>::infinity();
    if (!(a > 0) || std::isinf(a)) return a > 0 ? a : invented_nan<float>();
    return round_to_float(std::log2(double{a}), [a] { return std::log2(static_cast<long double>(a)); });
  }
};

struct Sine {
  static float apply(float a) {
    if (a == 0 || !std::isfinite(a)) return a == 0 ? a : invented_nan<float>();
    return round_to_float(std::sin(double{a}), [a] { return std::sin(static_cast<long double>(a)); });
  }
};

struct Cosine {
  static float apply(float a) {
    if (!std::isfinite(a)) return invented_nan<float>();
    return round_to_float(std::cos(double{a}), [a] { return std::cos(static_cast<long double>(a)); });
  }
};

struct HyperbolicTangent {
  static float apply(float a) {
    // Below this, tanh(a) = a - a^3 / 3 + … rounds to a, and the general path would lose the sign of zero.
    if (!(std::abs(a) > 0x1p-13f)) return a;
    return round_to_float(std::tanh(double{a}), [a] { return std::tanh(static_cast<long double>(a)); });
  }
};

/// 1 / sqrt(a). Over all floats the double result is never close enough to a rounding boundary of float to
/// cross it (a test goes through every significand).
struct ReciprocalRoot {
  static float apply(float a) {
    if (a == 0) return std::copysign(std::numeric_limits<float>::infinity(), a);
    return static_cast<float>(1.0 / std::sqrt(double{a}));
  }
};

struct Quotient {
  static float apply(float a, float b) { return a / b; }
};

/// For 2^126 < |b| < 2^128 the text wants NaN if a is infinite and zero otherwise.
struct QuotientByReciprocal {
  static float apply(float a, float b) {
    const bool large = std::abs(b) > 0x1p126f && std::abs(b) < std::numeric_limits<float>::infinity();
    if (!large) return a / b;
    return a * std::copysign(0.0f, b);
  }
};

struct ReciprocalOf {
  static float apply(float a) { return 1.0f / a; }
};

struct RootOf {
  static float apply(float a) { return std::sqrt(a); }
};

constexpr std::uint64_t kLowWord = 0xffffffffu;
constexpr std::uint64_t kCanonicalHighWord = 0x7fffffff00000000u;

/// The operand of the .approx.ftz.f64 functions: its upper word, subnormals flushed.
double upper_word(double a) {
  return flush_subnormal(std::bit_cast<double>(std::bit_cast<std::uint64_t>(a) & ~kLowWord));
}

/// Rounds to the 20 mantissa bits of the upper word, subnormals flushed.
double to_upper_word(double value) {
  if (value != value) return std::bit_cast<double>(kCanonicalHighWord);
  std::uint64_t bits = std::bit_cast<std::uint64_t>(value);
  bits += 0x7fffffffu + ((bits >> 32) & 1u);
  return flush_subnormal(std::bit_cast<double>(bits & ~kLowWord));
}

struct ReciprocalUpperWord {
  // The quotient of two 21-bit significands is exact or at least 2^-44 away from a 22-bit boundary, so that
  // rounding it to double first does no harm.
  static double apply(double a) { return to_upper_word(1.0 / upper_word(a)); }
};

struct ReciprocalRootUpperWord {
  static double apply(double a) {
    const double x = upper_word(a);
    if (x == 0) return std::copysign(std::numeric_limits<double>::infinity(), x);
    // A test goes through every 21-bit significand: rounding to double first does no harm here either.
    return to_upper_word(1.0 / std::sqrt(x));
  }
};

/// Compares x · m^2 with 2^exponent exactly. Preconditions: x < 2^54, m < 2^55, 128 <= exponent < 192.
int compare_with_power(std::uint64_t x, std::uint64_t m, int exponent) {
  const UInt128 square = static_cast<UInt128>(m) * m;
  const UInt128 low = static_cast<UInt128>(static_cast<std::uint64_t>(square)) * x;
  const UInt128 high = static_cast<UInt128>(static_cast<std::uint64_t>(square >> 64)) * x + (low >> 64);
  // The product is high · 2^64 + the low word of low.
  const UInt128 power = UInt128{1} << (exponent - 64);
  if (high != power) return high < power ? -1 : 1;
  return static_cast<std::uint64_t>(low) == 0 ? 0 : 1;
}

/// 1 / sqrt(a) in double precision, correctly rounded: a candidate, corrected by exact integer comparison
/// with the midpoints next to it. The result is never subnormal, nor a midpoint.
struct ReciprocalRootF64 {
  static double apply(double a) {
    if (a == 0) return std::copysign(std::numeric_limits<double>::infinity(), a);
    if (!(a > 0) || std::isinf(a)) return a > 0 ? 0.0 : nan_of<double>(a);
    int exponent = 0;
    double fraction = std::frexp(a, &exponent);  // [1/2, 1)
    if (exponent % 2 != 0) {
      fraction *= 2;  // [1, 2)
      exponent -= 1;
    }
    // 1 / sqrt(fraction) in (0.7, 1.42], found with y = k / 2^52 below 1.42 and steps of 2^-53 below 1.
    const auto x = static_cast<std::uint64_t>(std::ldexp(fraction, 53));
    double y = 1 / std::sqrt(fraction);
    while (true) {
      const double step = y < 1 ? 0x1p-53 : 0x1p-52;
      // Midpoints (y ± step / 2) as multiples of 2^-54; x · m^2 is to be compared with 2^(53 + 108).
      const auto scaled = static_cast<std::uint64_t>(std::ldexp(y, 54));
      const auto half = static_cast<std::uint64_t>(std::ldexp(step, 53));
      const std::uint64_t half_below = y == 1 ? half / 2 : half;  // the spacing halves below 1
      if (compare_with_power(x, scaled + half, 161) < 0)
        y += step;
      else if (compare_with_power(x, scaled - half_below, 161) > 0)
        y -= y == 1 ? step / 2 : step;
      else
        break;
    }
    return std::ldexp(y, -exponent / 2);
  }
};

template <class Core, class T, class... Sources>
void add_approximate(RowTable& table, std::string_view name, int min_sm = 0) {
  using F = typename T::Value;
  table.add({name, T::name}, lane_by_lane<FloatOp<Core, F, false, false>, T, Sources...>,
            {T::lane, Sources::lane...}, 1, min_sm);
}

template <class Core, class... Sources>
void add_approximate_f32(RowTable& table, std::string_view name) {
  add_approximate<Core, F32, Sources...>(table, name);
  table.add({name, "ftz.f32"}, lane_by_lane<FloatOp<Core, float, true, false>, F32, Sources...>,
            {Lane::f32, Sources::lane...});
}

/// As above, for cores that the compiler can vectorise.
template <class Core, class... Sources>
void add_vectorised_f32(RowTable& table, std::string_view name) {
  table.add({name, "f32"}, lanewise<FloatOp<Core, float, false, false>, F32, Sources...>,
            {Lane::f32, Sources::lane...});
  table.add({name, "ftz.f32"}, lanewise<FloatOp<Core, float, true, false>, F32, Sources...>,
            {Lane::f32, Sources::lane...});
}

}  // namespace

void append_approximate_rows(RowTable& table) {
  add_vectorised_f32<QuotientByReciprocal, F32, F32>(table, "div.approx");
  add_vectorised_f32<Quotient, F32, F32>(table, "div.full");
  add_vectorised_f32<ReciprocalOf, F32>(table, "rcp.approx");
  table.add({"rcp.approx.ftz.f64"}, lane_by_lane<ReciprocalUpperWord, F64, F64>, {Lane::f64, Lane::f64});
  add_vectorised_f32<RootOf, F32>(table, "sqrt.approx");
  add_vectorised_f32<ReciprocalRoot, F32>(table, "rsqrt.approx");
  add_approximate<ReciprocalRootF64, F64, F64>(table, "rsqrt.approx");
  table.add({"rsqrt.approx.ftz.f64"}, lane_by_lane<ReciprocalRootUpperWord, F64, F64>,
            {Lane::f64, Lane::f64});
  add_approximate_f32<Sine, F32>(table, "sin.approx");
  add_approximate_f32<Cosine, F32>(table, "cos.approx");
  add_approximate_f32<Log2, F32>(table, "lg2.approx");
  add_approximate_f32<Exp2, F32>(table, "ex2.approx");
  add_approximate<HyperbolicTangent, F32, F32>(table, "tanh.approx", 75);
}

}  // namespace warpcheck::simt::alu

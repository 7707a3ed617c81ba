#include "framework/numeric/value.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "tests/numeric/random_values.hpp"

namespace warpcheck::numeric {
namespace {

using test::random_bits;
using test::random_finite;

float as_float(Value v) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(v.bits));
}

TEST(Format, traits_are_those_of_the_language) {
  const auto check = []<class Float>(Format format, Float) {
    using L = std::numeric_limits<Float>;
    const FormatTraits& t = traits(format);
    EXPECT_EQ(t.bits, static_cast<int>(sizeof(Float) * 8));
    EXPECT_EQ(t.precision, L::digits);
    EXPECT_EQ(t.max_exponent, L::max_exponent - 1);
    EXPECT_EQ(t.min_exponent, L::min_exponent - 1);
    EXPECT_EQ(std::ldexp(1.0, t.smallest_exponent), static_cast<double>(L::denorm_min()));
    EXPECT_EQ(std::ldexp(2.0, t.unit_roundoff_log2), static_cast<double>(L::epsilon()));
    EXPECT_EQ(size_in_bytes(format), sizeof(Float));
    EXPECT_EQ(largest_finite(format), value_of(L::max()));
    EXPECT_EQ(smallest_subnormal(format), value_of(L::denorm_min()));
    EXPECT_EQ(infinity(format, true), value_of(-L::infinity()));
    EXPECT_EQ(quiet_nan(format), value_of(L::quiet_NaN()));
    EXPECT_EQ(zero(format, true), value_of(-Float{0}));
  };
  check(Format::fp32, 0.0f);
  check(Format::fp64, 0.0);
}

TEST(Format, is_found_by_its_exact_name_only) {
  for (const Format format : all_formats()) EXPECT_EQ(format_from_name(name(format)), format);
  for (const char* wrong : {"", "FP32", "fp3", "fp321", "float", " fp64"}) {
    EXPECT_FALSE(format_from_name(wrong)) << wrong;
  }
}

TEST(Value, equality_is_bitwise) {
  EXPECT_FALSE(value_of(0.0f) == value_of(-0.0f));
  EXPECT_EQ(value_of(std::nanf("")), value_of(std::nanf("")));
  EXPECT_FALSE((Value{Format::fp32, 1} == Value{Format::fp64, 1}));
}

TEST(Value, classification_agrees_with_the_c_library) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 200'000; ++i) {
    const Format format = i % 2 == 0 ? Format::fp32 : Format::fp64;
    Value v = random_bits(format, random);
    if (i % 7 == 0) v.bits |= infinity(format).bits;  // more NaN and infinities than chance gives
    if (i % 21 == 0) v.bits &= infinity(format, true).bits;
    if (i % 11 == 0) v.bits &= ~infinity(format).bits;  // more subnormals
    const int c = format == Format::fp32 ? std::fpclassify(as_float(v)) : std::fpclassify(to_double(v));
    ASSERT_EQ(is_nan(v), c == FP_NAN);
    ASSERT_EQ(is_inf(v), c == FP_INFINITE);
    ASSERT_EQ(is_zero(v), c == FP_ZERO);
    ASSERT_EQ(is_subnormal(v), c == FP_SUBNORMAL);
    ASSERT_EQ(is_finite(v), c != FP_NAN && c != FP_INFINITE);
    ASSERT_EQ(is_negative(v), std::signbit(to_double(v)));
    ASSERT_EQ(is_negative(negate(v)), !is_negative(v));
    ASSERT_EQ(negate(negate(v)), v);
    ASSERT_FALSE(is_negative(absolute(v)));
  }
}

TEST(Value, unpacked_parts_are_the_value_and_pack_again) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 200'000; ++i) {
    const Format format = i % 2 == 0 ? Format::fp32 : Format::fp64;
    const Value v = random_finite(format, random);
    const Unpacked u = unpack(v);
    const double magnitude = std::ldexp(static_cast<double>(u.significand), u.exponent);
    ASSERT_EQ(u.negative ? -magnitude : magnitude, to_double(v));
    ASSERT_EQ(make_exact(format, u), v);
    ASSERT_EQ(from_double_exactly(format, to_double(v)), v);
  }
}

TEST(Value, make_exact_refuses_what_would_have_to_be_rounded) {
  const Format f = Format::fp32;
  EXPECT_EQ(make_exact(f, {false, 0xFFFFFF, 104}), largest_finite(f));
  EXPECT_FALSE(make_exact(f, {false, 1, 128}));
  EXPECT_FALSE(make_exact(f, {false, 0x1000001, 0}));  // 25 bits
  EXPECT_EQ(make_exact(f, {false, 0x1000002, 0}), value_of(16777218.0f));
  EXPECT_EQ(make_exact(f, {true, 1, -149}), smallest_subnormal(f, true));
  EXPECT_FALSE(make_exact(f, {false, 1, -150}));
  EXPECT_EQ(make_exact(f, {false, 2, -150}), smallest_subnormal(f));
  EXPECT_FALSE(make_exact(f, {false, 3, -150}));
  EXPECT_EQ(make_exact(f, {true, 0, 5000}), zero(f, true));
  EXPECT_EQ(make_exact(f, {false, std::uint64_t{1} << 63, -63}), value_of(1.0f));
  EXPECT_FALSE(from_double_exactly(f, 0.1));
  EXPECT_FALSE(from_double_exactly(f, 1e300));
  EXPECT_EQ(from_double_exactly(f, -HUGE_VAL), infinity(f, true));
  EXPECT_EQ(from_double_exactly(f, -0.0), zero(f, true));
}

TEST(Value, narrowing_rounds_as_the_processor_does) {
  std::mt19937_64 random(5);
  std::uniform_int_distribution<int> exponent(-155, 130);
  for (int i = 0; i < 300'000; ++i) {
    // Significands that end near a tie of fp32: the 29 bits that go are 2^28 or one off.
    std::uint64_t bits = (random() & ~std::uint64_t{0x1FFFFFFF}) | (0x10000000 + random() % 3 - 1);
    if (i % 3 == 0) bits = random();
    double x =
        std::ldexp(1 + std::ldexp(static_cast<double>(bits & 0xFFFFFFFFFFFFFu), -52), exponent(random));
    if (i % 2 == 0) x = -x;
    ASSERT_EQ(convert(value_of(x), Format::fp32), value_of(static_cast<float>(x))) << x;
    ASSERT_EQ(to_double(convert(value_of(static_cast<float>(x)), Format::fp64)),
              static_cast<double>(static_cast<float>(x)));
  }
}

TEST(Value, rounding_breaks_ties_to_even_and_a_lost_fraction_breaks_ties_upwards) {
  const Format f = Format::fp32;
  const std::uint64_t one = std::uint64_t{1} << 40;  // 1.0 with exponent −40
  const std::uint64_t half_ulp = one >> 24;
  EXPECT_EQ(round_to_nearest_even(f, false, one + half_ulp, -40, false), value_of(1.0f));
  EXPECT_EQ(round_to_nearest_even(f, false, one + half_ulp, -40, true), value_of(1.0f + 0x1p-23f));
  EXPECT_EQ(round_to_nearest_even(f, false, one + half_ulp - 1, -40, true), value_of(1.0f));
  EXPECT_EQ(round_to_nearest_even(f, true, one + 3 * half_ulp, -40, false), value_of(-1.0f - 0x1p-22f));
  // Just below 2 it carries into the next binade.
  EXPECT_EQ(round_to_nearest_even(f, false, 2 * one - half_ulp, -40, false), value_of(2.0f));
}

TEST(Value, rounding_meets_both_ends_of_the_range) {
  const Format f = Format::fp32;
  const std::uint64_t top = 0x1FFFFFF;  // 2^25 − 1: half an ulp above the largest finite value
  EXPECT_EQ(round_to_nearest_even(f, false, top, 103, false), infinity(f));
  EXPECT_EQ(round_to_nearest_even(f, true, top * 2 - 1, 102, false), largest_finite(f, true));
  EXPECT_EQ(round_to_nearest_even(f, false, 1, -150, false), zero(f));  // a tie with zero
  EXPECT_EQ(round_to_nearest_even(f, false, 3, -151, false), smallest_subnormal(f));
  EXPECT_EQ(round_to_nearest_even(f, true, ~std::uint64_t{0}, -214, true), zero(f, true));
  EXPECT_EQ(round_to_nearest_even(f, true, ~std::uint64_t{0}, -213, true), smallest_subnormal(f, true));
  EXPECT_EQ(round_to_nearest_even(f, true, std::uint64_t{1} << 63, -213, false), zero(f, true));
  EXPECT_EQ(round_to_nearest_even(f, true, std::uint64_t{1} << 63, -213, true), smallest_subnormal(f, true));
  EXPECT_EQ(round_to_nearest_even(f, false, ~std::uint64_t{0}, -300, false), zero(f));
  EXPECT_EQ(round_to_nearest_even(f, false, 0xFFFFFF, -149 - 1, false), value_of(0x1p-126f));  // 2^23 − ½ up
}

TEST(Value, scaling_is_exact_or_refused) {
  std::mt19937_64 random(6);
  std::uniform_int_distribution<int> shift(-2200, 2200);
  for (int i = 0; i < 200'000; ++i) {
    const Format format = i % 2 == 0 ? Format::fp32 : Format::fp64;
    const Value v = random_finite(format, random);
    const int k = i % 3 == 0 ? shift(random) : shift(random) / 100;
    const std::optional<Value> scaled = scale_exactly(v, k);
    // ldexp rounds: its result is exact when it is finite, and scaling back restores the value.
    Value c = value_of(std::ldexp(to_double(v), k));
    Value back = value_of(std::ldexp(to_double(c), -k));
    if (format == Format::fp32) {
      c = value_of(std::ldexp(as_float(v), k));
      back = value_of(std::ldexp(as_float(c), -k));
    }
    if (is_finite(c) && back == v) {
      ASSERT_EQ(scaled, c);
    } else {
      ASSERT_FALSE(scaled);
    }
  }
  EXPECT_EQ(scale_exactly(infinity(Format::fp32, true), 5), infinity(Format::fp32, true));
  EXPECT_EQ(scale_exactly(zero(Format::fp64, true), 2'000'000'000), zero(Format::fp64, true));
  EXPECT_FALSE(scale_exactly(quiet_nan(Format::fp32), 0));
  EXPECT_FALSE(scale_exactly(value_of(1.0f), std::numeric_limits<int>::max()));
}

TEST(UlpDistance, counts_steps_and_is_symmetric_and_additive) {
  std::mt19937_64 random(7);
  for (int i = 0; i < 20'000; ++i) {
    const Format format = i % 2 == 0 ? Format::fp32 : Format::fp64;
    const Value a = i % 100 < 2 ? Value{format, random() % 30 | smallest_subnormal(format, true).bits}
                                : random_finite(format, random);  // some of them cross zero
    Value b = a;
    const std::uint64_t steps = random() % 40;
    for (std::uint64_t k = 0; k < steps; ++k) b = next_up(b);
    ASSERT_EQ(ulp_distance(a, b), steps);
    ASSERT_EQ(ulp_distance(b, a), ulp_distance(a, b));
    const Value c = random_finite(format, random);
    const double x = to_double(a), y = to_double(c);
    const Value middle = random_finite(format, random);
    const double z = to_double(middle);
    if (std::min(x, y) <= z && z <= std::max(x, y)) {
      ASSERT_EQ(*ulp_distance(a, middle) + *ulp_distance(middle, c), *ulp_distance(a, c));
    }
  }
}

TEST(UlpDistance, of_the_special_cases) {
  EXPECT_EQ(ulp_distance(value_of(-0.0f), value_of(0.0f)), 0u);
  EXPECT_EQ(ulp_distance(value_of(-1.4e-45f), value_of(1.4e-45f)), 2u);
  EXPECT_EQ(ulp_distance(largest_finite(Format::fp64), infinity(Format::fp64)), 1u);
  EXPECT_EQ(ulp_distance(infinity(Format::fp32), infinity(Format::fp32, true)), 2u * 0x7F800000u);
  EXPECT_FALSE(ulp_distance(quiet_nan(Format::fp32), value_of(1.0f)));
  EXPECT_FALSE(ulp_distance(value_of(1.0), quiet_nan(Format::fp64, true)));
  EXPECT_FALSE(ulp_distance(value_of(1.0), value_of(1.0f)));
}

TEST(Neighbours, are_those_of_nextafter) {
  std::mt19937_64 random(8);
  for (int i = 0; i < 100'000; ++i) {
    const Value f = random_finite(Format::fp32, random);
    const Value d = random_finite(Format::fp64, random);
    ASSERT_EQ(next_up(f), value_of(std::nextafter(as_float(f), HUGE_VALF)));
    ASSERT_EQ(next_down(f), value_of(std::nextafter(as_float(f), -HUGE_VALF)));
    ASSERT_EQ(next_up(d), value_of(std::nextafter(to_double(d), HUGE_VAL)));
    ASSERT_EQ(next_down(d), value_of(std::nextafter(to_double(d), -HUGE_VAL)));
  }
  const Format f = Format::fp32;
  EXPECT_EQ(next_up(zero(f, true)), smallest_subnormal(f));
  EXPECT_EQ(next_up(smallest_subnormal(f, true)), zero(f, true));
  EXPECT_EQ(next_up(largest_finite(f)), infinity(f));
  EXPECT_EQ(next_up(infinity(f)), infinity(f));
  EXPECT_EQ(next_down(infinity(f, true)), infinity(f, true));
  EXPECT_EQ(next_up(infinity(f, true)), largest_finite(f, true));
  EXPECT_EQ(next_down(quiet_nan(f)), quiet_nan(f));
}

TEST(TotalOrder, agrees_with_less_separates_the_zeros_and_puts_nan_last) {
  std::mt19937_64 random(9);
  for (int i = 0; i < 200'000; ++i) {
    const Format format = i % 2 == 0 ? Format::fp32 : Format::fp64;
    const Value a = random_bits(format, random);
    const Value b = random_bits(format, random);
    ASSERT_EQ(total_order(a, b) == 0, a == b);
    ASSERT_EQ(total_order(a, b) < 0, total_order(b, a) > 0);
    if (!is_nan(a) && !is_nan(b) && to_double(a) != to_double(b)) {
      ASSERT_EQ(total_order(a, b) < 0, to_double(a) < to_double(b));
    }
    if (is_nan(a) && !is_nan(b)) {
      ASSERT_TRUE(total_order(a, b) > 0);
    }
  }
  std::vector<Value> values{quiet_nan(Format::fp32, true), value_of(0.0f),
                            infinity(Format::fp32),        value_of(-0.0f),
                            quiet_nan(Format::fp32),       value_of(-2.0f)};
  std::sort(values.begin(), values.end(), [](Value a, Value b) { return total_order(a, b) < 0; });
  const std::vector<Value> expected{value_of(-2.0f),         value_of(-0.0f),
                                    value_of(0.0f),          infinity(Format::fp32),
                                    quiet_nan(Format::fp32), quiet_nan(Format::fp32, true)};
  EXPECT_EQ(values, expected);
}

TEST(Arrays, keep_every_bit_and_refuse_a_broken_length) {
  std::mt19937_64 random(10);
  for (const Format format : all_formats()) {
    std::vector<Value> values(97);
    for (Value& v : values) v = random_bits(format, random);
    std::vector<std::byte> bytes = store_all(values);
    ASSERT_EQ(bytes.size(), 97 * size_in_bytes(format));
    EXPECT_EQ(load_all(format, bytes), values);
    EXPECT_EQ(load(format, bytes, 96), values[96]);
    bytes.pop_back();
    EXPECT_THROW(load_all(format, bytes), std::invalid_argument);
  }
  const float x[2] = {1.5f, -2.0f};
  EXPECT_EQ(load(Format::fp32, std::as_bytes(std::span(x)), 1), value_of(-2.0f));
}

}  // namespace
}  // namespace warpcheck::numeric

#include "framework/numeric/bound.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <vector>

#include "tests/numeric/exact_integer.hpp"

namespace warpcheck::numeric {
namespace {

using test::cpp_int;
using test::power;
using testing::HasSubstr;

constexpr Format f32 = Format::fp32;
constexpr Format f64 = Format::fp64;

SumModel any_order(Format input = f32, Format accumulation = f32, Format output = f32) {
  return {.input = input, .accumulation = accumulation, .output = output, .any_order = true};
}

SumModel of_height(std::uint64_t h, Format input = f32, Format accumulation = f32, Format output = f32) {
  return {.input = input, .accumulation = accumulation, .output = output, .height = h};
}

template <class Float>
SumReference reference_of(std::initializer_list<Float> values) {
  return reference_sum(value_of(Float{}).format, std::as_bytes(std::span(values.begin(), values.size())));
}

SumReference reference_of_many(std::size_t n, float x) {
  const std::vector<float> values(n, x);
  return reference_sum(f32, std::as_bytes(std::span(values)));
}

/// Whether `got` is the smallest double that is not below numerator/denominator.
testing::AssertionResult is_rounded_up(double got, const cpp_int& numerator, const cpp_int& denominator) {
  // got·2^1074 ≥ numerator·2^1074/denominator, and the double below got is less.
  const cpp_int exact = numerator << 1074;
  if (test::in_units(got) * denominator < exact) return testing::AssertionFailure() << got << " is below";
  if (got > 0 && test::in_units(std::nextafter(got, 0.0)) * denominator >= exact) {
    return testing::AssertionFailure() << got << " is not the smallest";
  }
  return testing::AssertionSuccess();
}

TEST(Coefficient, of_a_height_is_the_exact_fraction_rounded_up_once) {
  for (const Format format : all_formats()) {
    // 1 + v = (2^p + 2)/(2^p + 1)
    const cpp_int denominator = power(2, traits(format).precision) + 1;
    for (std::uint64_t h = 0; h <= 64; ++h) {
      const int k = static_cast<int>(h);
      const cpp_int numerator = pow(cpp_int(denominator + 1), static_cast<unsigned>(k)) -
                                pow(denominator, static_cast<unsigned>(k));
      const auto terms = bound_terms(of_height(h, f32, format, format), 1u << 20);
      ASSERT_TRUE(terms);
      EXPECT_TRUE(
          is_rounded_up(terms->sum_abs_coefficient, numerator, pow(denominator, static_cast<unsigned>(k))))
          << "h=" << h;
    }
  }
}

TEST(Coefficient, of_a_great_height_agrees_with_the_exponential_function) {
  for (const std::uint64_t h : {std::uint64_t{1000}, std::uint64_t{1} << 20, std::uint64_t{1} << 24}) {
    const long double v = 1.0L / (16777216.0L + 1);
    const auto terms = bound_terms(of_height(h), std::uint64_t{1} << 40);
    const long double expected = std::expm1(static_cast<long double>(h) * std::log1p(v));
    EXPECT_GE(terms->sum_abs_coefficient, static_cast<double>(expected * (1 - 1e-17L)));
    EXPECT_NEAR(static_cast<double>(terms->sum_abs_coefficient / expected), 1.0, 1e-15);
  }
}

TEST(Coefficient, of_any_order_is_the_exact_fraction_rounded_up_once) {
  for (const Format format : all_formats()) {
    const cpp_int denominator = power(2, traits(format).precision) + 1;
    for (const std::uint64_t n :
         {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}, std::uint64_t{1000003},
          std::uint64_t{1} << 24, (std::uint64_t{1} << 24) + 2, std::uint64_t{1} << 32, ~std::uint64_t{0}}) {
      const auto terms = bound_terms(any_order(f32, format, format), n);
      EXPECT_TRUE(
          is_rounded_up(terms->sum_abs_coefficient, n == 0 ? cpp_int(0) : cpp_int(n) - 1, denominator))
          << n;
      EXPECT_EQ(terms->sum_coefficient, 0) << "an output as precise as the accumulation adds nothing";
    }
  }
}

TEST(Coefficient, of_a_narrower_output_adds_one_rounding) {
  const cpp_int d64 = power(2, 53) + 1;
  const auto terms = bound_terms(any_order(f32, f64, f32), 1001);
  EXPECT_EQ(terms->sum_coefficient, 0x1p-24);
  EXPECT_EQ(terms->absolute, 0) << "partial sums of floats are multiples of the smallest float";
  // 1000·v64·(1 + 2^-24), at most an ulp or two above
  const cpp_int numerator = 1000 * (power(2, 24) + 1);
  const cpp_int denominator = d64 * power(2, 24);
  const double got = terms->sum_abs_coefficient;
  EXPECT_GE(test::in_units(got) * denominator, numerator << 1074);
  EXPECT_LT(test::in_units(got * (1 - 0x1p-50)) * denominator, numerator << 1074);
  EXPECT_EQ(bound_terms(any_order(f64, f64, f32), 1001)->absolute, 0x1p-150)
      << "doubles may underflow to float";
  EXPECT_EQ(bound_terms(any_order(f32, f32, f64), 1001)->sum_coefficient, 0);
}

TEST(BoundTerms, growth_is_at_least_one_and_the_coefficient) {
  for (std::uint64_t n = 0; n < 400; ++n) {
    for (const Format format : all_formats()) {
      const auto terms = bound_terms(any_order(f32, format, format), n);
      const Decimal exact = Decimal(1) + Decimal::of_double(terms->sum_abs_coefficient);
      EXPECT_GE(Decimal::of_double(terms->growth), exact) << n;
      EXPECT_LE(terms->growth, 1 + terms->sum_abs_coefficient + 0x1p-51);
    }
  }
}

TEST(BoundTerms, take_the_smaller_of_height_and_any_order) {
  const std::uint64_t n = std::uint64_t{1} << 24;
  // A serial chain: (1+v)^(n−1) − 1 = 1.718…, any order (n−1)·v just below 1.
  const auto chain = bound_terms(of_height(n - 1), n);
  EXPECT_LT(chain->sum_abs_coefficient, 1);
  EXPECT_GT(chain->sum_abs_coefficient, 0.9999998);
  EXPECT_THAT(chain->source, HasSubstr("Jeannerod & Rump 2018"));
  const auto tree = bound_terms(of_height(24), n);
  EXPECT_NEAR(tree->sum_abs_coefficient, 24 * 0x1p-24, 1e-11);
  EXPECT_THAT(tree->source, HasSubstr("standard model"));
  EXPECT_THAT(tree->formula, HasSubstr("h=24"));
  EXPECT_THAT(tree->formula, HasSubstr("u=2^-24"));
}

TEST(BoundTerms, are_vacuous_where_the_coefficient_reaches_one) {
  EXPECT_FALSE(bound_terms(any_order(), 1 << 24)->vacuous);
  EXPECT_FALSE(bound_terms(any_order(), (1 << 24) + 1)->vacuous);  // 2^24/(2^24 + 1) is below 1
  EXPECT_TRUE(bound_terms(any_order(), (1 << 24) + 2)->vacuous);
  EXPECT_FALSE(bound_terms(any_order(f32, f64, f64), (1 << 24) + 2)->vacuous);
}

TEST(BoundTerms, survive_an_absurd_height) {
  const auto terms = bound_terms(of_height(~std::uint64_t{0}), 100);
  EXPECT_LT(terms->sum_abs_coefficient, 1e-5) << "100 elements in any order are better than that";
}

TEST(BoundTerms, exist_only_for_what_is_proved) {
  EXPECT_FALSE(bound_terms(SumModel{}, 4));
  EXPECT_FALSE(bound_terms(any_order(f64, f32, f32), 4));
  const Tolerance none = tolerance(SumModel{}, reference_of({1.0f, 2.0f}));
  EXPECT_EQ(none.applicability, Applicability::no_bound);
  EXPECT_THAT(none.reason, HasSubstr("no a-priori bound"));
  const Tolerance narrow = tolerance(any_order(f64, f32, f32), reference_of({1.0, 2.0}));
  EXPECT_EQ(narrow.applicability, Applicability::no_bound);
  EXPECT_THAT(narrow.reason, HasSubstr("rounds the elements themselves"));
}

TEST(Tolerance, of_the_four_values_is_the_one_computed_by_hand) {
  // A = 200000002; 3·A/(2^24 + 1) = 35.7628…, and (1+v)^2 − 1 = 2v + v² for the pairwise tree.
  const SumReference r = reference_of({1e8f, 1.0f, -1e8f, 1.0f});
  const Tolerance serial = tolerance(any_order(), r);
  EXPECT_NEAR(serial.value.to_double_nearest(), 600000006.0 / 16777217.0, 1e-12);
  EXPECT_NEAR(serial.value.to_double_nearest(), 35.76, 0.01);
  EXPECT_EQ(serial.applicability, Applicability::applies);
  EXPECT_TRUE(serial.reason.empty());
  const Tolerance pairwise = tolerance(of_height(2), r);
  EXPECT_NEAR(pairwise.value.to_double_nearest(), 23.84, 0.01);
  EXPECT_GE(pairwise.value, Decimal::of_double(400000004.0 / 16777217.0));
  for (const Tolerance& t : {serial, pairwise}) {
    EXPECT_TRUE(t.zero_blind) << "S = 2 is inside the tolerance, so the answer 0 would pass";
    EXPECT_FALSE(t.no_power);
    EXPECT_NEAR(t.over_sum_abs, t.terms.sum_abs_coefficient, 1e-20);
  }
}

TEST(Tolerance, is_never_below_the_formula) {
  // 2·v·A for three elements with a long A: in integers, tol·(2^24 + 1) ≥ 2·A.
  const SumReference r = reference_of({0.1f, -1.1754944e-38f, 3e38f / 3});
  const Tolerance t = tolerance(any_order(), r);
  const test::Fraction tol = test::fraction_of(t.value.exact_string());
  const test::Fraction a = test::fraction_of(r.sum_abs.exact_string());
  EXPECT_FALSE((test::Fraction{tol.numerator * (power(2, 24) + 1), tol.decimals, tol.halvings} <
                test::Fraction{a.numerator * 2, a.decimals, a.halvings}));
  EXPECT_NEAR(error_ratio(t.value, r.sum_abs), 2 / 16777217.0, 1e-21);
}

TEST(Tolerance, of_a_narrower_output_bounds_the_rounded_sum_too) {
  const SumReference r = reference_of({1.0f, 0x1p-24f, 0x1p-24f});
  const Tolerance t = tolerance(any_order(f32, f64, f32), r);
  // E = 2·v64·A; E + 2^-24·(|S| + E) with S = A = 1 + 2^-23
  const double s = 1 + 0x1p-23;
  const double e = 2 * s / 9007199254740993.0;
  EXPECT_NEAR(t.value.to_double_nearest(), e + 0x1p-24 * (s + e), 1e-20);
  EXPECT_GE(t.value, Decimal::of_double(0x1p-24)) << "rounding to float alone may move it by half an ulp";
}

TEST(Tolerance, of_nothing_one_element_and_zeros_is_zero_and_has_full_power) {
  for (const SumReference& r :
       {reference_of<float>({}), reference_of({3.25f}), reference_of({0.0f, -0.0f, 0.0f})}) {
    const Tolerance t = tolerance(any_order(), r);
    EXPECT_TRUE(t.value.is_zero());
    EXPECT_FALSE(t.no_power);
    EXPECT_FALSE(t.zero_blind);
    EXPECT_EQ(t.applicability, Applicability::applies);
  }
}

TEST(Tolerance, has_no_power_for_a_serial_float_sum_of_2_to_24_plus_2_ones) {
  const SumReference r = reference_of_many((1 << 24) + 2, 1.0f);
  EXPECT_TRUE(tolerance(any_order(), r).no_power);
  EXPECT_FALSE(tolerance(any_order(), r).zero_blind);
  EXPECT_FALSE(tolerance(of_height(25), r).no_power);
  EXPECT_FALSE(tolerance(any_order(f32, f64, f32), r).no_power);
}

TEST(Tolerance, is_inapplicable_where_a_partial_sum_may_overflow) {
  const float max = std::numeric_limits<float>::max();
  const Tolerance t = tolerance(any_order(), reference_of({max, max, -max}));
  EXPECT_EQ(t.applicability, Applicability::overflow_possible);
  EXPECT_THAT(t.reason, HasSubstr("above the largest finite fp32, 3.4028235e+38"));
  // growth·A against the limit, on both sides of it: 1 + v for two elements.
  const float half = max / 2;
  EXPECT_EQ(tolerance(any_order(), reference_of({half, half})).applicability,
            Applicability::overflow_possible);
  const float below = std::nextafter(std::nextafter(half, 0.0f), 0.0f);
  EXPECT_EQ(tolerance(any_order(), reference_of({below, below})).applicability, Applicability::applies);
  // In double the partial sums are safe, but the output is not.
  const Tolerance wide = tolerance(any_order(f32, f64, f32), reference_of({max, max}));
  EXPECT_EQ(wide.applicability, Applicability::overflow_possible);
  EXPECT_THAT(wide.reason, HasSubstr("the result can reach"));
  EXPECT_EQ(tolerance(any_order(f32, f64, f32), reference_of({max, max, -max, -max})).applicability,
            Applicability::applies);
  EXPECT_EQ(tolerance(any_order(f32, f64, f64), reference_of({max, max})).applicability,
            Applicability::applies);
  EXPECT_EQ(tolerance(any_order(f64, f64, f64), reference_of({1e308, 1e308, -1e308})).applicability,
            Applicability::overflow_possible);
}

TEST(Tolerance, forces_the_result_of_non_finite_elements) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  EXPECT_EQ(tolerance(any_order(), reference_of({1.0f, inf})).special, SpecialSum::positive_infinity);
  EXPECT_EQ(tolerance(any_order(), reference_of({1.0f, -inf, -inf})).special, SpecialSum::negative_infinity);
  EXPECT_EQ(tolerance(any_order(), reference_of({inf, -inf})).special, SpecialSum::nan);
  EXPECT_EQ(tolerance(any_order(), reference_of({nan, inf, 3e38f, 3e38f})).special, SpecialSum::nan);
  const Tolerance t = tolerance(any_order(), reference_of({nan, 1.0f}));
  EXPECT_EQ(t.applicability, Applicability::nonfinite_input);
  EXPECT_EQ(t.reason, "1 element is not finite: the result must be NaN");
}

TEST(Tolerance, forces_an_infinity_only_when_the_others_cannot_overflow_against_it) {
  const float inf = std::numeric_limits<float>::infinity();
  // +inf + −inf would be NaN if the negative ones met first.
  const Tolerance open = tolerance(any_order(), reference_of({inf, -3e38f, -3e38f}));
  EXPECT_FALSE(open.special);
  EXPECT_THAT(open.reason, HasSubstr("may overflow to the opposite infinity"));
  EXPECT_EQ(tolerance(any_order(), reference_of({inf, -2e38f})).special, SpecialSum::positive_infinity)
      << "2e38 of the other sign is in range, however often it is counted in A and in S";
  EXPECT_EQ(tolerance(any_order(), reference_of({inf, 3e38f, 3e38f})).special, SpecialSum::positive_infinity);
  EXPECT_FALSE(tolerance(any_order(), reference_of({-inf, 3e38f, 3e38f})).special);
  EXPECT_EQ(tolerance(any_order(), reference_of({-inf, -3e38f, -3e38f})).special,
            SpecialSum::negative_infinity);
  EXPECT_EQ(tolerance(any_order(f32, f64, f32), reference_of({inf, -3e38f, -3e38f})).special,
            SpecialSum::positive_infinity);
}

TEST(Tolerance, allows_for_flushed_subnormals_only_where_declared) {
  SumModel model = any_order();
  const SumReference r = reference_of({1e-40f, 1e-40f, 1e-40f});
  EXPECT_LT(tolerance(model, r).value, Decimal::of_double(1e-44));
  model.flushes_subnormals = true;
  const Tolerance t = tolerance(model, r);
  EXPECT_GE(t.value, Decimal::of_double(5 * 0x1p-126)) << "three elements and two additions";
  EXPECT_LT(t.value, Decimal::of_double(5.001 * 0x1p-126));
  EXPECT_TRUE(t.no_power);
  EXPECT_THAT(t.terms.formula, HasSubstr("(2n-1)*2^-126"));
}

TEST(Tolerance, refuses_terms_of_another_array) {
  const auto terms = *bound_terms(any_order(), 3);
  EXPECT_THROW(tolerance(terms, reference_of({1.0f, 2.0f})), std::invalid_argument);
  EXPECT_THROW(tolerance(terms, reference_of({1.0, 2.0, 3.0})), std::invalid_argument);
}

TEST(Heights, ceil_div_and_ceil_log2_at_their_edges) {
  EXPECT_EQ(ceil_div(0, 7), 0u);
  EXPECT_EQ(ceil_div(7, 7), 1u);
  EXPECT_EQ(ceil_div(8, 7), 2u);
  EXPECT_EQ(ceil_div(~std::uint64_t{0}, 2), std::uint64_t{1} << 63);
  EXPECT_EQ(ceil_log2(0), 0);
  EXPECT_EQ(ceil_log2(1), 0);
  EXPECT_EQ(ceil_log2(2), 1);
  EXPECT_EQ(ceil_log2(3), 2);
  EXPECT_EQ(ceil_log2(1024), 10);
  EXPECT_EQ(ceil_log2(1025), 11);
  EXPECT_EQ(ceil_log2(std::uint64_t{1} << 63), 63);
  EXPECT_EQ(ceil_log2(~std::uint64_t{0}), 64);
}

}  // namespace
}  // namespace warpcheck::numeric

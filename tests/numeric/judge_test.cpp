#include "framework/numeric/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "tests/numeric/random_values.hpp"

namespace warpcheck::numeric {
namespace {

constexpr Format f32 = Format::fp32;
constexpr Format f64 = Format::fp64;
constexpr float inf = std::numeric_limits<float>::infinity();

constexpr SumModel any_order_32{.any_order = true};
constexpr SumModel double_inside{.accumulation = f64, .any_order = true};

SumReference reference_of(const std::vector<float>& values) {
  return reference_sum(f32, std::as_bytes(std::span(values)));
}

Accuracy judged(Value got, const std::vector<float>& values, const SumModel& model = any_order_32) {
  const SumReference r = reference_of(values);
  return judge(got, r, tolerance(model, r));
}

TEST(Judge, reports_every_error_of_the_four_values) {
  const Accuracy a = judged(value_of(1.0f), {1e8f, 1.0f, -1e8f, 1.0f});
  EXPECT_TRUE(a.judged && a.within);
  EXPECT_EQ(a.abs_error, Decimal(1));
  EXPECT_DOUBLE_EQ(a.error_over_sum_abs, 1 / 200000002.0);
  EXPECT_DOUBLE_EQ(a.error_over_tolerance, 16777217.0 / 600000006.0);
  EXPECT_EQ(a.relative_error, 0.5);
  EXPECT_EQ(a.ulps, 0x800000u) << "one binade from 1 to 2";
}

TEST(Judge, decides_exactly_at_the_edge_of_the_tolerance) {
  // Double output, so results can be put next to the edge S ± 3·v·A.
  const SumModel model{.output = f64, .any_order = true};
  const std::vector<float> values{1e8f, 1.0f, -1e8f, 1.0f};
  const SumReference r = reference_of(values);
  const Tolerance t = tolerance(model, r);
  const double edge = (r.sum + t.value).to_double_up();
  EXPECT_FALSE(judge(value_of(edge), r, t).within);
  EXPECT_TRUE(judge(value_of(std::nextafter(edge, 0.0)), r, t).within);
  EXPECT_FALSE(judge(value_of(4 - edge - 1e-12), r, t).within) << "below S just as above";
  EXPECT_TRUE(judge(value_of(4 - edge + 1e-12), r, t).within);
}

TEST(Judge, accepts_every_order_of_random_values_and_rejects_one_beyond_the_bound) {
  std::mt19937_64 random(40);
  std::normal_distribution<float> normal;
  for (int i = 0; i < 200; ++i) {
    std::vector<float> values(2 + random() % 60);
    for (float& x : values) x = std::ldexp(normal(random), static_cast<int>(random() % 30));
    const SumReference r = reference_of(values);
    const Tolerance t = tolerance(any_order_32, r);
    const Tolerance t64 = tolerance(double_inside, r);
    for (int order = 0; order < 5; ++order) {
      std::shuffle(values.begin(), values.end(), random);
      float s = 0;
      double d = 0;
      for (const float x : values) {
        s += x;
        d += static_cast<double>(x);
      }
      ASSERT_TRUE(judge(value_of(s), r, t).within);
      ASSERT_TRUE(judge(value_of(static_cast<float>(d)), r, t64).within);
    }
    const Value outside = next_up((r.sum + t.value).round_to(f32));
    const Accuracy bad = judge(outside, r, t);
    ASSERT_TRUE(bad.judged);
    ASSERT_FALSE(bad.within);
    ASSERT_GT(bad.error_over_tolerance, 1 - 1e-13);
  }
}

TEST(Judge, demands_an_exact_zero_where_every_element_is_zero) {
  EXPECT_TRUE(judged(value_of(0.0f), {0.0f, -0.0f}).within);
  EXPECT_TRUE(judged(value_of(-0.0f), {0.0f, -0.0f}).within);
  const Accuracy a = judged(smallest_subnormal(f32), {0.0f, 0.0f});
  EXPECT_FALSE(a.within);
  EXPECT_EQ(a.error_over_tolerance, HUGE_VAL);
  EXPECT_EQ(a.ulps, 1u);
}

TEST(Judge, demands_the_single_element_itself) {
  EXPECT_TRUE(judged(value_of(0.1f), {0.1f}).within);
  EXPECT_FALSE(judged(next_up(value_of(0.1f)), {0.1f}).within);
}

TEST(Judge, rejects_a_non_finite_result_of_finite_elements) {
  for (const Value got : {infinity(f32), infinity(f32, true), quiet_nan(f32)}) {
    const Accuracy a = judged(got, {1.0f, 2.0f});
    EXPECT_TRUE(a.judged);
    EXPECT_FALSE(a.within);
    EXPECT_FALSE(a.abs_error);
    EXPECT_EQ(a.error_over_tolerance, HUGE_VAL);
    EXPECT_EQ(a.error_over_sum_abs, HUGE_VAL);
    EXPECT_EQ(a.ulps.has_value(), !is_nan(got));
  }
}

TEST(Judge, where_overflow_is_possible_judges_finite_results_only) {
  const float max = std::numeric_limits<float>::max();
  EXPECT_FALSE(judged(infinity(f32), {max, max, -max}).judged);
  EXPECT_FALSE(judged(quiet_nan(f32), {max, max, -max}).judged);
  const Accuracy right = judged(value_of(max), {max, max, -max});
  EXPECT_TRUE(right.judged && right.within);
  const Accuracy wrong = judged(value_of(1.0f), {max, max, -max});
  EXPECT_TRUE(wrong.judged);
  EXPECT_FALSE(wrong.within);
}

TEST(Judge, demands_the_result_that_non_finite_elements_force) {
  const float nan = std::nanf("");
  EXPECT_TRUE(judged(infinity(f32), {1.0f, inf}).within);
  EXPECT_FALSE(judged(infinity(f32, true), {1.0f, inf}).within);
  EXPECT_FALSE(judged(value_of(1.0f), {1.0f, inf}).within);
  EXPECT_FALSE(judged(quiet_nan(f32), {1.0f, inf}).within);
  EXPECT_TRUE(judged(infinity(f32, true), {-inf}).within);
  for (const Value got : {quiet_nan(f32), quiet_nan(f32, true), Value{f32, 0x7F800001u}}) {
    EXPECT_TRUE(judged(got, {inf, -inf}).within) << "payload and sign of a NaN are ignored";
    EXPECT_TRUE(judged(got, {nan, 1.0f}).within);
  }
  EXPECT_FALSE(judged(infinity(f32), {nan, 1.0f}).within);
  EXPECT_EQ(judged(value_of(1.0f), {nan, 1.0f}).error_over_tolerance, HUGE_VAL);
  EXPECT_FALSE(judged(infinity(f32), {inf, -3e38f, -3e38f}).judged) << "nothing is forced here";
}

TEST(Judge, says_nothing_without_a_bound) {
  const SumReference r = reference_of({1.0f, 2.0f});
  const Accuracy a = judge(value_of(7.0f), r, tolerance(SumModel{}, r));
  EXPECT_FALSE(a.judged || a.within);
  EXPECT_EQ(a.abs_error, Decimal(4)) << "the error is reported all the same";
}

TEST(Judge, measures_a_double_result_of_floats_in_doubles) {
  const Accuracy a = judged(value_of(0.30000001192092896), {0.1f, 0.2f},
                            {.accumulation = f64, .output = f64, .any_order = true});
  const double exact = static_cast<double>(0.1f) + static_cast<double>(0.2f);
  EXPECT_EQ(a.ulps, ulp_distance(value_of(0.30000001192092896), value_of(exact)));
}

}  // namespace
}  // namespace warpcheck::numeric

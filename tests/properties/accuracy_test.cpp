#include "properties/accuracy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/properties/contracts.hpp"

namespace warpcheck::properties {
namespace {

Case case_of(std::vector<float> values) {
  Case c;
  c.input = make_input(values);
  return c;
}

Verdict verdict_for(const KernelInfo& kernel, const Case& c, float result) {
  return judge_accuracy(numeric::value_of(result), c.input->reference(), tolerance_for(kernel, c));
}

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

TEST(JudgeAccuracy, tells_expected_got_and_bound_in_finished_lines) {
  const Case c = case_of({1e8f, 1, -1e8f, 1});
  const Verdict verdict = verdict_for(serial_kernel(), c, 64);
  ASSERT_TRUE(verdict.falsified());
  EXPECT_EQ(verdict.failure, FailureClass::over_bound);
  EXPECT_EQ(verdict.expected, "2");
  EXPECT_EQ(verdict.got, "64, 41943040 ulp from the exact sum rounded");
  EXPECT_NE(verdict.bound.find("35.76"), std::string::npos) << verdict.bound;
  EXPECT_NE(verdict.bound.find("A=200000002"), std::string::npos) << verdict.bound;
  EXPECT_NE(verdict.bound.find("Jeannerod"), std::string::npos) << verdict.bound;
  EXPECT_EQ(verdict.reason, "off by 62, more than any order that the contract allows can be");
}

TEST(JudgeAccuracy, measures_what_holds_as_well) {
  const Verdict verdict = verdict_for(serial_kernel(), case_of({1e8f, 1, -1e8f, 1}), 1);
  EXPECT_EQ(verdict.kind, VerdictKind::holds);
  EXPECT_EQ(verdict.measures.abs_error, 1.0);
  EXPECT_DOUBLE_EQ(verdict.measures.error_over_sum_abs, 1.0 / 200000002);
  EXPECT_DOUBLE_EQ(verdict.measures.condition, 100000001.0);
  // (n - 1)·v·A with v = 2^-24/(1 + 2^-24).
  EXPECT_NEAR(verdict.measures.error_over_tolerance, 1 / (3 * 200000002.0 / (0x1p24 + 1)), 1e-9);
  EXPECT_EQ(verdict.measures.height, 3u);
  EXPECT_EQ(verdict.measures.ulps, 1u << 23);
  EXPECT_TRUE(verdict.measures.zero_blind);
}

TEST(JudgeAccuracy, is_decided_exactly_at_the_edge_of_the_bound) {
  // n = 2: v·A with A = 2^24 + 1 is exactly 1.
  const Case c = case_of({0x1p24f, 1});
  EXPECT_EQ(verdict_for(serial_kernel(), c, 0x1p24f).kind, VerdictKind::holds);
  EXPECT_EQ(verdict_for(serial_kernel(), c, 0x1p24f + 2).kind, VerdictKind::holds);
  EXPECT_EQ(verdict_for(serial_kernel(), c, 0x1p24f - 1).failure, FailureClass::over_bound);
  EXPECT_EQ(verdict_for(serial_kernel(), c, 0x1p24f + 4).failure, FailureClass::over_bound);
}

TEST(JudgeAccuracy, demands_exactness_where_nothing_can_round) {
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({0.1f}), 0.1f).kind, VerdictKind::holds);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({0.1f}), std::nextafter(0.1f, 1.0f)).reason,
            "no addition can round, so the result must be exact");
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({}), 0).kind, VerdictKind::holds);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({}), 1e-45f).failure, FailureClass::over_bound);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({0, -0.0f, 0}), 1e-45f).failure, FailureClass::over_bound);
}

TEST(JudgeAccuracy, calls_nan_or_infinity_out_of_finite_elements_a_special_value) {
  for (const float result : {kNan, kInf, -kInf}) {
    const Verdict verdict = verdict_for(serial_kernel(), case_of({1, 2}), result);
    EXPECT_EQ(verdict.failure, FailureClass::special_value);
    EXPECT_EQ(verdict.reason, "all elements are finite, and no order of additions can overflow");
    EXPECT_EQ(verdict.expected, "3");
  }
}

TEST(JudgeAccuracy, demands_what_elements_that_are_not_finite_force) {
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({1, kNan}), kNan).kind, VerdictKind::holds);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({1, kNan}), -kNan).kind, VerdictKind::holds);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({1, kNan}), 1).failure, FailureClass::special_value);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({kInf, 1}), kInf).kind, VerdictKind::holds);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({kInf, 1}), -kInf).failure, FailureClass::special_value);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({kInf, -kInf}), kNan).kind, VerdictKind::holds);
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({kInf, -kInf}), 0).expected, "NaN");
  // The finite ones may overflow to the other side first: then nothing is forced.
  EXPECT_EQ(verdict_for(serial_kernel(), case_of({-3e38f, -3e38f, kInf}), kNan).kind,
            VerdictKind::inapplicable);
}

TEST(JudgeAccuracy, says_nothing_about_an_overflow_that_is_possible) {
  const Case c = case_of({3e38f, 3e38f, -3e38f});
  for (const float result : {kInf, kNan}) {
    const Verdict verdict = verdict_for(serial_kernel(), c, result);
    EXPECT_EQ(verdict.kind, VerdictKind::inapplicable);
    EXPECT_FALSE(verdict.reason.empty());
  }
  // But what came out finite did not overflow on the way.
  EXPECT_TRUE(verdict_for(serial_kernel(), c, 1).falsified());
}

TEST(JudgeAccuracy, never_passes_by_a_tolerance_of_all) {
  // 2^24 + 2 ones in any order: (n - 1)·v = 1 and more.
  const std::vector<float> ones((1u << 24) + 2, 1.0f);
  const Case c = case_of(ones);
  const Verdict stalled = verdict_for(serial_kernel(), c, 0x1p24f);
  EXPECT_EQ(stalled.kind, VerdictKind::no_power);
  EXPECT_NE(stalled.reason.find("declare a shorter chain"), std::string::npos);
  EXPECT_EQ(verdict_for(serial_kernel(), c, 1e9f).failure, FailureClass::over_bound)
      << "even that has limits";
}

TEST(NoBound, is_the_fate_of_additions_narrower_than_the_elements_only) {
  KernelInfo kernel = double_kernel();
  EXPECT_TRUE(no_bound_reason(kernel).empty());
  EXPECT_TRUE(no_bound_reason(atomic_kernel()).empty());
  kernel.contract.accumulation = Format::fp32;
  EXPECT_FALSE(no_bound_reason(kernel).empty());
}

}  // namespace
}  // namespace warpcheck::properties

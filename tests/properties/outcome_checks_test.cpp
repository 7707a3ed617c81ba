#include "properties/outcome_checks.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "properties/sameness.hpp"
#include "tests/properties/contracts.hpp"
#include "tests/properties/fake_executor.hpp"

namespace warpcheck::properties {
namespace {

Finding finding(FindingKind kind, std::string message = "a message") {
  Finding result;
  result.kind = kind;
  result.message = std::move(message);
  return result;
}

TEST(JudgeStatus, passes_over_a_clean_run) {
  EXPECT_FALSE(judge_status(completed(numeric::value_of(1.0f))));
  Outcome warned = completed(numeric::value_of(1.0f));
  warned.findings = {finding(FindingKind::shuffle_delta)};
  EXPECT_FALSE(judge_status(warned));
}

TEST(JudgeStatus, names_the_run_and_keeps_the_findings) {
  Outcome outcome = completed(numeric::value_of(1.0f));
  outcome.status = RunStatus::violation;
  outcome.findings = {finding(FindingKind::shuffle_delta),
                      finding(FindingKind::misaligned, "address 5 of 4 bytes")};
  const auto verdict = judge_status(outcome, "run 2");
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->failure, FailureClass::contract_violation);
  EXPECT_EQ(verdict->reason, "run 2: address 5 of 4 bytes");
  EXPECT_EQ(verdict->findings.size(), 2u);
  EXPECT_EQ(verdict->error_finding()->kind, FindingKind::misaligned);
}

TEST(JudgeStatus, takes_the_detail_of_the_executor) {
  Outcome outcome;
  outcome.status = RunStatus::crash;
  outcome.detail = "signal 11 in host code";
  EXPECT_EQ(judge_status(outcome)->reason, "signal 11 in host code");
  outcome.detail.clear();
  EXPECT_EQ(judge_status(outcome)->reason, "the process died");
}

TEST(JudgeStatus, an_error_among_the_findings_falsifies_whatever_the_status) {
  Outcome outcome = completed(numeric::value_of(1.0f));
  outcome.findings = {finding(FindingKind::write_to_const)};
  EXPECT_EQ(judge_status(outcome)->failure, FailureClass::contract_violation);
}

TEST(JudgeStatus, a_time_out_with_its_finding_is_a_time_out) {
  Outcome outcome;
  outcome.status = RunStatus::time_out;
  outcome.findings = {finding(FindingKind::time_out, "spins at my_sum.cu:7")};
  EXPECT_EQ(judge_status(outcome)->failure, FailureClass::time_out);
  EXPECT_EQ(judge_status(outcome)->reason, "spins at my_sum.cu:7");
}

TEST(JudgeStatus, prefers_a_changed_input_to_a_stale_output) {
  Outcome outcome;
  outcome.input_changed = true;
  EXPECT_EQ(judge_status(outcome)->failure, FailureClass::input_changed);
  outcome.input_changed = false;
  EXPECT_EQ(judge_status(outcome)->failure, FailureClass::stale_output);
}

TEST(JudgeStatuses, finds_the_first_of_several_and_counts_all) {
  std::vector<Outcome> outcomes(3, completed(numeric::value_of(1.0f)));
  EXPECT_FALSE(judge_statuses(outcomes));
  outcomes[1].output_written = false;
  outcomes[2].status = RunStatus::crash;
  const std::vector<std::string> names{"one", "two", "three"};
  const auto verdict = judge_statuses(outcomes, names);
  EXPECT_EQ(verdict->failure, FailureClass::stale_output);
  EXPECT_EQ(verdict->reason.rfind("two: ", 0), 0u);
  EXPECT_EQ(verdict->runs, 3u);
}

TEST(JudgeEquality, is_bitwise_but_for_nan_payloads) {
  const std::vector<std::string> names{"a", "b"};
  const auto judged = [&names](float a, float b) {
    return judge_equality(
        std::vector<Outcome>{completed(numeric::value_of(a)), completed(numeric::value_of(b))}, names,
        "they differ");
  };
  EXPECT_EQ(judged(1, 1).kind, VerdictKind::holds);
  EXPECT_EQ(judged(std::nanf("1"), -std::nanf("2")).kind, VerdictKind::holds);
  EXPECT_EQ(judged(0.0f, -0.0f).failure, FailureClass::nondeterministic);
  const Verdict verdict = judged(1, std::nextafter(1.0f, 2.0f));
  EXPECT_EQ(verdict.failure, FailureClass::nondeterministic);
  EXPECT_EQ(verdict.reason, "they differ");
  EXPECT_EQ(verdict.expected, "1 (a)");
  EXPECT_EQ(verdict.got, "1.0000001 (0x1.000002p+0), 1 ulp from it (b)");
  EXPECT_EQ(verdict.runs, 2u);
}

TEST(Sameness, of_results) {
  const auto v = [](float x) { return numeric::value_of(x); };
  EXPECT_TRUE(equal_results(v(std::nanf("3")), v(-std::nanf("4"))));
  EXPECT_FALSE(equal_results(v(0.0f), v(-0.0f)));
  EXPECT_TRUE(equal_up_to_zero_sign(v(0.0f), v(-0.0f)));
  EXPECT_FALSE(equal_up_to_zero_sign(v(0.0f), v(1e-45f)));
  EXPECT_FALSE(equal_results(v(1.0f), numeric::value_of(1.0)));
}

TEST(Sameness, without_a_promise_is_demanded_only_where_no_order_can_round) {
  Case exact, rounding, zero;
  exact.input = make_input(std::vector<float>{1, 2, 3});
  rounding.input = make_input(std::vector<float>{1, 0x1p-24f, 1});
  zero.input = make_input(std::vector<float>{1, -1});
  EXPECT_TRUE(repeatable(atomic_kernel(), exact));
  EXPECT_FALSE(repeatable(atomic_kernel(), rounding));
  EXPECT_FALSE(repeatable(atomic_kernel(), zero)) << "the sign of zero depends on the order";
  EXPECT_TRUE(repeatable(shuffle_kernel(), rounding));
}

}  // namespace
}  // namespace warpcheck::properties

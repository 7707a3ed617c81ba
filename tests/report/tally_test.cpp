#include "framework/report/tally.hpp"

#include <gtest/gtest.h>

#include "tests/report/samples.hpp"

namespace warpcheck::report {
namespace {

ExitStatus status_of(std::initializer_list<VerdictKind> verdicts) {
  std::vector<engine::CheckResult> checks;
  for (const VerdictKind verdict : verdicts) {
    checks.push_back(holding_check("k", "p"));
    checks.back().verdict = verdict;
  }
  return exit_status(tally(checks));
}

TEST(Tally, counts_every_check_once) {
  const auto checks = sample_checks();
  const Tally sum = tally(checks);
  EXPECT_EQ(sum.holds, 16u);
  EXPECT_EQ(sum.falsified, 1u);
  EXPECT_EQ(sum.no_power, 1u);
  EXPECT_EQ(sum.inapplicable, 1u);
  EXPECT_EQ(sum.not_run, 1u);
  EXPECT_EQ(sum.checks(), checks.size());
  EXPECT_EQ(sum.cases, 200u * 18);
  EXPECT_EQ(sum.zero_blind_cases, 31u);
}

TEST(Tally, exit_status_puts_falsified_first_and_never_passes_what_was_not_judged) {
  using enum VerdictKind;
  EXPECT_EQ(status_of({holds, holds}), ExitStatus::all_hold);
  EXPECT_EQ(status_of({holds, inapplicable}), ExitStatus::all_hold);
  EXPECT_EQ(status_of({holds, falsified}), ExitStatus::falsified);
  EXPECT_EQ(status_of({not_run, falsified, no_power}), ExitStatus::falsified);
  EXPECT_EQ(status_of({holds, not_run}), ExitStatus::could_not_run);
  EXPECT_EQ(status_of({holds, no_power}), ExitStatus::could_not_run);
  EXPECT_EQ(status_of({inapplicable}), ExitStatus::could_not_run);
  EXPECT_EQ(status_of({}), ExitStatus::could_not_run);
}

}  // namespace
}  // namespace warpcheck::report

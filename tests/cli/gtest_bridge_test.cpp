#include "framework/cli/gtest_bridge.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>

namespace warpcheck::cli {
namespace {

engine::CheckResult check_with(VerdictKind verdict) {
  engine::CheckResult check;
  check.kernel = "my_sum";
  check.property = "negation";
  check.executor = "cpu";
  check.verdict = verdict;
  check.reason = "because";
  return check;
}

/// The parts of the GoogleTest result that a check turns into.
std::vector<testing::TestPartResult> parts_of(const engine::CheckResult& check) {
  KernelInfo kernel;
  kernel.file = "my_sum.cu";
  kernel.line = 40;
  testing::TestPartResultArray parts;
  {
    testing::ScopedFakeTestPartResultReporter reporter(
        testing::ScopedFakeTestPartResultReporter::INTERCEPT_ONLY_CURRENT_THREAD, &parts);
    report_to_googletest(check, kernel);
  }
  std::vector<testing::TestPartResult> result;
  for (int i = 0; i < parts.size(); ++i) result.push_back(parts.GetTestPartResult(i));
  return result;
}

TEST(GtestBridge, what_holds_is_a_success_without_a_word) {
  EXPECT_EQ(parts_of(check_with(VerdictKind::holds)).size(), 0u);
}

TEST(GtestBridge, falsified_is_a_failure_at_the_kernels_registration_with_the_whole_text) {
  engine::CheckResult check = check_with(VerdictKind::falsified);
  check.failure = FailureClass::wrong_value;
  check.counterexample.emplace();
  check.counterexample->text = "negation fails for my_sum\nin two lines\n";
  const auto parts = parts_of(check);
  ASSERT_EQ(parts.size(), 1u);
  const testing::TestPartResult& part = parts[0];
  EXPECT_TRUE(part.failed());
  EXPECT_STREQ(part.file_name(), "my_sum.cu");
  EXPECT_EQ(part.line_number(), 40);
  EXPECT_NE(std::string(part.message()).find("negation fails for my_sum\nin two lines\n"), std::string::npos);
}

TEST(GtestBridge, what_was_not_judged_is_a_skip_with_its_reason_and_never_a_pass) {
  for (const auto& [verdict, word] : {std::pair{VerdictKind::no_power, "no power: because"},
                                      {VerdictKind::inapplicable, "inapplicable: because"},
                                      {VerdictKind::not_run, "not run: because"}}) {
    const auto parts = parts_of(check_with(verdict));
    ASSERT_EQ(parts.size(), 1u);
    EXPECT_TRUE(parts[0].skipped());
    EXPECT_NE(std::string(parts[0].message()).find(word), std::string::npos);
  }
}

TEST(GtestBridge, a_failure_without_a_counterexample_still_has_a_text) {
  engine::CheckResult check = check_with(VerdictKind::falsified);
  check.failure = FailureClass::crash;
  EXPECT_NE(failure_text(check).find("negation fails for my_sum on cpu (crash)"), std::string::npos);
}

}  // namespace
}  // namespace warpcheck::cli

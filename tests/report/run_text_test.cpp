#include "framework/report/run_text.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/report/golden.hpp"
#include "tests/report/samples.hpp"

namespace warpcheck::report {
namespace {

std::string all_text(const Look& look) {
  const auto checks = sample_checks();
  return accuracy_table(sample_kernels(), checks, look) + "\n" + verdict_matrix(checks, look) + "\n" +
         reasons(checks, look) + "\n" + summary(tally(checks), look);
}

TEST(RunText, tables_are_as_approved_in_ascii) {
  const std::string text = all_text(Look{});
  expect_plain_lines(text);
  EXPECT_TRUE(
      std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; }));
  expect_golden("run_ascii.txt", text);
}

TEST(RunText, tables_are_as_approved_in_unicode) {
  const std::string text = all_text(Look{false, true, 80});
  expect_plain_lines(text);
  expect_golden("run_unicode.txt", text);
}

TEST(RunText, many_kernels_and_properties_stay_within_80_columns) {
  std::vector<engine::CheckResult> checks;
  for (int k = 0; k < 3; ++k) {
    for (int p = 0; p < 40; ++p) {
      checks.push_back(holding_check(fmt::format("a_kernel_with_quite_a_long_name_number_{}", k),
                                     fmt::format("a_property_with_a_long_name_number_{}", p)));
      checks.back().worst.error_over_sum_abs = 1.23456e-300;
    }
    checks.push_back(holding_check(fmt::format("a_kernel_with_quite_a_long_name_number_{}", k),
                                   std::string(accuracy_property)));
    checks.back().verdict = VerdictKind::inapplicable;
    checks.back().cases = 123456789;
    checks.back().worst.error_over_sum_abs = 1.23456e-300;
  }
  for (const bool unicode : {false, true}) {
    const Look look{false, unicode, 80};
    const std::string text = accuracy_table({}, checks, look) + verdict_matrix(checks, look) +
                             reasons(checks, look) + summary(tally(checks), look);
    expect_plain_lines(text);
    // Column 27 is labelled with two letters.
    EXPECT_NE(text.find("aa a_property_with_a_long_name_number_26"), std::string::npos) << text;
  }
}

TEST(RunText, a_reason_that_all_checks_share_is_said_once) {
  std::vector<engine::CheckResult> checks;
  for (int k = 0; k < 9; ++k) {
    checks.push_back(holding_check(fmt::format("k{}", k), "p"));
    checks.back().verdict = VerdictKind::not_run;
    checks.back().reason = "no CUDA device";
  }
  EXPECT_EQ(reasons(checks, Look{}), "not run: no CUDA device (every check)\n");
  checks.pop_back();
  checks.push_back(holding_check("k8", "p"));
  EXPECT_EQ(reasons(checks, Look{}), "not run: no CUDA device (k0.p, k1.p, k2.p, k3.p and 4 more)\n");
}

TEST(RunText, a_summary_without_a_pass_does_not_speak_of_passes) {
  auto check = holding_check("k", "p");
  check.verdict = VerdictKind::not_run;
  EXPECT_EQ(summary(tally({&check, 1}), Look{}).find("A pass"), std::string::npos);
  check.verdict = VerdictKind::holds;
  EXPECT_NE(summary(tally({&check, 1}), Look{}).find("A pass"), std::string::npos);
}

}  // namespace
}  // namespace warpcheck::report

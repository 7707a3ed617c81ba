#include "framework/report/run_json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>

#include "tests/report/samples.hpp"

namespace warpcheck::report {
namespace {

using nlohmann::json;

TEST(RunJson, has_the_keys_of_version_1) {
  const auto checks = sample_checks();
  const json report = json::parse(run_json(7, "cpu", checks));
  EXPECT_EQ(report.at("version"), 1);
  EXPECT_EQ(report.at("seed"), 7);
  EXPECT_EQ(report.at("executor"), "cpu");
  ASSERT_EQ(report.at("checks").size(), checks.size());
  for (const json& check : report.at("checks")) {
    for (const char* key :
         {"kernel", "property", "executor", "verdict", "class", "cases", "worst", "counterexample"}) {
      EXPECT_TRUE(check.contains(key)) << key;
    }
    for (const char* key : {"abs_error", "error_over_sum_abs", "error_over_tolerance"}) {
      EXPECT_TRUE(check.at("worst").contains(key)) << key;
    }
  }
  EXPECT_EQ(report.at("summary"),
            json::parse(R"({"holds": 16, "falsified": 1, "no_power": 1, "inapplicable": 1,
                                                  "not_run": 1, "zero_blind_cases": 31})"));
}

TEST(RunJson, a_counterexample_is_an_object_and_the_rest_have_null) {
  const auto checks = sample_checks();
  const json report = json::parse(run_json(1, "cpu", checks));
  const json& falsified = report.at("checks")[5];
  EXPECT_EQ(falsified.at("verdict"), "falsified");
  EXPECT_EQ(falsified.at("class"), "wrong_value");
  const json& found = falsified.at("counterexample");
  EXPECT_EQ(found.at("file"), ".warpcheck/tree_two_pass.exact_window.json");
  EXPECT_EQ(found.at("n"), 3);
  EXPECT_EQ(found.at("grid"), 1);
  EXPECT_EQ(found.at("block"), 2);
  EXPECT_EQ(found.at("inputs"), "[1 ×2, 0.1 (0x1.99999ap-4)]");
  EXPECT_EQ(found.at("expected"), "2.1");
  EXPECT_EQ(found.at("got"), "2");
  EXPECT_TRUE(report.at("checks")[0].at("counterexample").is_null());
  EXPECT_TRUE(report.at("checks")[0].at("class").is_null());
  EXPECT_EQ(report.at("checks")[19].at("verdict"), "no_power");
  EXPECT_EQ(report.at("checks")[13].at("verdict"), "not_run");
}

TEST(RunJson, numbers_that_are_not_finite_are_text_and_doubles_come_back_exactly) {
  auto check = holding_check("k", "p");
  check.worst.abs_error = std::numeric_limits<double>::quiet_NaN();
  check.worst.error_over_tolerance = std::numeric_limits<double>::infinity();
  check.worst.error_over_sum_abs = 0x1.123456789abcdp-77;
  const json report = json::parse(run_json(std::numeric_limits<std::uint64_t>::max(), "cpu", {&check, 1}));
  EXPECT_EQ(report.at("seed"), std::numeric_limits<std::uint64_t>::max());
  const json& worst = report.at("checks")[0].at("worst");
  EXPECT_EQ(worst.at("abs_error"), "nan");
  EXPECT_EQ(worst.at("error_over_tolerance"), "inf");
  EXPECT_EQ(worst.at("error_over_sum_abs").get<double>(), 0x1.123456789abcdp-77);
}

TEST(RunJson, text_that_is_not_utf8_does_not_cost_the_report) {
  auto check = holding_check("bad\xff name", "p");
  EXPECT_EQ(json::parse(run_json(1, "cpu", {&check, 1})).at("checks")[0].at("kernel"),
            "bad\xef\xbf\xbd name");
}

}  // namespace
}  // namespace warpcheck::report

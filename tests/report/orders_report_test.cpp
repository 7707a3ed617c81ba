#include "framework/report/orders_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/report/golden.hpp"
#include "tests/report/samples.hpp"

namespace warpcheck::report {
namespace {

using nlohmann::json;
using numeric::Value;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

Outcome by_hand(const Case& test_case) {
  float total = 0;
  for (const Value value : test_case.input->values()) {
    total += std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
  }
  return completed(total);
}

OrderStudy study_of(const std::vector<float>& numbers, std::optional<std::uint64_t> sample = std::nullopt) {
  std::vector<Value> values;
  for (const float x : numbers) values.push_back(numeric::value_of(x));
  OrderStudy study = study_orders(values, sample, 1);
  HostExecutor executor(by_hand);
  for (const KernelInfo& kernel : sample_kernels()) {
    add_kernel(study, kernel, small_geometry(kernel.contract), executor);
  }
  return study;
}

TEST(OrdersReport, the_first_experiment_is_as_approved) {
  const std::string text = orders_text(study_of({1e8f, 1, -1e8f, 1}), Look{});
  expect_plain_lines(text);
  expect_golden("orders_first_experiment.txt", text);
}

TEST(OrdersReport, any_values_stay_within_80_columns) {
  for (const std::vector<float>& numbers : std::vector<std::vector<float>>{
           {0x1.fffffep127f, -0x1.fffffep127f, 0x1p-149f, 0.1f},
           {nan, -nan, infinity, -0.0f},
           {1.2345678e-30f, 1.2345678e30f, 1.2345678f, -1.2345678e10f, 3.1415927f, 2.7182818f}}) {
    const std::string text = orders_text(study_of(numbers), Look{});
    // The exact sum itself is one word of any length.
    std::string lines;
    std::size_t at = 0;
    while (at < text.size()) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (line.find(' ', line.find_first_not_of(' ')) != std::string::npos) lines += line + '\n';
      at = end + 1;
    }
    expect_plain_lines(lines);
  }
}

TEST(OrdersReport, a_breakdown_and_a_result_beyond_the_bound_are_said) {
  std::vector<Value> values{numeric::value_of(1.0f), numeric::value_of(2.0f)};
  OrderStudy study = study_orders(values, std::nullopt, 1);
  HostExecutor wrong([](const Case&) { return completed(7); });
  add_kernel(study, sample_kernel("wrong", "serial"), {1, 32}, wrong);
  HostExecutor broken([](const Case&) {
    Outcome outcome;
    outcome.status = RunStatus::launch_error;
    outcome.detail = "cudaErrorInvalidValue";
    return outcome;
  });
  add_kernel(study, sample_kernel("broken", "serial"), {1, 32}, broken);
  const std::string text = orders_text(study, Look{});
  EXPECT_THAT(text, testing::HasSubstr("2 of 2 results (marked !)"));
  EXPECT_THAT(text, testing::HasSubstr("2 of 2 runs did not complete: launch error: cudaErrorInvalidValue"));
  expect_plain_lines(text);
  const json report = json::parse(orders_json(study));
  EXPECT_EQ(report.at("rows")[0].at("kernels").at("broken"), "launch error: cudaErrorInvalidValue");
  EXPECT_EQ(report.at("rows")[0].at("kernels").at("wrong"), 7);
}

TEST(OrdersReport, json_of_the_first_experiment) {
  const json report = json::parse(orders_json(study_of({1e8f, 1, -1e8f, 1})));
  ASSERT_EQ(report.at("rows").size(), 12u);
  EXPECT_EQ(report.at("serial_results"), json::parse("[0, 1, 2]"));
  EXPECT_EQ(report.at("pairwise_results"), json::parse("[0, 2]"));
  std::vector<std::vector<double>> inputs;
  for (const json& row : report.at("rows")) {
    inputs.push_back(row.at("inputs").get<std::vector<double>>());
    EXPECT_EQ(row.at("reference"), 2);
    EXPECT_EQ(row.at("sum_abs"), 200000002);
    EXPECT_EQ(row.at("serial_abs_error").get<double>(), std::fabs(row.at("serial").get<double>() - 2));
    EXPECT_EQ(row.at("pairwise_abs_error").get<double>(), std::fabs(row.at("pairwise").get<double>() - 2));
    EXPECT_EQ(row.at("kernels").size(), 5u);
    EXPECT_EQ(row.at("kernels").at("serial"), row.at("serial"));
  }
  EXPECT_TRUE(std::is_sorted(inputs.begin(), inputs.end()));
}

TEST(OrdersReport, json_gives_wide_references_and_special_values_as_text) {
  const json wide = json::parse(orders_json(study_of({0x1p100f, 1, 0.1f})));
  EXPECT_EQ(wide.at("reference"), "1.267650600228229401496703205377100000001490116119384765625e+30");
  EXPECT_EQ(wide.at("rows")[0].at("inputs")[0].get<double>(), static_cast<double>(0.1f));
  const json special = json::parse(orders_json(study_of({nan, infinity, -0.0f})));
  EXPECT_EQ(special.at("reference"), "nan");
  EXPECT_EQ(special.at("rows")[0].at("inputs"), json::parse(R"([-0.0, "inf", "nan"])"));
  EXPECT_TRUE(std::signbit(special.at("rows")[0].at("inputs")[0].get<double>()));
  EXPECT_EQ(special.at("rows")[0].at("serial_abs_error"), 0);
  const json infinite = json::parse(orders_json(study_of({3e38f, 3e38f})));
  EXPECT_EQ(infinite.at("rows")[0].at("serial"), "inf");
  EXPECT_EQ(infinite.at("rows")[0].at("serial_abs_error"), "inf");
}

TEST(OrdersReport, a_sample_says_so_with_the_number_of_orders) {
  const std::string text = orders_text(study_of({1, 2, 3, 4, 5, 6, 7, 8, 9}, 3), Look{});
  EXPECT_THAT(text, testing::HasSubstr("362,880 distinct orders of 9 fp32 values, a sample of 3"));
}

}  // namespace
}  // namespace warpcheck::report

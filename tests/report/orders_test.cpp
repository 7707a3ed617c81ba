#include "framework/report/orders.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "framework/numeric/text.hpp"
#include "tests/report/samples.hpp"

namespace warpcheck::report {
namespace {

using numeric::Value;
using testing::ElementsAre;

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

std::vector<Value> values_of(const std::vector<float>& numbers) {
  std::vector<Value> values;
  for (const float x : numbers) values.push_back(numeric::value_of(x));
  return values;
}

std::vector<std::string> texts(const std::vector<Value>& values) {
  std::vector<std::string> result;
  for (const Value value : values) result.push_back(numeric::to_decimal(value));
  return result;
}

float number(Value value) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
}

const OrderRow& row_of(const OrderStudy& study, const std::vector<float>& inputs) {
  for (const OrderRow& row : study.rows) {
    if (row.inputs == values_of(inputs)) return row;
  }
  throw std::runtime_error("no such row");
}

TEST(Orders, the_four_values_of_the_first_experiment) {
  const OrderStudy study = study_orders(values_of({1e8f, 1, -1e8f, 1}), std::nullopt, 1);
  EXPECT_EQ(study.rows.size(), 12u);
  EXPECT_EQ(study.orders, "12");
  EXPECT_FALSE(study.sampled);
  EXPECT_EQ(study.reference.sum.exact_string(), "2");
  EXPECT_EQ(study.reference.sum_abs.exact_string(), "200000002");
  EXPECT_THAT(texts(serial_outcomes(study)), ElementsAre("0", "1", "2"));
  EXPECT_THAT(texts(pairwise_outcomes(study)), ElementsAre("0", "2"));
  const OrderRow& row = row_of(study, {1e8f, 1, -1e8f, 1});
  EXPECT_EQ(number(row.serial.value), 1);
  EXPECT_EQ(number(row.pairwise.value), 0);
  EXPECT_EQ(row.serial.abs_error->exact_string(), "1");
  EXPECT_EQ(row.pairwise.abs_error->exact_string(), "2");
}

TEST(Orders, every_row_is_what_plain_float_arithmetic_gives) {
  const OrderStudy study = study_orders(values_of({1e8f, 1, -1e8f, 1, 0.1f}), std::nullopt, 1);
  EXPECT_EQ(study.rows.size(), 60u);
  for (const OrderRow& row : study.rows) {
    const auto x = [&](std::size_t i) { return number(row.inputs[i]); };
    const volatile float a = x(0) + x(1);
    const volatile float b = a + x(2);
    const volatile float c = b + x(3);
    const volatile float d = c + x(4);
    EXPECT_EQ(number(row.serial.value), d);
    const volatile float left = a + x(2);
    const volatile float right = x(3) + x(4);
    const volatile float both = left + right;
    EXPECT_EQ(number(row.pairwise.value), both);
  }
}

TEST(Orders, rows_are_sorted_by_value_with_minus_zero_first_and_nan_last) {
  const OrderStudy study = study_orders(values_of({nan, 0.0f, -0.0f}), std::nullopt, 1);
  ASSERT_EQ(study.rows.size(), 6u);
  EXPECT_THAT(texts(study.rows.front().inputs), ElementsAre("-0", "0", "nan"));
  EXPECT_THAT(texts(study.rows.back().inputs), ElementsAre("nan", "0", "-0"));
  for (std::size_t r = 1; r < study.rows.size(); ++r)
    EXPECT_NE(study.rows[r - 1].inputs, study.rows[r].inputs);
}

TEST(Orders, equal_values_are_not_told_apart) {
  EXPECT_EQ(study_orders(values_of({1, 1, 1, 1, 1, 1, 1, 1}), std::nullopt, 1).rows.size(), 1u);
  EXPECT_EQ(study_orders(values_of({1}), std::nullopt, 1).rows.size(), 1u);
}

TEST(Orders, the_count_is_that_of_the_rows) {
  for (const std::vector<float>& numbers : std::vector<std::vector<float>>{{1},
                                                                           {1, 1},
                                                                           {1, 2},
                                                                           {1, 2, 3, 4},
                                                                           {1, 1, 2, 2, 3, 3},
                                                                           {1, 1, 1, 2, 2, 3, 4},
                                                                           {1, 2, 3, 4, 5, 6, 7, 8}}) {
    const auto values = values_of(numbers);
    EXPECT_EQ(count_of_orders(values), std::to_string(study_orders(values, std::nullopt, 1).rows.size()));
  }
  std::vector<float> many(20);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<float>(i);
  EXPECT_EQ(count_of_orders(values_of(many)), "2432902008176640000");
}

TEST(Orders, more_than_eight_values_need_a_sample) {
  const auto nine = values_of({1, 2, 3, 4, 5, 6, 7, 8, 9});
  try {
    study_orders(nine, std::nullopt, 1);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("9 values have 362,880 distinct orders"));
    EXPECT_THAT(error.what(), testing::HasSubstr("--sample N"));
  }
  EXPECT_THROW(study_orders({}, std::nullopt, 1), std::invalid_argument);
  EXPECT_THROW(study_orders(nine, 0, 1), std::invalid_argument);
}

TEST(Orders, a_sample_has_as_many_distinct_rows_as_asked_and_depends_on_the_seed_alone) {
  const auto nine = values_of({1, 2, 3, 4, 5, 6, 7, 8, 9});
  const OrderStudy study = study_orders(nine, 50, 1);
  EXPECT_TRUE(study.sampled);
  ASSERT_EQ(study.rows.size(), 50u);
  const auto inputs = [](const OrderStudy& s) {
    std::vector<std::vector<std::uint64_t>> result;
    for (const OrderRow& row : s.rows) {
      result.emplace_back();
      for (const Value value : row.inputs) result.back().push_back(value.bits);
    }
    return result;
  };
  EXPECT_EQ(inputs(study), inputs(study_orders(nine, 50, 1)));
  EXPECT_NE(inputs(study), inputs(study_orders(nine, 50, 2)));
  for (std::size_t r = 1; r < study.rows.size(); ++r)
    EXPECT_NE(study.rows[r - 1].inputs, study.rows[r].inputs);
}

TEST(Orders, a_sample_that_is_not_smaller_than_the_whole_is_the_whole) {
  const OrderStudy all = study_orders(values_of({1, 2, 3, 3, 3, 3, 3, 3, 3}), 72, 1);
  EXPECT_FALSE(all.sampled);
  EXPECT_EQ(all.rows.size(), 72u);
  EXPECT_EQ(study_orders(values_of({1, 2, 3, 3, 3, 3, 3, 3, 3}), 71, 1).rows.size(), 71u);
}

TEST(Orders, infinities_and_nan_follow_the_rules_of_special_sums) {
  const OrderStudy both = study_orders(values_of({infinity, -infinity, 1}), std::nullopt, 1);
  EXPECT_EQ(both.reference.special(), numeric::SpecialSum::nan);
  for (const OrderRow& row : both.rows) {
    EXPECT_TRUE(row.serial.forced);
    EXPECT_TRUE(row.pairwise.forced);
  }
  EXPECT_THAT(texts(serial_outcomes(both)), ElementsAre("nan"));
  const OrderStudy one = study_orders(values_of({infinity, -1, 1}), std::nullopt, 1);
  EXPECT_THAT(texts(serial_outcomes(one)), ElementsAre("inf"));
  EXPECT_TRUE(one.rows[0].serial.forced);
  // Finite values that overflow: an infinite error, not a forced result.
  const OrderStudy large = study_orders(values_of({3e38f, 3e38f, -3e38f}), std::nullopt, 1);
  const OrderRow& overflow = row_of(large, {3e38f, 3e38f, -3e38f});
  EXPECT_FALSE(overflow.serial.abs_error.has_value());
  EXPECT_FALSE(overflow.serial.forced);
}

TEST(Orders, fp64_values_are_added_in_fp64) {
  const std::vector<Value> values{numeric::value_of(1e16), numeric::value_of(1.0), numeric::value_of(-1e16)};
  const OrderStudy study = study_orders(values, std::nullopt, 1);
  EXPECT_THAT(texts(serial_outcomes(study)), ElementsAre("0", "1"));
}

Outcome last_to_first(const Case& test_case) {
  float total = 0;
  for (std::uint64_t i = test_case.n(); i > 0; --i) total += number((*test_case.input)[i - 1]);
  return completed(total);
}

TEST(Orders, a_kernel_gets_the_rows_in_their_order) {
  OrderStudy study = study_orders(values_of({1e8f, 1, -1e8f, 1}), std::nullopt, 1);
  HostExecutor executor(last_to_first);
  add_kernel(study, sample_kernel("backwards", "serial"), {1, 32}, executor);
  for (const OrderRow& row : study.rows) {
    std::vector<Value> reversed(row.inputs.rbegin(), row.inputs.rend());
    EXPECT_EQ(row.kernels.at(0).value, serial_sum(reversed));
  }
  EXPECT_THAT(texts(kernel_outcomes(study, 0)), ElementsAre("0", "1", "2"));
  EXPECT_FALSE(any_fault(study));
}

TEST(Orders, a_kernel_that_leaves_its_bound_is_marked) {
  OrderStudy study = study_orders(values_of({1, 2, 4}), std::nullopt, 1);
  HostExecutor executor([](const Case& test_case) { return completed(number((*test_case.input)[0])); });
  add_kernel(study, sample_kernel("first_only", "serial"), {1, 32}, executor);
  EXPECT_TRUE(any_fault(study));
  for (const OrderRow& row : study.rows) EXPECT_TRUE(row.kernels[0].beyond_bound);
}

TEST(Orders, a_kernel_that_answers_a_number_where_nan_is_forced_is_marked) {
  OrderStudy study = study_orders(values_of({nan, 2}), std::nullopt, 1);
  HostExecutor number_instead([](const Case&) { return completed(2); });
  add_kernel(study, sample_kernel("skips_nan", "serial"), {1, 32}, number_instead);
  EXPECT_TRUE(study.rows[0].kernels[0].beyond_bound);
  HostExecutor other_nan([](const Case&) { return completed(-nan); });
  add_kernel(study, sample_kernel("keeps_nan", "serial"), {1, 32}, other_nan);
  EXPECT_FALSE(study.rows[0].kernels[1].beyond_bound);
}

TEST(Orders, a_run_that_breaks_down_is_a_fault_with_its_reason_and_no_outcome) {
  OrderStudy study = study_orders(values_of({1, 2}), std::nullopt, 1);
  HostExecutor crash([](const Case&) {
    Outcome outcome;
    outcome.status = RunStatus::crash;
    outcome.detail = "signal 11";
    return outcome;
  });
  add_kernel(study, sample_kernel("crashes", "serial"), {1, 32}, crash);
  EXPECT_EQ(study.rows[0].kernels[0].fault, "crash: signal 11");
  HostExecutor race([](const Case&) {
    Outcome outcome;
    outcome.status = RunStatus::violation;
    outcome.findings.resize(2);
    outcome.findings[0].kind = FindingKind::shuffle_delta;
    outcome.findings[1].kind = FindingKind::out_of_bounds;
    outcome.findings[1].message = "reads x[4]";
    return outcome;
  });
  add_kernel(study, sample_kernel("reads_beyond", "serial"), {1, 32}, race);
  EXPECT_EQ(study.rows[0].kernels[1].fault, "out of bounds: reads x[4]");
  HostExecutor silent([](const Case&) { return Outcome{}; });
  add_kernel(study, sample_kernel("silent", "serial"), {1, 32}, silent);
  EXPECT_EQ(study.rows[0].kernels[2].fault, "no result: the output was never written");
  EXPECT_TRUE(any_fault(study));
  EXPECT_TRUE(kernel_outcomes(study, 0).empty());
}

TEST(Orders, the_small_geometry_is_one_the_contract_accepts) {
  for (const std::uint32_t smallest : {1u, 2u, 32u, 33u, 64u, 1000u}) {
    for (const std::uint32_t largest : {1u, 16u, 32u, 100u, 1024u}) {
      for (const std::uint32_t step : {1u, 3u, 32u, 48u}) {
        KernelContract contract;
        contract.min_block = smallest;
        contract.max_block = largest;
        contract.block_multiple = step;
        bool possible = false;
        for (std::uint32_t block = 1; block <= 1024; ++block)
          possible = possible || contract.accepts({1, block});
        if (!possible) continue;
        const Geometry geometry = small_geometry(contract);
        EXPECT_TRUE(contract.accepts(geometry)) << smallest << ' ' << largest << ' ' << step;
        if (contract.accepts({1, 32})) {
          EXPECT_EQ(geometry.block, 32u);
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::report

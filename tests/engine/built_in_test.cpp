// The search and the reducer with the generators and properties that are built in, on host functions with a
// fault.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "framework/contract/property.hpp"
#include "framework/engine/check.hpp"
#include "framework/engine/replay.hpp"
#include "tests/engine/example.hpp"
#include "tests/engine/fakes.hpp"

namespace warpcheck::engine::testing {
namespace {

using record::counterexample_from_json;

Outcome written(float sum) {
  Outcome outcome;
  outcome.output = numeric::value_of(sum);
  outcome.output_written = true;
  return outcome;
}

float element(const Case& test_case, std::uint64_t i) {
  return static_cast<float>(numeric::to_double((*test_case.input)[i]));
}

/// Adds all elements but those for which `lost` holds.
template <class Lost>
HostExecutor::Kernel sum_without(const Lost& lost) {
  return [lost](const Case& test_case) {
    float sum = 0;
    for (std::uint64_t i = 0; i < test_case.n(); ++i) {
      if (!lost(test_case, i)) sum += element(test_case, i);
    }
    return written(sum);
  };
}

CheckResult check_with(std::string_view property, HostExecutor::Kernel kernel) {
  HostExecutor executor(std::move(kernel));
  const Property* found = find_property(property);
  if (found == nullptr) throw std::invalid_argument("no property " + std::string(property));
  return check(any_kernel(), *found, executor, {});
}

TEST(BuiltIn, a_right_kernel_is_not_blamed) {
  for (const Property* property : all_properties()) {
    // The tests' own property is no property of floating-point sums: rounding falsifies it.
    if (property->name().starts_with("test_")) continue;
    HostExecutor executor(serial_sum());
    const CheckResult result = check(any_kernel(), *property, executor, {});
    EXPECT_NE(result.verdict, VerdictKind::falsified)
        << property->name() << "\n"
        << (result.counterexample ? result.counterexample->text : "");
    EXPECT_NE(result.verdict, VerdictKind::not_run) << property->name() << ": " << result.reason;
  }
}

TEST(BuiltIn, a_lost_tail_of_the_grid_is_reduced_to_its_smallest_case) {
  const auto beyond_grid = [](const Case& c, std::uint64_t i) { return i >= c.geometry.threads(); };
  const CheckResult result = check_with("within_proved_bound", sum_without(beyond_grid));
  ASSERT_TRUE(result.counterexample);
  const Counterexample& found = *result.counterexample;
  EXPECT_EQ(found.verdict.failure, FailureClass::over_bound);
  EXPECT_EQ(found.reduced.n(), 33u);
  EXPECT_EQ(found.reduced.geometry, (Geometry{1, 32}));
  EXPECT_EQ(element(found.reduced, 32), 1);
  EXPECT_EQ(found.reduced.input->reference().sum_abs, numeric::Decimal(1));
  EXPECT_FALSE(found.flaky);
}

TEST(BuiltIn, a_lost_last_lane_is_reduced_to_that_lane) {
  const auto last_lane = [](const Case&, std::uint64_t i) { return i % 32 == 31; };
  for (const char* property : {"within_proved_bound", "exact_window", "one_hot"}) {
    const CheckResult result = check_with(property, sum_without(last_lane));
    ASSERT_TRUE(result.counterexample) << property;
    EXPECT_EQ(result.counterexample->reduced.n(), 32u) << result.counterexample->text;
    EXPECT_EQ(result.counterexample->reduced.geometry, (Geometry{1, 32})) << property;
  }
}

TEST(BuiltIn, every_failure_replays_to_the_same_bits) {
  int failures = 0;
  for (const Property* property : all_properties()) {
    HostExecutor executor(serial_sum(1));
    const CheckResult result = check(any_kernel(), *property, executor, {});
    if (!result.counterexample) continue;
    ++failures;
    EXPECT_LE(result.counterexample->reduced.n(), 2u) << result.counterexample->text;
    const Counterexample read = counterexample_from_json(to_json(*result.counterexample));
    HostExecutor again(serial_sum(1));
    const std::vector<KernelInfo> kernels{any_kernel()};
    const ReplayResult replayed = replay(read, kernels, again);
    EXPECT_EQ(replayed.kind, ReplayKind::same_bits) << property->name() << ": " << replayed.reason;
  }
  EXPECT_GE(failures, 4);
}

TEST(BuiltIn, a_crash_is_reduced_like_any_other_fault) {
  const CheckResult result = check_with("within_proved_bound", [](const Case& test_case) {
    if (test_case.n() <= 40) return serial_sum()(test_case);
    Outcome outcome;
    outcome.status = RunStatus::crash;
    outcome.detail = "signal 11";
    return outcome;
  });
  EXPECT_EQ(result.failure, FailureClass::crash);
  ASSERT_TRUE(result.counterexample);
  EXPECT_EQ(result.counterexample->reduced.n(), 41u);
  EXPECT_TRUE(result.counterexample->reduced.input->reference().sum_abs.is_zero());
}

}  // namespace
}  // namespace warpcheck::engine::testing

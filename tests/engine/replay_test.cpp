#include "framework/engine/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/engine/example.hpp"
#include "tests/engine/fakes.hpp"

namespace warpcheck::engine::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::StartsWith;

// replay() finds properties by name.
WARPCHECK_PROPERTY(ExactSumProperty);

/// What the kernel that drops its last element leaves behind.
Counterexample dropped_last() {
  Counterexample example = plain_counterexample();
  example.property = "test_exact_sum";
  example.reduced = case_of({3, 4});
  HostExecutor executor(serial_sum(1));
  example.verdict = ExactSumProperty().judge(any_kernel(), example.reduced, executor);
  return example;
}

ReplayResult replay_with(const Counterexample& example, HostExecutor::Kernel kernel) {
  HostExecutor executor(std::move(kernel));
  const std::vector<KernelInfo> kernels{any_kernel("other"), any_kernel()};
  return replay(example, kernels, executor);
}

TEST(Replay, finds_the_same_bits_while_nothing_has_changed) {
  const ReplayResult result = replay_with(dropped_last(), serial_sum(1));
  EXPECT_EQ(result.kind, ReplayKind::same_bits);
  EXPECT_TRUE(result.still_fails());
  EXPECT_EQ(result.reason, "");
  EXPECT_EQ(result.verdict.got, "3");
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(Replay, tells_another_result_from_the_same) {
  const ReplayResult result = replay_with(dropped_last(), serial_sum(2));
  EXPECT_EQ(result.kind, ReplayKind::fails_differently);
  EXPECT_TRUE(result.still_fails());
  EXPECT_EQ(result.reason, "it gave 3 and gives now 0");
}

TEST(Replay, tells_another_class_from_the_same) {
  Counterexample example = dropped_last();
  example.verdict.failure = FailureClass::stale_output;
  const ReplayResult result = replay_with(example, serial_sum(1));
  EXPECT_EQ(result.kind, ReplayKind::fails_differently);
  EXPECT_EQ(result.reason, "it was stale output and is now wrong value");
}

TEST(Replay, says_when_the_fault_is_gone) {
  const ReplayResult result = replay_with(dropped_last(), serial_sum());
  EXPECT_EQ(result.kind, ReplayKind::no_longer_fails);
  EXPECT_FALSE(result.still_fails());
}

TEST(Replay, names_what_has_changed_since) {
  Counterexample example = dropped_last();
  example.contract_hash = "0000000000000000";
  example.plugin = "old.so";
  example.built_with = "nvcc 12.4 --use_fast_math";
  example.executor = "cuda";
  const ReplayResult result = replay_with(example, serial_sum(1));
  EXPECT_EQ(result.kind, ReplayKind::same_bits);
  EXPECT_THAT(
      result.notes,
      ElementsAre(StartsWith("the contract of my_sum has changed since: it was 0000000000000000 and is now "),
                  "the plug-in is another since: it was old.so and is now build/my_kernels.so",
                  "the plug-in was built differently since: it was nvcc 12.4 --use_fast_math and is now nvcc "
                  "13.0 -O3",
                  "the executor is another since: it was cuda and is now cpu"));
}

TEST(Replay, runs_nothing_that_does_not_fit) {
  Counterexample example = dropped_last();
  example.kernel = "gone";
  EXPECT_EQ(replay_with(example, serial_sum()).reason,
            "there is no kernel named gone; the plug-in holds other, my_sum");
  example = dropped_last();
  example.property = "no_such_property";
  EXPECT_THAT(replay_with(example, serial_sum()).reason,
              StartsWith("there is no property named no_such_property; there are "));
  example = dropped_last();
  example.reduced.geometry = {1, 2048};
  EXPECT_EQ(replay_with(example, serial_sum()).reason,
            "the contract of my_sum does not accept the case's grid 1, block 2048");
  example.reduced.geometry = {1, 32};
  const std::vector<double> doubles{1.0};
  example.reduced.input = make_input(std::span<const double>(doubles));
  const ReplayResult result = replay_with(example, serial_sum());
  EXPECT_EQ(result.reason, "my_sum takes fp32 elements and the case holds fp64");
  EXPECT_EQ(result.kind, ReplayKind::not_run);
  EXPECT_EQ(result.verdict.kind, VerdictKind::not_run);
}

TEST(Replay, is_not_run_where_no_worker_can_be_had) {
  const ReplayResult result =
      replay_with(dropped_last(), [](const Case&) -> Outcome { throw std::runtime_error("no worker"); });
  EXPECT_EQ(result.kind, ReplayKind::not_run);
  EXPECT_EQ(result.reason, "no worker");
}

TEST(Replay, tries_a_flaky_counterexample_until_it_fails) {
  Counterexample example = dropped_last();
  int calls = 0;
  const auto sometimes = [&](const Case& test_case) {
    return serial_sum(++calls % 7 == 0 ? 1 : 0)(test_case);
  };
  EXPECT_EQ(replay_with(example, sometimes).kind, ReplayKind::no_longer_fails);
  example.flaky = true;
  const ReplayResult result = replay_with(example, sometimes);
  EXPECT_EQ(result.kind, ReplayKind::same_bits);
  EXPECT_EQ(result.verdict.runs, 6u);
}

}  // namespace
}  // namespace warpcheck::engine::testing

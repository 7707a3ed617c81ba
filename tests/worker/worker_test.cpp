#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "framework/worker/worker_executor.hpp"

namespace warpcheck::worker {
namespace {

using testing::HasSubstr;

class Worker : public testing::Test {
 protected:
  Worker() : executor_("cpu"), kernels_(executor_.load(WORKER_TEST_PLUGIN)) {
    executor_.set_host_limit(std::chrono::milliseconds(300));
  }

  const KernelInfo& kernel(std::string_view name) const {
    return *std::find_if(kernels_.begin(), kernels_.end(),
                         [&](const KernelInfo& info) { return info.name == name; });
  }

  static Case ones(std::uint64_t n) {
    Case result;
    result.input = make_input(std::vector<float>(n, 1.0f));
    return result;
  }

  /// Runs of n = 2, 3 and 4 in one batch; the kernels here misbehave for 3 alone.
  std::vector<Outcome> run_around_three(std::string_view name) {
    const Case cases[] = {ones(2), ones(3), ones(4)};
    const warpcheck::Run runs[] = {{&cases[0]}, {&cases[1]}, {&cases[2]}};
    const std::vector<Outcome> outcomes = executor_.run(kernel(name), runs);
    EXPECT_EQ(outcomes.size(), 3u);
    EXPECT_EQ(outcomes[0].status, RunStatus::completed);
    EXPECT_EQ(outcomes[2].status, RunStatus::completed) << outcomes[2].detail;
    EXPECT_EQ(numeric::to_double(outcomes[0].output), 2.0);
    EXPECT_EQ(numeric::to_double(outcomes[2].output), 4.0);
    return outcomes;
  }

  WorkerExecutor executor_;
  std::vector<KernelInfo> kernels_;
};

TEST_F(Worker, returns_the_bits_that_the_kernel_left) {
  const std::vector<Outcome> outcomes = run_around_three("correct");
  EXPECT_EQ(outcomes[1].output, numeric::value_of(3.0f));
  EXPECT_TRUE(outcomes[1].output_written);
  EXPECT_FALSE(outcomes[1].input_changed);
  EXPECT_GT(outcomes[1].warp_instructions, 0u);
  EXPECT_EQ(executor_.processes_started(), 1u);
}

TEST_F(Worker, takes_more_runs_than_a_batch_holds) {
  std::vector<Case> cases;
  for (std::uint64_t n = 1; n <= 5000; ++n) cases.push_back(ones(n % 7 + 1));
  std::vector<warpcheck::Run> runs;
  for (const Case& test_case : cases) runs.push_back({&test_case});
  const std::vector<Outcome> outcomes = executor_.run(kernel("correct"), runs);
  ASSERT_EQ(outcomes.size(), runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    ASSERT_EQ(numeric::to_double(outcomes[i].output), static_cast<double>(cases[i].n()));
  }
}

TEST_F(Worker, an_exit_is_a_crash_of_one_run) {
  const std::vector<Outcome> outcomes = run_around_three("calls_exit");
  EXPECT_EQ(outcomes[1].status, RunStatus::crash);
  EXPECT_THAT(outcomes[1].detail, HasSubstr("exited with status 5"));
  EXPECT_EQ(executor_.processes_started(), 2u);
}

TEST_F(Worker, an_abort_is_a_crash_of_one_run) {
  const std::vector<Outcome> outcomes = run_around_three("calls_abort");
  EXPECT_EQ(outcomes[1].status, RunStatus::crash);
  EXPECT_THAT(outcomes[1].detail, HasSubstr("Aborted"));
}

TEST_F(Worker, an_exception_is_a_crash_and_its_text_is_kept) {
  const std::vector<Outcome> outcomes = run_around_three("throws");
  EXPECT_EQ(outcomes[1].status, RunStatus::crash);
  EXPECT_THAT(outcomes[1].detail, HasSubstr("no luck"));
  EXPECT_EQ(run_around_three("throws_an_int")[1].status, RunStatus::crash);
  EXPECT_EQ(executor_.processes_started(), 1u);
}

TEST_F(Worker, a_host_side_dereference_of_device_memory_is_explained) {
  const std::vector<Outcome> outcomes = run_around_three("dereferences_device_memory");
  EXPECT_EQ(outcomes[1].status, RunStatus::crash);
  EXPECT_THAT(outcomes[1].detail, HasSubstr("host code dereferenced the device address"));
  EXPECT_THAT(outcomes[1].detail, HasSubstr("x[2]"));
}

TEST_F(Worker, a_null_pointer_in_host_code_is_explained) {
  const std::vector<Outcome> outcomes = run_around_three("dereferences_null");
  EXPECT_EQ(outcomes[1].status, RunStatus::crash);
  EXPECT_THAT(outcomes[1].detail, HasSubstr("the invalid address 0x0"));
}

TEST_F(Worker, host_code_that_never_returns_is_ended) {
  // The step budget of so small a case adds about a second.
  const std::vector<Outcome> outcomes = run_around_three("never_returns");
  EXPECT_EQ(outcomes[1].status, RunStatus::time_out);
  EXPECT_THAT(outcomes[1].detail, HasSubstr("did not return"));
}

TEST_F(Worker, an_unwritten_result_is_seen) {
  const std::vector<Outcome> outcomes = run_around_three("does_nothing");
  EXPECT_EQ(outcomes[1].status, RunStatus::completed);
  EXPECT_FALSE(outcomes[1].output_written);
}

TEST_F(Worker, a_returned_error_is_a_launch_error_with_its_name) {
  const std::vector<Outcome> outcomes = run_around_three("returns_an_error");
  EXPECT_EQ(outcomes[1].status, RunStatus::launch_error);
  EXPECT_THAT(outcomes[1].detail, HasSubstr("cudaErrorInvalidValue (1)"));
}

TEST_F(Worker, a_launch_that_failed_is_an_error_even_if_the_host_code_does_not_look) {
  const std::vector<Outcome> outcomes = run_around_three("launches_no_blocks");
  EXPECT_EQ(outcomes[1].status, RunStatus::launch_error);
  EXPECT_THAT(outcomes[1].detail, HasSubstr("add_up"));
  EXPECT_THAT(outcomes[1].detail, HasSubstr("cudaErrorInvalidConfiguration (9)"));
  EXPECT_EQ(run_around_three("launches_too_many_threads")[1].status, RunStatus::launch_error);
}

TEST_F(Worker, a_write_of_the_host_to_the_input_is_a_violation) {
  const Outcome outcome = run_around_three("writes_to_its_input")[1];
  EXPECT_EQ(outcome.status, RunStatus::violation);
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(outcome.findings.front().kind, FindingKind::write_to_const);
  EXPECT_THAT(outcome.findings.front().message, HasSubstr("x, which is constant"));
}

TEST_F(Worker, a_function_that_is_not_implemented_is_no_fault_of_the_kernel) {
  const Outcome outcome = run_around_three("asks_for_what_is_missing")[1];
  ASSERT_FALSE(outcome.findings.empty());
  EXPECT_EQ(outcome.findings.front().kind, FindingKind::unsupported);
  EXPECT_THAT(outcome.findings.front().message, HasSubstr("cudaHostRegister is not implemented"));
}

TEST_F(Worker, n_of_zero_runs) {
  const Case empty = ones(0);
  const Outcome outcome = executor_.run_once(kernel("correct"), {&empty});
  EXPECT_EQ(outcome.status, RunStatus::completed) << outcome.detail;
  EXPECT_EQ(outcome.output, numeric::value_of(0.0f));
}

TEST_F(Worker, an_offset_input_holds_the_same_elements) {
  Case offset = ones(5);
  offset.pointer_offset = 3;
  EXPECT_EQ(executor_.run_once(kernel("correct"), {&offset}).output, numeric::value_of(5.0f));
}

TEST(WorkerProgram, an_unknown_executor_is_named_with_the_places_looked_at) {
  try {
    worker_program("tpu");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("warpcheck-worker-tpu"));
  }
}

}  // namespace
}  // namespace warpcheck::worker

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "framework/worker/worker_executor.hpp"

namespace warpcheck::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

/// Sets a variable that workers inherit, for as long as it lives.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  ~Variable() { ::unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

Case case_of(const std::vector<float>& elements) {
  Case made;
  made.input = make_input(elements);
  return made;
}

Case ones(std::uint64_t n) {
  return case_of(std::vector<float>(n, 1.0f));
}

/// The device and its runtime are stand-ins; the worker is the real one.
class Cuda : public testing::Test {
 protected:
  Cuda() : runtime_("WARPCHECK_CUDART", CUDA_TEST_RUNTIME), executor_("cuda") {
    kernels_ = executor_.load(CUDA_TEST_PLUGIN);
  }

  const KernelInfo& kernel(std::string_view name) const {
    return *std::find_if(kernels_.begin(), kernels_.end(),
                         [&](const KernelInfo& info) { return info.name == name; });
  }

  /// Runs of n = 2, 3 and 4 in one batch; the kernels misbehave for 3 alone, and the other two must not
  /// notice.
  Outcome misbehaving(std::string_view name, std::uint32_t pointer_offset = 0) {
    Case cases[] = {ones(2), ones(3), ones(4)};
    std::vector<warpcheck::Run> runs;
    for (Case& each : cases) {
      each.pointer_offset = pointer_offset;
      runs.push_back({.test_case = &each, .recycle = recycle_});
    }
    const std::vector<Outcome> outcomes = executor_.run(kernel(name), runs);
    EXPECT_EQ(outcomes.size(), 3u);
    for (const std::size_t i : {0u, 2u}) {
      EXPECT_EQ(outcomes[i].status, RunStatus::completed) << i << ": " << outcomes[i].detail;
      EXPECT_EQ(outcomes[i].output, numeric::value_of(static_cast<float>(cases[i].n()))) << i;
      EXPECT_TRUE(outcomes[i].output_written) << i;
      EXPECT_FALSE(outcomes[i].input_changed) << i;
    }
    return outcomes[1];
  }

  Variable runtime_;
  WorkerExecutor executor_;
  std::vector<KernelInfo> kernels_;
  bool recycle_{};
};

void expect_launch_error(const Outcome& outcome, std::string_view name) {
  EXPECT_EQ(outcome.status, RunStatus::launch_error);
  EXPECT_THAT(outcome.detail, AllOf(HasSubstr(std::string(name)), Not(HasSubstr("\n"))));
}

void expect_out_of_bounds(const Outcome& outcome, std::string_view object, std::string_view message) {
  EXPECT_EQ(outcome.status, RunStatus::violation);
  ASSERT_EQ(outcome.findings.size(), 1u);
  EXPECT_EQ(outcome.findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_EQ(outcome.findings[0].object, object);
  EXPECT_THAT(outcome.findings[0].message, HasSubstr(std::string(message)));
  EXPECT_EQ(outcome.detail, outcome.findings[0].message);
}

TEST_F(Cuda, with_a_device_nothing_keeps_it_from_running) {
  EXPECT_EQ(executor_.not_available(), "");
  EXPECT_EQ(executor_.name(), "cuda");
}

TEST_F(Cuda, returns_the_bits_that_the_kernel_left) {
  // Also those that arithmetic would not keep: a signalling NaN, −0, the smallest subnormal.
  for (const std::uint32_t bits : {0x7f800001u, 0xffc12345u, 0x80000000u, 0x00000001u, 0xff800000u}) {
    for (const std::uint32_t offset : {0u, 1u, 3u}) {
      const numeric::Value values[] = {numeric::value_of(1.0f), {numeric::Format::fp32, bits}};
      Case last;
      last.input = make_input(numeric::Format::fp32, values);
      last.pointer_offset = offset;
      const Outcome outcome = executor_.run_once(kernel("copies_last"), {&last});
      EXPECT_EQ(outcome.status, RunStatus::completed) << outcome.detail;
      EXPECT_EQ(outcome.output.bits, bits);
      EXPECT_TRUE(outcome.output_written);
      EXPECT_FALSE(outcome.input_changed);
      EXPECT_TRUE(outcome.findings.empty());
    }
  }
}

TEST_F(Cuda, an_offset_input_begins_that_many_elements_after_an_aligned_address) {
  for (const std::uint32_t offset : {0u, 1u, 3u}) {
    Case two = ones(2);
    two.pointer_offset = offset;
    EXPECT_EQ(executor_.run_once(kernel("tells_alignment"), {&two}).output,
              numeric::value_of(static_cast<float>(4 * offset)));
  }
}

TEST_F(Cuda, n_of_zero_runs) {
  Case empty = ones(0);
  empty.pointer_offset = 3;
  const Outcome outcome = executor_.run_once(kernel("correct"), {&empty});
  EXPECT_EQ(outcome.status, RunStatus::completed) << outcome.detail;
  EXPECT_EQ(outcome.output, numeric::value_of(0.0f));
}

TEST_F(Cuda, an_unwritten_result_is_seen) {
  const Outcome outcome = misbehaving("writes_nothing");
  EXPECT_EQ(outcome.status, RunStatus::completed);
  EXPECT_FALSE(outcome.output_written);
  EXPECT_FALSE(outcome.input_changed);
}

TEST_F(Cuda, an_unwritten_result_in_recycled_memory_is_seen) {
  recycle_ = true;
  EXPECT_FALSE(misbehaving("writes_nothing").output_written);
}

TEST_F(Cuda, a_changed_input_is_seen) {
  const Outcome outcome = misbehaving("changes_input");
  EXPECT_EQ(outcome.status, RunStatus::completed);
  EXPECT_TRUE(outcome.input_changed);
  EXPECT_TRUE(outcome.output_written);
}

TEST_F(Cuda, poison_reaches_fresh_allocations_and_recycled_ones_keep_their_content) {
  const Case two = case_of({2.0f});
  const Case five = case_of({5.0f});
  const std::uint32_t two_bits = 0x40000000u;  // as float, IEEE 754
  const warpcheck::Run runs[] = {{&two, 0x12345678u, false},
                                 {&five, 0x87654321u, true},  // finds what the run before it left
                                 {&two, 0x0badf00du, false},  // is fresh again
                                 {&five, 0xffffffffu, false}};
  const std::vector<Outcome> outcomes = executor_.run(kernel("reports_scratch"), runs);
  ASSERT_EQ(outcomes.size(), 4u);
  EXPECT_EQ(outcomes[0].output.bits, static_cast<std::uint32_t>(~0x12345678u));
  EXPECT_EQ(outcomes[1].output.bits, static_cast<std::uint32_t>(~two_bits));
  EXPECT_EQ(outcomes[2].output.bits, static_cast<std::uint32_t>(~0x0badf00du));
  EXPECT_EQ(outcomes[3].output.bits, 0u);
}

TEST_F(Cuda, no_run_leaves_memory_taken) {
  const Case two = ones(2);
  // The input, the result and the kernel's own block, however many runs came before.
  for (const bool recycle : {false, true}) {
    const std::vector<warpcheck::Run> runs(20, {.test_case = &two, .recycle = recycle});
    for (const Outcome& outcome : executor_.run(kernel("counts_blocks"), runs)) {
      EXPECT_EQ(outcome.output, numeric::value_of(3.0f));
    }
  }
}

TEST_F(Cuda, a_write_past_the_end_names_the_object_and_the_distance) {
  // Element n + 4 of n begins 16 bytes after the last one's end; where the value's own bytes differ from the
  // zone's pattern, the first that does is counted: all four of 9.0f do.
  expect_out_of_bounds(misbehaving("past_the_end"), "x", "16 bytes past the end of x (12 bytes)");
  expect_out_of_bounds(misbehaving("past_the_result"), "result", "0 bytes past the end of result (4 bytes)");
}

TEST_F(Cuda, a_write_before_the_beginning_names_the_object_and_the_distance) {
  expect_out_of_bounds(misbehaving("before_the_beginning"), "x",
                       "4 bytes before the beginning of x (12 bytes)");
}

TEST_F(Cuda, the_bytes_around_an_offset_input_are_guarded) {
  expect_out_of_bounds(misbehaving("before_the_beginning", 3), "x",
                       "4 bytes before the beginning of x (12 bytes)");
  expect_out_of_bounds(misbehaving("past_the_end", 3), "x", "16 bytes past the end of x (12 bytes)");
}

TEST_F(Cuda, a_write_past_a_block_that_was_freed_afterwards_is_found) {
  expect_out_of_bounds(misbehaving("past_a_freed_block"), "cudaMalloc #1",
                       "7 bytes past the end of cudaMalloc #1 (100 bytes)");
}

TEST_F(Cuda, recycling_hides_no_write_outside_a_block) {
  recycle_ = true;
  expect_out_of_bounds(misbehaving("past_the_end"), "x", "16 bytes past the end of x (12 bytes)");
  expect_out_of_bounds(misbehaving("past_a_freed_block"), "cudaMalloc #1",
                       "7 bytes past the end of cudaMalloc #1 (100 bytes)");
}

TEST_F(Cuda, an_allocation_that_fails_is_a_launch_error) {
  expect_launch_error(misbehaving("fails_malloc"), "cudaErrorMemoryAllocation (2)");
  EXPECT_EQ(executor_.processes_started(), 1u);
}

TEST_F(Cuda, a_case_that_the_device_has_no_room_for_is_a_launch_error_of_that_run_alone) {
  const Case three = ones(3);
  const warpcheck::Run runs[] = {{&three}, {&three}, {&three}};
  const std::vector<Outcome> outcomes = executor_.run(kernel("exhausts"), runs);
  ASSERT_EQ(outcomes.size(), 3u);
  EXPECT_EQ(outcomes[0].status, RunStatus::completed) << outcomes[0].detail;
  expect_launch_error(outcomes[1], "could not be put on the device: cudaErrorMemoryAllocation (2)");
  EXPECT_EQ(outcomes[2].status, RunStatus::completed) << outcomes[2].detail;
  EXPECT_EQ(outcomes[2].output, numeric::value_of(3.0f));
  EXPECT_EQ(executor_.processes_started(), 1u);
}

TEST_F(Cuda, a_returned_error_is_a_launch_error) {
  expect_launch_error(misbehaving("returns_error"), "returned: cudaErrorInvalidValue (1)");
}

TEST_F(Cuda, an_error_that_the_host_code_does_not_look_at_is_a_launch_error) {
  expect_launch_error(misbehaving("leaves_error"), "a launch failed: cudaErrorInvalidConfiguration (9)");
}

TEST_F(Cuda, freeing_what_was_never_allocated_is_an_error) {
  expect_launch_error(misbehaving("frees_a_stranger"), "cudaErrorInvalidValue (1)");
}

TEST_F(Cuda, after_a_fault_on_the_device_the_other_runs_complete_in_another_process) {
  expect_launch_error(misbehaving("faults"), "a kernel failed on the device: cudaErrorIllegalAddress (700)");
  EXPECT_EQ(executor_.processes_started(), 2u);
}

TEST_F(Cuda, a_fault_in_every_other_run_loses_none) {
  std::vector<Case> cases;
  for (std::uint64_t i = 0; i < 9; ++i) cases.push_back(ones(i % 2 == 0 ? 3 : i));
  std::vector<warpcheck::Run> runs;
  for (const Case& each : cases) runs.push_back({&each});
  // n = 3 faults: every even run, and run 3.
  const std::vector<Outcome> outcomes = executor_.run(kernel("faults"), runs);
  ASSERT_EQ(outcomes.size(), 9u);
  for (std::size_t i = 0; i < 9; ++i) {
    if (cases[i].n() == 3) {
      expect_launch_error(outcomes[i], "cudaErrorIllegalAddress (700)");
    } else {
      EXPECT_EQ(outcomes[i].status, RunStatus::completed) << i << ": " << outcomes[i].detail;
      EXPECT_EQ(outcomes[i].output, numeric::value_of(static_cast<float>(i))) << i;
    }
  }
}

TEST_F(Cuda, an_exception_is_a_crash_of_one_run_and_its_text_is_kept) {
  const Outcome outcome = misbehaving("throws");
  EXPECT_EQ(outcome.status, RunStatus::crash);
  EXPECT_THAT(outcome.detail, HasSubstr("no luck"));
  EXPECT_EQ(executor_.processes_started(), 1u);
}

TEST_F(Cuda, a_fault_before_an_exception_does_not_reach_the_next_run) {
  const Outcome outcome = misbehaving("faults_and_throws");
  EXPECT_EQ(outcome.status, RunStatus::crash);
  EXPECT_THAT(outcome.detail, HasSubstr("no luck either"));
  EXPECT_EQ(executor_.processes_started(), 2u);
}

std::string why_not_available() {
  WorkerExecutor executor("cuda");
  return executor.not_available();
}

/// One line that begins as every such reason does.
auto no_device(std::string_view reason) {
  return AllOf(StartsWith("no CUDA device"), HasSubstr(std::string(reason)), Not(HasSubstr("\n")));
}

TEST(CudaWithoutADevice, an_error_of_the_count_is_the_reason) {
  const Variable runtime("WARPCHECK_CUDART", CUDA_TEST_RUNTIME);
  {
    const Variable error("FAKE_CUDART_COUNT_ERROR", "100");
    EXPECT_THAT(why_not_available(), no_device("cudaErrorNoDevice"));
  }
  const Variable error("FAKE_CUDART_COUNT_ERROR", "35");
  EXPECT_THAT(why_not_available(), no_device("cudaErrorInsufficientDriver"));
}

TEST(CudaWithoutADevice, a_count_of_zero_is_none) {
  const Variable runtime("WARPCHECK_CUDART", CUDA_TEST_RUNTIME);
  const Variable devices("FAKE_CUDART_DEVICES", "0");
  EXPECT_THAT(why_not_available(), no_device("counts none"));
}

TEST(CudaWithoutADevice, a_library_that_is_not_there_is_named) {
  const Variable runtime("WARPCHECK_CUDART", "/nowhere/libcudart.so.13");
  EXPECT_THAT(why_not_available(), no_device("WARPCHECK_CUDART names '/nowhere/libcudart.so.13'"));
}

TEST(CudaWithoutADevice, a_library_that_is_no_runtime_is_told_apart) {
  const Variable runtime("WARPCHECK_CUDART", CUDA_TEST_NO_RUNTIME);
  EXPECT_THAT(why_not_available(), no_device("is no CUDA runtime"));
}

TEST(CudaWithoutADevice, a_plugin_is_refused_with_the_reason) {
  const Variable runtime("WARPCHECK_CUDART", CUDA_TEST_RUNTIME);
  const Variable error("FAKE_CUDART_COUNT_ERROR", "100");
  WorkerExecutor executor("cuda");
  try {
    executor.load(CUDA_TEST_PLUGIN);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& refusal) {
    EXPECT_THAT(refusal.what(), AllOf(HasSubstr(CUDA_TEST_PLUGIN), HasSubstr("cudaErrorNoDevice")));
  }
}

}  // namespace
}  // namespace warpcheck::worker

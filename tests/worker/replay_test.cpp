// warpcheck-worker-… --replay FILE, which people run under a debugger.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "framework/record/counterexample.hpp"
#include "framework/worker/worker_executor.hpp"

namespace warpcheck::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
namespace fs = std::filesystem;

fs::path in_temporary_folder(std::string_view name) {
  return fs::path(testing::TempDir()) / name;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

fs::path written(std::string_view name, std::string_view content) {
  fs::path path = in_temporary_folder(name);
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

struct Finished {
  int status;
  std::string out, err;
};

std::string quoted(const fs::path& path) {
  return "'" + path.string() + "'";
}

Finished replay(std::string_view executor, const fs::path& file, std::string_view environment = "") {
  const fs::path out = in_temporary_folder("replay.out");
  const fs::path err = in_temporary_folder("replay.err");
  const std::string command = std::string(environment) + " " + quoted(worker_program(executor)) +
                              " --replay " + quoted(file) + " >" + quoted(out) + " 2>" + quoted(err);
  const int status = std::system(command.c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(out), content_of(err)};
}

record::Counterexample counterexample(std::string_view kernel, const std::vector<float>& elements) {
  record::Counterexample made;
  made.kernel = kernel;
  made.plugin = WORKER_TEST_PLUGIN;
  made.property = "within_proved_bound";
  made.executor = "cpu";
  made.contract_hash = "0123456789abcdef";
  made.built_with = "sm_80";
  made.reduced.input = make_input(elements);
  made.reduced.family = "uniform";
  made.original = made.reduced;
  made.verdict = Verdict::falsified_as(FailureClass::over_bound, "what was said at the time");
  made.original_verdict = made.verdict;
  return made;
}

fs::path stored(const record::Counterexample& content) {
  return written("counterexample.json", record::to_json(content));
}

/// Status 2, and one line on standard error that names the file and the reason.
void expect_refused(const Finished& finished, const fs::path& file, std::string_view reason) {
  EXPECT_EQ(finished.status, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, AllOf(HasSubstr(file.string()), HasSubstr(std::string(reason))));
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
}

TEST(DebugReplay, prints_the_result_exactly_and_exits_0) {
  const Finished finished = replay("cpu", stored(counterexample("correct", {0.5f, 0.25f, 3.0f})));
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("correct on cpu: n = 3, grid 1, block 32"));
  EXPECT_THAT(finished.out, HasSubstr("status: completed"));
  EXPECT_THAT(finished.out, HasSubstr("result: 3.75\n"));
  EXPECT_THAT(finished.out, HasSubstr("when it was found: what was said at the time"));
  EXPECT_EQ(finished.err, "");
}

TEST(DebugReplay, a_result_keeps_every_digit) {
  const Finished finished = replay("cpu", stored(counterexample("correct", {0.1f})));
  EXPECT_THAT(finished.out, HasSubstr("result: 0.1 (0x1.99999ap-4)\n"));
}

TEST(DebugReplay, runs_the_reduced_case_and_not_the_original) {
  record::Counterexample content = counterexample("correct", {1.0f, 1.0f});
  content.original.input = make_input(std::vector<float>(5, 1.0f));
  const Finished finished = replay("cpu", stored(content));
  EXPECT_THAT(finished.out, HasSubstr("n = 2,"));
}

TEST(DebugReplay, says_that_a_result_was_never_written) {
  const Finished finished = replay("cpu", stored(counterexample("does_nothing", {1, 2, 3})));
  EXPECT_THAT(finished.out, HasSubstr("result: never written"));
}

TEST(DebugReplay, a_violation_is_printed_and_exits_1) {
  const Finished finished = replay("cpu", stored(counterexample("writes_to_its_input", {1, 2, 3})));
  EXPECT_EQ(finished.status, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("status: violation"));
  EXPECT_THAT(finished.out, HasSubstr("write to const: "));
  EXPECT_THAT(finished.out, HasSubstr("x, which is constant"));
}

TEST(DebugReplay, a_returned_error_exits_1_with_its_name) {
  const Finished finished = replay("cpu", stored(counterexample("returns_an_error", {1, 2, 3})));
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.out, HasSubstr("status: launch error: "));
  EXPECT_THAT(finished.out, HasSubstr("cudaErrorInvalidValue (1)"));
}

TEST(DebugReplay, a_missing_file_is_named) {
  expect_refused(replay("cpu", "/nowhere/c.json"), "/nowhere/c.json", "cannot be read");
}

TEST(DebugReplay, a_truncated_file_is_refused_wherever_it_is_cut) {
  const std::string text = record::to_json(counterexample("correct", {1, 2, 3}));
  for (const std::size_t length :
       {std::size_t{0}, std::size_t{1}, text.size() / 4, text.size() / 2, text.size() - 10}) {
    SCOPED_TRACE(length);
    const fs::path file = written("cut.json", text.substr(0, length));
    expect_refused(replay("cpu", file), file, "");
  }
}

TEST(DebugReplay, a_file_of_another_kind_is_refused) {
  const fs::path file = written("other.json", "{\"tests\": 3}\n");
  expect_refused(replay("cpu", file), file, "");
}

TEST(DebugReplay, a_folder_is_refused) {
  expect_refused(replay("cpu", testing::TempDir()), testing::TempDir(), "is a folder");
}

TEST(DebugReplay, a_plugin_that_is_gone_is_named_beside_the_file) {
  record::Counterexample content = counterexample("correct", {1, 2, 3});
  content.plugin = "/nowhere/k.so";
  const fs::path file = stored(content);
  expect_refused(replay("cpu", file), file, "/nowhere/k.so cannot be opened");
}

TEST(DebugReplay, a_kernel_that_is_gone_is_named_beside_the_file) {
  const fs::path file = stored(counterexample("renamed", {1, 2, 3}));
  expect_refused(replay("cpu", file), file, "no kernel called renamed");
}

TEST(DebugReplay, elements_of_a_format_that_the_kernel_no_longer_takes_are_refused) {
  record::Counterexample content = counterexample("correct", {});
  content.reduced.input = content.original.input = make_input(std::vector<double>{1, 2, 3});
  const fs::path file = stored(content);
  expect_refused(replay("cpu", file), file, "its elements are fp64, and the kernel correct takes fp32");
}

TEST(DebugReplay, without_a_device_nothing_is_run_and_the_status_is_3) {
  const Finished finished =
      replay("cuda", stored(counterexample("correct", {1, 2, 3})), "WARPCHECK_CUDART=/nowhere/libcudart.so");
  EXPECT_EQ(finished.status, 3);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, testing::StartsWith("not run: no CUDA device"));
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
}

}  // namespace
}  // namespace warpcheck::worker

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "framework/engine/session.hpp"
#include "framework/worker/worker_executor.hpp"

namespace warpcheck::worker {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

std::string refusal(const std::filesystem::path& path) {
  WorkerExecutor executor("cpu");
  try {
    executor.load(path);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

std::filesystem::path written(std::string_view name, std::string_view content) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / name;
  std::ofstream(path, std::ios::binary) << content;
  return path;
}

/// One line that names the file.
auto names(const std::filesystem::path& path) {
  return AllOf(HasSubstr(path.string()), Not(HasSubstr("\n")));
}

TEST(Plugin, a_missing_file_is_named) {
  EXPECT_THAT(refusal("/nowhere/k.so"), AllOf(names("/nowhere/k.so"), HasSubstr("no such file")));
}

TEST(Plugin, a_folder_is_refused) {
  EXPECT_THAT(refusal(testing::TempDir()), HasSubstr("not a file"));
}

TEST(Plugin, a_text_file_is_refused) {
  const auto path = written("text.so", "hello\n");
  EXPECT_THAT(refusal(path),
              AllOf(names(path), HasSubstr("cannot be opened"), HasSubstr("warpcheck_add_kernels")));
}

TEST(Plugin, an_empty_file_is_refused) {
  const auto path = written("empty.so", "");
  EXPECT_THAT(refusal(path), AllOf(names(path), HasSubstr("cannot be opened")));
}

TEST(Plugin, a_library_without_registrations_is_refused) {
  EXPECT_THAT(refusal(WORKER_TEST_NO_ENTRY),
              AllOf(names(WORKER_TEST_NO_ENTRY), HasSubstr("WARPCHECK_KERNEL")));
}

TEST(Plugin, a_library_that_dies_while_loading_is_reported_and_costs_one_process) {
  WorkerExecutor executor("cpu");
  EXPECT_THROW(executor.load(WORKER_TEST_DIES_LOADING), std::invalid_argument);
  EXPECT_EQ(executor.load(WORKER_TEST_PLUGIN).front().name, "correct");
  EXPECT_THAT(refusal(WORKER_TEST_DIES_LOADING), HasSubstr("Aborted"));
}

TEST(Plugin, another_version_of_the_interface_is_refused) {
  EXPECT_THAT(refusal(WORKER_TEST_OTHER_VERSION), HasSubstr("version 2"));
}

TEST(Plugin, one_with_a_runtime_linked_in_is_told_apart) {
  EXPECT_THAT(refusal(std::filesystem::path(WORKER_TEST_BAD_FOLDER) / "own_runtime.so"),
              HasSubstr("-cudart none"));
}

TEST(Plugin, given_twice_is_said) {
  engine::Session session("cpu");
  session.add_plugin(WORKER_TEST_PLUGIN);
  try {
    session.add_plugin(WORKER_TEST_PLUGIN);
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(), HasSubstr("given twice"));
  }
}

TEST(Plugin, one_without_ptx_is_told_apart) {
  EXPECT_THAT(refusal(std::filesystem::path(WORKER_TEST_BAD_FOLDER) / "no_ptx.so"), HasSubstr("no PTX"));
}

TEST(Plugin, registrations_arrive_as_they_were_written) {
  WorkerExecutor executor("cpu");
  const std::vector<KernelInfo> kernels = executor.load(WORKER_TEST_PLUGIN);
  ASSERT_EQ(kernels.size(), 14u);
  const KernelInfo& first = kernels.front();
  EXPECT_EQ(first.name, "correct");
  EXPECT_EQ(first.plugin, WORKER_TEST_PLUGIN);
  EXPECT_EQ(first.built_with, "sm_80");
  EXPECT_THAT(first.file, HasSubstr("host_faults.cu"));
  EXPECT_GT(first.line, 0u);
  EXPECT_EQ(first.contract.order, Order::tree);
  EXPECT_EQ(first.contract.order_expression, "serial");
  EXPECT_EQ(first.contract.height(10, {1, 32}), 9u);
}

}  // namespace
}  // namespace warpcheck::worker

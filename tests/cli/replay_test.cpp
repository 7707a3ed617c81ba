#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace {

using testing::HasSubstr;
namespace fs = std::filesystem;

/// Stores one counterexample and returns its path.
std::string stored_counterexample(const TemporaryFolder& folder) {
  const Finished finished = run_warpcheck({"run", "host_drops_last", "--property", "within_proved_bound",
                                           "--plugin", faulty_plugin, "--store", "store"},
                                          {}, folder.path());
  EXPECT_EQ(finished.status, 1) << finished.err;
  return fs::directory_iterator(folder.path() / "store")->path().string();
}

TEST(Replay, exits_1_while_the_failure_persists_and_says_that_the_bits_are_the_same) {
  TemporaryFolder folder;
  const std::string file = stored_counterexample(folder);
  const Finished finished = run_warpcheck({"replay", file});
  EXPECT_EQ(finished.status, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr(file + ": still fails, with the same bits"));
  EXPECT_EQ(finished.err, "");
}

TEST(Replay, a_kernel_that_is_not_there_is_not_run_with_status_3) {
  TemporaryFolder folder;
  const Finished finished = run_warpcheck({"replay", stored_counterexample(folder), "--plugin", good_plugin});
  EXPECT_EQ(finished.status, 3) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("not run"));
  EXPECT_THAT(finished.out, HasSubstr("there is no kernel named host_drops_last"));
}

TEST(Replay, exits_0_when_the_fault_is_gone) {
  TemporaryFolder folder;
  const std::string file = stored_counterexample(folder);
  // The same case on a kernel that is right: the name in the file is another's.
  std::string text = content_of(file);
  const std::string wrong = "\"host_drops_last\"";
  text.replace(text.find(wrong), wrong.size(), "\"host_serial\"");
  const Finished finished =
      run_warpcheck({"replay", folder.file("repaired.json", text), "--plugin", good_plugin});
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("no longer fails"));
  EXPECT_THAT(finished.out, HasSubstr("the plug-in is another"));
}

TEST(Replay, a_bad_file_is_named_and_the_others_run) {
  TemporaryFolder folder;
  const std::string file = stored_counterexample(folder);
  const std::string text = content_of(file);
  const std::string cut = folder.file("cut.json", text.substr(0, text.size() / 2));
  const Finished finished = run_warpcheck({"replay", cut, file});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.err, HasSubstr(cut));
  EXPECT_THAT(finished.out, HasSubstr("still fails"));
  EXPECT_EQ(content_of(cut), text.substr(0, text.size() / 2));
}

TEST(Replay, a_plugin_that_is_gone_is_named) {
  TemporaryFolder folder;
  expect_refused({"replay", stored_counterexample(folder), "--plugin", "/nowhere/p.so"},
                 "/nowhere/p.so: no such file");
}

}  // namespace

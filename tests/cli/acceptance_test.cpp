#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.hpp"

// With the real worker and the built-in kernels, as a user would run them.

namespace {

using nlohmann::json;
using testing::HasSubstr;

Finished as_user(const std::vector<std::string>& arguments, const std::filesystem::path& folder = ".") {
  return run_program(warpcheck_program, arguments, {}, folder);
}

TEST(Acceptance, the_built_in_kernels_hold) {
  TemporaryFolder folder;
  const Finished finished = as_user({"run", "--budget", "5s", "--json", "out.json"}, folder.path());
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  const json report = json::parse(content_of(folder.path() / "out.json"));
  EXPECT_EQ(report.at("summary").at("falsified"), 0);
  EXPECT_EQ(report.at("summary").at("not_run"), 0);
  EXPECT_EQ(report.at("summary").at("no_power"), 0);
  EXPECT_GT(report.at("summary").at("holds"), 40);
}

TEST(Acceptance, the_first_experiment_on_the_built_in_kernels) {
  TemporaryFolder folder;
  const Finished finished =
      as_user({"permutations", "1e8", "1", "-1e8", "1", "--json", "out.json"}, folder.path());
  EXPECT_EQ(finished.status, 0) << finished.err;
  const json report = json::parse(content_of(folder.path() / "out.json"));
  ASSERT_EQ(report.at("rows").size(), 12u);
  for (const json& row : report.at("rows")) {
    EXPECT_EQ(row.at("kernels").size(), 4u);
    EXPECT_EQ(row.at("kernels").at("serial"), row.at("serial"));
    EXPECT_EQ(row.at("kernels").at("shuffle_two_pass_fp64"), 2);
    // Lanes 16, 8, 4, 2, 1 apart: (a + c) + (b + d).
    const auto x = row.at("inputs").get<std::vector<float>>();
    const volatile float left = x[0] + x[2];
    const volatile float right = x[1] + x[3];
    EXPECT_EQ(row.at("kernels").at("shuffle_two_pass").get<float>(), left + right);
    EXPECT_EQ(row.at("kernels").at("tree_two_pass").get<float>(), left + right);
  }
}

TEST(Acceptance, the_executor_of_this_machine_is_available) {
  const Finished finished = as_user({"list", "executors"});
  EXPECT_EQ(finished.status, 0);
  EXPECT_THAT(finished.out, HasSubstr("cpu   available\n"));
}

}  // namespace

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "framework/report/look.hpp"
#include "tests/cli/program.hpp"

namespace {

using nlohmann::json;
using testing::HasSubstr;

json rows_of(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"permutations", "--plugin", good_plugin, "--json", "-"});
  const Finished finished = run_warpcheck(arguments);
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  return json::parse(finished.out);
}

TEST(Permutations, the_first_experiment) {
  TemporaryFolder folder;
  const Finished finished =
      run_warpcheck({"permutations", "1e8", "1", "-1e8", "1", "--plugin", good_plugin, "--json", "out.json"},
                    {}, folder.path());
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_EQ(finished.err, "");
  EXPECT_THAT(finished.out, HasSubstr("serial order {0, 1, 2}"));
  EXPECT_THAT(finished.out, HasSubstr("pairwise tree {0, 2}"));
  EXPECT_THAT(finished.out, HasSubstr("200000002"));
  EXPECT_EQ(finished.out.find('\x1b'), std::string::npos);
  std::istringstream lines(finished.out);
  for (std::string line; std::getline(lines, line);)
    EXPECT_LE(warpcheck::report::display_width(line), 80u) << line;

  const json report = json::parse(content_of(folder.path() / "out.json"));
  ASSERT_EQ(report.at("rows").size(), 12u);
  EXPECT_EQ(report.at("serial_results"), json::parse("[0, 1, 2]"));
  EXPECT_EQ(report.at("pairwise_results"), json::parse("[0, 2]"));
  for (const json& row : report.at("rows")) {
    EXPECT_EQ(row.at("reference"), 2);
    EXPECT_EQ(row.at("sum_abs"), 200000002);
    EXPECT_EQ(row.at("kernels").at("host_serial"), row.at("serial"));
    EXPECT_FALSE(row.at("kernels").contains("host_wide"));  // it takes fp64
    if (row.at("inputs") == json::parse("[1e8, 1, -1e8, 1]")) {
      EXPECT_EQ(row.at("serial"), 1);
      EXPECT_EQ(row.at("pairwise"), 0);
      EXPECT_EQ(row.at("serial_abs_error"), 1);
      EXPECT_EQ(row.at("pairwise_abs_error"), 2);
    }
  }
}

TEST(Permutations, signed_values_need_no_separator_wherever_they_stand) {
  EXPECT_EQ(rows_of({"-.5", "--seed", "2", "-1e8"}).at("rows")[0].at("inputs"), json::parse("[-1e8, -0.5]"));
  EXPECT_EQ(rows_of({"-inf", "-0x1p-3"}).at("rows")[0].at("inputs"), json::parse(R"(["-inf", -0.125])"));
  EXPECT_EQ(rows_of({"-0", "0"}).at("rows")[0].at("inputs").dump(), "[-0.0,0]");
  EXPECT_EQ(rows_of({"--", "-3", "-2"}).at("rows")[0].at("inputs"), json::parse("[-3, -2]"));
  EXPECT_EQ(rows_of({"-NaN", "+1"}).at("rows")[0].at("inputs")[0], 1);
}

TEST(Permutations, nan_and_infinities_are_judged_by_the_rules_of_special_sums) {
  const json opposite = rows_of({"inf", "-inf"});
  EXPECT_EQ(opposite.at("reference"), "nan");
  EXPECT_EQ(opposite.at("rows")[0].at("serial_abs_error"), 0);
  const json one = rows_of({"inf", "-1e38"});
  EXPECT_EQ(one.at("reference"), "inf");
  EXPECT_EQ(one.at("serial_results"), json::parse(R"(["inf"])"));
  EXPECT_EQ(rows_of({"nan", "1"}).at("reference"), "nan");
}

TEST(Permutations, fp64_values_run_on_fp64_kernels) {
  const json report = rows_of({"--format", "fp64", "1e16", "1", "-1e16", "1e300"});
  EXPECT_EQ(report.at("format"), "fp64");
  EXPECT_TRUE(report.at("rows")[0].at("kernels").contains("host_wide"));
  EXPECT_FALSE(report.at("rows")[0].at("kernels").contains("host_serial"));
}

TEST(Permutations, more_than_eight_values_take_a_sample) {
  const json report = rows_of({"1", "2", "3", "4", "5", "6", "7", "8", "9", "--sample", "20"});
  EXPECT_EQ(report.at("rows").size(), 20u);
  EXPECT_EQ(report.at("orders"), 362880);
  EXPECT_EQ(report.at("sampled"), true);
}

TEST(Permutations, a_kernel_beyond_its_bound_is_falsified_and_said) {
  const Finished finished =
      run_warpcheck({"permutations", "1", "2", "--plugin", faulty_plugin, "--kernel", "host_drops_last"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.out, HasSubstr("are not what the contract allows"));
}

TEST(Permutations, a_kernel_that_crashes_is_said_and_the_table_is_whole) {
  const Finished finished =
      run_warpcheck({"permutations", "1", "2", "--plugin", faulty_plugin, "--kernel", "host_crashes"});
  EXPECT_EQ(finished.status, 1);
  EXPECT_THAT(finished.out, HasSubstr("2 of 2 runs did not complete: crash"));
  EXPECT_THAT(finished.out, HasSubstr("serial order {3}"));
}

TEST(Permutations, without_a_worker_the_host_columns_are_printed_and_the_status_is_3) {
  if (why_no_cuda().empty()) GTEST_SKIP() << "this machine has a CUDA device";
  const Finished finished =
      run_program(warpcheck_program,
                  {"permutations", "1e8", "1", "-1e8", "1", "--executor", "cuda", "--plugin", good_plugin},
                  with_host_worker({}));
  EXPECT_EQ(finished.status, 3);
  EXPECT_THAT(finished.out, HasSubstr("serial order {0, 1, 2}"));
  EXPECT_THAT(finished.err, HasSubstr("no kernel was run on cuda"));
}

}  // namespace

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/cli/program.hpp"

namespace {

using nlohmann::json;
using testing::HasSubstr;

std::size_t lines_of(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(List, kernels_have_a_line_each_with_their_contract) {
  const Finished finished = run_warpcheck({"list", "kernels", "--plugin", good_plugin});
  EXPECT_EQ(finished.status, 0);
  EXPECT_EQ(lines_of(finished.out), 3u);
  EXPECT_THAT(finished.out,
              HasSubstr("host_serial_fp64  sum of fp32, adds in fp64, gives fp32; tree serial"));
  const json report =
      json::parse(run_warpcheck({"list", "kernels", "--plugin", good_plugin, "--json", "-"}).out);
  EXPECT_EQ(report.at("kernels")[2].at("input"), "fp64");
}

TEST(List, properties_and_generators_have_a_line_each) {
  const Finished properties = run_warpcheck({"list", "properties"});
  EXPECT_EQ(properties.status, 0);
  EXPECT_THAT(properties.out, HasSubstr("within_proved_bound "));
  EXPECT_EQ(json::parse(run_warpcheck({"list", "properties", "--json", "-"}).out).at("properties").size(),
            lines_of(properties.out));
  const Finished generators = run_warpcheck({"list", "generators"});
  EXPECT_EQ(generators.status, 0);
  EXPECT_THAT(generators.out, HasSubstr("alternating_sign "));
}

TEST(List, executors_say_whether_they_are_available) {
  const Finished finished = run_warpcheck({"list", "executors"});
  EXPECT_EQ(finished.status, 0);
  EXPECT_THAT(finished.out, HasSubstr("cpu   available\n"));
  EXPECT_EQ(lines_of(finished.out), 2u);
}

TEST(Tolerances, are_printed_without_any_run) {
  const Finished finished = run_warpcheck({"tolerances", "host_serial", "--plugin", good_plugin});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("(n-1)*v*A [Jeannerod & Rump 2018, Thm 4.1]"));
  EXPECT_THAT(finished.out, HasSubstr("1,048,576"));
  const json report = json::parse(run_warpcheck({"tolerances", "--plugin", good_plugin, "--n", "5", "--n",
                                                 "7", "--grid", "2", "--block", "64", "--json", "-"})
                                      .out);
  ASSERT_EQ(report.at("kernels").size(), 3u);
  const json& rows = report.at("kernels")[0].at("rows");
  ASSERT_EQ(rows.size(), 2u);
  EXPECT_EQ(rows[1].at("n"), 7);
  EXPECT_EQ(rows[1].at("grid"), 2);
  EXPECT_EQ(rows[1].at("block"), 64);
  EXPECT_EQ(rows[1].at("height"), 6);
}

TEST(Help, fits_80_columns_and_goes_to_standard_output) {
  for (const std::vector<std::string>& arguments :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"run", "--help"},
                                             {"replay", "-h"},
                                             {"permutations", "--help"},
                                             {"list", "--help"},
                                             {"tolerances", "--help"}}) {
    const Finished finished = run_warpcheck(arguments);
    EXPECT_EQ(finished.status, 0);
    EXPECT_EQ(finished.err, "");
    EXPECT_THAT(finished.out, HasSubstr("Usage: warpcheck"));
    std::istringstream lines(finished.out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80u) << line;
  }
  EXPECT_EQ(run_warpcheck({"--version"}).out.find("warpcheck "), 0u);
}

}  // namespace

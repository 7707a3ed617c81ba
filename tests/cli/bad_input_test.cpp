#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/program.hpp"

namespace {

TEST(BadInput, commands_that_do_not_exist) {
  expect_refused({}, "no command is given");
  expect_refused({"rnu"}, "'rnu' is no command; did you mean run?");
  expect_refused({"bench"}, "There are run, replay, permutations, list and tolerances");
  expect_refused({"--json", "run"}, "'--json' is no option here");
  expect_refused({""}, "'' is no command");
}

TEST(BadInput, options_that_do_not_exist) {
  expect_refused({"run", "--seeed", "1"}, "run has no option --seeed; did you mean --seed?");
  expect_refused({"run", "--frobnicate"}, "run has no option --frobnicate; its options are");
  expect_refused({"permutations", "1", "--sampel", "3"}, "did you mean --sample?");
  expect_refused({"list", "kernels", "extra"}, "list: 'extra' was not expected");
  expect_refused({"run", "--seed"}, "--seed");
  expect_refused({"run", "--seed", "1", "--seed", "2"}, "--seed");
}

TEST(BadInput, numbers_that_do_not_parse) {
  expect_refused({"run", "--cases", "many"}, "--cases: 'many' is not a whole number from 1 to 1000000000");
  expect_refused({"run", "--cases", "0"}, "--cases: '0'");
  expect_refused({"run", "--cases", "-5"}, "--cases: '-5'");
  expect_refused({"run", "--cases", "1e3"}, "--cases: '1e3'");
  expect_refused({"run", "--seed", "99999999999999999999"}, "--seed: '99999999999999999999'");
  expect_refused({"run", "--budget", "30"}, "--budget: '30' is not a length of time");
  expect_refused({"run", "--budget", "fast"}, "such as 500ms, 30s, 2m or 1h");
  expect_refused({"run", "--budget", "-3s"}, "--budget: '-3s'");
  expect_refused({"tolerances", "--n", "x"}, "--n: 'x'");
  expect_refused({"tolerances", "--block", "1025"}, "--block: '1025' is not a whole number from 1 to 1024");
  expect_refused({"permutations", "1", "--sample", "0"}, "--sample: '0'");
}

TEST(BadInput, kernels_properties_generators_and_executors_that_do_not_exist) {
  expect_refused({"run", "--plugin", good_plugin, "host_seriel"},
                 "no kernel matches 'host_seriel'; did you mean host_serial");
  expect_refused({"run", "--plugin", good_plugin, "x*"},
                 "no kernel matches 'x*'. There are host_serial, host_serial_fp64 and host_wide");
  expect_refused({"run", "--plugin", good_plugin, "--property", "within_bound"},
                 "no property matches 'within_bound'");
  expect_refused({"run", "--plugin", good_plugin, "--property", "exact_windwo"},
                 "did you mean exact_window?");
  expect_refused({"run", "--plugin", good_plugin, "--generator", "emtpy"}, "did you mean empty?");
  expect_refused({"run", "--executor", "gpu"}, "--executor: 'gpu' is none; there are cpu and cuda");
  expect_refused({"run", "--executor", "cdua"}, "did you mean cuda?");
  expect_refused({"list", "kernel"}, "did you mean kernels?");
  expect_refused({"list"}, "list: what?");
  expect_refused({"permutations", "--format", "fp16", "1"},
                 "--format: 'fp16' is none; there are fp32 and fp64");
}

TEST(BadInput, too_few_cases_are_refused_with_the_number_that_would_do) {
  expect_refused({"run", "--plugin", good_plugin, "--cases", "1"}, "would do");
  const Finished finished = run_warpcheck({"run", "--plugin", good_plugin, "--cases", "1"});
  const std::size_t at = finished.err.rfind("--cases ");
  const std::string enough = finished.err.substr(at + 8, finished.err.find(' ', at + 8) - at - 8);
  EXPECT_EQ(run_warpcheck({"run", "--plugin", good_plugin, "--cases", enough, "--no-store"}).status, 0)
      << enough;
}

TEST(BadInput, a_filter_that_matches_nothing_says_what_checks_are_called) {
  expect_refused({"run", "--plugin", good_plugin, "--gtest_filter=nothing*"},
                 "they are called KERNEL.PROPERTY");
  expect_refused({"run", "--gtest_filtre=x"},
                 "GoogleTest has no flag --gtest_filtre; did you mean --gtest_filter?");
  expect_refused({"run", "--gtest_repeat=x"}, "--gtest_repeat: 'x' is not a whole number");
  expect_refused({"run", "--gtest_filter"}, "--gtest_filter needs a value");
}

TEST(BadInput, sharding_variables_that_do_not_fit) {
  for (const Environment& environment :
       std::vector<Environment>{{{"GTEST_TOTAL_SHARDS", "2"}},
                                {{"GTEST_SHARD_INDEX", "2"}},
                                {{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", "2"}},
                                {{"GTEST_TOTAL_SHARDS", "x"}, {"GTEST_SHARD_INDEX", "0"}}}) {
    const Finished finished = run_warpcheck({"run", "--plugin", good_plugin}, environment);
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.err, testing::StartsWith("warpcheck: GTEST_"));
  }
}

TEST(BadInput, plugins_that_are_none) {
  TemporaryFolder folder;
  expect_refused({"run", "--plugin", folder.path() / "missing.so"}, "missing.so: no such file");
  expect_refused({"run", "--plugin", folder.path()}, "not a file");
  expect_refused({"run", "--plugin", folder.file("text.so", "not a library")}, "text.so: cannot be opened");
  expect_refused({"run", "--plugin", folder.file("empty.so", "")}, "empty.so: cannot be opened");
  expect_refused({"run", "--plugin", other_version_plugin},
                 "was built for version 2 of the plug-in interface");
  expect_refused({"run", "--plugin", bad_contract_plugin}, "2048");
  expect_refused({"run", "--plugin", good_plugin, "--plugin", good_plugin}, "given twice");
  const std::string copy = folder.file("copy.so", "");
  std::filesystem::copy_file(good_plugin, copy, std::filesystem::copy_options::overwrite_existing);
  expect_refused({"run", "--plugin", good_plugin, "--plugin", copy}, "is registered in");
  expect_refused({"run", "--plugin", good_plugin, "--store", folder.file("file", "")}, "is not a folder");
  expect_refused({"run", "--plugin", good_plugin, "--store", ""}, "--store: an empty name");
  expect_refused({"list", "kernels", "--plugin", "libm.so.6"}, "no such file");
  expect_refused({"tolerances", "--plugin", "/nowhere/x.so"}, "/nowhere/x.so: no such file");
}

TEST(BadInput, values_that_are_not_representable_or_no_numbers) {
  expect_refused({"permutations"}, "no values are given");
  expect_refused({"permutations", "1e39"}, "1e39");
  expect_refused({"permutations", "0.1x"}, "'0.1x' is not a number");
  expect_refused({"permutations", "1", "two"}, "'two' is not a number");
  expect_refused({"permutations", "16777217"}, "16777217");
  expect_refused({"permutations", "-1e-60"}, "-1e-60");
  expect_refused({"permutations", ""}, "permutations");
  expect_refused({"permutations", "1", "2", "3", "4", "5", "6", "7", "8", "9"},
                 "9 values have 362,880 distinct orders");
}

TEST(BadInput, files_that_are_no_counterexamples_are_each_named) {
  TemporaryFolder folder;
  const std::string missing = folder.path() / "missing.json";
  const std::string empty = folder.file("empty.json", "");
  const std::string foreign = folder.file("foreign.json", R"({"name": "other"})");
  const std::string binary = folder.file("binary.json", std::string("\0\xff\x01", 3));
  for (const std::string& file : {missing, empty, foreign, binary}) expect_refused({"replay", file}, file);
  expect_refused({"replay"}, "no file is given");
  const Finished all = run_warpcheck({"replay", missing, empty, foreign, binary});
  EXPECT_EQ(all.status, 2);
  EXPECT_EQ(std::count(all.err.begin(), all.err.end(), '\n'), 4) << all.err;
}

TEST(BadInput, reports_that_cannot_be_written_are_refused_before_the_run) {
  TemporaryFolder folder;
  expect_refused({"run", "--plugin", good_plugin, "--json", folder.path() / "no" / "x.json"}, "No such file");
  expect_refused({"run", "--plugin", good_plugin, "--junit", folder.path()}, "is a folder; name a file");
  expect_refused({"run", "--plugin", good_plugin, "--json", "-", "--junit", "-"}, "cannot both be '-'");
  expect_refused({"permutations", "1", "--json", folder.path() / "no" / "x.json"}, "No such file");
}

TEST(BadInput, a_geometry_that_a_kernel_does_not_take) {
  expect_refused({"permutations", "1", "--plugin", good_plugin, "--grid", "70000"},
                 "host_serial does not accept grid 70000, block 32");
}

}  // namespace

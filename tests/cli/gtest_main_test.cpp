#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/program.hpp"

namespace {

using testing::HasSubstr;

Finished sample(const std::vector<std::string>& arguments, Environment environment = {}) {
  return run_program(WARPCHECK_TEST_GTEST_MAIN_SAMPLE, arguments, with_host_worker(std::move(environment)));
}

TEST(GtestMain, every_kernel_and_property_is_a_test_beside_the_programs_own) {
  const Finished finished = sample({"--gtest_list_tests", "--warpcheck_plugin=" + good_plugin});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("host_serial.\n"));
  EXPECT_THAT(finished.out, HasSubstr("  within_proved_bound\n"));
  EXPECT_THAT(finished.out, HasSubstr("OwnTest.\n  runs_as_well\n"));
}

TEST(GtestMain, plugins_come_from_the_environment_too_and_googletests_printer_and_status_are_its_own) {
  const Finished finished = sample({"--gtest_filter=host_*.single_element_exact:Own*"},
                                   {{"WARPCHECK_PLUGINS", good_plugin + ":" + faulty_plugin}});
  EXPECT_EQ(finished.status, 1) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("[       OK ] host_serial.single_element_exact"));
  EXPECT_THAT(finished.out, HasSubstr("[  FAILED  ] host_drops_last.single_element_exact"));
  EXPECT_THAT(finished.out, HasSubstr("host_kernels.cpp:21: Failure"));
  EXPECT_THAT(finished.out, HasSubstr("[       OK ] OwnTest.runs_as_well"));
}

TEST(GtestMain, an_executor_that_is_not_available_skips) {
  if (why_no_cuda().empty()) GTEST_SKIP() << "this machine has a CUDA device";
  const Finished finished = sample(
      {"--warpcheck_executor=cuda", "--warpcheck_plugin=" + good_plugin, "--gtest_filter=host_serial.*"});
  EXPECT_EQ(finished.status, 0) << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("[  SKIPPED ] host_serial.within_proved_bound"));
  EXPECT_THAT(finished.out, testing::Not(HasSubstr("[       OK ] host_serial")));
}

TEST(GtestMain, wrong_use_is_one_line_and_status_2) {
  for (const auto& [arguments, text] : std::vector<std::pair<std::vector<std::string>, std::string>>{
           {{}, "no plug-in is named"},
           {{"--warpcheck_plugin=/nowhere/p.so"}, "/nowhere/p.so: no such file"},
           {{"--warpcheck_plugn=x"}, "did you mean --warpcheck_plugin?"},
           {{"--warpcheck_plugin=" + good_plugin, "--warpcheck_cases=x"}, "'x' is not a whole number"}}) {
    const Finished finished = sample(arguments);
    EXPECT_EQ(finished.status, 2);
    EXPECT_THAT(finished.err, testing::StartsWith("warpcheck: "));
    EXPECT_THAT(finished.err, HasSubstr(text));
  }
}

}  // namespace

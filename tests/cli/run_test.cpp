#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "framework/report/look.hpp"
#include "tests/cli/program.hpp"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

void expect_plain(const std::string& text) {
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find('\r'), std::string::npos);
}

/// No line of a table is too wide; long names of files stand alone in theirs.
void expect_narrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.find('/') == std::string::npos) {
      EXPECT_LE(warpcheck::report::display_width(line), 80u) << line;
    }
  }
}

TEST(Run, correct_kernels_hold_with_status_0_and_nothing_on_standard_error) {
  TemporaryFolder folder;
  const Finished finished = run_warpcheck({"run", "--plugin", good_plugin}, {}, folder.path());
  EXPECT_EQ(finished.status, 0) << finished.out;
  EXPECT_EQ(finished.err, "");
  EXPECT_THAT(finished.out, HasSubstr("host_serial_fp64"));
  EXPECT_THAT(finished.out, HasSubstr(" 0 falsified"));
  EXPECT_THAT(finished.out, HasSubstr("A pass does not exclude"));
  expect_plain(finished.out);
  expect_narrow(finished.out);
  EXPECT_FALSE(std::filesystem::exists(folder.path() / ".warpcheck"));
}

TEST(Run, a_faulty_kernel_is_falsified_with_status_1_its_text_and_a_stored_counterexample) {
  TemporaryFolder folder;
  const Finished finished = run_warpcheck(
      {"run", "host_drops_last", "--property", "within_proved_bound", "--plugin", faulty_plugin}, {},
      folder.path());
  EXPECT_EQ(finished.status, 1) << finished.out << finished.err;
  EXPECT_THAT(finished.out, HasSubstr("1 falsified"));
  EXPECT_THAT(finished.out, HasSubstr("within_proved_bound"));
  EXPECT_THAT(finished.out, HasSubstr("warpcheck replay .warpcheck/"));
  expect_plain(finished.out);
  expect_narrow(finished.out);
  const auto stored = std::filesystem::directory_iterator(folder.path() / ".warpcheck");
  EXPECT_TRUE(stored->is_regular_file());
}

TEST(Run, no_store_leaves_nothing_behind) {
  TemporaryFolder folder;
  const Finished finished = run_warpcheck({"run", "host_drops_last", "--property", "within_proved_bound",
                                           "--plugin", faulty_plugin, "--no-store"},
                                          {}, folder.path());
  EXPECT_EQ(finished.status, 1);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(Run, a_crash_is_a_verdict_and_costs_no_other_kernel) {
  TemporaryFolder folder;
  const Finished finished = run_warpcheck({"run", "--property", "single_element_exact", "--plugin",
                                           faulty_plugin, "--plugin", good_plugin, "--json", "out.json"},
                                          {}, folder.path());
  EXPECT_EQ(finished.status, 1) << finished.err;
  const json report = json::parse(content_of(folder.path() / "out.json"));
  std::map<std::string, std::string> verdicts;
  for (const json& check : report.at("checks")) {
    verdicts[check.at("kernel")] = check.at("class").is_null() ? check.at("verdict").get<std::string>()
                                                               : check.at("class").get<std::string>();
  }
  EXPECT_EQ(verdicts.at("host_crashes"), "crash");
  EXPECT_EQ(verdicts.at("host_serial"), "holds");
  EXPECT_EQ(verdicts.at("host_wide"), "holds");
}

TEST(Run, json_has_a_check_for_each_kernel_and_property_and_the_sum_of_verdicts) {
  TemporaryFolder folder;
  const Finished finished = run_warpcheck(
      {"run", "--plugin", faulty_plugin, "--seed", "7", "--json", "out.json", "host_drops_last"}, {},
      folder.path());
  EXPECT_EQ(finished.status, 1);
  const json report = json::parse(content_of(folder.path() / "out.json"));
  EXPECT_EQ(report.at("version"), 1);
  EXPECT_EQ(report.at("seed"), 7);
  std::map<std::string, int> counts{
      {"holds", 0}, {"falsified", 0}, {"no_power", 0}, {"inapplicable", 0}, {"not_run", 0}};
  for (const json& check : report.at("checks")) {
    ++counts.at(check.at("verdict"));
    EXPECT_EQ(check.at("executor"), "cpu");
    if (check.at("verdict") == "falsified") {
      const std::string file = check.at("counterexample").at("file");
      EXPECT_TRUE(std::filesystem::exists(folder.path() / file)) << file;
      EXPECT_LE(check.at("counterexample").at("n").get<int>(), 2) << check;
    } else {
      EXPECT_TRUE(check.at("counterexample").is_null());
    }
  }
  for (const auto& [verdict, count] : counts) EXPECT_EQ(report.at("summary").at(verdict), count) << verdict;
  EXPECT_GT(counts.at("falsified"), 0);
}

TEST(Run, json_and_junit_on_standard_output_stand_alone) {
  const Finished as_json =
      run_warpcheck({"run", "--plugin", good_plugin, "host_serial", "--json", "-", "--no-store"});
  EXPECT_EQ(as_json.status, 0);
  EXPECT_EQ(json::parse(as_json.out).at("version"), 1);
  const Finished as_xml =
      run_warpcheck({"run", "--plugin", good_plugin, "host_serial", "--junit", "-", "--no-store"});
  EXPECT_EQ(as_xml.status, 0);
  EXPECT_THAT(as_xml.out, testing::StartsWith("<?xml"));
  EXPECT_THAT(as_xml.out, testing::EndsWith("</testsuites>\n"));
}

TEST(Run, the_same_seed_gives_the_same_result) {
  const auto checks = [](const std::string& seed) {
    json report = json::parse(run_warpcheck({"run", "--plugin", good_plugin, "host_serial", "--seed", seed,
                                             "--json", "-", "--no-store"})
                                  .out);
    for (json& check : report.at("checks")) check.erase("seconds");
    return report.at("checks");
  };
  EXPECT_EQ(checks("3"), checks("3"));
  EXPECT_NE(checks("3"), checks("4"));
}

TEST(Run, a_random_seed_is_printed_so_that_the_run_can_be_repeated) {
  const std::vector<std::string> common{"run",        "--plugin", good_plugin,  "host_serial",
                                        "--property", "negation", "--no-store", "--seed"};
  auto arguments = common;
  arguments.push_back("random");
  const std::string out = run_warpcheck(arguments).out;
  const std::size_t at = out.find("seed ") + 5;
  const std::string seed = out.substr(at, out.find('\n', at) - at);
  arguments = common;
  arguments.push_back(seed);
  EXPECT_THAT(run_warpcheck(arguments).out, HasSubstr("seed " + seed + "\n"));
}

TEST(Run, googletest_filters_shards_and_lists) {
  const Finished listed = run_warpcheck({"run", "--plugin", good_plugin, "--gtest_list_tests"});
  EXPECT_EQ(listed.status, 0);
  EXPECT_THAT(listed.out, HasSubstr("host_serial.\n"));
  EXPECT_THAT(listed.out, HasSubstr("  within_proved_bound\n"));

  const auto checks_of = [](const Environment& environment) {
    std::vector<std::string> names;
    const Finished finished =
        run_warpcheck({"run", "--plugin", good_plugin, "--gtest_filter=host_serial.*-*.negation", "--json",
                       "-", "--no-store"},
                      environment);
    EXPECT_EQ(finished.status, 0);
    const json report = json::parse(finished.out);
    for (const json& check : report.at("checks")) {
      EXPECT_EQ(check.at("kernel"), "host_serial");
      names.push_back(check.at("property"));
    }
    std::sort(names.begin(), names.end());
    return names;
  };
  const auto all = checks_of({});
  EXPECT_THAT(all, Not(testing::Contains("negation")));
  EXPECT_THAT(all, testing::Contains("within_proved_bound"));
  auto shards = checks_of({{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", "0"}});
  const auto second = checks_of({{"GTEST_TOTAL_SHARDS", "2"}, {"GTEST_SHARD_INDEX", "1"}});
  EXPECT_FALSE(shards.empty());
  EXPECT_FALSE(second.empty());
  shards.insert(shards.end(), second.begin(), second.end());
  std::sort(shards.begin(), shards.end());
  EXPECT_EQ(shards, all);
}

TEST(Run, an_executor_that_is_not_available_runs_nothing_and_passes_nothing) {
  const std::string reason = why_no_cuda();
  if (reason.empty()) GTEST_SKIP() << "this machine has a CUDA device";
  const Finished finished =
      run_warpcheck({"run", "--plugin", good_plugin, "--executor", "cuda", "--json", "-"});
  EXPECT_EQ(finished.status, 3) << finished.out << finished.err;
  const json report = json::parse(finished.out);
  ASSERT_FALSE(report.at("checks").empty());
  for (const json& check : report.at("checks")) {
    EXPECT_EQ(check.at("verdict"), "not_run");
    EXPECT_EQ(check.at("reason"), reason);
    EXPECT_EQ(check.at("executor"), "cuda");
  }
  EXPECT_EQ(report.at("summary").at("not_run"), report.at("checks").size());
}

TEST(Run, a_generator_that_no_property_uses_leaves_it_inapplicable_and_is_no_pass) {
  const Finished finished =
      run_warpcheck({"run", "--plugin", good_plugin, "--property", "empty_gives_identity", "--generator",
                     "one_hot", "--json", "-", "--no-store"});
  EXPECT_EQ(finished.status, 3) << finished.out;
  EXPECT_EQ(json::parse(finished.out).at("summary").at("holds"), 0);
}

TEST(Run, a_budget_ends_the_run_in_time_and_gives_every_check_its_share) {
  const auto start = std::chrono::steady_clock::now();
  const Finished finished = run_warpcheck({"run", "--plugin", good_plugin, "--cases", "1000000000",
                                           "--budget", "2s", "--json", "-", "--no-store"});
  const auto taken = std::chrono::steady_clock::now() - start;
  EXPECT_LT(taken, std::chrono::seconds(30));
  EXPECT_EQ(finished.status, 0) << finished.out << finished.err;
  const json report = json::parse(finished.out);
  EXPECT_EQ(report.at("summary").at("not_run"), 0);
}

TEST(Run, a_terminal_gets_colour_and_a_pipe_or_no_color_gets_none) {
  const std::vector<std::string> arguments{"run",      "host_serial", "--property", "negation",
                                           "--plugin", good_plugin,   "--no-store"};
  const Environment terminal = with_host_worker({{"TERM", "xterm"}});
  const Finished coloured = run_on_terminal(warpcheck_program, arguments, terminal);
  EXPECT_EQ(coloured.status, 0) << coloured.out;
  EXPECT_THAT(coloured.out, HasSubstr("\x1b[32m"));
  Environment without = terminal;
  without.emplace_back("NO_COLOR", "1");
  EXPECT_THAT(run_on_terminal(warpcheck_program, arguments, without).out, Not(HasSubstr("\x1b[")));
  EXPECT_THAT(run_program(warpcheck_program, arguments, terminal).out, Not(HasSubstr("\x1b[")));
}

TEST(Run, a_locale_without_utf8_gets_ascii) {
  const Finished finished =
      run_warpcheck({"run", "host_serial", "--plugin", good_plugin, "--no-store"}, {{"LC_ALL", "C"}});
  EXPECT_TRUE(std::all_of(finished.out.begin(), finished.out.end(), [](char c) {
    return static_cast<unsigned char>(c) < 0x80;
  })) << finished.out;
}

}  // namespace

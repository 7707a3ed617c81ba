#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "framework/cli/commands.hpp"
#include "framework/cli/gtest_bridge.hpp"
#include "framework/cli/gtest_flags.hpp"
#include "framework/cli/numbers.hpp"
#include "framework/cli/open_session.hpp"
#include "framework/cli/output.hpp"
#include "framework/cli/progress.hpp"
#include "framework/cli/selection.hpp"
#include "framework/cli/usage_error.hpp"
#include "framework/engine/check.hpp"
#include "framework/numeric/fp_environment.hpp"
#include "framework/report/junit.hpp"
#include "framework/report/run_json.hpp"
#include "framework/report/run_text.hpp"
#include "generators/generator.hpp"

namespace warpcheck::cli {

using report::ExitStatus;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::uint64_t default_seed = 1;
constexpr std::uint64_t most_cases = 1'000'000'000;
constexpr std::chrono::milliseconds least_reduction_time{20};

/// How many cases a check cannot do without.
std::uint64_t required_cases(const KernelInfo& kernel, const Property& property,
                             std::string_view generator_glob) {
  if (!property.inapplicable_to(kernel).empty()) return 0;
  const std::vector<std::string> used = property.generators();
  std::uint64_t count = 0;
  for (const Generator* generator : all_generators()) {
    const bool takes_part =
        engine::glob_matches(generator_glob, generator->name()) &&
        (used.empty() || std::find(used.begin(), used.end(), generator->name()) != used.end());
    if (takes_part) count += generator->required(kernel).size();
  }
  return count;
}

/// Said for all checks at once, before any of them has run.
void demand_enough_cases(std::uint64_t cases, std::span<const KernelInfo* const> kernels,
                         std::span<const Property* const> properties, std::string_view generator_glob) {
  std::uint64_t most = 0;
  std::string where;
  for (const KernelInfo* kernel : kernels) {
    for (const Property* property : properties) {
      const std::uint64_t required = required_cases(*kernel, *property, generator_glob);
      if (required <= most) continue;
      most = required;
      where = fmt::format("{}.{}", kernel->name, property->name());
    }
  }
  if (cases < most) {
    throw UsageError(fmt::format("--cases: {} is too few: {} alone requires {} cases, so --cases {} would do",
                                 cases, where, most, most));
  }
}

/// The run of one command: judges checks as GoogleTest asks for them and keeps their results.
class Run {
 public:
  Run(const RunOptions& options, OpenSession open, engine::CheckOptions check_options,
      std::optional<std::chrono::milliseconds> budget)
      : open_(std::move(open)), check_options_(std::move(check_options)), budget_(budget) {
    kernels_ = select_kernels(open_.kernels(), options.kernels);
    properties_ = select_properties(options.properties);
    if (check_options_.cases > 0) {
      demand_enough_cases(check_options_.cases, kernels_, properties_, options.generator);
    }
  }

  const std::vector<const KernelInfo*>& kernels() const { return kernels_; }
  const std::vector<const Property*>& properties() const { return properties_; }
  const std::vector<engine::CheckResult>& results() const { return results_; }
  const OpenSession& open() const { return open_; }
  std::uint64_t seed() const { return check_options_.seed; }

  engine::CheckResult judge(const KernelInfo& kernel, const Property& property) {
    if (!start_) start_ = Clock::now();
    engine::CheckResult result = judged(kernel, property);
    progress_.clear();
    keep(result);
    return result;
  }

 private:
  engine::CheckResult judged(const KernelInfo& kernel, const Property& property) {
    ++begun_;
    if (!open_.unavailable.empty()) return not_run_check(kernel, property, open_.executor, open_.unavailable);

    engine::CheckOptions check_options = check_options_;
    const int planned = std::max(testing::UnitTest::GetInstance()->test_to_run_count(), begun_);
    if (budget_) {
      // Every check gets its share of what is left, so that the last ones get as much as the first.
      const auto left = std::max(*start_ + *budget_ - Clock::now(), Clock::duration::zero());
      const auto share = left / (planned - begun_ + 1);
      check_options.deadline = Clock::now() + share;
      // A reduction is worth as much again, but must not eat up the others' shares.
      check_options.max_reduction_time = std::min(
          check_options.max_reduction_time,
          std::max(least_reduction_time, std::chrono::duration_cast<std::chrono::milliseconds>(share)));
    }
    const std::string title = fmt::format("[{}/{}] {}.{}", begun_, planned, kernel.name, property.name());
    progress_.show(title);
    check_options.progress = [&](std::uint64_t cases) {
      progress_.show(fmt::format("{}  {} cases", title, cases));
    };
    try {
      return engine::check(kernel, property, open_.session->executor(), check_options);
    } catch (const std::exception& error) {
      return not_run_check(kernel, property, open_.executor, error.what());
    }
  }

  /// A test that --gtest_repeat runs again replaces its result, unless the one before was worse.
  void keep(const engine::CheckResult& result) {
    const auto known = std::find_if(results_.begin(), results_.end(), [&](const engine::CheckResult& r) {
      return r.kernel == result.kernel && r.property == result.property;
    });
    if (known == results_.end()) {
      results_.push_back(result);
    } else if (known->verdict != VerdictKind::falsified) {
      *known = result;
    }
  }

  OpenSession open_;
  engine::CheckOptions check_options_;
  std::optional<std::chrono::milliseconds> budget_;
  std::vector<const KernelInfo*> kernels_;
  std::vector<const Property*> properties_;
  std::vector<engine::CheckResult> results_;
  std::optional<Clock::time_point> start_;
  int begun_ = 0;
  Progress progress_;
};

/// Hands the flags to GoogleTest, with its own printer left out: the tables replace it.
void start_googletest(std::span<const std::string> flags) {
  std::vector<std::string> texts{"warpcheck run"};
  texts.insert(texts.end(), flags.begin(), flags.end());
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  int count = static_cast<int>(arguments.size());
  arguments.push_back(nullptr);
  testing::InitGoogleTest(&count, arguments.data());
  if (count > 1) throw UsageError(fmt::format("GoogleTest does not understand {}", arguments[1]));
  testing::TestEventListeners& listeners = testing::UnitTest::GetInstance()->listeners();
  if (!testing::GTEST_FLAG(list_tests)) delete listeners.Release(listeners.default_result_printer());
}

/// The notes of all checks, each once with the check or the number of checks that it concerns.
std::string notes_text(std::span<const engine::CheckResult> results, const report::Look& look) {
  std::vector<std::pair<std::string, std::vector<std::string>>> notes;
  for (const engine::CheckResult& check : results) {
    for (const std::string& note : check.notes) {
      auto known = std::find_if(notes.begin(), notes.end(), [&](const auto& n) { return n.first == note; });
      if (known == notes.end()) known = notes.insert(notes.end(), {note, {}});
      known->second.push_back(fmt::format("{}.{}", check.kernel, check.property));
    }
  }
  constexpr std::size_t most = 12;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, notes.size()); ++i) {
    const auto& [note, checks] = notes[i];
    const std::string whose = checks.size() == 1 ? checks.front() : fmt::format("{} checks", checks.size());
    text += report::wrapped(fmt::format("note: {} ({})", note, whose), look.width, "  ");
    text += '\n';
  }
  if (notes.size() > most)
    text += fmt::format("and {} more notes, all of them in --json\n", notes.size() - most);
  return text.empty() ? text : fmt::format("\n{}", text);
}

std::string run_text(const Run& run, const report::Look& look) {
  const auto& results = run.results();
  std::string text = fmt::format("{} kernel{} x {} propert{} on {}, seed {}\n\n", run.kernels().size(),
                                 run.kernels().size() == 1 ? "" : "s", run.properties().size(),
                                 run.properties().size() == 1 ? "y" : "ies", run.open().executor, run.seed());
  if (const std::string table = report::accuracy_table(run.open().kernels(), results, look); !table.empty()) {
    text += table;
    text += '\n';
  }
  text += report::verdict_matrix(results, look);
  if (const std::string why = report::reasons(results, look); !why.empty()) {
    text += '\n';
    text += why;
  }

  for (const engine::CheckResult& check : results) {
    if (check.verdict != VerdictKind::falsified) continue;
    text += '\n';
    const std::string failure = failure_text(check);
    const std::size_t end = std::min(failure.find('\n'), failure.size());
    text += report::toned(failure.substr(0, end), report::Tone::bad, look);
    text += failure.substr(end);
  }

  text += notes_text(results, look);
  text += '\n';
  text += report::summary(report::tally(results), look);
  return text;
}

}  // namespace

ExitStatus run_command(const RunOptions& options) {
  demand_googletest_flags(options.googletest);
  engine::CheckOptions check_options;
  check_options.seed = options.seed.empty() ? default_seed : parse_seed("--seed", options.seed);
  check_options.generator_glob = options.generator;
  if (!options.cases.empty()) check_options.cases = parse_whole("--cases", options.cases, 1, most_cases);
  if (!options.no_store) {
    std::error_code error;
    if (options.store.empty())
      throw UsageError("--store: an empty name; give a folder, or --no-store to keep nothing");
    if (std::filesystem::exists(options.store, error) &&
        !std::filesystem::is_directory(options.store, error)) {
      throw UsageError(fmt::format("--store: {} is not a folder; give one, existing or not", options.store));
    }
    check_options.store = options.store;
  }
  std::optional<std::chrono::milliseconds> budget;
  if (!options.budget.empty()) budget = parse_duration("--budget", options.budget);
  demand_writable("--json", options.json);
  demand_writable("--junit", options.junit);
  if (options.json == "-" && options.junit == "-") throw UsageError("--json and --junit cannot both be '-'");
  demand_generators(options.generator);
  if (const auto fault = numeric::floating_point_fault()) throw CannotRun(*fault);

  Run run(options, open_session(options.executor, options.plugins), check_options, budget);
  register_checks(
      run.kernels(), run.properties(),
      [&run](const KernelInfo& kernel, const Property& property) { return run.judge(kernel, property); });
  start_googletest(options.googletest);
  const int tests = static_cast<int>(run.kernels().size() * run.properties().size());
  // A failure is known from the results; GoogleTest's own status says no more.
  [[maybe_unused]] const int googletest_status = RUN_ALL_TESTS();
  if (testing::GTEST_FLAG(list_tests)) return ExitStatus::all_hold;

  const char* shards = std::getenv("GTEST_TOTAL_SHARDS");
  const bool sharded = shards != nullptr && std::string_view(shards) != "1";
  if (run.results().empty()) {
    if (sharded) {
      print("no check belongs to this shard\n");
      return ExitStatus::all_hold;
    }
    throw UsageError(fmt::format(
        "--gtest_filter '{}' matches none of the {} checks; they are called KERNEL.PROPERTY, "
        "such as {}.{}",
        testing::GTEST_FLAG(filter), tests, run.kernels().front()->name, run.properties().front()->name()));
  }

  if (options.json != "-" && options.junit != "-") print(run_text(run, report::look_of(STDOUT_FILENO)));
  write_report("--json", options.json, report::run_json(run.seed(), options.executor, run.results()));
  write_report("--junit", options.junit, report::junit_xml(run.results(), failure_text));

  report::Tally sum = report::tally(run.results());
  // A shard, or a selection by name, may hold nothing but checks that do not apply to their kernels.
  if (sharded && sum.inapplicable == sum.checks()) return ExitStatus::all_hold;
  return report::exit_status(sum);
}

}  // namespace warpcheck::cli

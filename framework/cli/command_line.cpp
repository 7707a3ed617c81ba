#include "framework/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <exception>
#include <functional>
#include <memory>
#include <vector>

#include <fmt/format.h>

#include "framework/cli/commands.hpp"
#include "framework/cli/gtest_flags.hpp"
#include "framework/cli/output.hpp"
#include "framework/cli/suggestion.hpp"
#include "framework/cli/usage_error.hpp"
#include "framework/cli/value_arguments.hpp"

namespace warpcheck::cli {

using report::ExitStatus;

namespace {

/// One command: its options, and what it does once they are read.
struct Command {
  CLI::App* app{};
  std::function<ExitStatus()> carry_out;
};

/// The options of every command and the one that was chosen.
class Program {
 public:
  Program() : app_("warpcheck: property-based numerical tests for GPU reductions", "warpcheck") {
    app_.set_version_flag("--version", "warpcheck " WARPCHECK_VERSION, "Print the version");
    describe_help(app_);
    add_run();
    add_replay();
    add_permutations();
    add_list();
    add_tolerances();
    // After the commands, which would take it over.
    app_.footer(
        "Exit status: 0 all hold; 1 something was falsified; 2 wrong use or bad input;\n"
        "3 something asked for could not run.\n"
        "\"warpcheck COMMAND --help\" describes a command.");
  }

  /// Throws CLI::Success for help and version, UsageError for wrong use.
  ExitStatus carry_out(std::span<const std::string> arguments) {
    demand_command(arguments);
    std::vector<std::string> rest(arguments.begin(), arguments.end());
    if (!rest.empty() && rest.front() == "run") rest = without_googletest_flags(rest);
    if (!rest.empty() && rest.front() == "permutations") rest = without_values(rest);

    std::reverse(rest.begin(), rest.end());  // CLI11 takes them from the back
    try {
      app_.parse(std::move(rest));
    } catch (const CLI::Success&) {
      throw;
    } catch (const CLI::ParseError& error) {
      throw UsageError(one_line(error.what()));
    }
    for (const Command& command : commands_) {
      if (!command.app->parsed()) continue;
      demand_no_extras(*command.app);
      return command.carry_out();
    }
    throw UsageError(fmt::format("no command is given; there are {}; warpcheck --help says more",
                                 listed(command_names())));
  }

  int exit(const CLI::Success& request) const { return app_.exit(request); }

 private:
  static std::string one_line(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
  }

  static void describe_help(CLI::App& app) {
    app.set_help_flag("-h,--help", "Print this help");
    app.get_formatter()->column_width(26);
    app.get_formatter()->label("TEXT", "");
    app.get_formatter()->label("OPTIONS", "OPTIONS");
  }

  CLI::App* add_command(const std::string& name, const std::string& description,
                        std::function<ExitStatus()> carry_out) {
    CLI::App* command = app_.add_subcommand(name, description);
    describe_help(*command);
    // Unknown options come back as extras, so that the message can say what is near.
    command->allow_extras();
    commands_.push_back({command, std::move(carry_out)});
    return command;
  }

  static void add_text(CLI::App* command, const std::string& name, std::string& target,
                       const std::string& type, const std::string& description) {
    command->add_option(name, target, description)->option_text(type);
  }

  static void add_texts(CLI::App* command, const std::string& name, std::vector<std::string>& targets,
                        const std::string& type, const std::string& description) {
    command->add_option(name, targets, description)->option_text(type)->allow_extra_args(false);
  }

  static void add_positionals(CLI::App* command, const std::string& name, std::vector<std::string>& targets,
                              const std::string& description) {
    command->add_option(name, targets, description)->option_text("...");
  }

  void add_run() {
    CLI::App* c = add_command("run", "Search for a case that breaks what kernels promise",
                              [this] { return run_command(run_); });
    add_positionals(c, "KERNEL-GLOB", run_.kernels, "Kernels to check; all of them unless given");
    add_texts(c, "--property", run_.properties, "GLOB ...", "Properties to check; all of them unless given");
    add_text(c, "--generator", run_.generator, "GLOB", "Generators to draw cases from");
    add_text(c, "--executor", run_.executor, "cpu|cuda", "Where kernels run; cpu unless given");
    add_texts(c, "--plugin", run_.plugins, "PATH ...", "Plug-ins to check in place of the built-in one");
    add_text(c, "--cases", run_.cases, "N", "Cases for each check; about 200 unless given");
    add_text(c, "--seed", run_.seed, "S|random", "Seed of the random cases; 1 unless given");
    add_text(c, "--budget", run_.budget, "TIME", "Time for the whole run: 500ms, 30s, 2m");
    add_text(c, "--json", run_.json, "FILE", "Write the result as JSON; - is standard output");
    add_text(c, "--junit", run_.junit, "FILE", "Write the result as JUnit XML");
    add_text(c, "--store", run_.store, "FOLDER", "Counterexamples; .warpcheck unless given");
    c->add_flag("--no-store", run_.no_store, "Neither store counterexamples nor read them");
    c->footer(
        "Each kernel and property is a GoogleTest test, KERNEL.PROPERTY: --gtest_filter,\n"
        "--gtest_list_tests, GTEST_TOTAL_SHARDS and their kin work.");
  }

  void add_replay() {
    CLI::App* c = add_command("replay", "Run stored counterexamples again, bit for bit",
                              [this] { return replay_command(replay_); });
    add_positionals(c, "FILE", replay_.files, "Counterexamples, such as .warpcheck/NAME.json");
    add_text(c, "--executor", replay_.executor, "cpu|cuda", "Where kernels run; as stored unless given");
    add_texts(c, "--plugin", replay_.plugins, "PATH ...", "Plug-ins in place of the one that is stored");
    c->footer("Exit status: 1 while a failure persists, 0 when all are gone.");
  }

  void add_permutations() {
    CLI::App* c = add_command("permutations", "Show what every distinct order of some values sums to",
                              [this] { return permutations_command(permutations_); });
    add_text(c, "--format", permutations_.format, "fp32|fp64", "Format of the values; fp32 unless given");
    add_text(c, "--sample", permutations_.sample, "N", "Run N of the orders; for more than 8 values");
    add_text(c, "--seed", permutations_.seed, "S|random", "Seed of the sample; 1 unless given");
    add_texts(c, "--kernel", permutations_.kernels, "GLOB ...", "Kernels to run; all that fit unless given");
    add_text(c, "--executor", permutations_.executor, "cpu|cuda", "Where kernels run; cpu unless given");
    add_texts(c, "--plugin", permutations_.plugins, "PATH ...", "Plug-ins in place of the built-in one");
    add_text(c, "--grid", permutations_.grid, "G", "Blocks of each launch; 1 unless given");
    add_text(c, "--block", permutations_.block, "B", "Threads a block; 32 unless given");
    add_text(c, "--json", permutations_.json, "FILE", "Write the rows as JSON; - is standard output");
    // For the help only: the values are taken out before CLI11 sees the arguments.
    add_positionals(c, "VALUE", permutations_.values, "The values to add: 1e8 -.5 -0x1p-3 -inf nan");
  }

  void add_list() {
    CLI::App* c = add_command("list", "List kernels, properties, generators or executors",
                              [this] { return list_command(list_); });
    c->add_option("SUBJECT", list_.what, "kernels, properties, generators or executors")->option_text(" ");
    add_texts(c, "--plugin", list_.plugins, "PATH ...", "Plug-ins in place of the built-in one");
    add_text(c, "--json", list_.json, "FILE", "Write the list as JSON; - is standard output");
  }

  void add_tolerances() {
    CLI::App* c = add_command("tolerances", "Show the proved tolerances, fixed before any run",
                              [this] { return tolerances_command(tolerances_); });
    add_positionals(c, "KERNEL-GLOB", tolerances_.kernels, "Kernels to show; all of them unless given");
    add_texts(c, "--n", tolerances_.lengths, "N ...", "Numbers of elements; a few unless given");
    add_text(c, "--grid", tolerances_.grid, "G", "Blocks of each launch");
    add_text(c, "--block", tolerances_.block, "B", "Threads a block");
    add_texts(c, "--plugin", tolerances_.plugins, "PATH ...", "Plug-ins in place of the built-in one");
    add_text(c, "--json", tolerances_.json, "FILE", "Write the ledger as JSON; - is standard output");
  }

  std::vector<std::string> command_names() const {
    std::vector<std::string> names;
    for (const Command& command : commands_) names.push_back(command.app->get_name());
    return names;
  }

  /// Only the names of commands, --help and --version can come first.
  void demand_command(std::span<const std::string> arguments) const {
    if (arguments.empty()) return;
    const std::string& first = arguments.front();
    std::vector<std::string> known = command_names();
    if (std::find(known.begin(), known.end(), first) != known.end()) return;
    if (first == "--help" || first == "-h" || first == "--version") return;
    if (first.starts_with('-')) {
      throw UsageError(
          fmt::format("'{}' is no option here: a command comes first, one of {}", first, listed(known)));
    }
    throw UsageError(fmt::format("'{}' is no command{} There are {}", first,
                                 near_names(first, known).empty() ? "." : did_you_mean(first, known),
                                 listed(known)));
  }

  void demand_no_extras(const CLI::App& command) const {
    const std::vector<std::string> extras = command.remaining();
    if (extras.empty()) return;
    const std::string extra = extras.front();
    if (!extra.starts_with('-')) {
      throw UsageError(fmt::format("{}: '{}' was not expected", command.get_name(), extra));
    }
    const std::string name = extra.substr(0, extra.find('='));
    std::vector<std::string> known;
    for (const CLI::Option* option : command.get_options()) {
      for (const std::string& spelt : option->get_lnames()) known.push_back("--" + spelt);
    }
    throw UsageError(fmt::format("{} has no option {}{}", command.get_name(), name,
                                 near_names(name, known).empty()
                                     ? fmt::format("; its options are {}", listed(known))
                                     : did_you_mean(name, known)));
  }

  std::vector<std::string> without_googletest_flags(std::span<const std::string> arguments) {
    SplitArguments split = split_googletest_flags(arguments);
    run_.googletest = std::move(split.googletest);
    return std::move(split.others);
  }

  std::vector<std::string> without_values(std::span<const std::string> arguments) {
    std::vector<std::string> takes_value;
    for (const CLI::Option* option : app_.get_subcommand("permutations")->get_options()) {
      if (option->get_items_expected_max() == 0) continue;
      for (const std::string& spelt : option->get_lnames()) takes_value.push_back("--" + spelt);
    }
    ValueArguments taken = take_values(arguments.subspan(1), takes_value);
    permutations_.values = std::move(taken.values);
    taken.others.insert(taken.others.begin(), arguments.front());
    return std::move(taken.others);
  }

  CLI::App app_;
  std::vector<Command> commands_;
  RunOptions run_;
  ReplayOptions replay_;
  PermutationsOptions permutations_;
  ListOptions list_;
  TolerancesOptions tolerances_;
};

}  // namespace

int command_line(std::span<const std::string> arguments) {
  try {
    Program program;
    try {
      return static_cast<int>(program.carry_out(arguments));
    } catch (const CLI::Success& request) {
      return program.exit(request);
    }
  } catch (const UsageError& error) {
    print_error(error.what());
    return static_cast<int>(ExitStatus::wrong_use);
  } catch (const std::exception& error) {
    print_error(error.what());
    return static_cast<int>(ExitStatus::could_not_run);
  }
}

}  // namespace warpcheck::cli

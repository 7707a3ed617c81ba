#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "framework/cli/gtest_bridge.hpp"
#include "framework/cli/numbers.hpp"
#include "framework/cli/open_session.hpp"
#include "framework/cli/output.hpp"
#include "framework/cli/selection.hpp"
#include "framework/cli/suggestion.hpp"
#include "framework/cli/usage_error.hpp"
#include "framework/engine/check.hpp"
#include "framework/report/tally.hpp"

// The main() of warpcheck::gtest_main: every kernel of the plug-ins × every property is a GoogleTest test,
// beside the tests that the program has of its own. GoogleTest's flags, printer and exit status are its own;
// wrong use of a flag below ends the program with status 2 before any test.
//
//     --warpcheck_plugin=PATH      may be repeated; or the environment variable WARPCHECK_PLUGINS, separated
//     by ':'
//     --warpcheck_executor=NAME    cpu (the default) or cuda
//     --warpcheck_cases=N          --warpcheck_seed=S          --warpcheck_store=FOLDER (none unless given)

namespace {

using namespace warpcheck;
using namespace warpcheck::cli;

constexpr std::string_view prefix = "--warpcheck_";
constexpr std::uint64_t most_cases = 1'000'000'000;

struct Options {
  std::vector<std::string> plugins;
  std::string executor = "cpu";
  engine::CheckOptions check;
};

void add_from_environment(std::vector<std::string>& plugins) {
  const char* variable = std::getenv("WARPCHECK_PLUGINS");
  if (variable == nullptr) return;
  std::string_view rest = variable;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(':'), rest.size());
    if (end > 0) plugins.emplace_back(rest.substr(0, end));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
}

Options read_options(int count, char** arguments) {
  Options options;
  for (int i = 1; i < count; ++i) {
    const std::string argument = arguments[i];
    if (!argument.starts_with(prefix)) continue;
    const std::size_t equals = std::min(argument.find('='), argument.size());
    const std::string name = argument.substr(0, equals);
    const std::string value = equals < argument.size() ? argument.substr(equals + 1) : "";
    if (name == "--warpcheck_plugin") {
      options.plugins.push_back(value);
    } else if (name == "--warpcheck_executor") {
      options.executor = value;
    } else if (name == "--warpcheck_cases") {
      options.check.cases = parse_whole(name, value, 1, most_cases);
    } else if (name == "--warpcheck_seed") {
      options.check.seed = parse_seed(name, value);
    } else if (name == "--warpcheck_store") {
      options.check.store = value;
    } else {
      const std::vector<std::string> known{"--warpcheck_plugin", "--warpcheck_executor", "--warpcheck_cases",
                                           "--warpcheck_seed", "--warpcheck_store"};
      throw UsageError(fmt::format("there is no flag {}{}", name, did_you_mean(name, known)));
    }
  }
  if (options.plugins.empty()) add_from_environment(options.plugins);
  if (options.plugins.empty()) {
    throw UsageError("no plug-in is named: give --warpcheck_plugin=PATH or set WARPCHECK_PLUGINS");
  }
  return options;
}

}  // namespace

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  try {
    const Options options = read_options(count, arguments);
    const OpenSession open = open_session(options.executor, options.plugins);
    register_checks(select_kernels(open.kernels(), {}), select_properties({}),
                    [&](const KernelInfo& kernel, const Property& property) {
                      if (!open.unavailable.empty()) {
                        return not_run_check(kernel, property, open.executor, open.unavailable);
                      }
                      return engine::check(kernel, property, open.session->executor(), options.check);
                    });
    return RUN_ALL_TESTS();
  } catch (const std::exception& error) {
    print_error(error.what());
    return static_cast<int>(report::ExitStatus::wrong_use);
  }
}

#pragma once

#include <string>
#include <vector>

#include "framework/report/tally.hpp"

namespace warpcheck::cli {

// The commands. Options are the text that was given, empty where nothing was; each command checks its own
// before it does anything. All throw UsageError and CannotRun.

struct RunOptions {
  std::vector<std::string> kernels;     ///< globs
  std::vector<std::string> properties;  ///< globs
  std::string generator{"*"};
  std::string executor{"cpu"};
  std::vector<std::string> plugins;
  std::string cases, seed, budget;
  std::string json, junit;
  std::string store{".warpcheck"};
  bool no_store{};
  std::vector<std::string> googletest;  ///< flags
};

/// Judges every selected property on every selected kernel; one GoogleTest test each.
report::ExitStatus run_command(const RunOptions& options);

struct ListOptions {
  std::string what;
  std::vector<std::string> plugins;
  std::string json;
};

/// Prints the kernels, properties, generators or executors, one line each.
report::ExitStatus list_command(const ListOptions& options);

struct PermutationsOptions {
  std::vector<std::string> values;
  std::string format{"fp32"};
  std::string sample, seed;
  std::vector<std::string> kernels;  ///< globs
  std::string executor{"cpu"};
  std::vector<std::string> plugins;
  std::string grid, block;
  std::string json;
};

/// Prints what every distinct order of the values sums to.
report::ExitStatus permutations_command(const PermutationsOptions& options);

struct TolerancesOptions {
  std::vector<std::string> kernels;  ///< globs
  std::vector<std::string> lengths;
  std::string grid, block;
  std::vector<std::string> plugins;
  std::string json;
};

/// Prints the tolerances that contracts prove, before any run.
report::ExitStatus tolerances_command(const TolerancesOptions& options);

struct ReplayOptions {
  std::vector<std::string> files;
  std::string executor;  ///< empty: the one that each file names
  std::vector<std::string> plugins;
};

/// Runs stored counterexamples again.
report::ExitStatus replay_command(const ReplayOptions& options);

}  // namespace warpcheck::cli

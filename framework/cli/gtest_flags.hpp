#pragma once

#include <span>
#include <string>
#include <vector>

namespace warpcheck::cli {

/// The arguments that are GoogleTest's (they begin with "--gtest_"), and the rest.
struct SplitArguments {
  std::vector<std::string> googletest;
  std::vector<std::string> others;
};

SplitArguments split_googletest_flags(std::span<const std::string> arguments);

/// Throws UsageError for a flag that GoogleTest does not know, a number that is none, and sharding variables
/// that do not fit together: GoogleTest itself would print its help, or end the program with its own status.
void demand_googletest_flags(std::span<const std::string> flags);

}  // namespace warpcheck::cli

#include "framework/cli/gtest_flags.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string_view>

#include <fmt/format.h>

#include "framework/cli/numbers.hpp"
#include "framework/cli/suggestion.hpp"
#include "framework/cli/usage_error.hpp"

namespace warpcheck::cli {

namespace {

enum class Kind { toggle, number, text };

struct Flag {
  std::string_view name;
  Kind kind;
};

constexpr std::string_view prefix = "--gtest_";

// Those of GoogleTest 1.12 that make sense outside GoogleTest's own tests.
constexpr Flag known_flags[] = {
    {"also_run_disabled_tests", Kind::toggle},
    {"break_on_failure", Kind::toggle},
    {"brief", Kind::toggle},
    {"catch_exceptions", Kind::toggle},
    {"color", Kind::text},
    {"fail_fast", Kind::toggle},
    {"filter", Kind::text},
    {"flagfile", Kind::text},
    {"list_tests", Kind::toggle},
    {"output", Kind::text},
    {"print_time", Kind::toggle},
    {"print_utf8", Kind::toggle},
    {"random_seed", Kind::number},
    {"recreate_environments_when_repeating", Kind::toggle},
    {"repeat", Kind::number},
    {"shuffle", Kind::toggle},
    {"stack_trace_depth", Kind::number},
    {"stream_result_to", Kind::text},
    {"throw_on_failure", Kind::toggle},
};

void demand_flag(const std::string& argument) {
  const std::string_view text = std::string_view(argument).substr(prefix.size());
  const std::size_t equals = text.find('=');
  const std::string_view name = text.substr(0, equals);
  const auto found = std::find_if(std::begin(known_flags), std::end(known_flags),
                                  [&](const Flag& flag) { return flag.name == name; });
  if (found == std::end(known_flags)) {
    std::vector<std::string> names;
    for (const Flag& flag : known_flags) names.push_back(fmt::format("{}{}", prefix, flag.name));
    const std::string given = argument.substr(0, prefix.size() + name.size());
    throw UsageError(fmt::format("GoogleTest has no flag {}{}", given, did_you_mean(given, names)));
  }
  if (found->kind != Kind::toggle && equals == std::string_view::npos) {
    throw UsageError(fmt::format("{} needs a value: {}=…", argument, argument));
  }
  if (found->kind == Kind::number) {
    const std::string_view digits = text.substr(equals + 1);
    std::int32_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (error != std::errc{} || end != digits.data() + digits.size()) {
      throw UsageError(fmt::format("{}{}: '{}' is not a whole number", prefix, name, digits));
    }
  }
}

}  // namespace

SplitArguments split_googletest_flags(std::span<const std::string> arguments) {
  SplitArguments split;
  for (const std::string& argument : arguments) {
    (argument.starts_with(prefix) ? split.googletest : split.others).push_back(argument);
  }
  return split;
}

void demand_googletest_flags(std::span<const std::string> flags) {
  for (const std::string& flag : flags) demand_flag(flag);

  constexpr std::uint64_t most = 1'000'000;
  const char* total = std::getenv("GTEST_TOTAL_SHARDS");
  const char* index = std::getenv("GTEST_SHARD_INDEX");
  if (total == nullptr && index == nullptr) return;
  if (total == nullptr || index == nullptr) {
    throw UsageError("GTEST_TOTAL_SHARDS and GTEST_SHARD_INDEX belong together: set both or neither");
  }
  const std::uint64_t shards = parse_whole("GTEST_TOTAL_SHARDS", total, 1, most);
  parse_whole("GTEST_SHARD_INDEX", index, 0, shards - 1);
}

}  // namespace warpcheck::cli

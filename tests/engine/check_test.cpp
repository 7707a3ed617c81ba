#include "framework/engine/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "generators/generator.hpp"
#include "tests/engine/example.hpp"
#include "tests/engine/fakes.hpp"

namespace warpcheck::engine::testing {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class OnlyEmpty : public ExactSumProperty {
 public:
  std::vector<std::string> generators() const override { return {"empty"}; }
};

TEST(Glob, matches_literals_stars_and_question_marks) {
  EXPECT_TRUE(glob_matches("*", ""));
  EXPECT_TRUE(glob_matches("", ""));
  EXPECT_FALSE(glob_matches("", "a"));
  EXPECT_FALSE(glob_matches("?", ""));
  EXPECT_TRUE(glob_matches("shuffle_*", "shuffle_two_pass"));
  EXPECT_FALSE(glob_matches("shuffle_*", "a_shuffle_two_pass"));
  EXPECT_TRUE(glob_matches("*two*pass", "shuffle_two_two_pass"));
  EXPECT_TRUE(glob_matches("*ab*ab", "abxabab"));
  EXPECT_FALSE(glob_matches("*ab*ab", "abx"));
  EXPECT_TRUE(glob_matches("s?rial", "serial"));
  EXPECT_FALSE(glob_matches("serial", "serial2"));
  EXPECT_TRUE(glob_matches("**l*", "serial"));
}

/// The meaning of a glob by plain recursion.
bool matches_by_definition(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern[0] == '*') {
    return matches_by_definition(pattern.substr(1), text) ||
           (!text.empty() && matches_by_definition(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern[0] == '?' || pattern[0] == text[0]) &&
         matches_by_definition(pattern.substr(1), text.substr(1));
}

TEST(Glob, agrees_with_its_recursive_definition) {
  Numbers numbers(8);
  int matched = 0;
  for (int round = 0; round < 50'000; ++round) {
    std::string pattern, text;
    for (std::uint64_t i = numbers.below(7); i > 0; --i) pattern += "ab*?*"[numbers.below(5)];
    for (std::uint64_t i = numbers.below(9); i > 0; --i) text += "ab"[numbers.below(2)];
    ASSERT_EQ(glob_matches(pattern, text), matches_by_definition(pattern, text)) << pattern << " " << text;
    matched += glob_matches(pattern, text) ? 1 : 0;
  }
  EXPECT_GT(matched, 5000);
}

TEST(Check, refuses_a_glob_that_matches_no_generator) {
  HostExecutor executor(serial_sum());
  CheckOptions options;
  options.generator_glob = "no_such_*";
  try {
    check(any_kernel(), ExactSumProperty(), executor, options);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_THAT(error.what(),
                AllOf(StartsWith("no generator matches 'no_such_*'; there are "), HasSubstr("empty")));
  }
}

TEST(Check, is_inapplicable_where_the_property_uses_none_of_the_generators) {
  HostExecutor executor(serial_sum());
  CheckOptions options;
  options.generator_glob = "cancel*";
  const CheckResult result = check(any_kernel(), OnlyEmpty(), executor, options);
  EXPECT_EQ(result.verdict, VerdictKind::inapplicable);
  EXPECT_EQ(result.reason, "it uses none of the generators that match 'cancel*'");
  EXPECT_EQ(executor.runs(), 0u);
}

TEST(Check, uses_the_generators_of_the_property_alone) {
  std::uint64_t longest = 0;
  HostExecutor executor([&](const Case& test_case) {
    longest = std::max(longest, test_case.n());
    return serial_sum()(test_case);
  });
  const CheckResult result = check(any_kernel(), OnlyEmpty(), executor, {});
  EXPECT_EQ(result.verdict, VerdictKind::holds);
  EXPECT_EQ(result.cases, 200u);
  EXPECT_EQ(longest, 0u);
}

TEST(Check, finds_a_dropped_element_with_every_generator_that_is_built_in) {
  HostExecutor executor(serial_sum(1));
  const CheckResult result = check(any_kernel(), ExactSumProperty(), executor, {});
  EXPECT_EQ(result.verdict, VerdictKind::falsified);
  ASSERT_TRUE(result.counterexample);
  EXPECT_EQ(result.counterexample->reduced.n(), 1u);
  EXPECT_EQ(result.counterexample->reduced.geometry, (Geometry{1, 32}));
}

}  // namespace
}  // namespace warpcheck::engine::testing

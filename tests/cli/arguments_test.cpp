#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <random>

#include "framework/cli/gtest_flags.hpp"
#include "framework/cli/numbers.hpp"
#include "framework/cli/selection.hpp"
#include "framework/cli/suggestion.hpp"
#include "framework/cli/usage_error.hpp"
#include "framework/cli/value_arguments.hpp"

namespace warpcheck::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

/// The distance by its definition, without any table.
std::size_t distance_by_definition(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  std::size_t best =
      std::min({distance_by_definition(a.substr(1), b) + 1, distance_by_definition(a, b.substr(1)) + 1,
                distance_by_definition(a.substr(1), b.substr(1)) + (a[0] == b[0] ? 0 : 1)});
  if (a.size() > 1 && b.size() > 1 && a[0] == b[1] && a[1] == b[0]) {
    best = std::min(best, distance_by_definition(a.substr(2), b.substr(2)) + 1);
  }
  return best;
}

TEST(Suggestion, edit_distance_is_that_of_its_definition) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string a, b;
    for (auto k = random() % 6; k > 0; --k) a += static_cast<char>('a' + random() % 3);
    for (auto k = random() % 6; k > 0; --k) b += static_cast<char>('a' + random() % 3);
    EXPECT_EQ(edit_distance(a, b), distance_by_definition(a, b)) << a << ' ' << b;
  }
}

TEST(Suggestion, near_names_are_the_nearest_first_and_far_ones_are_left_out) {
  const std::vector<std::string> names{"serial", "tree_two_pass", "shuffle_two_pass",
                                       "shuffle_two_pass_fp64"};
  EXPECT_THAT(near_names("seral", names), ElementsAre("serial"));
  EXPECT_THAT(near_names("SERIAL", names), ElementsAre("serial"));
  EXPECT_THAT(near_names("shuffle", names), ElementsAre("shuffle_two_pass", "shuffle_two_pass_fp64"));
  EXPECT_THAT(near_names("shufle_two_pass", names).front(), "shuffle_two_pass");
  EXPECT_THAT(near_names("x", std::vector<std::string>{"ab"}), IsEmpty());
  EXPECT_THAT(near_names("", names), IsEmpty());
  EXPECT_THAT(near_names(std::string(100000, 'a'), names), IsEmpty());
  EXPECT_EQ(did_you_mean("nothing_like_it", names), "");
}

TEST(Numbers, durations_have_a_unit) {
  using namespace std::chrono_literals;
  EXPECT_EQ(parse_duration("--budget", "500ms"), 500ms);
  EXPECT_EQ(parse_duration("--budget", "30s"), 30s);
  EXPECT_EQ(parse_duration("--budget", "1.5s"), 1500ms);
  EXPECT_EQ(parse_duration("--budget", "2m"), 2min);
  EXPECT_EQ(parse_duration("--budget", "1000h"), 1000h);
  for (const char* text :
       {"", "s", "0s", "5", "5 s", "-5s", "5sec", "1e3s", "nans", "infs", "1001h", "0.0001ms", "+5s"}) {
    EXPECT_THROW(parse_duration("--budget", text), UsageError) << text;
  }
}

TEST(Numbers, whole_numbers_are_digits_within_their_range) {
  EXPECT_EQ(parse_whole("--n", "0", 0, 5), 0u);
  EXPECT_EQ(parse_whole("--n", "5", 0, 5), 5u);
  for (const char* text : {"", "6", "-1", "+1", " 1", "1 ", "0x1", "1.0", "99999999999999999999999"}) {
    EXPECT_THROW(parse_whole("--n", text, 0, 5), UsageError) << text;
  }
  EXPECT_EQ(parse_seed("--seed", "18446744073709551615"), ~std::uint64_t{0});
  EXPECT_NE(parse_seed("--seed", "random"), parse_seed("--seed", "random"));
}

TEST(ValueArguments, values_are_told_from_options_by_what_follows_the_sign) {
  const std::vector<std::string> with_value{"--json", "--seed"};
  const auto take = [&](const std::vector<std::string>& arguments) {
    return take_values(arguments, with_value);
  };
  EXPECT_THAT(take({"1", "-2", "-.5", "-0x1p3", "-inf", "-Infinity", "-NAN", "-nanx"}).values,
              ElementsAre("1", "-2", "-.5", "-0x1p3", "-inf", "-Infinity", "-NAN", "-nanx"));
  EXPECT_THAT(take({"-h", "--help", "-x", "-", "-infx", "-.x"}).others,
              ElementsAre("-h", "--help", "-x", "-", "-infx", "-.x"));
  const ValueArguments mixed = take({"1", "--json", "-", "-2", "--seed", "3", "--seed=4", "5"});
  EXPECT_THAT(mixed.values, ElementsAre("1", "-2", "5"));
  EXPECT_THAT(mixed.others, ElementsAre("--json", "-", "--seed", "3", "--seed=4"));
  EXPECT_THAT(take({"--", "--json", "-x"}).values, ElementsAre("--json", "-x"));
  EXPECT_THAT(take({"1", "--json"}).others, ElementsAre("--json"));
}

TEST(Selection, names_come_in_their_order_once_each) {
  const std::vector<std::string> names{"a", "ab", "b"};
  EXPECT_THAT(select_names("thing", names, {}), ElementsAre(0, 1, 2));
  EXPECT_THAT(select_names("thing", names, std::vector<std::string>{"b", "a*", "?b"}), ElementsAre(0, 1, 2));
  EXPECT_THAT(select_names("thing", names, std::vector<std::string>{"?"}), ElementsAre(0, 2));
  EXPECT_THROW(select_names("thing", names, std::vector<std::string>{"a", "c*"}), UsageError);
}

TEST(GtestFlags, are_taken_out_and_known) {
  const std::vector<std::string> arguments{"kernel", "--gtest_filter=a.*", "--seed", "1", "--gtest_shuffle"};
  const SplitArguments split = split_googletest_flags(arguments);
  EXPECT_THAT(split.googletest, ElementsAre("--gtest_filter=a.*", "--gtest_shuffle"));
  EXPECT_THAT(split.others, ElementsAre("kernel", "--seed", "1"));
  EXPECT_NO_THROW(demand_googletest_flags(split.googletest));
  for (const char* flag :
       {"--gtest_nothing", "--gtest_repeat", "--gtest_repeat=1.5", "--gtest_random_seed="}) {
    const std::string text = flag;
    EXPECT_THROW(demand_googletest_flags({&text, 1}), UsageError) << flag;
  }
}

}  // namespace
}  // namespace warpcheck::cli

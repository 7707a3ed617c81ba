#include "framework/contract/finding.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>

namespace warpcheck {
namespace {

TEST(FindingKind, names_are_distinct_and_read_back) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(FindingKind::invalid_program); ++i) {
    const auto kind = static_cast<FindingKind>(i);
    EXPECT_TRUE(names.insert(name_of(kind)).second) << name_of(kind);
    EXPECT_EQ(finding_kind_from_name(name_of(kind)), kind);
  }
  EXPECT_EQ(names.size(), 17u);
}

TEST(FindingKind, names_are_the_enumerators_with_spaces) {
  EXPECT_EQ(name_of(FindingKind::out_of_bounds), "out of bounds");
  EXPECT_EQ(name_of(FindingKind::barrier_divergence), "barrier divergence");
  EXPECT_EQ(name_of(FindingKind::time_out), "time out");
  EXPECT_EQ(name_of(FindingKind::assertion_failed), "assertion failed");
  EXPECT_EQ(name_of(FindingKind::invalid_program), "invalid program");
}

TEST(FindingKind, an_unknown_name_is_named_in_the_error) {
  try {
    finding_kind_from_name("out_of_bounds");
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "\"out_of_bounds\" is no kind of finding; one is \"out of bounds\"");
  }
}

TEST(FindingKind, only_a_long_shuffle_distance_is_a_warning) {
  for (int i = 0; i <= static_cast<int>(FindingKind::invalid_program); ++i) {
    const auto kind = static_cast<FindingKind>(i);
    EXPECT_EQ(is_warning(kind), kind == FindingKind::shuffle_delta);
  }
}

}  // namespace
}  // namespace warpcheck

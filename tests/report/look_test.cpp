#include "framework/report/look.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

namespace warpcheck::report {
namespace {

const Look ascii{};
const Look unicode{false, true, 80};

TEST(Look, a_pipe_has_no_colour) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  EXPECT_FALSE(look_of(ends[1]).colour);
  close(ends[0]);
  close(ends[1]);
}

TEST(Look, tone_adds_nothing_without_colour_and_resets_with_it) {
  EXPECT_EQ(toned("x", Tone::bad, ascii), "x");
  const std::string coloured = toned("x", Tone::bad, Look{true, false, 80});
  EXPECT_TRUE(coloured.starts_with("\x1b["));
  EXPECT_TRUE(coloured.ends_with("\x1b[0m"));
  EXPECT_EQ(toned("", Tone::bad, Look{true, false, 80}), "");
}

TEST(Look, width_counts_code_points) {
  EXPECT_EQ(display_width("κ = 1"), 5u);
  EXPECT_EQ(display_width(""), 0u);
}

TEST(Look, wrapping_breaks_at_spaces_within_the_width) {
  EXPECT_EQ(wrapped("aa bb cc", 5), "aa bb\ncc");
  EXPECT_EQ(wrapped("aa bb cc", 5, "  "), "aa bb\n  cc");
  EXPECT_EQ(wrapped("a-word-that-is-long b", 5), "a-word-that-is-long\nb");
  EXPECT_EQ(wrapped("", 5), "");
  EXPECT_EQ(wrapped("  lead aa", 6, "    "), "  lead\n    aa");
}

TEST(Look, shortening_keeps_both_ends) {
  EXPECT_EQ(shortened("abcdefghij", 10, ascii), "abcdefghij");
  EXPECT_EQ(shortened("abcdefghijk", 10, ascii), "abcd..hijk");
  EXPECT_EQ(shortened("abcdefghijk", 10, unicode), "abcd…ghijk");
  EXPECT_EQ(shortened("κκκκκκκκ", 5, unicode), "κκ…κκ");
}

TEST(Look, digits_are_grouped_by_three_and_huge_counts_are_rounded) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1048576), "1,048,576");
  EXPECT_EQ(grouped_digits("3041409320171337804361260816606476884437764156896051200000000"),
            "about 3.04e+60");
}

}  // namespace
}  // namespace warpcheck::report

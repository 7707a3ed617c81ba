#include "generators/draw.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <set>

namespace warpcheck::generators {
namespace {

TEST(Draw, is_splitmix64) {
  // The published outputs for this seed.
  Draw draw(1234567);
  for (const std::uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                       4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(draw.bits(), expected);
  }
}

TEST(Draw, stays_in_range_and_reaches_both_ends) {
  Draw draw(1);
  std::set<std::int64_t> seen;
  for (int i = 0; i < 2000; ++i) seen.insert(draw.between(-3, 4));
  EXPECT_EQ(seen, (std::set<std::int64_t>{-3, -2, -1, 0, 1, 2, 3, 4}));
  for (int i = 0; i < 100; ++i) EXPECT_EQ(draw.below(1), 0u);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(draw.between(7, 7), 7);
}

TEST(Draw, covers_the_whole_range_of_64_bits) {
  Draw draw(2);
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  int negative = 0;
  for (int i = 0; i < 1000; ++i) negative += draw.between(lowest, highest) < 0 ? 1 : 0;
  EXPECT_GT(negative, 400);
  EXPECT_LT(negative, 600);
}

TEST(Draw, is_even) {
  Draw draw(3);
  std::array<int, 10> counts{};
  for (int i = 0; i < 100000; ++i) ++counts[draw.below(10)];
  // Ten standard deviations.
  for (const int count : counts) EXPECT_NEAR(count, 10000, 950);
  int quarter = 0;
  for (int i = 0; i < 100000; ++i) quarter += draw.chance(1, 4) ? 1 : 0;
  EXPECT_NEAR(quarter, 25000, 1400);
}

}  // namespace
}  // namespace warpcheck::generators

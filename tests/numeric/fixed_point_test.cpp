#include "framework/numeric/fixed_point.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <stdexcept>

#include "tests/numeric/exact_integer.hpp"

namespace warpcheck::numeric {
namespace {

using test::cpp_int;

constexpr std::uint64_t all_ones = ~std::uint64_t{0};

TEST(FixedPoint, is_the_sum_of_its_deposits_whatever_the_limit) {
  std::mt19937_64 random(50);
  for (const std::uint64_t limit :
       {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{1000}, FixedPoint::most_deposits}) {
    FixedPoint sum(limit);
    cpp_int expected = 0;
    for (int i = 0; i < 5000; ++i) {
      const std::uint64_t value = i % 3 == 0 ? all_ones : random();
      const int position = static_cast<int>(random() % 2200);
      sum.deposit(value, position);
      expected += cpp_int(value) << position;
    }
    EXPECT_EQ(sum.value().digits(), expected.str()) << limit;
    EXPECT_EQ(sum.value().digits(), expected.str()) << "reading changes nothing";
  }
}

TEST(FixedPoint, carries_before_a_digit_holds_more_than_the_limit_allows) {
  for (const std::uint64_t limit : {1, 5, 300}) {
    FixedPoint sum(limit);
    std::uint64_t fullest = 0;
    for (int i = 0; i < 2000; ++i) {
      sum.deposit(all_ones, 64);
      fullest = std::max(fullest, sum.fullest_digit());
    }
    EXPECT_LE(fullest, (limit + 1) * 0xFFFFFFFFu);
    EXPECT_GE(fullest, limit * 0xFFFFFFFFu) << "and not much earlier";
  }
}

TEST(FixedPoint, own_limit_keeps_every_digit_below_64_bits) {
  // What a carry leaves, the deposits, and the carry from the digit below.
  const cpp_int digit = (cpp_int(1) << 32) - 1;
  EXPECT_LT(digit + FixedPoint::most_deposits * digit + (cpp_int(1) << 32), cpp_int(1) << 64);
}

TEST(FixedPoint, refuses_a_limit_that_it_cannot_keep) {
  EXPECT_THROW(FixedPoint(0), std::invalid_argument);
  EXPECT_THROW(FixedPoint(FixedPoint::most_deposits + 1), std::invalid_argument);
}

}  // namespace
}  // namespace warpcheck::numeric

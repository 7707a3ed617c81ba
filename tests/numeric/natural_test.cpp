#include "framework/numeric/natural.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/numeric/exact_integer.hpp"

namespace warpcheck::numeric {
namespace {

using test::cpp_int;

struct Pair {
  Natural ours;
  cpp_int theirs;
};

Pair random_pair(std::mt19937_64& random, std::size_t most_words) {
  Pair p;
  for (std::size_t i = random() % (most_words + 1); i != 0; --i) {
    // Runs of zeros and ones make carries and borrows travel.
    const std::uint64_t word = random() % 3 == 0 ? 0 : random() % 3 == 0 ? ~std::uint64_t{0} : random();
    p.ours <<= 64;
    p.ours += Natural(word);
    p.theirs = (p.theirs << 64) + word;
  }
  return p;
}

TEST(Natural, agrees_with_another_integer_library_in_every_operation) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 3000; ++i) {
    const Pair a = random_pair(random, 12);
    const Pair b = random_pair(random, 12);
    ASSERT_EQ(a.ours.digits(), a.theirs.str());

    Natural sum = a.ours;
    ASSERT_EQ((sum += b.ours).digits(), cpp_int(a.theirs + b.theirs).str());
    Natural twice = a.ours;
    ASSERT_EQ((twice += twice).digits(), cpp_int(a.theirs * 2).str());
    ASSERT_EQ((a.ours * b.ours).digits(), cpp_int(a.theirs * b.theirs).str());
    ASSERT_EQ(a.ours < b.ours, a.theirs < b.theirs);
    ASSERT_EQ(a.ours == b.ours, a.theirs == b.theirs);
    Natural difference = a.ours < b.ours ? b.ours : a.ours;
    difference -= a.ours < b.ours ? a.ours : b.ours;
    ASSERT_EQ(difference.digits(), cpp_int(abs(a.theirs - b.theirs)).str());

    const int k = static_cast<int>(random() % 300);
    Natural shifted = a.ours;
    ASSERT_EQ((shifted <<= k).digits(), cpp_int(a.theirs << k).str());
    shifted = a.ours;
    ASSERT_EQ((shifted >>= k).digits(), cpp_int(a.theirs >> k).str());
    ASSERT_EQ(a.ours.word_at_bit(k), static_cast<std::uint64_t>((a.theirs >> k) & ~std::uint64_t{0}));
    ASSERT_EQ(a.ours.any_bit_below(k), (a.theirs & ((cpp_int(1) << k) - 1)) != 0);
    ASSERT_EQ(a.ours.bit_length(), a.theirs == 0 ? 0 : static_cast<int>(msb(a.theirs)) + 1);
    ASSERT_EQ(a.ours.trailing_zeros(), a.theirs == 0 ? 0 : static_cast<int>(lsb(a.theirs)));

    const std::uint64_t word = random() | 1;
    Natural product = a.ours;
    ASSERT_EQ(product.multiply_add(word, k).digits(), cpp_int(a.theirs * word + k).str());
    Natural quotient = a.ours;
    ASSERT_EQ(quotient.divide(word), static_cast<std::uint64_t>(a.theirs % word));
    ASSERT_EQ(quotient.digits(), cpp_int(a.theirs / word).str());
  }
}

TEST(Natural, powers_of_five_and_digits_are_exact) {
  for (unsigned k = 0; k < 1100; k += k < 60 ? 1 : 37) {
    const std::string expected = test::power(5, static_cast<int>(k)).str();
    EXPECT_EQ(Natural::power_of_five(k).digits(), expected);
    EXPECT_EQ(Natural::of_digits(expected), Natural::power_of_five(k));
  }
  EXPECT_TRUE(Natural::of_digits("0").is_zero());
  EXPECT_TRUE(Natural::of_digits("").is_zero());
  // Inner blocks of zeros must keep their places.
  const std::string sparse = "1" + std::string(40, '0') + "7" + std::string(19, '0');
  EXPECT_EQ(Natural::of_digits(sparse).digits(), sparse);
}

TEST(Natural, leading_bits_of_a_quotient_bracket_it) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const Pair a = random_pair(random, 9);
    const Pair b = random_pair(random, 9);
    if (a.theirs == 0 || b.theirs == 0) continue;
    const Truncated t = leading_bits_of_quotient(a.ours, b.ours, 0);
    ASSERT_GE(t.integer, std::uint64_t{1} << 62);
    // integer·2^e·b ≤ a < (integer + 1)·2^e·b, with equality on the left exactly when it is exact.
    const cpp_int left = t.exponent < 0 ? cpp_int(a.theirs << -t.exponent) : a.theirs;
    const cpp_int unit = t.exponent < 0 ? b.theirs : cpp_int(b.theirs << t.exponent);
    ASSERT_LE(unit * t.integer, left);
    ASSERT_LT(left, unit * (cpp_int(t.integer) + 1));
    ASSERT_EQ(unit * t.integer != left, t.inexact);
  }
}

}  // namespace
}  // namespace warpcheck::numeric

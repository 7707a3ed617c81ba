#include "framework/engine/simplicity.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "tests/engine/example.hpp"

namespace warpcheck::engine::testing {
namespace {

using numeric::Format;
using numeric::value_of;

TEST(Complexity, orders_values_as_a_reader_would) {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> ascending{0.0f,    1.0f, -1.0f, -0.0f, 2.0f, -2.0f, 0.5f, 4.0f,
                                     1024.0f, 3.0f, -3.0f, 6.0f,  5.0f, 0.1f,  inf,  -inf};
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    EXPECT_LT(complexity(value_of(ascending[i - 1])), complexity(value_of(ascending[i]))) << ascending[i];
  }
  EXPECT_LT(complexity(value_of(-inf)), complexity(numeric::quiet_nan(Format::fp32)));
  EXPECT_LT(complexity(numeric::quiet_nan(Format::fp32)), complexity({Format::fp32, 0x7fc00001}));
}

TEST(Complexity, counts_bits_before_exponents_in_every_format) {
  EXPECT_LT(complexity(value_of(0x1p-1074)), complexity(value_of(3.0)));
  EXPECT_LT(complexity(value_of(0x1.8p1023)), complexity(value_of(5.0)));
  EXPECT_LT(complexity(value_of(-0x1.fffffffffffffp-1022)),
            complexity(value_of(std::numeric_limits<double>::infinity())));
}

TEST(SignificantBits, span_the_first_to_the_last_one) {
  EXPECT_EQ(significant_bits(value_of(1.0f)), 1);
  EXPECT_EQ(significant_bits(value_of(0x1p-149f)), 1);
  EXPECT_EQ(significant_bits(value_of(5.0f)), 3);
  EXPECT_EQ(significant_bits(value_of(-0x1.fffffep0f)), 24);
  EXPECT_EQ(significant_bits(value_of(0x1.0000000000001p0)), 53);
  EXPECT_EQ(leading_exponent(value_of(0x1p-149f)), -149);
  EXPECT_EQ(leading_exponent(value_of(1.99f)), 0);
  EXPECT_EQ(leading_exponent(value_of(1e300)), 996);
}

TEST(WithSignificantBits, gives_the_neighbours_that_have_so_few) {
  Numbers numbers(5);
  for (int round = 0; round < 20'000; ++round) {
    const float x = std::fabs(numbers.real());
    const int bits = 1 + static_cast<int>(numbers.below(24));
    const auto down = with_significant_bits(value_of(x), bits, false);
    const auto up = with_significant_bits(value_of(x), bits, true);
    ASSERT_TRUE(down && up);
    // Stated with doubles: multiples of 2^(e − bits + 1) on both sides, less than one apart.
    const double step = std::ldexp(1.0, std::ilogb(x) - bits + 1);
    EXPECT_EQ(numeric::to_double(*down), std::floor(static_cast<double>(x) / step) * step);
    EXPECT_EQ(numeric::to_double(*up), std::ceil(static_cast<double>(x) / step) * step);
  }
  EXPECT_EQ(with_significant_bits(numeric::largest_finite(Format::fp32), 1, true), std::nullopt);
  EXPECT_EQ(with_significant_bits(numeric::largest_finite(Format::fp32), 1, false), value_of(0x1p127f));
  EXPECT_EQ(with_significant_bits(value_of(0x3p-149f), 1, false), value_of(0x2p-149f));
}

}  // namespace
}  // namespace warpcheck::engine::testing

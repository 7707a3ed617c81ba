#include "properties/window.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "generators/generator.hpp"
#include "tests/properties/contracts.hpp"

namespace warpcheck::properties {
namespace {

std::optional<numeric::Value> sum_of(const std::vector<float>& values,
                                     const KernelInfo& kernel = shuffle_kernel()) {
  return window_sum(kernel.contract, *make_input(values));
}

TEST(Window, ends_where_the_larger_sum_and_one_more_element_pass_two_to_the_p) {
  constexpr float limit = 0x1p24f;
  EXPECT_EQ(sum_of({limit / 2 - 1, 1}), numeric::value_of(limit / 2));
  // 2^23 - 1 + 2^23 - 1 is exact, but not with another of them.
  EXPECT_EQ(sum_of({limit / 2 - 1, limit / 2 - 1}), std::nullopt);
  // 2·m + m ≤ 2^24 for the greatest such m, 5592405.
  EXPECT_EQ(sum_of({5592405, 5592405}), numeric::value_of(11184810.0f));
  EXPECT_EQ(sum_of({5592406, 5592406 - 1}), std::nullopt) << "3·5592406 - 1 = 2^24 + 1";
  // Positive and negative ones have a budget each.
  EXPECT_EQ(sum_of({5592405, 5592405, -5592405, -5592405, 0}), numeric::value_of(0.0f));
}

TEST(Window, finds_the_common_power_of_two) {
  EXPECT_EQ(sum_of({0.5f, 3 * 0x1p-20f}), numeric::value_of(0.5f + 3 * 0x1p-20f));
  EXPECT_EQ(sum_of({1, 0x1p-24f}), std::nullopt);
  EXPECT_EQ(sum_of({1e-45f, 3e-45f, -1e-45f}), numeric::value_of(3e-45f))
      << "subnormals are a window as well";
  EXPECT_EQ(sum_of({0x1p120f, 0x1p104f}), numeric::value_of(0x1p120f + 0x1p104f));
  EXPECT_EQ(sum_of({0x1p127f, 0x1p126f}), std::nullopt) << "twice the larger would overflow";
}

TEST(Window, takes_zeros_and_nothing_that_is_not_finite) {
  EXPECT_EQ(sum_of({}), numeric::value_of(0.0f));
  EXPECT_EQ(sum_of({-0.0f, 0.0f}), numeric::value_of(0.0f));
  EXPECT_EQ(sum_of({1, INFINITY}), std::nullopt);
  EXPECT_EQ(sum_of({1, std::nanf("")}), std::nullopt);
}

TEST(Window, follows_the_narrowest_format) {
  // Not exact in fp32, but in fp64.
  const std::vector<double> values{0x1p30, 1};
  const auto input = make_input(values);
  EXPECT_EQ(window_sum(double_kernel().contract, *input), numeric::value_of(0x1p30 + 1));
  EXPECT_EQ(window_sum(narrowing_kernel().contract, *input), std::nullopt);
  EXPECT_EQ(sum_of({0x1p24f, 1}, mixed_kernel()), std::nullopt) << "the result is fp32";
}

TEST(Window, is_exact_in_any_order_of_any_tree) {
  // Random multiway orders by another route: pick two partial sums at random and replace them by their
  // rounded sum.
  const KernelInfo kernel = shuffle_kernel();
  std::mt19937_64 random(1);
  std::size_t windows = 0;
  for (const char* family : {"exact_window", "small_integers", "constant", "wide_exponents"}) {
    for (std::uint64_t seed = 0; seed < 150; ++seed) {
      const Case c = find_generator(family)->draw(kernel, seed);
      if (c.n() > 400) continue;
      const auto sum = window_sum(kernel.contract, *c.input);
      if (!sum) continue;
      ++windows;
      std::vector<float> partial;
      for (const numeric::Value value : c.input->values())
        partial.push_back(static_cast<float>(numeric::to_double(value)));
      while (partial.size() > 1) {
        std::swap(partial[random() % partial.size()], partial.back());
        const float last = partial.back();
        partial.pop_back();
        partial[random() % partial.size()] += last;
      }
      ASSERT_EQ(static_cast<double>(partial[0]), numeric::to_double(*sum)) << family << " " << seed;
    }
  }
  EXPECT_GT(windows, 300u);
}

TEST(Window, contains_every_case_that_the_generator_of_windows_makes) {
  for (const KernelInfo& kernel : generators::many_contracts()) {
    for (const char* family : {"exact_window", "small_integers"}) {
      for (std::uint64_t seed = 0; seed < 200; ++seed) {
        const Case c = find_generator(family)->draw(kernel, seed);
        // Twice 70,000 integers up to 100 may pass the limit of fp32.
        if (c.n() > 5000) continue;
        ASSERT_TRUE(window_sum(kernel.contract, *c.input))
            << family << " for " << kernel.name << ", n = " << c.n();
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck::properties

#include "properties/variants.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/properties/contracts.hpp"

namespace warpcheck::properties {
namespace {

Case sample() {
  Case c;
  c.input = make_input(std::vector<float>{1.5f, -0.0f, 1e-45f, std::nanf("7")});
  c.geometry = {2, 64};
  c.pointer_offset = 3;
  c.schedule = {Schedule::Order::random, 9};
  c.family = "some";
  return c;
}

void expect_same_launch(const Case& a, const Case& b) {
  EXPECT_EQ(a.geometry, b.geometry);
  EXPECT_EQ(a.pointer_offset, b.pointer_offset);
  EXPECT_EQ(a.schedule, b.schedule);
  EXPECT_EQ(a.family, b.family);
}

TEST(Variants, negation_flips_every_sign_bit_and_nothing_else) {
  const Case c = sample();
  const Case n = negated(c);
  expect_same_launch(c, n);
  for (std::uint64_t i = 0; i < 4; ++i) EXPECT_EQ((*n.input)[i].bits, (*c.input)[i].bits ^ 0x80000000u);
}

TEST(Variants, a_prefix_is_the_first_elements) {
  const Case c = sample();
  const Case p = prefix(c, 2);
  expect_same_launch(c, p);
  ASSERT_EQ(p.n(), 2u);
  EXPECT_EQ((*p.input)[0], (*c.input)[0]);
  EXPECT_EQ((*p.input)[1], (*c.input)[1]);
  EXPECT_EQ(prefix(c, 0).n(), 0u);
}

TEST(Variants, scaling_refuses_what_is_not_exact) {
  Case c = sample();
  c.input = make_input(std::vector<float>{3.0f, 1e-45f});
  EXPECT_FALSE(scaled(c, -1)) << "half of the smallest subnormal";
  ASSERT_TRUE(scaled(c, 5));
  EXPECT_EQ((*scaled(c, 5)->input)[0], numeric::value_of(96.0f));
  c.input = make_input(std::vector<float>{3e38f});
  EXPECT_FALSE(scaled(c, 1)) << "overflow";
}

TEST(Variants, geometries_are_accepted_different_and_begin_with_the_case_own) {
  for (const KernelInfo& kernel : generators::many_contracts()) {
    Case c = sample();
    c.geometry = kernel.contract.nearest({2, 64});
    const std::vector<Geometry> geometries = several_geometries(kernel.contract, c, 3);
    EXPECT_EQ(geometries[0], c.geometry);
    EXPECT_LE(geometries.size(), 4u);
    EXPECT_GE(geometries.size(), kernel.name == "fixed" ? 2u : 3u) << kernel.name;
    for (std::size_t i = 0; i < geometries.size(); ++i) {
      EXPECT_TRUE(kernel.contract.accepts(geometries[i])) << kernel.name;
      EXPECT_LE(geometries[i].threads(), 4096u) << kernel.name;
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(geometries[i], geometries[j]) << kernel.name;
    }
  }
}

TEST(Variants, seeds_differ_with_the_elements) {
  EXPECT_EQ(seed_from(*make_input(std::vector<float>{1, 2})),
            seed_from(*make_input(std::vector<float>{1, 2})));
  EXPECT_NE(seed_from(*make_input(std::vector<float>{1, 2})),
            seed_from(*make_input(std::vector<float>{2, 1})));
}

}  // namespace
}  // namespace warpcheck::properties

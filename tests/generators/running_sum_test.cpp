#include "generators/running_sum.hpp"

#include <gtest/gtest.h>

#include "framework/numeric/exact_sum.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

using numeric::Format;
using numeric::Value;

TEST(RunningSum, equals_the_exact_accumulator_after_every_addition) {
  Draw draw(1);
  for (const Format format : {Format::fp32, Format::fp64}) {
    const int precision = numeric::traits(format).precision;
    for (int round = 0; round < 200; ++round) {
      const int lowest = static_cast<int>(draw.between(-60, 20));
      const int spread = static_cast<int>(draw.between(0, 100));
      RunningSum sum(lowest - precision);
      numeric::ExactSum exact(format);
      for (int i = 0; i < 60; ++i) {
        const Value value = draw_normal(draw, format, lowest, lowest + spread);
        sum.add(value);
        exact.add(value);
        ASSERT_EQ(sum.nearest(format), exact.sum().round_to(format));
        ASSERT_EQ(sum.nearest(Format::fp64), exact.sum().round_to(Format::fp64));
      }
    }
  }
}

TEST(RunningSum, of_what_cancels_is_plus_zero) {
  RunningSum sum(-30);
  for (const float x : {1e8f, -3.5f, 3.5f, -1e8f, 0.0f, -0.0f}) sum.add(numeric::value_of(x));
  EXPECT_EQ(sum.nearest(Format::fp32), numeric::zero(Format::fp32));
}

}  // namespace
}  // namespace warpcheck::generators

#include "framework/contract/case.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

namespace warpcheck {
namespace {

using numeric::Format;

TEST(InputArray, holds_exactly_the_bits_it_was_given) {
  const std::vector<float> values{1e8f, 1.0f, -0.0f, std::numeric_limits<float>::quiet_NaN()};
  const auto input = make_input(values);
  ASSERT_EQ(input->size(), 4u);
  EXPECT_EQ(input->format(), Format::fp32);
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_EQ((*input)[i], numeric::value_of(values[i]));
  EXPECT_EQ(input->values().size(), 4u);
}

TEST(InputArray, is_the_same_from_values_and_from_native_numbers) {
  const std::vector<double> numbers{0.1, -5e-324, 1e308};
  std::vector<numeric::Value> values;
  for (const double x : numbers) values.push_back(numeric::value_of(x));
  const auto from_numbers = make_input(numbers);
  const auto from_values = make_input(Format::fp64, values);
  EXPECT_TRUE(std::equal(from_numbers->bytes().begin(), from_numbers->bytes().end(),
                         from_values->bytes().begin(), from_values->bytes().end()));
}

TEST(InputArray, refuses_half_an_element) {
  EXPECT_THROW(InputArray(Format::fp64, std::vector<std::byte>(12)), std::invalid_argument);
  EXPECT_NO_THROW(InputArray(Format::fp32, std::vector<std::byte>(12)));
  try {
    InputArray(Format::fp32, std::vector<std::byte>(7));
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "an array of 7 bytes is no whole number of fp32 elements of 4 bytes");
  }
}

TEST(Case, measures_its_condition_from_the_array) {
  Case cancelling;
  cancelling.input = make_input(std::vector<float>{1e8f, 1.0f, -1e8f, 1.0f});
  EXPECT_EQ(cancelling.n(), 4u);
  EXPECT_DOUBLE_EQ(cancelling.condition(), 200000002.0 / 2.0);

  const Case copy = cancelling;
  EXPECT_EQ(copy.input.get(), cancelling.input.get());
  EXPECT_EQ(&copy.input->reference(), &cancelling.input->reference()) << "computed once and shared";
}

TEST(Case, an_empty_array_has_condition_1) {
  Case empty;
  empty.input = make_input(std::span<const float>{});
  EXPECT_EQ(empty.n(), 0u);
  EXPECT_EQ(empty.condition(), 1.0);
}

}  // namespace
}  // namespace warpcheck

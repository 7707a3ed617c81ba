#include "properties/messages.hpp"

#include <gtest/gtest.h>

namespace warpcheck::properties {
namespace {

std::shared_ptr<const InputArray> floats(std::vector<float> values) {
  return make_input(values);
}

TEST(Messages, give_the_exact_sum_and_its_rounding_where_they_differ) {
  EXPECT_EQ(exact_sum_text(floats({1, 2})->reference(), numeric::Format::fp32), "3");
  EXPECT_EQ(exact_sum_text(floats({0x1p24f, 1})->reference(), numeric::Format::fp32),
            "16777217 exactly, 16777216 rounded to fp32");
  EXPECT_EQ(exact_sum_text(floats({0x1p24f, 1})->reference(), numeric::Format::fp64), "16777217");
  EXPECT_EQ(exact_sum_text(floats({3e38f, 3e38f})->reference(), numeric::Format::fp32)
                    .find("inf rounded to fp32") != std::string::npos,
            true);
}

TEST(Messages, shorten_what_has_hundreds_of_digits) {
  const std::string text = exact_sum_text(floats({1e-45f, 1})->reference(), numeric::Format::fp32);
  EXPECT_LT(text.size(), 80u) << text;
  EXPECT_NE(text.find("..."), std::string::npos) << text;
}

TEST(Messages, give_the_distance_of_a_result) {
  const auto input = floats({1, 2});
  EXPECT_EQ(result_text(numeric::value_of(3.0f), input->reference()), "3, 0 ulp from the exact sum rounded");
  EXPECT_EQ(result_text(numeric::quiet_nan(numeric::Format::fp32), input->reference()), "nan");
  EXPECT_EQ(result_text(numeric::value_of(2.0f), numeric::value_of(4.0f)), "2, 8388608 ulp from it");
}

TEST(Messages, describe_launches) {
  EXPECT_EQ(geometry_text({1, 32}), "1 block of 32 threads");
  EXPECT_EQ(geometry_text({3, 1}), "3 blocks of 1 thread");
  EXPECT_EQ(schedule_text({}), "schedule lowest first");
  EXPECT_EQ(schedule_text({Schedule::Order::random, 7}), "schedule random 7");
  EXPECT_EQ(poison_text(0x0042f6a0u), "memory filled with 0x0042f6a0");
}

TEST(Messages, list_twelve_elements_at_most) {
  EXPECT_EQ(elements_text(*floats({})), "[]");
  EXPECT_EQ(elements_text(*floats({1e8f, 1, -1e8f, 1})), "[1e+08, 1, -1e+08, 1]");
  EXPECT_EQ(elements_text(*floats(std::vector<float>(20, 1.0f))),
            "[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...]");
}

}  // namespace
}  // namespace warpcheck::properties

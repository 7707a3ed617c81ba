#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

#include "framework/contract/height.hpp"

namespace warpcheck {
namespace {

constexpr std::uint64_t kMax = std::numeric_limits<std::uint64_t>::max();

std::uint64_t value(std::string_view formula, std::uint64_t n = 100, std::uint32_t grid = 3,
                    std::uint32_t block = 32) {
  return evaluate_height(formula, n, grid, block);
}

std::string error_of(std::string_view formula) {
  try {
    value(formula);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

TEST(HeightFormula, knows_numbers_and_the_three_variables) {
  EXPECT_EQ(value("0"), 0u);
  EXPECT_EQ(value("18446744073709551615"), kMax);
  EXPECT_EQ(value("n"), 100u);
  EXPECT_EQ(value("grid"), 3u);
  EXPECT_EQ(value("block"), 32u);
}

TEST(HeightFormula, multiplies_before_it_adds_and_goes_from_left_to_right) {
  EXPECT_EQ(value("2+3*4"), 14u);
  EXPECT_EQ(value("(2+3)*4"), 20u);
  EXPECT_EQ(value("20-5-3"), 12u);
  EXPECT_EQ(value("100/7/2"), 7u);
  EXPECT_EQ(value("100/(7/2)"), 33u);
  EXPECT_EQ(value(" n\t- 1 "), 99u);
}

TEST(HeightFormula, has_min_max_ceil_div_and_ceil_log2) {
  EXPECT_EQ(value("min(n, 7)"), 7u);
  EXPECT_EQ(value("max(n, 7)"), 100u);
  EXPECT_EQ(value("ceil_div(n, grid*block)"), 2u);
  EXPECT_EQ(value("ceil_div(96, grid*block)"), 1u);
  for (std::uint64_t x = 1; x <= 4096; ++x) {
    std::uint64_t k = 0;
    for (std::uint64_t power = 1; power < x; power *= 2) ++k;
    EXPECT_EQ(value("ceil_log2(n)", x), k) << x;
  }
  EXPECT_EQ(value("ceil_log2(0)"), 0u);
  EXPECT_EQ(value("ceil_div(n, grid*block) - 1 + ceil_log2(grid*block)"), 8u);
  EXPECT_EQ(value("min(max(n,grid),ceil_log2(min(block,1024)))"), 5u);
}

TEST(HeightFormula, stops_at_the_ends_of_its_range) {
  EXPECT_EQ(value("3-5"), 0u);
  EXPECT_EQ(value("3-5+1"), 1u);
  EXPECT_EQ(value("n-1", 0), 0u);
  EXPECT_EQ(value("n/0"), 0u);
  EXPECT_EQ(value("ceil_div(n, 0)"), 0u);
  EXPECT_EQ(value("18446744073709551615+1"), kMax);
  EXPECT_EQ(value("18446744073709551616"), kMax);
  EXPECT_EQ(value("4294967296*4294967296"), kMax);
  EXPECT_EQ(value("n*block", kMax), kMax);
  EXPECT_EQ(value("n*0", kMax), 0u);
}

TEST(HeightFormula, names_what_it_does_not_understand_and_where) {
  const std::string operand = "a number, n, grid, block, min, max, ceil_div, ceil_log2 or (";
  EXPECT_EQ(error_of(""), "height formula, position 1: found the end of the formula, expected " + operand);
  EXPECT_EQ(error_of("n +"), "height formula, position 4: found the end of the formula, expected " + operand);
  EXPECT_EQ(error_of("n + blocks"), "height formula, position 5: found \"blocks\", expected " + operand);
  EXPECT_EQ(error_of("-n"), "height formula, position 1: found \"-\", expected " + operand);
  EXPECT_EQ(error_of("n 2"),
            "height formula, position 3: found \"2\", expected an operator or the end of the formula");
  EXPECT_EQ(error_of("2n"),
            "height formula, position 2: found \"n\", expected an operator or the end of the formula");
  EXPECT_EQ(error_of("(n"),
            "height formula, position 3: found the end of the formula, expected an operator or )");
  EXPECT_EQ(error_of("n)"),
            "height formula, position 2: found \")\", expected an operator or the end of the formula");
  EXPECT_EQ(
      error_of("min(n)"),
      "height formula, position 6: found \")\", expected an operator, or a comma and a second argument");
  EXPECT_EQ(error_of("ceil_log2(n, 2)"),
            "height formula, position 12: found \",\", expected an operator or )");
  EXPECT_EQ(
      error_of("min"),
      "height formula, position 4: found the end of the formula, expected ( after the name of a function");
  EXPECT_EQ(error_of("n + 1.5"),
            "height formula, position 6: found \".\", expected an operator or the end of the formula");
  EXPECT_EQ(error_of("n \n"),
            "height formula, position 3: found byte 10, expected an operator or the end of the formula");
  EXPECT_EQ(error_of("\xe2\x8c\x88n\xe2\x8c\x89"),
            "height formula, position 1: found byte 226, expected " + operand);
}

TEST(HeightFormula, refuses_nesting_that_could_exhaust_the_stack) {
  EXPECT_EQ(value(std::string(100, '(') + "n" + std::string(100, ')')), 100u);
  EXPECT_NE(error_of(std::string(101, '(') + "n" + std::string(101, ')')).find("at most 100 levels"),
            std::string::npos);
  EXPECT_NE(error_of(std::string(1000000, '(')).find("at most 100 levels"), std::string::npos);
  std::string calls;
  for (int i = 0; i < 1000; ++i) calls += "min(";
  EXPECT_NE(error_of(calls).find("at most 100 levels"), std::string::npos);
}

}  // namespace
}  // namespace warpcheck

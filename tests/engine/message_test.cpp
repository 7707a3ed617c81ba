#include "framework/engine/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "framework/record/element_text.hpp"
#include "tests/engine/example.hpp"

namespace warpcheck::engine::testing {
namespace {

using record::array_text;
using record::element_bits_text;
using record::element_text;
using record::read_element_bits;

using numeric::Format;

/// Compares with a file in golden/; WARPCHECK_UPDATE_GOLDEN=1 writes it instead, for a person to read in the
/// diff.
void expect_golden(const std::string& name, const std::string& text) {
  const std::string path = std::string(WARPCHECK_GOLDEN_DIR) + "/" + name;
  if (std::getenv("WARPCHECK_UPDATE_GOLDEN") != nullptr) std::ofstream(path, std::ios::binary) << text;
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << path << " is missing";
  std::stringstream expected;
  expected << file.rdbuf();
  EXPECT_EQ(text, expected.str()) << "differs from " << path;
}

std::size_t columns_of(std::string_view line) {
  std::size_t columns = 0;
  for (const char c : line) columns += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return columns;
}

Counterexample over_the_bound() {
  Counterexample example = plain_counterexample();
  std::vector<float> values(33, 0.0f);
  values.back() = 1;
  example.reduced = case_of(values);
  example.original = case_of(random_floats(2000, 5), {3, 96});
  example.original.family = "boundary_lengths";
  example.original.parameters = {{"boundary", "grid·block + 1"}};
  Verdict& verdict = example.verdict;
  verdict.expected = "1 (the exact sum, rounded once to fp32)";
  verdict.got = "0, 1065353216 ulp away";
  verdict.bound = "1.91e-06 = (n-1)*v*A; n=33, v=u/(1+u), u=2^-24 (Jeannerod & Rump 2018, Thm 4.1)";
  verdict.reason = "the result is further from the exact sum than any order of additions can bring it";
  verdict.measures.abs_error = 1;
  verdict.measures.error_over_sum_abs = 1;
  verdict.measures.error_over_tolerance = 524288.03125;
  verdict.measures.condition = 1;
  example.reduction_runs = 214;
  return example;
}

TEST(Message, tells_a_numeric_fault) {
  expect_golden(
      "over_the_bound.txt",
      describe(over_the_bound(), ".warpcheck/my_sum.within_proved_bound.over_the_bound-1234abcd.json"));
}

TEST(Message, tells_a_violation_with_places_threads_and_advice) {
  Counterexample example = full_counterexample();
  example.verdict.expected.clear();
  example.verdict.got.clear();
  example.verdict.bound.clear();
  example.verdict.measures = {};
  expect_golden("violation.txt", describe(example, "it's here/a b.json"));
}

TEST(Message, tells_how_to_repeat_a_search_that_was_not_stored) {
  Counterexample example = over_the_bound();
  example.verdict.measures.zero_blind = true;
  example.verdict.measures.condition = 1e8;
  example.reduced.pointer_offset = 1;
  example.reduced.schedule.order = Schedule::Order::highest_first;
  example.flaky = true;
  expect_golden("not_stored.txt", describe(example));
}

TEST(Message, shortens_a_long_array_and_says_by_how_much) {
  Counterexample example = over_the_bound();
  example.reduced = case_of(random_floats(1000, 5));
  expect_golden("long_array.txt", describe(example, ".warpcheck/x.json"));
}

TEST(Message, stays_within_80_columns_but_for_single_words) {
  for (const Counterexample& example : {over_the_bound(), full_counterexample(), plain_counterexample()}) {
    std::istringstream lines(describe(example, ".warpcheck/x.json"));
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(columns_of(line), 80u) << line;
      EXPECT_FALSE(line.ends_with(' ')) << line;
    }
  }
}

TEST(Message, quotes_a_path_for_the_shell) {
  EXPECT_EQ(reproduce_command(plain_counterexample(), "a/b.json"), "warpcheck replay a/b.json");
  EXPECT_EQ(reproduce_command(plain_counterexample(), "it's b.json"), "warpcheck replay 'it'\\''s b.json'");
}

TEST(ArrayText, is_exact_and_short) {
  std::vector<float> values(1024, 1.0f);
  values.push_back(0.1875f);
  values.insert(values.end(), 3, 0.0f);
  EXPECT_EQ(array_text(*case_of(values).input, 16), "[1 ×1024, 0.1875, 0 ×3]");
  EXPECT_EQ(array_text(*case_of({}).input, 16), "[]");
  EXPECT_EQ(array_text(*case_of({0.1f, -0.0f, 16777216, 1e30f}).input, 16),
            "[0x1.99999ap-4, -0, 16777216, 0x1.93e594p+99]");
  EXPECT_EQ(array_text(*case_of({1, 2, 3, 4, 5, 6, 7, 8, 9}).input, 4), "[1, 2, 3, … 5 elements …, 9]");
  EXPECT_EQ(array_text(*case_of({1, 2, 3, 4}).input, 4), "[1, 2, 3, 4]");
  EXPECT_EQ(array_text(*case_of({1, 2, 2, 4, 5}).input, 2), "[1, 2 ×2, … 2 elements …]");
}

TEST(ElementText, keeps_payloads_and_reads_back_every_bit) {
  EXPECT_EQ(element_text(numeric::quiet_nan(Format::fp32)), "nan");
  EXPECT_EQ(element_text({Format::fp32, 0x7fc00001}), "nan:0x7fc00001");
  EXPECT_EQ(element_bits_text(numeric::quiet_nan(Format::fp64)), "nan:0x7ff8000000000000");
  EXPECT_EQ(element_bits_text(numeric::value_of(-6.0)), "-0x1.8p+2");
  Numbers numbers(1);
  for (const Format format : numeric::all_formats()) {
    for (int round = 0; round < 50'000; ++round) {
      const numeric::Value value{format, numbers.bits() >> (64 - numeric::traits(format).bits)};
      const auto read = read_element_bits(element_bits_text(value), format);
      ASSERT_TRUE(read) << read.error;
      ASSERT_EQ(read.value->bits, value.bits);
    }
  }
}

}  // namespace
}  // namespace warpcheck::engine::testing

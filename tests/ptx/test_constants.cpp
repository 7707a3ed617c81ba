#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

std::uint64_t initial_bits(const std::string& type, const std::string& expression) {
  const Module module = parsed(".global ." + type + " x = " + expression + ";");
  if (module.variables.size() != 1) return 0xdeadbeef;
  const auto& bytes = module.variables[0].initial_bytes;
  EXPECT_EQ(bytes.size(), size_of(*type_from_name(type)));
  std::uint64_t bits = 0;
  std::memcpy(&bits, bytes.data(), bytes.size());
  return bits;
}

std::int64_t integer(const std::string& expression) {
  return static_cast<std::int64_t>(initial_bits("s64", expression));
}

double real(const std::string& expression) {
  return std::bit_cast<double>(initial_bits("f64", expression));
}

std::string rejected(const std::string& type, const std::string& expression) {
  return error_of(".global ." + type + " x = " + expression + ";");
}

// The expected values are those that ptxas 13.0 puts into the object file for the same declaration, except
// where a test says otherwise.

TEST(ConstantExpression, reads_integers_of_all_bases) {
  EXPECT_EQ(integer("0"), 0);
  EXPECT_EQ(integer("0x1fU"), 31);
  EXPECT_EQ(integer("0X1F"), 31);
  EXPECT_EQ(integer("010 + 0b101"), 13);
  EXPECT_EQ(integer("0xffffffffffffffff"), -1);
  EXPECT_EQ(integer("WARP_SZ*2"), 64);
}

TEST(ConstantExpression, binds_operators_as_c_does) {
  EXPECT_EQ(integer("2+3*4<<1"), 28);
  EXPECT_EQ(integer("-(1+2)*3"), -9);
  EXPECT_EQ(integer("5 - -3"), 8);
  EXPECT_EQ(integer("5 - 3 - 1"), 1);
  EXPECT_EQ(integer("1 | 2 ^ 3 & 1"), 1 | (2 ^ (3 & 1)));
  EXPECT_EQ(integer("1 || 0 && 0"), 1);
  EXPECT_EQ(integer("1 ? 2 : 0 ? 3 : 4"), 2);
  EXPECT_EQ(integer("1 < 2 == 1"), 1);
}

TEST(ConstantExpression, decides_signedness_by_the_usual_conversions) {
  EXPECT_EQ(integer("-7 / 2"), -3);
  EXPECT_EQ(integer("-16 >> 2"), -4);
  EXPECT_EQ(integer("-16 >> 2U"), -4) << "a shift has the type of its first operand";
  EXPECT_EQ(integer("(-16 << 1U) >> 2"), -8);
  EXPECT_EQ(integer("(-16 | 0U) >> 60"), 15);
  EXPECT_EQ(integer("-(1U) >> 60"), 15);
  EXPECT_EQ(integer("-1 >= 1U"), 1);
  EXPECT_EQ(integer("(0x7fffffffffffffff + 1) < 0"), 1);
  EXPECT_EQ(integer("~0 >> 60"), 15) << "complement is unsigned";
  EXPECT_EQ(integer("(-1 & -1) >> 60"), -1) << "and of signed is signed";
  EXPECT_EQ(integer("-1 < 1U"), 0);
  EXPECT_EQ(integer("-1 < 1"), 1);
  EXPECT_EQ(integer("-7 % 4"), 1) << "remainder takes its operands as unsigned";
  EXPECT_EQ(integer("-7 % 4 < 0"), 0);
  EXPECT_EQ(integer("(.s64)5U - 6"), -1);
  EXPECT_EQ(integer("(.u64)-16 >> 60"), 15);
  EXPECT_EQ(integer("1 << 64"), 1) << "shift counts are taken modulo 64";
  EXPECT_EQ(integer("1<<-1"), std::int64_t{1} << 63);
  EXPECT_EQ(integer("!0 + ~0"), 0);
}

// ptxas gives -1; the text asks for the usual conversions of the second and third operands (PTX ISA §4.5.5).
TEST(ConstantExpression, conditional_converts_what_it_does_not_choose_too) {
  EXPECT_EQ(integer("(1 ? -1 : 0U) >> 60"), 15);
}

// ptxas itself dies of this one; the text asks for 64-bit arithmetic and no trap.
TEST(ConstantExpression, most_negative_by_minus_one_wraps) {
  EXPECT_EQ(integer("(1<<63)/-1"), std::int64_t{1} << 63);
}

TEST(ConstantExpression, computes_in_double) {
  EXPECT_EQ(real("1.0/3.0"), 1.0 / 3.0);
  EXPECT_EQ(real("0d3FF0000000000000 + 1.0"), 2.0);
  EXPECT_EQ(real(".5e1"), 5.0);
  EXPECT_EQ(real("1."), 1.0);
  EXPECT_EQ(real("-0.0"), 0.0);
  EXPECT_TRUE(std::signbit(real("-0.0")));
  EXPECT_EQ(integer("1.5 < 2.5"), 1);
}

TEST(ConstantExpression, rounds_to_the_variable_once) {
  EXPECT_EQ(initial_bits("f32", "1.0/3.0"), 0x3eaaaaabu);
  EXPECT_EQ(initial_bits("f32", "0F3f800000"), 0x3f800000u);
  EXPECT_EQ(initial_bits("b32", "0f3F800000"), 0x3f800000u);
  EXPECT_EQ(initial_bits("b64", "1.5"), 0x3ff8000000000000u);
  EXPECT_EQ(initial_bits("u8", "300"), 0x2cu);
}

TEST(ConstantExpression, refuses_what_has_no_meaning) {
  EXPECT_EQ(rejected("s64", "1/0"), "2:19: division by zero in a constant expression");
  EXPECT_EQ(rejected("s64", "1 % 0"), "2:20: division by zero in a constant expression");
  EXPECT_EQ(rejected("s64", "08"), "2:18: malformed integer '08'");
  EXPECT_EQ(rejected("s64", "12u"), "2:18: malformed integer '12u'");
  EXPECT_EQ(rejected("s64", "0x"), "2:18: malformed integer '0x'");
  EXPECT_EQ(rejected("s64", "0x1ffffffffffffffff"),
            "2:18: integer '0x1ffffffffffffffff' does not fit 64 bits");
  EXPECT_EQ(rejected("f32", "0f3f80"), "2:18: expected 0f and 8 hexadecimal digits, found '0f3f80'");
  EXPECT_EQ(rejected("f64", "1e400"), "2:18: number '1e400' is outside double's range");
  EXPECT_EQ(rejected("f32", "1"), "2:18: initial value '1' does not suit type .f32");
  EXPECT_EQ(rejected("u32", "1.5"), "2:18: initial value '1.5' does not suit type .u32");
  EXPECT_EQ(rejected("s64", "7 %3"), "2:20: expected ',' or ';' after the declaration, found '%3'");
  EXPECT_TRUE(rejected("f64", "1.0/3").starts_with("2:21: operator '/' mixes"));
  EXPECT_TRUE(rejected("f32", "0f3F800000 + 0f3F800000").starts_with("2:29: operator '+' mixes"));
  EXPECT_TRUE(rejected("s64", "1 ? 2.5 : 3").starts_with("2:20: operator '?' mixes"));
}

TEST(ConstantExpression, refuses_nesting_without_end) {
  for (const std::string open : {"(", "-", "!", "1?", "1+(", "(.s64)"}) {
    std::string text;
    for (int i = 0; i < 100000; ++i) text += open;
    EXPECT_NE(rejected("s64", text).find("nested too deeply"), std::string::npos) << open;
  }
}

}  // namespace
}  // namespace warpcheck::ptx

#include "framework/numeric/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <random>

#include "tests/numeric/random_values.hpp"

namespace warpcheck::numeric {
namespace {

using test::random_bits;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Value read(const std::string& text, Format format = Format::fp32) {
  const Parsed<Value> parsed = parse_value(text, format);
  EXPECT_TRUE(parsed) << text << ": " << parsed.error;
  return parsed.value.value_or(quiet_nan(format));
}

std::string refusal(const std::string& text, Format format = Format::fp32) {
  const Parsed<Value> parsed = parse_value(text, format);
  EXPECT_FALSE(parsed) << text;
  EXPECT_THAT(parsed.error, Not(HasSubstr("\n")));
  return parsed.error;
}

TEST(ParseValue, reads_what_a_programmer_writes) {
  EXPECT_EQ(read("1e8"), value_of(1e8f));
  EXPECT_EQ(read("-1e8"), value_of(-1e8f));
  EXPECT_EQ(read("+2.50"), value_of(2.5f));
  EXPECT_EQ(read("-.5"), value_of(-0.5f));
  EXPECT_EQ(read("5."), value_of(5.0f));
  EXPECT_EQ(read("0.1"), value_of(0.1f));
  EXPECT_EQ(read("0.1", Format::fp64), value_of(0.1));
  EXPECT_EQ(read("00012.500E+01"), value_of(125.0f));
  EXPECT_EQ(read("1.4e-45"), smallest_subnormal(Format::fp32));
  EXPECT_EQ(read("1e-45"), smallest_subnormal(Format::fp32));
  EXPECT_EQ(read("5e-324", Format::fp64), smallest_subnormal(Format::fp64));
  EXPECT_EQ(read("3.4028235e38"), largest_finite(Format::fp32));
  EXPECT_EQ(read("3.40282347e+38"), largest_finite(Format::fp32));
  EXPECT_EQ(read("1.17549435e-38"), value_of(0x1p-126f));
  EXPECT_EQ(read("100000000000000000000"), value_of(1e20f));
  EXPECT_EQ(read("0"), value_of(0.0f));
  EXPECT_EQ(read("-0.000e99999999999"), value_of(-0.0f));
  EXPECT_EQ(read("0.00000000000000000000000000000000000000000000001e47"), value_of(1.0f));
}

TEST(ParseValue, reads_hex_floats_exactly) {
  EXPECT_EQ(read("0x1.8p3"), value_of(12.0f));
  EXPECT_EQ(read("-0x.8p+1"), value_of(-1.0f));
  EXPECT_EQ(read("0X1.FFFFFEP127"), largest_finite(Format::fp32));
  EXPECT_EQ(read("0x1p-149"), smallest_subnormal(Format::fp32));
  EXPECT_EQ(read("0x0.00001p-129"), smallest_subnormal(Format::fp32));
  EXPECT_EQ(read("0x10"), value_of(16.0f));
  EXPECT_EQ(read("0x100000000000000000000000000"), value_of(0x1p104f));
  EXPECT_EQ(read("-0x0p0"), value_of(-0.0f));
  EXPECT_EQ(read("0x1.8c4d52p-101"), value_of(0x1.8c4d52p-101f));
}

TEST(ParseValue, reads_infinities_and_nan_with_their_sign) {
  for (const Format f : all_formats()) {
    EXPECT_EQ(read("inf", f), infinity(f));
    EXPECT_EQ(read("-inf", f), infinity(f, true));
    EXPECT_EQ(read("+Infinity", f), infinity(f));
    EXPECT_EQ(read("nan", f), quiet_nan(f));
    EXPECT_EQ(read("-NaN", f), quiet_nan(f, true));
  }
}

TEST(ParseValue, refuses_text_that_is_not_a_number) {
  for (const char* text :
       {"",    "-",  "+",  ".",  "e5",  "1e",    "1e+",  "0x",     "0xp3",     "0x1p", "1.2.3", "--1",
        "+-1", " 1", "1 ", "1f", "1,5", "infin", "nanx", "nan(1)", "0x1.8p3f", "abc",  "1e5.0", "−1"}) {
    EXPECT_THAT(refusal(text), AllOf(HasSubstr("is not a number"), HasSubstr("hex float"))) << text;
  }
  EXPECT_LT(refusal(std::string(100'000, 'x')).size(), 200u);
  EXPECT_THAT(refusal("1\n2"), HasSubstr("'1?2'"));
}

TEST(ParseValue, refuses_a_number_that_the_format_does_not_have_and_names_the_nearest) {
  EXPECT_EQ(refusal("16777217"), "16777217 is not a value of fp32; the nearest is 16777216");
  EXPECT_EQ(read("16777217", Format::fp64), value_of(16777217.0));
  EXPECT_EQ(refusal("3.14159265358979"),
            "3.14159265358979 is not a value of fp32; the nearest is 3.1415927 (0x1.921fb6p+1)");
  EXPECT_THAT(refusal("0x1.000001p0"), HasSubstr("not a value of fp32; the nearest is 1"));
  EXPECT_THAT(refusal("0x1.0000000000000000000000001p0", Format::fp64), HasSubstr("not a value of fp64"));
  EXPECT_THAT(refusal("1.2e-45"), HasSubstr("not a value of fp32; the nearest is 1e-45 (0x1p-149)"));
  // One digit more than any double can need.
  EXPECT_THAT(refusal("0." + std::string(900, '1'), Format::fp64), HasSubstr("not a value of fp64"));
}

TEST(ParseValue, refuses_what_would_overflow_or_vanish_and_names_the_range) {
  EXPECT_EQ(refusal("1e39"),
            "1e39 is beyond the range of fp32, whose largest finite value is 3.4028235e+38; "
            "write inf for an infinity");
  EXPECT_THAT(refusal("-1e400", Format::fp64), HasSubstr("beyond the range of fp64"));
  EXPECT_THAT(refusal("1e999999999999999999999"), HasSubstr("beyond the range"));
  EXPECT_THAT(refusal("3.4028236e38"), HasSubstr("beyond the range"));
  EXPECT_THAT(refusal("0x1p128"), HasSubstr("beyond the range"));
  EXPECT_EQ(refusal("1e-60"),
            "1e-60 would become zero in fp32, whose smallest value above zero is 1e-45; write 0 for zero");
  EXPECT_THAT(refusal("-1e-400", Format::fp64), HasSubstr("would become zero in fp64"));
  EXPECT_THAT(refusal("1e-999999999999999999999"), HasSubstr("would become zero"));
  EXPECT_THAT(refusal("0x1p-151"), HasSubstr("would become zero"));
}

TEST(Text, every_number_survives_decimal_hex_and_seventeen_digits) {
  std::mt19937_64 random(11);
  for (int i = 0; i < 60'000; ++i) {
    const Format format = i % 2 == 0 ? Format::fp32 : Format::fp64;
    Value v = random_bits(format, random);
    if (i % 9 == 0) v.bits &= ~infinity(format).bits;        // subnormals
    if (i % 10 == 0) v.bits &= infinity(format, true).bits;  // powers of two
    if (is_nan(v)) v = quiet_nan(format, is_negative(v));
    ASSERT_EQ(read(to_decimal(v), format), v) << to_decimal(v);
    ASSERT_EQ(read(to_hex(v), format), v) << to_hex(v);
    if (!is_finite(v)) continue;
    // The C library must read the same, from both.
    ASSERT_EQ(std::strtod(to_hex(v).c_str(), nullptr), to_double(v)) << to_hex(v);
    if (format == Format::fp32) {
      ASSERT_EQ(value_of(std::strtof(to_decimal(v).c_str(), nullptr)), v) << to_decimal(v);
    } else {
      ASSERT_EQ(value_of(std::strtod(to_decimal(v).c_str(), nullptr)), v) << to_decimal(v);
    }
    char printed[64];
    std::snprintf(printed, sizeof printed, format == Format::fp32 ? "%.9g" : "%.17g", to_double(v));
    ASSERT_EQ(read(printed, format), v) << printed;
  }
}

TEST(Text, hex_is_normalised) {
  EXPECT_EQ(to_hex(value_of(12.0f)), "0x1.8p+3");
  EXPECT_EQ(to_hex(value_of(-0.0)), "-0x0p+0");
  EXPECT_EQ(to_hex(value_of(0x3p-149f)), "0x1.8p-148");
  EXPECT_EQ(to_hex(value_of(0x1.fffffep127f)), "0x1.fffffep+127");
  EXPECT_EQ(to_hex(infinity(Format::fp32, true)), "-inf");
}

TEST(Text, hex_stands_beside_a_decimal_that_is_not_the_whole_truth) {
  EXPECT_EQ(to_exact_text(value_of(0.1f)), "0.1 (0x1.99999ap-4)");
  EXPECT_EQ(to_exact_text(value_of(0.5f)), "0.5");
  EXPECT_EQ(to_exact_text(value_of(1e8f)), "1e+08");
  EXPECT_EQ(to_exact_text(value_of(-3.0)), "-3");
  EXPECT_EQ(to_exact_text(value_of(-0.0)), "-0");
  EXPECT_EQ(to_exact_text(largest_finite(Format::fp32)), "3.4028235e+38 (0x1.fffffep+127)");
  EXPECT_EQ(to_exact_text(quiet_nan(Format::fp64, true)), "-nan");
}

}  // namespace
}  // namespace warpcheck::numeric

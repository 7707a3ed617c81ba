#include "framework/numeric/decimal.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "framework/numeric/natural.hpp"
#include "tests/numeric/exact_integer.hpp"
#include "tests/numeric/random_values.hpp"

namespace warpcheck::numeric {
namespace {

using test::cpp_int;
using test::Fraction;
using test::fraction_of;
using test::random_finite;
using Width = Decimal::Width;

Fraction fraction_of(const Decimal& d) {
  return test::fraction_of(d.exact_string());
}

/// Significands that stress the conversion: extremes, sparse, dense and arbitrary ones.
std::vector<std::uint64_t> significand_fields(int bits, std::mt19937_64& random) {
  const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
  return {0, 1, all, all & 0x5555555555555555u, random() & all, random() & all};
}

void expect_exact_over_every_exponent(Format format) {
  std::mt19937_64 random(20);
  const int bits = traits(format).precision - 1;
  const std::uint64_t fields = std::uint64_t{1} << (traits(format).bits - traits(format).precision);
  for (std::uint64_t field = 0; field + 1 < fields; ++field) {
    std::vector<std::uint64_t> fractions = significand_fields(bits, random);
    // The wide conversions are slow: an arbitrary significand everywhere, all of them at every fourth
    // exponent.
    if (format == Format::fp64 && field % 4 != 0) fractions = {fractions.back()};
    for (const std::uint64_t fraction : fractions) {
      for (const bool negative : {false, true}) {
        Value v{format, (field << bits) | fraction};
        if (negative) v = negate(v);
        const Decimal d(v);
        ASSERT_EQ(fraction_of(d), fraction_of(to_double(v))) << name(format) << " bits " << v.bits;
        ASSERT_EQ(d.is_negative(), negative && !is_zero(v));
        ASSERT_EQ(d.is_zero(), is_zero(v));
      }
    }
  }
}

TEST(DecimalConversion, of_fp32_is_exact_for_every_exponent_and_both_signs) {
  expect_exact_over_every_exponent(Format::fp32);
}

TEST(DecimalConversion, of_fp64_is_exact_for_every_exponent_and_both_signs) {
  expect_exact_over_every_exponent(Format::fp64);
}

TEST(DecimalConversion, of_fp32_is_exact_where_cpp_dec_float_itself_is_not) {
  const float x = 0x1.8c4d52p-101f;
  const Decimal d(value_of(x));
  EXPECT_EQ(fraction_of(d), fraction_of(static_cast<double>(x)));
  // 0x1.8c4d52p-101 = 12986025·2^-124, so the last of its digits is the 124th behind the point.
  EXPECT_EQ(fraction_of(d), (Fraction{12986025, 0, 124}));
}

TEST(DecimalConversion, of_random_bits_round_trips_through_rounding) {
  std::mt19937_64 random(21);
  for (int i = 0; i < 4000; ++i) {
    const Format format = i % 4 == 0 ? Format::fp64 : Format::fp32;
    const Value v = random_finite(format, random);
    const Value expected = is_zero(v) ? zero(format) : v;  // −0 is not kept
    ASSERT_EQ(Decimal(v).round_to(format), expected);
    ASSERT_EQ(Decimal(v).to_double_nearest(), to_double(expected));
    ASSERT_EQ(Decimal(absolute(v)).to_double_up(), to_double(absolute(v)));
  }
}

TEST(DecimalConversion, refuses_what_is_not_a_number) {
  EXPECT_THROW(Decimal(quiet_nan(Format::fp32)), std::invalid_argument);
  EXPECT_THROW(Decimal(infinity(Format::fp64, true)), std::invalid_argument);
  EXPECT_THROW(Decimal::of_double(HUGE_VAL), std::invalid_argument);
  EXPECT_THROW(Decimal::scaled({false, 3, -2500}, Width::narrow), std::out_of_range) << "1,749 digits";
}

TEST(Decimal, integers_are_exact_up_to_the_last) {
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4294967297},
                                std::numeric_limits<std::uint64_t>::max()}) {
    for (const Width width : {Width::narrow, Width::wide}) {
      EXPECT_EQ(Decimal(n, width), Decimal::scaled({false, n, 0}, width));
      EXPECT_EQ(fraction_of(Decimal(n, width)), (Fraction{cpp_int(n), 0, 0}));
    }
  }
}

TEST(Decimal, negative_integers_are_negative) {
  EXPECT_EQ(Decimal(-7), -Decimal(7));
  EXPECT_EQ(Decimal(std::int8_t{-128}, Width::wide), -Decimal(128));
  EXPECT_EQ(Decimal(std::numeric_limits<std::int64_t>::min()), -Decimal(std::uint64_t{1} << 63));
  EXPECT_FALSE(Decimal(0).is_negative());
}

TEST(Decimal, is_a_double_exactly_when_no_digit_is_lost) {
  EXPECT_EQ(Decimal(-3).exact_double(), -3.0);
  EXPECT_EQ(Decimal(value_of(0.1)).exact_double(), 0.1);
  EXPECT_EQ(Decimal().exact_double(), 0.0);
  EXPECT_EQ(Decimal((std::uint64_t{1} << 53) + 1).exact_double(), std::nullopt);
  EXPECT_EQ((Decimal(value_of(1e308)) + Decimal(value_of(1e308))).exact_double(), std::nullopt);
}

TEST(Decimal, sums_differences_and_comparisons_of_one_format_are_exact) {
  std::mt19937_64 random(22);
  for (int i = 0; i < 6000; ++i) {
    const Format format = i % 8 == 0 ? Format::fp64 : Format::fp32;
    const Value a = random_finite(format, random);
    Value b = random_finite(format, random);
    if (i % 5 == 0) b = negate(next_up(a));  // massive cancellation
    if (i % 35 == 0) b = a;
    const cpp_int x = test::in_units(to_double(a));
    const cpp_int y = test::in_units(to_double(b));
    ASSERT_EQ(fraction_of(Decimal(a) + Decimal(b)), (Fraction{x + y, 0, 1074}));
    ASSERT_EQ(fraction_of(Decimal(a) - Decimal(b)), (Fraction{x - y, 0, 1074}));
    ASSERT_EQ(fraction_of(-Decimal(a)), (Fraction{-x, 0, 1074}));
    ASSERT_EQ(fraction_of(Decimal(a).abs()), (Fraction{abs(x), 0, 1074}));
    ASSERT_EQ(Decimal(a) < Decimal(b), x < y);
    ASSERT_EQ(Decimal(a) > Decimal(b), x > y);
    ASSERT_EQ(Decimal(a) == Decimal(b), x == y);
  }
}

TEST(Decimal, the_widest_sums_keep_their_last_digit) {
  const Decimal tiny64 = Decimal(smallest_subnormal(Format::fp64));
  const Decimal huge64 = Decimal(largest_finite(Format::fp64));
  EXPECT_EQ(huge64 + tiny64 - huge64, tiny64);
  // 2^32 terms at both ends of fp32.
  const Decimal tiny32 = Decimal(smallest_subnormal(Format::fp32));
  const Decimal huge32 = Decimal::scaled({false, 0xFFFFFF, 104 + 32}, Width::narrow);
  EXPECT_EQ(huge32.width(), Width::narrow);
  EXPECT_EQ(huge32 + tiny32 - huge32, tiny32);
}

TEST(Decimal, mixed_widths_are_worked_in_the_wider_one) {
  const Decimal narrow(value_of(1.5f));
  const Decimal wide(value_of(0x1p-1074));
  EXPECT_EQ(narrow.width(), Width::narrow);
  EXPECT_EQ(wide.width(), Width::wide);
  EXPECT_EQ((narrow + wide).width(), Width::wide);
  EXPECT_EQ(narrow + wide - narrow, wide);
  EXPECT_EQ(wide - narrow + narrow, wide);
  EXPECT_EQ(Decimal(value_of(1.5)), narrow);
  EXPECT_LT(narrow, Decimal(value_of(1.5)) + wide);
  EXPECT_EQ(Decimal::of_double(0x1p-1000).width(), Width::wide) << "699 digits do not fit the narrow one";
}

TEST(Decimal, is_a_regular_value_in_both_widths) {
  for (const Width width : {Width::narrow, Width::wide}) {
    Decimal a(7, width);
    Decimal b(a);
    EXPECT_EQ(b, a);
    Decimal moved(std::move(a));
    EXPECT_EQ(moved, b);
    a = b;  // assigning to the husk
    EXPECT_EQ(a, b);
    const Decimal& self = a;
    a = self;
    EXPECT_EQ(a, b);
    a = Decimal(3);
    EXPECT_EQ(a, Decimal(3, Width::wide));
    a = moved;
    a += a;
    EXPECT_EQ(a, Decimal(14));
    std::swap(a, b);
    EXPECT_EQ(a, Decimal(7));
    EXPECT_EQ(b, Decimal(14));
  }
}

TEST(DecimalRoundedUp, is_the_next_decimal_of_about_so_many_digits) {
  std::mt19937_64 random(23);
  for (int i = 0; i < 3000; ++i) {
    const Format format = i % 4 == 0 ? Format::fp64 : Format::fp32;
    const Decimal x =
        Decimal(absolute(random_finite(format, random))) + Decimal(absolute(random_finite(format, random)));
    if (x.is_zero()) continue;
    const int digits = 1 + static_cast<int>(random() % 100);
    const Decimal up = x.rounded_up(digits);
    ASSERT_GE(up, x);
    // up − x < x·10^(1 − digits), in integers.
    const Fraction gap = fraction_of(up - x);
    Fraction allowed = fraction_of(x);
    allowed.decimals += digits - 1;
    ASSERT_LT(gap, allowed);
    std::string text = up.exact_string();
    text = text.substr(0, text.find('e'));
    std::erase(text, '.');
    text.erase(0, text.find_first_not_of('0'));
    text.erase(text.find_last_not_of('0') + 1);
    ASSERT_LE(static_cast<int>(text.size()), digits + 7);
  }
  EXPECT_EQ(Decimal(12345).rounded_up(60), Decimal(12345));
  EXPECT_TRUE(Decimal().rounded_up().is_zero());
}

TEST(DecimalRoundedUp, notices_a_digit_far_below_those_it_keeps) {
  const Decimal x = Decimal(value_of(1.0)) + Decimal(smallest_subnormal(Format::fp64));
  EXPECT_GT(x.rounded_up(20), x);
  EXPECT_LT(x.rounded_up(20), Decimal(value_of(1.0)) + Decimal(value_of(1e-18)));
}

TEST(DecimalMultiplyUp, is_an_upper_bound_by_exact_arithmetic_and_a_close_one) {
  std::mt19937_64 random(24);
  for (int i = 0; i < 3000; ++i) {
    const Format format = i % 4 == 0 ? Format::fp64 : Format::fp32;
    const double x = to_double(absolute(random_finite(format, random)));
    const double y = to_double(absolute(random_finite(Format::fp32, random)));
    const Decimal product = multiply_up(Decimal::of_double(x), Decimal::of_double(y));
    const Fraction exact{test::in_units(x) * test::in_units(y), 0, 2148};
    const Fraction got = fraction_of(product);
    ASSERT_FALSE(got < exact);
    Fraction slack = exact;
    slack.numerator *= test::power(10, 58) + 1;
    slack.decimals += 58;
    ASSERT_FALSE(slack < got);
  }
  EXPECT_EQ(multiply_up(Decimal(12), Decimal(13)), Decimal(156));
  EXPECT_EQ(multiply_up(Decimal(), Decimal(13)), Decimal());
}

/// Rounds numerator/10^decimals (positive) to `format` by integers alone: the largest value not above it
/// is found by bisection of the encodings, then the middle decides.
Value rounded_by_bisection(const Fraction& x, Format format) {
  std::uint64_t low = 0;
  std::uint64_t high = infinity(format).bits;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (x < fraction_of(to_double(Value{format, middle})) ? high : low) = middle;
  }
  const cpp_int below = test::in_units(to_double(Value{format, low}));
  // The upper neighbour of the largest finite value is where it would be with one exponent more.
  const bool last = high == infinity(format).bits;
  const cpp_int above = last ? cpp_int(cpp_int(1) << (traits(format).max_exponent + 1 + 1074))
                             : test::in_units(to_double(Value{format, high}));
  const Fraction middle{below + above, 0, 1075};
  const bool up = middle < x || (middle == x && low % 2 != 0);
  return {format, up ? high : low};
}

TEST(DecimalRoundTo, agrees_with_integer_bisection_everywhere) {
  std::mt19937_64 random(25);
  for (int i = 0; i < 1500; ++i) {
    const Format format = i % 3 == 0 ? Format::fp64 : Format::fp32;
    const Value v = absolute(random_finite(format, random));
    const Decimal base(v, Width::wide);
    // Halves make ties; the tiniest amount beside them breaks ties either way.
    const Decimal half = Decimal::scaled({false, 1, unpack(v).exponent - 1}, Width::wide);
    const Decimal tiny = Decimal::scaled({false, 1, unpack(v).exponent - 60}, Width::wide);
    const Decimal x = i % 5 == 0   ? base + half
                      : i % 5 == 1 ? base + half - tiny
                      : i % 5 == 2 ? base + half + tiny
                      : i % 5 == 3 ? multiply_up(base, Decimal(static_cast<std::uint64_t>(i)))
                                   : base + tiny;
    const Value expected = rounded_by_bisection(fraction_of(x), format);
    ASSERT_EQ(x.round_to(format), expected) << i << ' ' << x.exact_string();
    if (!x.is_zero()) {
      ASSERT_EQ((-x).round_to(format), negate(expected));
    }
  }
}

TEST(DecimalRoundTo, meets_both_ends_of_the_range) {
  const Format f = Format::fp32;
  const Decimal largest(largest_finite(f));
  const Decimal half_ulp = Decimal::scaled({false, 1, 103}, Width::narrow);
  const Decimal tiny(smallest_subnormal(f));
  EXPECT_EQ((largest + half_ulp - tiny).round_to(f), largest_finite(f));
  EXPECT_EQ((largest + half_ulp).round_to(f), infinity(f)) << "a tie goes to the even neighbour, 2^128";
  EXPECT_EQ((-largest - largest).round_to(f), infinity(f, true));
  const Decimal half_tiny = Decimal::scaled({false, 1, -150}, Width::narrow);
  EXPECT_EQ(half_tiny.round_to(f), zero(f));
  EXPECT_EQ((half_tiny + Decimal::scaled({false, 1, -170}, Width::narrow)).round_to(f),
            smallest_subnormal(f));
  EXPECT_EQ((tiny + half_tiny).round_to(f), (Value{f, 2}));
}

TEST(DecimalToDoubleUp, never_is_below_and_never_skips_a_double) {
  std::mt19937_64 random(26);
  for (int i = 0; i < 2000; ++i) {
    const Decimal x = Decimal(absolute(random_finite(Format::fp64, random))) +
                      Decimal(absolute(random_finite(Format::fp64, random)));
    const double up = x.to_double_up();
    if (std::isinf(up)) continue;
    ASSERT_GE(Decimal::of_double(up), x);
    ASSERT_TRUE(up == 0 || Decimal::of_double(std::nextafter(up, 0.0)) < x);
  }
  EXPECT_EQ((Decimal(largest_finite(Format::fp64)) + Decimal(1)).to_double_up(), HUGE_VAL);
}

TEST(DecimalText, is_exact_or_rounded_half_to_even) {
  EXPECT_EQ(Decimal(value_of(0.1)).exact_string(),
            "0.1000000000000000055511151231257827021181583404541015625");
  EXPECT_EQ(Decimal(value_of(-1e8f)).exact_string(), "-100000000");
  EXPECT_EQ(Decimal().exact_string(), "0");
  EXPECT_EQ(Decimal(value_of(1e22)).exact_string(), "1e+22");
  EXPECT_EQ(Decimal(value_of(1e21)).exact_string(), "1000000000000000000000");
  EXPECT_EQ(Decimal(value_of(0x1p-20)).exact_string(), "0.00000095367431640625");
  EXPECT_EQ(Decimal(value_of(0x1p-30)).exact_string(), "9.31322574615478515625e-10");
  EXPECT_EQ(Decimal(value_of(0.1)).to_string(), "0.10000000000000001");
  EXPECT_EQ(Decimal(value_of(0.1)).to_string(1), "0.1");
  EXPECT_EQ(Decimal(value_of(2.5)).to_string(1), "2");
  EXPECT_EQ(Decimal(value_of(3.5)).to_string(1), "4");
  EXPECT_EQ(Decimal(value_of(-9.996)).to_string(3), "-10");
  EXPECT_EQ(Decimal(value_of(2.5000001)).to_string(1), "3");
  EXPECT_EQ(Decimal(smallest_subnormal(Format::fp32)).to_string(3), "1.4e-45");
  EXPECT_EQ(Decimal(123456).to_string(2), "120000");
}

TEST(ErrorRatio, is_good_to_fourteen_digits_over_the_whole_range) {
  std::mt19937_64 random(27);
  for (int i = 0; i < 2000; ++i) {
    const double x = to_double(random_finite(i % 2 == 0 ? Format::fp64 : Format::fp32, random));
    const double y = to_double(random_finite(Format::fp32, random));
    if (x == 0 || y == 0) continue;
    const long double expected = std::fabs(static_cast<long double>(x) / static_cast<long double>(y));
    const double got = error_ratio(Decimal::of_double(x), Decimal::of_double(y));
    if (expected > 1e307L || expected < 1e-306L) continue;
    ASSERT_NEAR(static_cast<double>(got / expected), 1.0, 1e-14) << x << '/' << y;
  }
  EXPECT_EQ(error_ratio(Decimal(), Decimal()), 0);
  EXPECT_EQ(error_ratio(Decimal(1), Decimal()), HUGE_VAL);
  EXPECT_EQ(error_ratio(Decimal(), Decimal(1)), 0);
}

}  // namespace
}  // namespace warpcheck::numeric

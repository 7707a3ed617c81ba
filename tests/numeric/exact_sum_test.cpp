#include "framework/numeric/exact_sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "tests/numeric/exact_integer.hpp"
#include "tests/numeric/random_values.hpp"

namespace warpcheck::numeric {
namespace {

using test::cpp_int;
using test::Fraction;
using test::random_bits;
using test::random_finite;
using test::random_finite_values;

// Above these lengths the accumulator goes through its tables, below it deposits singly: test both.
constexpr std::size_t lengths[] = {0, 1, 2, 3, 100, 2047, 2048, 2049, 5000, 16383, 16384, 16389, 40001};

SumReference reference_of(const std::vector<Value>& values, Format format) {
  return reference_sum(format, store_all(values));
}

template <class Float>
SumReference reference_of(std::initializer_list<Float> values) {
  return reference_sum(value_of(Float{}).format, std::as_bytes(std::span(values.begin(), values.size())));
}

Fraction integer_sum(const std::vector<Value>& values, bool absolute_values) {
  cpp_int total = 0;
  for (const Value v : values) {
    const cpp_int x = test::in_units(to_double(v));
    total += absolute_values ? cpp_int(abs(x)) : x;
  }
  return {total, 0, 1074};
}

TEST(ExactSum, equals_the_sum_in_integers_for_random_bit_patterns) {
  std::mt19937_64 random(30);
  for (const Format format : all_formats()) {
    for (const std::size_t n : lengths) {
      const std::vector<Value> values = random_finite_values(format, n, random);
      const SumReference r = reference_of(values, format);
      EXPECT_EQ(r.n, n);
      EXPECT_EQ(test::fraction_of(r.sum.exact_string()), integer_sum(values, false))
          << name(format) << ' ' << n;
      EXPECT_EQ(test::fraction_of(r.sum_abs.exact_string()), integer_sum(values, true))
          << name(format) << ' ' << n;
    }
  }
}

TEST(ExactSum, equals_the_elementwise_decimal_sum) {
  std::mt19937_64 random(31);
  for (const Format format : all_formats()) {
    for (const std::size_t n : {0, 1, 7, 300, 2500}) {
      const std::vector<Value> values = random_finite_values(format, n, random);
      ExactSum sum(format);
      sum.add_bytes(store_all(values));
      EXPECT_EQ(sum.sum(), elementwise_sum(values));
      EXPECT_EQ(sum.sum_abs(), elementwise_sum_abs(values));
    }
  }
}

TEST(ExactSum, does_not_depend_on_order_or_grouping) {
  std::mt19937_64 random(32);
  for (const Format format : all_formats()) {
    std::vector<Value> values = random_finite_values(format, 20'000, random);
    const SumReference whole = reference_of(values, format);
    std::shuffle(values.begin(), values.end(), random);
    const std::vector<std::byte> bytes = store_all(values);
    ExactSum pieces(format);
    std::size_t done = 0;
    while (done < values.size()) {
      const std::size_t n = std::min<std::size_t>(random() % 18'000, values.size() - done);
      if (n == 1) {
        pieces.add(values[done]);
      } else {
        pieces.add_bytes(std::span(bytes).subspan(done * size_in_bytes(format), n * size_in_bytes(format)));
      }
      done += n;
    }
    EXPECT_EQ(pieces.sum(), whole.sum);
    EXPECT_EQ(pieces.sum_abs(), whole.sum_abs);
    EXPECT_EQ(pieces.reference().smallest, whole.smallest);
    EXPECT_EQ(pieces.reference().largest, whole.largest);
    EXPECT_EQ(pieces.reference().n, whole.n);
  }
}

TEST(ExactSum, gives_the_same_whatever_the_limits_at_which_it_drains_and_carries) {
  std::mt19937_64 random(33);
  for (const Format format : all_formats()) {
    // One exponent with full significands fills its bucket fastest; then a wild mixture.
    std::vector<Value> values(20'011, largest_finite(format));
    for (std::size_t i = 9000; i < values.size(); ++i) values[i] = random_finite(format, random);
    const std::vector<std::byte> bytes = store_all(values);
    const SumReference expected = reference_sum(format, bytes);
    for (const ExactSum::Limits limits : {ExactSum::Limits{1, 1}, ExactSum::Limits{7, 3},
                                          ExactSum::Limits{2048, 100}, ExactSum::Limits{5000, 4096}}) {
      ExactSum sum(format, limits);
      sum.add_bytes(bytes);
      EXPECT_EQ(sum.sum(), expected.sum);
      EXPECT_EQ(sum.sum_abs(), expected.sum_abs);
    }
    EXPECT_EQ(test::fraction_of(expected.sum.exact_string()), integer_sum(values, false));
  }
}

TEST(ExactSum, fills_its_buckets_to_the_limit_and_beyond) {
  // Every element in one bucket, with all bits of the fraction set, more than two limits' worth.
  for (const Format format : all_formats()) {
    const Value element = next_down(make_exact(format, {false, 2, 0}).value());
    const std::size_t n = 4 * ExactSum::Limits{}.bucket_additions + 12'345;
    std::vector<std::byte> bytes(n * size_in_bytes(format));
    for (std::size_t i = 0; i < n; ++i) store(element, bytes, i);
    const cpp_int expected = test::in_units(to_double(element)) * n;
    EXPECT_EQ(test::fraction_of(reference_sum(format, bytes).sum.exact_string()),
              (Fraction{expected, 0, 1074}));
  }
}

TEST(ExactSum, proved_limits_hold_in_integer_arithmetic) {
  const ExactSum::Limits limits;
  // The count stands at bit 43 of 64. Below it: fractions of 23 bits, or the upper 20 of 52.
  const cpp_int additions = limits.bucket_additions;
  EXPECT_LT(additions * ((cpp_int(1) << 23) - 1), cpp_int(1) << 43);
  EXPECT_LT(additions * ((cpp_int(1) << 20) - 1), cpp_int(1) << 43);
  EXPECT_LT(additions << 43, cpp_int(1) << 64);
  EXPECT_LT(additions * ((cpp_int(1) << 32) - 1), cpp_int(1) << 64);
}

TEST(ExactSum, refuses_limits_that_it_cannot_keep) {
  using Limits = ExactSum::Limits;
  EXPECT_THROW(ExactSum(Format::fp32, Limits{0, 1}), std::invalid_argument);
  EXPECT_THROW(ExactSum(Format::fp32, Limits{1, 0}), std::invalid_argument);
  EXPECT_THROW(ExactSum(Format::fp32, Limits{(std::uint64_t{1} << 20) + 1, 1}), std::invalid_argument);
  EXPECT_THROW(ExactSum(Format::fp32, Limits{1, std::uint64_t{1} << 32}), std::invalid_argument);
}

TEST(ExactSum, keeps_what_cancellation_leaves) {
  EXPECT_EQ(reference_of({1e308, 1.0, -1e308}).sum, Decimal(1));
  EXPECT_EQ(reference_of({1e8f, 1.0f, -1e8f, 1.0f}).sum, Decimal(2));
  EXPECT_EQ(reference_of({1e8f, 1.0f, -1e8f, 1.0f}).sum_abs, Decimal(200000002));
  const SumReference r =
      reference_of({std::numeric_limits<float>::max(), 1.4e-45f, -std::numeric_limits<float>::max()});
  EXPECT_EQ(r.sum, Decimal(smallest_subnormal(Format::fp32)));
  EXPECT_EQ(r.sum_abs, Decimal(largest_finite(Format::fp32)) + Decimal(largest_finite(Format::fp32)) + r.sum);
  EXPECT_EQ(r.rounded(Format::fp32), smallest_subnormal(Format::fp32));
  const SumReference d = reference_of({std::numeric_limits<double>::max(), 5e-324});
  EXPECT_EQ(d.sum - Decimal(largest_finite(Format::fp64)), Decimal(smallest_subnormal(Format::fp64)));
  EXPECT_EQ(d.rounded(Format::fp64), largest_finite(Format::fp64));
  EXPECT_EQ(d.rounded(Format::fp32), infinity(Format::fp32));
}

TEST(ExactSum, sums_beyond_the_range_of_the_format_are_exact) {
  const std::vector<Value> values(50'000, largest_finite(Format::fp64, true));
  const SumReference r = reference_of(values, Format::fp64);
  EXPECT_EQ(test::fraction_of(r.sum.exact_string()), integer_sum(values, false));
  EXPECT_EQ(r.rounded(Format::fp64), infinity(Format::fp64, true));
}

TEST(ExactSum, counts_ones_past_the_point_where_a_float_stops) {
  const std::vector<float> ones((1 << 24) + 2, 1.0f);
  const SumReference r = reference_sum(Format::fp32, std::as_bytes(std::span(ones)));
  EXPECT_EQ(r.sum, Decimal(16777218));
  EXPECT_EQ(r.rounded(Format::fp32), value_of(16777218.0f));
}

TEST(ExactSum, accepts_spans_of_its_own_format_only_and_whole_elements_only) {
  const float f[] = {1.5f, 2.5f};
  const double d[] = {1.5, 2.5};
  ExactSum sum(Format::fp32);
  sum.add(std::span<const float>(f));
  EXPECT_EQ(sum.sum(), Decimal(4));
  EXPECT_THROW(sum.add(std::span<const double>(d)), std::invalid_argument);
  EXPECT_THROW(sum.add(value_of(1.0)), std::invalid_argument);
  EXPECT_THROW(sum.add_bytes(std::as_bytes(std::span(f)).first(7)), std::invalid_argument);
  EXPECT_EQ(sum.reference().n, 2u) << "a refused call adds nothing";
  ExactSum doubles(Format::fp64);
  doubles.add(std::span<const double>(d));
  EXPECT_EQ(doubles.sum(), Decimal(4));
  EXPECT_THROW(doubles.add(std::span<const float>(f)), std::invalid_argument);
}

TEST(ExactSum, reads_arrays_at_any_address) {
  std::mt19937_64 random(34);
  const std::vector<Value> values = random_finite_values(Format::fp64, 20'000, random);
  std::vector<std::byte> bytes = store_all(values);
  bytes.insert(bytes.begin(), std::byte{0xFF});
  EXPECT_EQ(reference_sum(Format::fp64, std::span(bytes).subspan(1)).sum,
            reference_of(values, Format::fp64).sum);
}

TEST(SumReference, of_nothing_is_zero) {
  const SumReference r = reference_of<float>({});
  EXPECT_EQ(r.n, 0u);
  EXPECT_TRUE(r.sum.is_zero());
  EXPECT_TRUE(r.sum_abs.is_zero());
  EXPECT_EQ(r.condition, 1);
  EXPECT_FALSE(r.smallest || r.largest || r.special() || r.all_negative_zero);
  EXPECT_EQ(r.rounded(Format::fp32), value_of(0.0f));
}

TEST(SumReference, rounds_the_exact_sum_once_by_both_routes) {
  std::mt19937_64 random(35);
  for (int i = 0; i < 400; ++i) {
    const Format format = i % 4 == 0 ? Format::fp64 : Format::fp32;
    std::vector<Value> values = random_finite_values(format, 1 + random() % 6, random);
    if (i % 3 == 0) values.push_back(negate(values.front()));
    const SumReference r = reference_of(values, format);
    for (const Format out : all_formats()) ASSERT_EQ(r.rounded(out), r.sum.round_to(out));
  }
  // 1 + 2^-24 + 2^-149: rounded twice it would be 1.
  EXPECT_EQ(reference_of({1.0f, 0x1p-24f, 1.4e-45f}).rounded(Format::fp32), value_of(1.0f + 0x1p-23f));
  EXPECT_EQ(reference_of({1.0f, 0x1p-24f}).rounded(Format::fp32), value_of(1.0f));
}

TEST(SumReference, knows_the_cancellation_ratio) {
  EXPECT_EQ(reference_of({1.0f, 2.0f, 3.0f}).condition, 1);
  EXPECT_DOUBLE_EQ(reference_of({1e8f, 1.0f, -1e8f, 1.0f}).condition, 100000001.0);
  EXPECT_EQ(reference_of({1.0f, -1.0f}).condition, HUGE_VAL);
  EXPECT_EQ(reference_of({0.0f, -0.0f}).condition, 1);
}

TEST(SumReference, tells_when_every_element_is_negative_zero) {
  EXPECT_TRUE(reference_of({-0.0f}).all_negative_zero);
  EXPECT_TRUE(reference_of({-0.0, -0.0, -0.0}).all_negative_zero);
  EXPECT_FALSE(reference_of({-0.0f, 0.0f}).all_negative_zero);
  EXPECT_FALSE(reference_of({-0.0f, -1.0f}).all_negative_zero);
  EXPECT_FALSE(reference_of({-0.0f, std::nanf("")}).all_negative_zero);
  EXPECT_EQ(reference_of({-0.0f, -0.0f}).rounded(Format::fp32), value_of(0.0f));
}

TEST(SumReference, finds_non_finite_elements_and_leaves_them_out_of_the_sums) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::nanf("");
  struct Expectation {
    std::vector<float> values;
    std::optional<SpecialSum> special;
    std::uint64_t count;
  };
  for (const Expectation& e : {Expectation{{1, 2, 3}, std::nullopt, 0},
                               {{1, inf, 3}, SpecialSum::positive_infinity, 1},
                               {{-inf, 2, -inf}, SpecialSum::negative_infinity, 2},
                               {{inf, 2, -inf}, SpecialSum::nan, 2},
                               {{1, nan}, SpecialSum::nan, 1},
                               {{inf, -nan, inf}, SpecialSum::nan, 3}}) {
    // Alone, and inside an array long enough for the tables.
    for (const std::size_t padding : {0, 5000}) {
      std::vector<float> values(padding, 0.25f);
      values.insert(values.begin() + static_cast<std::ptrdiff_t>(padding / 2), e.values.begin(),
                    e.values.end());
      const SumReference r = reference_sum(Format::fp32, std::as_bytes(std::span(values)));
      EXPECT_EQ(r.special(), e.special);
      EXPECT_EQ(r.nonfinite_count, e.count);
      double finite = 0;
      for (const float x : values) finite += std::isfinite(x) ? x : 0.0;
      EXPECT_EQ(r.sum, Decimal::of_double(finite));
      EXPECT_EQ(r.has_nan, std::any_of(values.begin(), values.end(), [](float x) { return std::isnan(x); }));
      EXPECT_EQ(r.has_pos_inf, std::count(values.begin(), values.end(), inf) != 0);
      EXPECT_EQ(r.has_neg_inf, std::count(values.begin(), values.end(), -inf) != 0);
    }
  }
}

TEST(SumReference, extremes_are_those_of_the_total_order_without_nan) {
  std::mt19937_64 random(36);
  const auto before = [](Value a, Value b) { return total_order(a, b) < 0; };
  for (const Format format : all_formats()) {
    for (const std::size_t n : {1, 2, 5, 300, 17'000}) {
      std::vector<Value> values(n);
      for (Value& v : values) v = random_bits(format, random);
      const SumReference r = reference_of(values, format);
      std::erase_if(values, [](Value v) { return is_nan(v); });
      std::sort(values.begin(), values.end(), before);
      ASSERT_EQ(r.smallest.has_value(), !values.empty());
      if (values.empty()) continue;
      EXPECT_EQ(*r.smallest, values.front());
      EXPECT_EQ(*r.largest, values.back());
    }
  }
  EXPECT_EQ(reference_of({0.0f, -0.0f}).smallest, value_of(-0.0f));
  EXPECT_EQ(reference_of({-0.0f, 0.0f}).largest, value_of(0.0f));
  EXPECT_FALSE(reference_of({std::nan("")}).smallest);
}

}  // namespace
}  // namespace warpcheck::numeric

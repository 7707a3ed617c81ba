#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generators/generator.hpp"
#include "generators/values.hpp"
#include "tests/generators/contracts.hpp"

namespace warpcheck::generators {
namespace {

// What a case holds, read from its bytes as doubles (exact for fp32 and fp64).
std::vector<double> numbers(const Case& c) {
  std::vector<double> result;
  for (const numeric::Value value : c.input->values()) result.push_back(numeric::to_double(value));
  return result;
}

std::string parameter(const Case& c, std::string_view name) {
  for (const auto& [key, value] : c.parameters) {
    if (key == name) return value;
  }
  ADD_FAILURE() << c.family << " has no parameter " << name;
  return {};
}

/// Calls `check` with the required cases and 1,200 random ones for each of several contracts.
void for_cases(std::string_view family, const std::function<void(const KernelInfo&, const Case&)>& check) {
  const Generator* generator = find_generator(family);
  ASSERT_NE(generator, nullptr);
  for (const KernelInfo& kernel : many_contracts()) {
    std::vector<Case> cases = generator->required(kernel);
    for (std::uint64_t seed = 0; seed < 1200; ++seed)
      cases.push_back(generator->draw(kernel, seed * 7919 + 1));
    for (const Case& c : cases) {
      ASSERT_NE(c.input, nullptr);
      ASSERT_EQ(c.family, family);
      ASSERT_EQ(c.input->format(), kernel.contract.input);
      ASSERT_LE(c.n(), 70000u);
      check(kernel, c);
      if (testing::Test::HasFatalFailure()) {
        FAIL() << family << " on " << kernel.name << ", n = " << c.n();
      }
    }
  }
}

TEST(Empty, has_no_elements) {
  for_cases("empty", [](const KernelInfo&, const Case& c) { ASSERT_EQ(c.n(), 0u); });
}

TEST(Single, has_one_finite_element_of_every_kind) {
  std::set<std::string> kinds;
  for_cases("single", [&kinds](const KernelInfo&, const Case& c) {
    ASSERT_EQ(c.n(), 1u);
    const double x = numbers(c)[0];
    ASSERT_TRUE(std::isfinite(x));
    if (x == 0) kinds.insert(std::signbit(x) ? "-0" : "+0");
    if (numeric::is_subnormal((*c.input)[0])) kinds.insert("subnormal");
    if (std::abs(x) > 1e30) kinds.insert("large");
    if (x == std::floor(x) && std::abs(x) < 1000 && x != 0) kinds.insert("integer");
    if (x < 0) kinds.insert("negative");
  });
  EXPECT_EQ(kinds, (std::set<std::string>{"-0", "+0", "subnormal", "large", "integer", "negative"}));
}

TEST(BoundaryLengths, are_those_of_the_case_own_geometry) {
  std::size_t at_block = 0, at_grid = 0, total = 0;
  for_cases("boundary_lengths", [&](const KernelInfo&, const Case& c) {
    const std::uint64_t n = c.n();
    const auto near_multiple = [n](std::uint64_t unit) {
      for (std::uint64_t k = 1; k <= 3; ++k) {
        if (n + 1 >= k * unit && n <= k * unit + 1) return true;
      }
      return false;
    };
    const auto near_power = [n] {
      for (std::uint64_t power = 1; power <= 8192; power *= 2) {
        if (n + 1 >= power && n <= power + 1) return true;
      }
      return false;
    };
    const bool prime = [n] {
      for (std::uint64_t d = 2; d * d <= n; ++d) {
        if (n % d == 0) return false;
      }
      return n > 1;
    }();
    ASSERT_TRUE(n <= 2 || near_multiple(32) || near_multiple(c.geometry.block) ||
                near_multiple(c.geometry.threads()) || near_power() || prime);
    ++total;
    if (near_multiple(c.geometry.block)) ++at_block;
    if (c.geometry.grid > 1 && near_multiple(c.geometry.threads())) ++at_grid;
    for (const double x : numbers(c)) ASSERT_TRUE(std::abs(x) >= 0.125 && std::abs(x) < 16);
  });
  EXPECT_GT(at_block, total / 8);
  EXPECT_GT(at_grid, total / 30);
}

TEST(AlternatingSign, never_repeats_a_sign) {
  std::set<bool> first_signs;
  for_cases("alternating_sign", [&](const KernelInfo&, const Case& c) {
    const std::vector<double> x = numbers(c);
    ASSERT_GE(x.size(), 2u);
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_TRUE(std::isfinite(x[i]) && x[i] != 0);
      if (i > 0) {
        ASSERT_NE(x[i] < 0, x[i - 1] < 0);
      }
    }
    first_signs.insert(x[0] < 0);
    if (parameter(c, "magnitudes") == "equal") {
      ASSERT_EQ(x[0], -x[1]);
    }
    if (parameter(c, "magnitudes") == "uniform") {
      for (const double value : x) ASSERT_LE(std::abs(value), 1.0);
    }
  });
  EXPECT_EQ(first_signs.size(), 2u);
}

TEST(Cancellation, reaches_the_ratio_it_aims_at_and_records_what_it_reached) {
  std::map<int, int> decades;
  std::size_t total = 0, short_of_target = 0;
  for_cases("cancellation", [&](const KernelInfo&, const Case& c) {
    const double target = std::strtod(parameter(c, "target condition").c_str(), nullptr);
    const double aimed_at = std::strtod(parameter(c, "aimed at").c_str(), nullptr);
    const double recorded = std::strtod(parameter(c, "condition").c_str(), nullptr);
    const double measured = c.condition();
    ASSERT_GE(target, 1.0);
    ASSERT_LE(target, 1.01e30);
    ASSERT_LE(aimed_at, target * 1.01);
    if (std::isinf(measured)) {
      ASSERT_TRUE(std::isinf(recorded));
    } else {
      ASSERT_NEAR(recorded / measured, 1.0, 0.006);
    }
    // The random fraction of the first elements alone is worth a factor of two either way.
    ASSERT_GE(measured, aimed_at / 8);
    ASSERT_LE(measured, std::max(8.0, aimed_at * 8)) << "aimed at " << aimed_at;
    ++decades[static_cast<int>(std::log10(measured)) / 5];
    ++total;
    if (aimed_at < target / 1.01) ++short_of_target;
    for (const double x : numbers(c)) ASSERT_TRUE(std::isfinite(x));
  });
  for (int decade = 0; decade < 6; ++decade) EXPECT_GT(decades[decade], 100) << decade * 5;
  EXPECT_LT(short_of_target, total / 10) << "too few elements for the target should be rare";
}

TEST(ExactWindow, is_exact_in_any_order_even_with_an_element_doubled) {
  std::set<std::string> signs;
  std::size_t at_the_brim = 0;
  for_cases("exact_window", [&](const KernelInfo& kernel, const Case& c) {
    int precision = 53;
    for (const numeric::Format format :
         {kernel.contract.input, kernel.contract.accumulation, kernel.contract.output}) {
      precision = std::min(precision, format == numeric::Format::fp32 ? 24 : 53);
    }
    const bool narrow = precision == 24;
    const int exponent = std::atoi(parameter(c, "exponent").c_str());
    ASSERT_GE(exponent, narrow ? -149 : -1074);
    ASSERT_LE(exponent + precision, narrow ? 128 : 1024);
    std::uint64_t positive = 0, negative = 0, largest = 0;
    for (const double x : numbers(c)) {
      const double m = std::ldexp(x, -exponent);
      ASSERT_EQ(m, std::floor(m)) << "a multiple of the common power";
      ASSERT_NE(m, 0.0);
      const auto magnitude = static_cast<std::uint64_t>(std::abs(m));
      (m > 0 ? positive : negative) += magnitude;
      largest = std::max(largest, magnitude);
    }
    const std::uint64_t limit = std::uint64_t{1} << precision;
    ASSERT_LE(positive + largest, limit);
    ASSERT_LE(negative + largest, limit);
    signs.insert(positive == 0 ? "negative" : negative == 0 ? "positive" : "mixed");
    if (parameter(c, "sizes") == "brim" && c.n() < 1000) {
      // As near to the limit as equal elements can come.
      ASSERT_GT(std::max(positive, negative) + largest, limit - limit / 64);
      ++at_the_brim;
    }
  });
  EXPECT_EQ(signs.size(), 3u);
  EXPECT_GT(at_the_brim, 500u);
}

TEST(OneHot, has_one_nonzero_where_it_says_that_every_format_of_the_contract_holds) {
  std::set<std::string> places;
  for_cases("one_hot", [&](const KernelInfo& kernel, const Case& c) {
    const std::vector<double> x = numbers(c);
    const auto position = static_cast<std::size_t>(std::atoll(parameter(c, "position").c_str()));
    ASSERT_LT(position, x.size());
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i == position) {
        ASSERT_TRUE(std::isfinite(x[i]) && x[i] != 0);
      } else {
        ASSERT_TRUE(x[i] == 0 && !std::signbit(x[i]));
      }
    }
    if (kernel.contract.output == numeric::Format::fp32) {
      ASSERT_EQ(static_cast<double>(static_cast<float>(x[position])), x[position]);
    }
    if (x.size() > 1) places.insert(position == 0 ? "first" : position == x.size() - 1 ? "last" : "between");
  });
  EXPECT_EQ(places.size(), 3u);
}

TEST(WideExponents, keep_to_the_range_they_state_and_cannot_overflow) {
  std::size_t wide = 0;
  for_cases("wide_exponents", [&](const KernelInfo& kernel, const Case& c) {
    const int lowest = std::atoi(parameter(c, "lowest exponent").c_str());
    const int highest = std::atoi(parameter(c, "highest exponent").c_str());
    ASSERT_LE(lowest, highest);
    const bool narrow =
        kernel.contract.input == numeric::Format::fp32 || kernel.contract.output == numeric::Format::fp32;
    const double largest = narrow ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
    for (const double x : numbers(c)) {
      ASSERT_NE(x, 0.0);
      ASSERT_GE(std::ilogb(x), lowest);
      ASSERT_LE(std::ilogb(x), highest);
      ASSERT_LT(std::abs(x), largest / 2 / static_cast<double>(c.n()));
    }
    if (highest - lowest > 100 && c.n() > 20) ++wide;
  });
  EXPECT_GT(wide, 2000u);
}

TEST(Permutations, are_orders_of_the_multiset_that_they_name) {
  std::set<std::vector<double>> orders;
  for_cases("permutations", [&](const KernelInfo& kernel, const Case& c) {
    ASSERT_GE(c.n(), 2u);
    ASSERT_LE(c.n(), 8u);
    std::vector<double> named;
    const std::string text = parameter(c, "values");
    const char* at = text.c_str();
    for (char* end = nullptr; *at != '\0'; at = end) {
      named.push_back(kernel.contract.input == numeric::Format::fp32
                          ? static_cast<double>(std::strtof(at, &end))
                          : std::strtod(at, &end));
    }
    std::vector<double> x = numbers(c);
    if (named == std::vector<double>{1e8, 1, -1e8, 1}) orders.insert(x);
    std::sort(named.begin(), named.end());
    std::sort(x.begin(), x.end());
    ASSERT_EQ(x, named);
  });
  EXPECT_EQ(orders.size(), 12u) << "all distinct orders of 1e8, 1, -1e8, 1";
}

TEST(Permutations, begin_with_the_classic_one) {
  const std::vector<Case> required = find_generator("permutations")->required(built_in_contracts()[0]);
  EXPECT_EQ(numbers(required.at(0)), (std::vector<double>{1e8, 1, -1e8, 1}));
}

TEST(SmallIntegers, are_integers_and_few_enough_to_add_exactly) {
  std::size_t zeros = 0;
  for_cases("small_integers", [&](const KernelInfo&, const Case& c) {
    double magnitudes = 0;
    for (const double x : numbers(c)) {
      ASSERT_EQ(x, std::floor(x));
      ASSERT_LE(std::abs(x), 100.0);
      magnitudes += std::abs(x);
      if (x == 0) ++zeros;
    }
    ASSERT_LT(magnitudes, 0x1p24);
  });
  EXPECT_GT(zeros, 1000u);
}

TEST(Constant, repeats_one_finite_value) {
  std::set<std::string> kinds;
  for_cases("constant", [&](const KernelInfo&, const Case& c) {
    ASSERT_GE(c.n(), 1u);
    const numeric::Value first = (*c.input)[0];
    for (const numeric::Value value : c.input->values()) ASSERT_EQ(value, first);
    ASSERT_TRUE(numeric::is_finite(first));
    if (first == numeric::zero(first.format, true)) kinds.insert("-0");
    if (numeric::to_double(first) == 1.0) kinds.insert("1");
    if (numeric::is_subnormal(first)) kinds.insert("subnormal");
  });
  EXPECT_EQ(kinds.size(), 3u);
}

TEST(Sorted, rises_or_falls_as_it_says) {
  for_cases("sorted", [](const KernelInfo&, const Case& c) {
    std::vector<double> x = numbers(c);
    if (parameter(c, "direction") == "falling") std::reverse(x.begin(), x.end());
    ASSERT_TRUE(std::is_sorted(x.begin(), x.end()));
  });
}

TEST(SpecialValues, hold_what_they_name) {
  std::map<std::string, std::size_t> kinds;
  for_cases("special_values", [&](const KernelInfo&, const Case& c) {
    std::size_t nans = 0, up = 0, down = 0, zeros = 0, subnormals = 0;
    for (const numeric::Value value : c.input->values()) {
      const double x = numeric::to_double(value);
      if (std::isnan(x)) ++nans;
      if (std::isinf(x)) ++(x > 0 ? up : down);
      if (x == 0) ++zeros;
      if (numeric::is_subnormal(value)) ++subnormals;
    }
    const std::string kind = parameter(c, "kind");
    ++kinds[kind];
    ASSERT_EQ(nans > 0, kind == "NaN");
    ASSERT_EQ(up > 0, kind == "+inf" || kind == "+inf and -inf");
    ASSERT_EQ(down > 0, kind == "-inf" || kind == "+inf and -inf");
    ASSERT_EQ(zeros, kind == "zeros of both signs" ? c.n() : 0u);
    ASSERT_EQ(subnormals, kind == "subnormals" ? c.n() : 0u);
  });
  EXPECT_EQ(kinds.size(), 6u);
}

TEST(NearOverflow, fits_or_overflows_as_it_says) {
  std::size_t beyond = 0;
  for_cases("near_overflow", [&](const KernelInfo& kernel, const Case& c) {
    const bool narrow =
        kernel.contract.input == numeric::Format::fp32 || kernel.contract.output == numeric::Format::fp32;
    const double largest = narrow ? 0x1.fffffep127 : 0x1.fffffffffffffp1023;
    double share = 0;  // of the largest finite value
    for (const double x : numbers(c)) {
      ASSERT_LE(std::abs(x), largest);
      share += std::abs(x) / largest;
    }
    if (parameter(c, "sum of magnitudes") == "fits") {
      ASSERT_LT(share, 0.51);
      ASSERT_GT(share, 0.05);
    } else {
      ASSERT_GE(share, 0.5);
      if (share > 1) ++beyond;
    }
  });
  EXPECT_GT(beyond, 1000u);
}

TEST(SafeExponent, keeps_the_sum_of_n_elements_below_half_of_the_largest_value) {
  for (const KernelInfo& kernel : many_contracts()) {
    for (const std::uint64_t n : {1u, 2u, 3u, 100u, 70000u}) {
      const int exponent = safe_exponent(kernel.contract, n);
      const bool narrow =
          kernel.contract.input == numeric::Format::fp32 || kernel.contract.output == numeric::Format::fp32;
      EXPECT_LE(std::ldexp(static_cast<double>(n), exponent + 1 - (narrow ? 127 : 1023)), 1.0);
    }
  }
}

}  // namespace
}  // namespace warpcheck::generators

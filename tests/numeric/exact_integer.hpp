#pragma once

// A second statement of what values and decimal texts mean, in integer arithmetic of another library and
// with the C library's frexp in place of our own unpacking.

#include <boost/multiprecision/cpp_int.hpp>
#include <cmath>
#include <string>

#include "framework/numeric/value.hpp"

namespace warpcheck::numeric::test {

using boost::multiprecision::cpp_int;

/// numerator / 10^decimals / 2^halvings
struct Fraction {
  cpp_int numerator;
  int decimals = 0;
  int halvings = 0;
};

inline cpp_int power(int base, int k) {
  return boost::multiprecision::pow(cpp_int(base), static_cast<unsigned>(k));
}

inline bool operator==(const Fraction& a, const Fraction& b) {
  return a.numerator * power(10, b.decimals) * power(2, b.halvings) ==
         b.numerator * power(10, a.decimals) * power(2, a.halvings);
}

inline bool operator<(const Fraction& a, const Fraction& b) {
  return a.numerator * power(10, b.decimals) * power(2, b.halvings) <
         b.numerator * power(10, a.decimals) * power(2, a.halvings);
}

/// x·2^1074, an integer for every finite double.
inline cpp_int in_units(double x) {
  int e = 0;
  const double f = std::frexp(x, &e);
  cpp_int m = static_cast<long long>(std::ldexp(f, 53));
  const int shift = e - 53 + 1074;
  if (shift >= 0) return m << shift;
  return m / power(2, -shift);  // subnormals: the bits below are zero
}

inline Fraction fraction_of(double x) {
  return {in_units(x), 0, 1074};
}

/// The number that a decimal text ("-12.5", "1.25e-07") spells.
inline Fraction fraction_of(const std::string& text) {
  std::string digits;
  int decimals = 0;
  bool after_point = false;
  std::size_t i = 0;
  for (; i < text.size() && text[i] != 'e'; ++i) {
    if (text[i] == '.') {
      after_point = true;
    } else {
      digits += text[i];
      if (after_point) ++decimals;
    }
  }
  if (i < text.size()) decimals -= std::stoi(text.substr(i + 1));
  const bool negative = digits[0] == '-';
  if (negative) digits.erase(0, 1);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));  // cpp_int reads 0… as octal
  Fraction f{cpp_int(digits), decimals, 0};
  if (negative) f.numerator = -f.numerator;
  if (f.decimals < 0) {
    f.numerator *= power(10, -f.decimals);
    f.decimals = 0;
  }
  return f;
}

}  // namespace warpcheck::numeric::test

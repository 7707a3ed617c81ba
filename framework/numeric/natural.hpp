#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::numeric {

/// A natural number of any size, exact in every operation: the common ground between binary sums and
/// decimal numbers. Memory is the only limit.
class Natural {
 public:
  /// Zero.
  Natural() = default;
  Natural(std::uint64_t n);  // NOLINT(google-explicit-constructor): every word is a natural number
  /// The number with these 64-bit words, least significant first.
  explicit Natural(std::span<const std::uint64_t> words);

  /// The number that these decimal digits spell; empty text is 0. Precondition: only '0' to '9'.
  static Natural of_digits(std::string_view digits);
  static Natural power_of_five(unsigned k);

  bool is_zero() const { return words_.empty(); }
  /// The least k with this < 2^k; 0 for zero.
  int bit_length() const;
  /// The greatest k such that 2^k divides this; 0 for zero.
  int trailing_zeros() const;
  /// The low 64 bits of ⌊this/2^k⌋.
  std::uint64_t word_at_bit(int k) const;
  /// Whether any of the lowest k bits is set.
  bool any_bit_below(int k) const;

  Natural& operator+=(const Natural& b);
  /// Precondition: b ≤ this.
  Natural& operator-=(const Natural& b);
  Natural& operator<<=(int k);
  Natural& operator>>=(int k);
  Natural& multiply_add(std::uint64_t factor, std::uint64_t addend);
  Natural& multiply_by_power_of_five(unsigned k);
  /// Divides by `divisor` in place, rounding down, and gives the remainder. Precondition: divisor > 0.
  std::uint64_t divide(std::uint64_t divisor);
  friend Natural operator*(const Natural& a, const Natural& b);

  friend std::strong_ordering operator<=>(const Natural& a, const Natural& b);
  friend bool operator==(const Natural& a, const Natural& b) = default;

  /// The decimal digits, without leading zeros; "0" for zero.
  std::string digits() const;

 private:
  void trim();

  std::vector<std::uint64_t> words_;  // least significant first, the last one is not 0
};

/// (integer + f)·2^exponent with f = 0, or 0 < f < 1 when inexact.
struct Truncated {
  std::uint64_t integer = 0;
  int exponent = 0;
  bool inexact = false;
};

/// The leading 64 bits of n·2^exponent; exact when it has no more.
Truncated leading_bits(const Natural& n, int exponent);
/// At least 62 leading bits of (a/b)·2^exponent. Preconditions: a > 0, b > 0.
Truncated leading_bits_of_quotient(Natural a, Natural b, int exponent);

}  // namespace warpcheck::numeric

#pragma once

#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "framework/numeric/value.hpp"

namespace warpcheck::numeric {

class Natural;

/// A signed decimal number, wide enough for the exact sum of up to 2^32 values of its format, held in a
/// boost::multiprecision::cpp_dec_float.
///
/// Conversion from a value is exact, which cpp_dec_float's own constructor from float is not: a value
/// m·2^e becomes the integer m·2^e, or m·5^|e| with decimal exponent e. Sums and differences are exact
/// within the width: 208 digits and more for fp32, 1,400 for fp64. An operation between widths is
/// done in the wider one. There is no quotient, and the one product is rounded up, by name, so that a
/// tolerance computed from these never is too small.
///
/// Narrow numbers live inside the object, wide ones on the heap. There is no NaN, infinity or −0.
class Decimal {
 public:
  /// How many digits are kept: narrow serves fp32, wide fp64.
  enum class Width : std::uint8_t { narrow, wide };

  /// The width that holds every exact sum of values of `format`.
  static constexpr Width width_for(Format format) {
    return format == Format::fp32 ? Width::narrow : Width::wide;
  }

  /// Zero.
  Decimal();
  /// The integer `n`, exactly.
  template <std::integral Integer>
  explicit Decimal(Integer n, Width width = Width::narrow);
  /// The finite value `v`, exactly, in the width of its format or in `width` if that is wider.
  /// Throws std::invalid_argument for NaN and infinities.
  explicit Decimal(Value v, Width width = Width::narrow);

  Decimal(const Decimal& other);
  Decimal(Decimal&& other) noexcept;
  Decimal& operator=(const Decimal& other);
  Decimal& operator=(Decimal&& other) noexcept;
  ~Decimal();

  /// ±significand·2^exponent, exactly, in `width` or wider where its digits demand it.
  /// Throws std::out_of_range when even the wide one does not hold it.
  static Decimal scaled(Unpacked parts, Width width);
  static Decimal scaled(bool negative, const Natural& significand, int exponent, Width width);

  /// The finite double `x`, exactly, in `width` or wider where its digits demand it.
  static Decimal of_double(double x, Width width = Width::narrow);

  Width width() const { return width_; }
  bool is_zero() const;
  bool is_negative() const;
  Decimal abs() const;

  Decimal operator-() const;
  friend Decimal operator+(const Decimal& a, const Decimal& b) { return sum(a, b); }
  friend Decimal operator-(const Decimal& a, const Decimal& b) { return difference(a, b); }
  Decimal& operator+=(const Decimal& b) { return *this = sum(*this, b); }

  friend bool operator==(const Decimal& a, const Decimal& b) { return compare(a, b) == 0; }
  friend std::strong_ordering operator<=>(const Decimal& a, const Decimal& b) { return compare(a, b) <=> 0; }

  /// The smallest decimal of `digits` significant digits, or up to 7 more, that is not below this one.
  /// Preconditions: not negative; 1 ≤ digits ≤ 100.
  Decimal rounded_up(int digits = 60) const;

  /// The value of `format` nearest to this number, ties to even, by integer arithmetic. Subnormals are
  /// rounded once, overflow is an infinity, zero is +0.
  Value round_to(Format format) const;
  /// The same as a double.
  double to_double_nearest() const;
  /// This number as a double when it is one (an exact zero is +0); nullopt otherwise.
  std::optional<double> exact_double() const;
  /// The smallest double that is not below this number; +inf above the largest finite one.
  /// Precondition: not negative.
  double to_double_up() const;

  /// Rounded to `digits` significant digits, trailing zeros dropped: "35.762785", "1e-45".
  std::string to_string(int digits = 17) const;
  /// Every digit and no other: "0.1000000000000000055511151231257827021181583404541015625".
  /// Plain notation while the exponent is between −7 and 21, otherwise "d.ddde±x".
  std::string exact_string() const;

  friend Decimal multiply_up(const Decimal& a, const Decimal& b, int digits);
  friend double error_ratio(const Decimal& a, const Decimal& b);

 private:
  struct Access;  // the one place that knows cpp_dec_float, in decimal.cpp
  friend struct Access;

  static constexpr std::size_t inline_bytes = 144;

  static Decimal sum(const Decimal& a, const Decimal& b);
  static Decimal difference(const Decimal& a, const Decimal& b);
  static int compare(const Decimal& a, const Decimal& b);
  Decimal(Width width, bool negative, std::uint64_t magnitude);

  alignas(8) std::byte storage_[inline_bytes];
  Width width_;
};

/// An upper bound of a·b, above it by less than one part in 10^(digits − 2); exact when both
/// operands and the product have at most `digits` digits.
/// Preconditions: neither is negative; 1 ≤ digits ≤ 100.
Decimal multiply_up(const Decimal& a, const Decimal& b, int digits = 60);

/// |a|/|b| to 14 digits, for reports; never for a verdict. 0/0 is 0, and x/0 is +inf; a quotient beyond
/// the doubles is +inf or 0.
double error_ratio(const Decimal& a, const Decimal& b);

// ---------------------------------------------------------------------------------------------

template <std::integral Integer>
Decimal::Decimal(Integer n, Width width)
    // Through the unsigned negative, so that the most negative integer has its magnitude too.
    : Decimal(width, n < 0,
              n < 0 ? std::uint64_t{0} - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n)) {}

}  // namespace warpcheck::numeric

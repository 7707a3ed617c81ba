#include "tests/simt/alu_reference_float.hpp"

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/cpp_int.hpp>
#include <stdexcept>
#include <string>

namespace warpcheck::simt::alu_test {
namespace {

using Integer = boost::multiprecision::cpp_int;
using Real = boost::multiprecision::cpp_bin_float_100;

int lowest_exponent(const Format& format) {
  return 1 - format.max_exponent - (format.precision - 1);
}

std::uint64_t sign_bit(const Format& format) {
  return std::uint64_t{1} << (format.bits - 1);
}

bool is_zero(const Format& format, std::uint64_t bits) {
  return magnitude(format, bits) == 0;
}

/// A nonnegative number m · 2^e, or slightly more than that if `more`.
struct Number {
  Integer m;
  int e{};
  bool more{};
};

Number decode(const Format& format, std::uint64_t bits) {
  const std::uint64_t field = magnitude(format, bits) >> (format.precision - 1);
  const std::uint64_t fraction = magnitude(format, bits) & ((std::uint64_t{1} << (format.precision - 1)) - 1);
  if (field == 0) return {fraction, lowest_exponent(format)};
  return {fraction | (std::uint64_t{1} << (format.precision - 1)),
          lowest_exponent(format) + static_cast<int>(field) - 1};
}

/// Rounds x · 2^-shift to an integer, given that x may be `more`.
Integer rounded_shift(const Integer& x, int shift, bool more, bool negative, Mode mode) {
  if (shift <= 0) {
    if (more) throw std::logic_error("reference: too few bits to round");
    return x << -shift;
  }
  const Integer quotient = x >> shift;
  const Integer twice_rest = (x - (quotient << shift)) << 1;
  const Integer one = Integer(1) << shift;
  const bool exact = twice_rest == 0 && !more;
  bool up = false;
  switch (mode) {
    case Mode::nearest:
      up = twice_rest > one || (twice_rest == one && (more || (quotient & 1) != 0));
      break;
    case Mode::zero:
      break;
    case Mode::down:
      up = negative && !exact;
      break;
    case Mode::up:
      up = !negative && !exact;
      break;
  }
  return up ? Integer(quotient + 1) : quotient;
}

std::uint64_t encode(const Format& format, Mode mode, bool negative, const Number& number) {
  const std::uint64_t sign = negative ? sign_bit(format) : 0;
  if (number.m == 0) {
    if (number.more) throw std::logic_error("reference: a nonzero number needs a leading bit");
    return sign;
  }
  const int top = number.e + static_cast<int>(boost::multiprecision::msb(number.m));
  int unit = std::max(top - format.precision + 1, lowest_exponent(format));
  Integer significand = rounded_shift(number.m, unit - number.e, number.more, negative, mode);
  if (significand == Integer(1) << format.precision) {
    significand >>= 1;
    ++unit;
  }
  if (significand != 0 &&
      unit + static_cast<int>(boost::multiprecision::msb(significand)) > format.max_exponent) {
    const bool to_infinity =
        mode == Mode::nearest || (mode == Mode::down && negative) || (mode == Mode::up && !negative);
    return to_infinity ? infinity(format, negative) : infinity(format, negative) - 1;
  }
  const auto low = static_cast<std::uint64_t>(significand);
  const std::uint64_t hidden = std::uint64_t{1} << (format.precision - 1);
  if (low < hidden) return sign | low;
  const auto field = static_cast<std::uint64_t>(unit - lowest_exponent(format) + 1);
  return sign | (field << (format.precision - 1)) | (low - hidden);
}

/// The sum of two signed numbers; an exact zero has the common sign, or the one that the mode asks for.
std::uint64_t encode_sum(const Format& format, Mode mode, bool negative_x, const Number& x, bool negative_y,
                         const Number& y) {
  if (x.m == 0 && y.m == 0 && negative_x == negative_y) return negative_x ? sign_bit(format) : 0;
  const int e = std::min(x.e, y.e);
  Integer sum = x.m << (x.e - e);
  if (negative_x) sum = -sum;
  const Integer term = y.m << (y.e - e);
  sum += negative_y ? Integer(-term) : term;
  if (sum == 0) return mode == Mode::down ? sign_bit(format) : 0;
  const bool negative = sum < 0;
  return encode(format, mode, negative, {abs(sum), e});
}

/// 1 / sqrt(x) with `bits` or more significant bits.
Number reciprocal_root_of(Number x, int bits) {
  if (x.e % 2 != 0) {
    x.m <<= 1;
    x.e -= 1;
  }
  // sqrt(2^(2k) / m) · 2^(-e/2 - k), with k such that the quotient has 2 · bits bits.
  const int k = bits + static_cast<int>(boost::multiprecision::msb(x.m));
  const Integer power = Integer(1) << (2 * k);
  Integer rest;
  const Integer root = boost::multiprecision::sqrt(Integer(power / x.m), rest);
  // floor(sqrt(floor(q))) = floor(sqrt(q)); exact only if both steps were.
  const bool exact = rest == 0 && power % x.m == 0;
  return {root, -x.e / 2 - k, !exact};
}

Number from_real(const Real& value) {
  int exponent = 0;
  const Real fraction = frexp(value, &exponent);
  return {static_cast<Integer>(ldexp(fraction, 320)), exponent - 320, true};
}

}  // namespace

Mode mode_from_name(std::string_view name) {
  if (name.size() < 2 || name[0] != 'r') return Mode::nearest;
  switch (name[1]) {
    case 'z':
      return Mode::zero;
    case 'm':
      return Mode::down;
    case 'p':
      return Mode::up;
    default:
      return Mode::nearest;
  }
}

std::uint64_t magnitude(const Format& format, std::uint64_t bits) {
  return bits & (sign_bit(format) - 1);
}

std::uint64_t infinity(const Format& format, bool negative) {
  const auto field = static_cast<std::uint64_t>(2 * format.max_exponent + 1);
  return (negative ? sign_bit(format) : 0) | field << (format.precision - 1);
}

bool is_nan(const Format& format, std::uint64_t bits) {
  return magnitude(format, bits) > infinity(format, false);
}

bool is_infinite(const Format& format, std::uint64_t bits) {
  return magnitude(format, bits) == infinity(format, false);
}

bool is_subnormal(const Format& format, std::uint64_t bits) {
  return !is_zero(format, bits) && (magnitude(format, bits) >> (format.precision - 1)) == 0;
}

bool is_negative(const Format& format, std::uint64_t bits) {
  return (bits & sign_bit(format)) != 0;
}

std::uint64_t flush(const Format& format, std::uint64_t bits) {
  return is_subnormal(format, bits) ? bits & sign_bit(format) : bits;
}

std::uint64_t nan_result(const Format& format, const std::uint64_t* operands, int count) {
  if (format.bits == 32) return 0x7fffffffu;
  for (int i = 0; i < count; ++i)
    if (is_nan(format, operands[i])) return operands[i] | 0x0008000000000000u;
  return 0xfff8000000000000u;
}

int compare_values(const Format& format, std::uint64_t a, std::uint64_t b) {
  const auto key = [&](std::uint64_t x) {
    const auto size = static_cast<std::int64_t>(magnitude(format, x));
    return is_negative(format, x) ? -size : size;
  };
  return key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0;
}

std::uint64_t saturate(const Format& format, std::uint64_t bits) {
  const std::uint64_t one = static_cast<std::uint64_t>(format.max_exponent) << (format.precision - 1);
  if (is_nan(format, bits) || compare_values(format, bits, 0) <= 0) return 0;
  return compare_values(format, bits, one) > 0 ? one : bits;
}

std::uint64_t negate(const Format& format, std::uint64_t a) {
  return a ^ sign_bit(format);
}

std::uint64_t add(const Format& format, Mode mode, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t operands[] = {a, b};
  const bool infinite_a = is_infinite(format, a);
  const bool infinite_b = is_infinite(format, b);
  if (is_nan(format, a) || is_nan(format, b) || (infinite_a && infinite_b && a != b))
    return nan_result(format, operands, 2);
  if (infinite_a) return a;
  if (infinite_b) return b;
  return encode_sum(format, mode, is_negative(format, a), decode(format, a), is_negative(format, b),
                    decode(format, b));
}

std::uint64_t multiply(const Format& format, Mode mode, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t operands[] = {a, b};
  const bool infinite = is_infinite(format, a) || is_infinite(format, b);
  if (is_nan(format, a) || is_nan(format, b) || (infinite && (is_zero(format, a) || is_zero(format, b))))
    return nan_result(format, operands, 2);
  const bool negative = is_negative(format, a) != is_negative(format, b);
  if (infinite) return infinity(format, negative);
  const Number x = decode(format, a), y = decode(format, b);
  return encode(format, mode, negative, {x.m * y.m, x.e + y.e});
}

std::uint64_t fused(const Format& format, Mode mode, std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  const std::uint64_t operands[] = {a, b, c};
  const bool infinite = is_infinite(format, a) || is_infinite(format, b);
  const bool invalid = infinite && (is_zero(format, a) || is_zero(format, b));
  const bool negative = is_negative(format, a) != is_negative(format, b);
  const bool opposite = infinite && is_infinite(format, c) && negative != is_negative(format, c);
  if (is_nan(format, a) || is_nan(format, b) || is_nan(format, c) || invalid || opposite)
    return nan_result(format, operands, 3);
  if (infinite) return infinity(format, negative);
  if (is_infinite(format, c)) return c;
  const Number x = decode(format, a), y = decode(format, b);
  return encode_sum(format, mode, negative, {x.m * y.m, x.e + y.e}, is_negative(format, c),
                    decode(format, c));
}

std::uint64_t divide(const Format& format, Mode mode, std::uint64_t a, std::uint64_t b) {
  const std::uint64_t operands[] = {a, b};
  const bool negative = is_negative(format, a) != is_negative(format, b);
  const bool both_infinite = is_infinite(format, a) && is_infinite(format, b);
  const bool both_zero = is_zero(format, a) && is_zero(format, b);
  if (is_nan(format, a) || is_nan(format, b) || both_infinite || both_zero)
    return nan_result(format, operands, 2);
  if (is_infinite(format, a) || is_zero(format, b)) return infinity(format, negative);
  if (is_infinite(format, b) || is_zero(format, a)) return encode(format, mode, negative, {0, 0});
  const Number x = decode(format, a), y = decode(format, b);
  const int shift = 2 * format.precision + 8;
  const Integer scaled = x.m << shift;
  const Integer quotient = scaled / y.m;
  return encode(format, mode, negative, {quotient, x.e - y.e - shift, quotient * y.m != scaled});
}

std::uint64_t square_root(const Format& format, Mode mode, std::uint64_t a) {
  if (is_nan(format, a)) return nan_result(format, &a, 1);
  if (is_zero(format, a)) return a;
  if (is_negative(format, a)) return nan_result(format, nullptr, 0);
  if (is_infinite(format, a)) return a;
  Number x = decode(format, a);
  int shift = 2 * format.precision + 8;
  if ((x.e - shift) % 2 != 0) ++shift;
  Integer rest;
  const Integer root = boost::multiprecision::sqrt(Integer(x.m << shift), rest);
  return encode(format, mode, false, {root, (x.e - shift) / 2, rest != 0});
}

std::uint64_t reciprocal_root(const Format& format, std::uint64_t a) {
  if (is_nan(format, a)) return nan_result(format, &a, 1);
  if (is_zero(format, a)) return infinity(format, is_negative(format, a));
  if (is_negative(format, a)) return nan_result(format, nullptr, 0);
  if (is_infinite(format, a)) return 0;
  return encode(format, Mode::nearest, false, reciprocal_root_of(decode(format, a), 2 * format.precision));
}

std::uint64_t convert(const Format& from, const Format& to, Mode mode, std::uint64_t a) {
  const bool negative = is_negative(from, a);
  if (is_nan(from, a)) {
    if (to.bits == 32) return nan_result(to, nullptr, 0);
    const std::uint64_t fraction = a & ((std::uint64_t{1} << (from.precision - 1)) - 1);
    const std::uint64_t moved = fraction << (to.precision - from.precision);
    const std::uint64_t widened = infinity(to, negative) | moved;
    return nan_result(to, &widened, 1);
  }
  if (is_infinite(from, a)) return infinity(to, negative);
  return encode(to, mode, negative, decode(from, a));
}

std::uint64_t to_integral(const Format& format, Mode mode, std::uint64_t a) {
  if (is_nan(format, a)) return nan_result(format, &a, 1);
  if (is_infinite(format, a)) return a;
  const Number x = decode(format, a);
  const bool negative = is_negative(format, a);
  const Integer whole = rounded_shift(x.m, -x.e, false, negative, mode);
  return encode(format, Mode::zero, negative, {whole, 0});
}

std::uint64_t to_integer(const Format& format, Mode mode, std::uint64_t a, int bits, bool is_signed) {
  const Integer high = (Integer(1) << (is_signed ? bits - 1 : bits)) - 1;
  const Integer low = is_signed ? Integer(-high - 1) : Integer(0);
  const bool negative = is_negative(format, a);
  Integer value;
  if (is_nan(format, a)) {
    const bool zero = format.bits != 64 && bits != 64;
    value = zero ? Integer(0) : is_signed ? low : Integer(Integer(1) << (bits - 1));
  } else if (is_infinite(format, a)) {
    value = negative ? low : high;
  } else {
    const Number x = decode(format, a);
    value = rounded_shift(x.m, -x.e, false, negative, mode);
    if (negative) value = -value;
    value = std::min(high, std::max(low, value));
  }
  if (value < 0) value += Integer(1) << 64;
  return static_cast<std::uint64_t>(value);
}

std::uint64_t from_integer(const Format& format, Mode mode, std::uint64_t a, int bits, bool is_signed) {
  Integer value = Integer(a) & ((Integer(1) << bits) - 1);
  if (is_signed && value >= Integer(1) << (bits - 1)) value -= Integer(1) << bits;
  return encode(format, mode, value < 0, {abs(value), 0});
}

std::uint64_t transcendental(std::string_view function, std::uint64_t a) {
  const Format& format = kBinary32;
  const bool negative = is_negative(format, a);
  const bool infinite = is_infinite(format, a);
  const std::uint64_t one = 0x3f800000u;
  if (is_nan(format, a)) return nan_result(format, &a, 1);
  if (function == "ex2") {
    if (infinite) return negative ? 0 : a;
    if (is_zero(format, a)) return one;
  } else if (function == "lg2") {
    if (is_zero(format, a)) return infinity(format, true);
    if (negative) return nan_result(format, nullptr, 0);
    if (infinite) return a;
    if (a == one) return 0;
  } else if (function == "sin") {
    if (infinite) return nan_result(format, nullptr, 0);
    if (is_zero(format, a)) return a;
  } else if (function == "cos") {
    if (infinite) return nan_result(format, nullptr, 0);
    if (is_zero(format, a)) return one;
  } else if (function == "tanh") {
    if (infinite) return negative ? one | sign_bit(format) : one;
    if (is_zero(format, a)) return a;
  }
  const Number exact = decode(format, a);
  Real x = ldexp(Real(exact.m), exact.e);
  if (negative) x = -x;
  Real y;
  if (function == "ex2") {
    // Far outside, any value out of the format's range does.
    if (x > 200 || x < -200) return encode(format, Mode::nearest, false, {1, x > 0 ? 400 : -400});
    y = pow(Real(2), x);
    if (y == 1) return one;  // 2^x with |x| < 2^-330 rounds to one in Real too
  } else if (function == "lg2") {
    y = log(x) / log(Real(2));
  } else if (function == "sin") {
    y = sin(x);
  } else if (function == "cos") {
    y = cos(x);
  } else if (function == "tanh") {
    if (abs(x) < ldexp(Real(1), -40)) return a;  // tanh x = x (1 - x^2 / 3 …)
    if (abs(x) > 100) return negative ? one | sign_bit(format) : one;
    const Real e = exp(2 * abs(x));
    y = (e - 1) / (e + 1);
    if (negative) y = -y;
  } else {
    throw std::logic_error("reference: no function " + std::string(function));
  }
  return encode(format, Mode::nearest, y < 0, from_real(abs(y)));
}

namespace {

/// 1.11.20: the exponents of binary64 with 21 significant bits, in the upper word.
constexpr Format kUpperWord{21, 1023, 32};

std::uint64_t to_upper_word(std::uint64_t upper) {
  if (is_nan(kUpperWord, upper)) return 0x7fffffff00000000u;
  return flush(kUpperWord, upper) << 32;
}

}  // namespace

std::uint64_t upper_word_reciprocal(std::uint64_t a) {
  const std::uint64_t x = flush(kUpperWord, a >> 32);
  const std::uint64_t one = std::uint64_t{1023} << 20;
  return to_upper_word(divide(kUpperWord, Mode::nearest, one, x));
}

std::uint64_t upper_word_reciprocal_root(std::uint64_t a) {
  return to_upper_word(reciprocal_root(kUpperWord, flush(kUpperWord, a >> 32)));
}

}  // namespace warpcheck::simt::alu_test

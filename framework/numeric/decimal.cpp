#include "framework/numeric/decimal.hpp"

#include <algorithm>
#include <boost/multiprecision/cpp_dec_float.hpp>
#include <cassert>
#include <cmath>
#include <compare>
#include <cstdlib>
#include <limits>
#include <new>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "framework/numeric/natural.hpp"

namespace warpcheck::numeric {
namespace {

namespace mp = boost::multiprecision;

constexpr unsigned narrow_digits = 216;  // NUMERICS: fp32 sums need 208
constexpr unsigned wide_digits = 1400;   // NUMERICS: fp64 sums need 1400

using Narrow = mp::number<mp::cpp_dec_float<narrow_digits, std::int32_t, void>, mp::et_off>;
using Wide = mp::number<mp::cpp_dec_float<wide_digits, std::int32_t, void>, mp::et_off>;

/// Decimal digits of an integer, without trailing zeros, times 10^exponent.
struct Digits {
  bool negative = false;
  std::string text;
  int exponent = 0;
};

/// NUMERICS §1: m·2^e is the integer itself for e ≥ 0, and otherwise m·5^|e| with exponent e.
Digits digits_of(bool negative, Natural m, int e) {
  if (m.is_zero()) return {false, "0", 0};
  const int twos = m.trailing_zeros();  // an odd m keeps the powers of five small
  m >>= twos;
  e += twos;
  if (e >= 0) {
    m <<= e;
  } else {
    m.multiply_by_power_of_five(static_cast<unsigned>(-e));
  }
  Digits result{negative, m.digits(), std::min(e, 0)};
  const std::size_t last = result.text.find_last_not_of('0');
  result.exponent += static_cast<int>(result.text.size() - 1 - last);
  result.text.resize(last + 1);
  return result;
}

template <class Number>
Number number_of(const Digits& d) {
  return Number((d.negative ? "-" : "") + d.text + "e" + std::to_string(d.exponent));
}

/// Every digit of x, exactly: cpp_dec_float prints all its limbs when asked for no fewer digits.
template <class Number>
Digits digits_of(const Number& x) {
  if (x.is_zero()) return {false, "0", 0};
  std::string s = x.str(0, std::ios_base::scientific);  // [-]d.ddde±xx
  Digits result;
  result.negative = s.front() == '-';
  if (result.negative) s.erase(0, 1);
  const std::size_t e = s.find('e');
  const int exponent = std::atoi(s.c_str() + e + 1);
  result.text = s.substr(0, 1) + s.substr(std::min<std::size_t>(2, e), e - std::min<std::size_t>(2, e));
  const std::size_t length = result.text.find_last_not_of('0') + 1;
  result.text.resize(length);
  result.exponent = exponent - static_cast<int>(length) + 1;
  return result;
}

Narrow power_of_ten(int k) {
  return Narrow("1e" + std::to_string(k));
}

/// `x` cut to at least `digits` digits and the value of one unit of the last place kept.
///
/// The cut falls on a limb boundary (8 digits): scaling by a power of 10^8 moves whole limbs and so is
/// exact, which scaling by another power of ten is not for a number that fills all its limbs.
struct Cut {
  Narrow integer;  // x = (integer + f)·10^-shift, 0 ≤ f < 1
  int shift = 0;
  bool inexact = false;  // f > 0
};

template <class Number>
Cut cut(const Number& x, int digits) {
  const Narrow leading(x);  // drops limbs of a wide number
  bool inexact = Number(leading) != x;
  const int order = leading.backend().order();
  const int missing = digits - 1 - order;
  const int shift = (missing >= 0 ? missing + 7 : missing) / 8 * 8;
  const Narrow scaled = leading * power_of_ten(shift);
  Narrow integer(scaled.backend().extract_integer_part());
  inexact = inexact || integer != scaled;
  return {std::move(integer), shift, inexact};
}

template <class Number>
Narrow rounded_up_to(const Number& x, int digits) {
  if (x.is_zero()) return Narrow(0);
  Cut c = cut(x, digits);
  if (c.inexact) c.integer += 1;
  return c.integer * power_of_ten(-c.shift);
}

std::string plain_or_scientific(const Digits& d) {
  const std::string sign = d.negative ? "-" : "";
  const int length = static_cast<int>(d.text.size());
  const int order = d.exponent + length - 1;  // of the leading digit
  if (order < -7 || order > 21) {
    std::string mantissa = d.text.substr(0, 1);
    if (length > 1) mantissa += "." + d.text.substr(1);
    const std::string exponent = std::to_string(std::abs(order));
    return sign + mantissa + "e" + (order < 0 ? "-" : "+") + (exponent.size() < 2 ? "0" : "") + exponent;
  }
  if (d.exponent >= 0) return sign + d.text + std::string(static_cast<std::size_t>(d.exponent), '0');
  if (order >= 0) {
    const auto whole = static_cast<std::size_t>(order + 1);
    return sign + d.text.substr(0, whole) + "." + d.text.substr(whole);
  }
  return sign + "0." + std::string(static_cast<std::size_t>(-order - 1), '0') + d.text;
}

/// `d` rounded half to even to at most `count` digits.
Digits rounded_to(Digits d, std::size_t count) {
  if (d.text.size() <= count) return d;
  const std::string rest = d.text.substr(count);
  d.exponent += static_cast<int>(rest.size());
  d.text.resize(count);
  const bool beyond_half = rest[0] > '5' || (rest[0] == '5' && rest.find_first_not_of('0', 1) != rest.npos);
  const bool half = rest[0] == '5' && !beyond_half;
  if (beyond_half || (half && (d.text.back() - '0') % 2 != 0)) {
    std::size_t i = count;
    while (i != 0 && d.text[i - 1] == '9') d.text[--i] = '0';
    if (i != 0) {
      ++d.text[i - 1];
    } else {
      d.text.insert(d.text.begin(), '1');
    }
  }
  const std::size_t last = d.text.find_last_not_of('0');
  d.exponent += static_cast<int>(d.text.size() - 1 - last);
  d.text.resize(last + 1);
  return d;
}

}  // namespace

struct Decimal::Access {
  static_assert(sizeof(Narrow) <= inline_bytes && alignof(Narrow) <= 8);
  static_assert(sizeof(Wide*) <= inline_bytes);

  static Narrow& narrow(Decimal& d) { return *std::launder(reinterpret_cast<Narrow*>(d.storage_)); }
  static const Narrow& narrow(const Decimal& d) {
    return *std::launder(reinterpret_cast<const Narrow*>(d.storage_));
  }
  static Wide*& wide_pointer(Decimal& d) { return *std::launder(reinterpret_cast<Wide**>(d.storage_)); }
  static const Wide& wide(const Decimal& d) {
    return **std::launder(reinterpret_cast<Wide* const*>(d.storage_));
  }

  static Decimal make(const Narrow& x) {
    Decimal d;
    narrow(d) = x;
    return d;
  }
  static Decimal make(const Wide& x) {
    Decimal d(Width::wide, false, 0);
    *wide_pointer(d) = x;
    return d;
  }
  static Decimal make(const Narrow& x, Width width) {
    return width == Width::narrow ? make(x) : make(Wide(x));
  }
  static Decimal make(const Digits& digits, Width width) {
    if (digits.text.size() > wide_digits) {
      throw std::out_of_range("a number of " + std::to_string(digits.text.size()) + " digits exceeds the " +
                              std::to_string(wide_digits) + " digits of a Decimal");
    }
    if (width == Width::narrow && digits.text.size() <= narrow_digits) return make(number_of<Narrow>(digits));
    return make(number_of<Wide>(digits));
  }

  template <class Function>
  static auto visit(const Decimal& d, Function f) {
    return d.width_ == Width::narrow ? f(narrow(d)) : f(wide(d));
  }
  /// f of both numbers in the wider of their widths.
  template <class Function>
  static auto visit(const Decimal& a, const Decimal& b, Function f) {
    if (a.width_ == Width::narrow && b.width_ == Width::narrow) return f(narrow(a), narrow(b));
    if (a.width_ == Width::narrow) return f(Wide(narrow(a)), wide(b));
    if (b.width_ == Width::narrow) return f(wide(a), Wide(narrow(b)));
    return f(wide(a), wide(b));
  }

  static Digits digits(const Decimal& d) {
    return visit(d, [](const auto& x) { return digits_of(x); });
  }
};

Decimal::Decimal() : Decimal(Width::narrow, false, 0) {}

Decimal::Decimal(Width width, bool negative, std::uint64_t magnitude) : width_(width) {
  if (width == Width::narrow) {
    new (storage_) Narrow(magnitude);
    if (negative) Access::narrow(*this).backend().negate();
  } else {
    new (storage_) Wide*(new Wide(magnitude));
    if (negative) Access::wide_pointer(*this)->backend().negate();
  }
}

Decimal::Decimal(Value v, Width width) : Decimal() {
  if (!is_finite(v))
    throw std::invalid_argument("a Decimal holds finite values only, not NaN or an infinity");
  *this = scaled(unpack(v), std::max(width, width_for(v.format)));
}

Decimal::Decimal(const Decimal& other) : width_(other.width_) {
  if (width_ == Width::narrow) {
    new (storage_) Narrow(Access::narrow(other));
  } else {
    new (storage_) Wide*(new Wide(Access::wide(other)));
  }
}

Decimal::Decimal(Decimal&& other) noexcept : width_(other.width_) {
  if (width_ == Width::narrow) {
    new (storage_) Narrow(Access::narrow(other));
  } else {
    // The husk becomes a narrow zero, so that it can still be used and destroyed.
    new (storage_) Wide*(Access::wide_pointer(other));
    other.width_ = Width::narrow;
    new (other.storage_) Narrow();
  }
}

Decimal& Decimal::operator=(const Decimal& other) {
  if (this != &other) *this = Decimal(other);
  return *this;
}

Decimal& Decimal::operator=(Decimal&& other) noexcept {
  if (this != &other) {
    this->~Decimal();
    new (this) Decimal(std::move(other));
  }
  return *this;
}

Decimal::~Decimal() {
  if (width_ == Width::wide) delete Access::wide_pointer(*this);
}

Decimal Decimal::scaled(Unpacked parts, Width width) {
  return scaled(parts.negative, Natural(parts.significand), parts.exponent, width);
}

Decimal Decimal::scaled(bool negative, const Natural& significand, int exponent, Width width) {
  return Access::make(digits_of(negative, significand, exponent), width);
}

Decimal Decimal::of_double(double x, Width width) {
  const Value v = value_of(x);
  if (!is_finite(v))
    throw std::invalid_argument("a Decimal holds finite values only, not NaN or an infinity");
  return scaled(unpack(v), width);
}

bool Decimal::is_zero() const {
  return Access::visit(*this, [](const auto& x) { return x.is_zero(); });
}

bool Decimal::is_negative() const {
  return Access::visit(*this, [](const auto& x) { return x.sign() < 0; });
}

Decimal Decimal::abs() const {
  return is_negative() ? -*this : *this;
}

Decimal Decimal::operator-() const {
  Decimal result(*this);
  if (width_ == Width::narrow) {
    Access::narrow(result).backend().negate();
  } else {
    Access::wide_pointer(result)->backend().negate();
  }
  return result;
}

Decimal Decimal::sum(const Decimal& a, const Decimal& b) {
  return Access::visit(a, b, [](const auto& x, const auto& y) {
    auto z = x;
    z += y;
    return Access::make(z);
  });
}

Decimal Decimal::difference(const Decimal& a, const Decimal& b) {
  return Access::visit(a, b, [](const auto& x, const auto& y) {
    auto z = x;
    z -= y;
    return Access::make(z);
  });
}

int Decimal::compare(const Decimal& a, const Decimal& b) {
  return Access::visit(a, b, [](const auto& x, const auto& y) { return x.compare(y); });
}

Decimal Decimal::rounded_up(int digits) const {
  assert(!is_negative() && digits >= 1 && digits <= 100);
  return Access::visit(*this, [&](const auto& x) { return Access::make(rounded_up_to(x, digits), width_); });
}

Decimal multiply_up(const Decimal& a, const Decimal& b, int digits) {
  assert(!a.is_negative() && !b.is_negative() && digits >= 1 && digits <= 100);
  using Access = Decimal::Access;
  const auto upper = [digits](const auto& x) { return rounded_up_to(x, digits); };
  // At most 107 digits each: their product fits the narrow width exactly, then is rounded up once more.
  const Narrow product = Access::visit(a, upper) * Access::visit(b, upper);
  return Access::make(rounded_up_to(product, digits), std::max(a.width(), b.width()));
}

Value Decimal::round_to(Format format) const {
  if (is_zero()) return zero(format);
  const Digits d = Access::digits(*this);
  Natural integer = Natural::of_digits(d.text);
  // 10^k = 5^k·2^k: the powers of two only move the exponent.
  Truncated t;
  if (d.exponent >= 0) {
    integer.multiply_by_power_of_five(static_cast<unsigned>(d.exponent));
    t = leading_bits(integer, d.exponent);
  } else {
    t = leading_bits_of_quotient(std::move(integer),
                                 Natural::power_of_five(static_cast<unsigned>(-d.exponent)), d.exponent);
  }
  return round_to_nearest_even(format, d.negative, t.integer, t.exponent, t.inexact);
}

double Decimal::to_double_nearest() const {
  return to_double(round_to(Format::fp64));
}

std::optional<double> Decimal::exact_double() const {
  const double nearest = to_double_nearest();
  if (!std::isfinite(nearest) || of_double(nearest) != *this) return std::nullopt;
  return nearest;
}

double Decimal::to_double_up() const {
  assert(!is_negative());
  const Value nearest = round_to(Format::fp64);
  if (is_inf(nearest)) return to_double(nearest);
  return to_double(of_double(to_double(nearest)) < *this ? next_up(nearest) : nearest);
}

std::string Decimal::to_string(int digits) const {
  return plain_or_scientific(
      rounded_to(Access::digits(*this), static_cast<std::size_t>(std::max(digits, 1))));
}

std::string Decimal::exact_string() const {
  return plain_or_scientific(Access::digits(*this));
}

double error_ratio(const Decimal& a, const Decimal& b) {
  if (a.is_zero()) return 0;
  if (b.is_zero()) return std::numeric_limits<double>::infinity();
  struct Parts {
    double mantissa = 0;
    std::int32_t exponent = 0;
  };
  const auto parts = [](const auto& x) {
    Parts p;
    x.backend().extract_parts(p.mantissa, p.exponent);
    return p;
  };
  const Parts x = Decimal::Access::visit(a, parts);
  const Parts y = Decimal::Access::visit(b, parts);
  const int exponent = x.exponent - y.exponent;
  // In two steps, so that the power of ten stays in range where the quotient is.
  const double half = std::pow(10.0, exponent / 2);
  return std::abs(x.mantissa / y.mantissa) * half * std::pow(10.0, exponent - exponent / 2);
}

}  // namespace warpcheck::numeric

#include "framework/numeric/text.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <cstdint>
#include <utility>

namespace warpcheck::numeric {
namespace {

constexpr int exponent_limit = 100'000'000;  // far outside every format, far inside int
constexpr std::size_t most_digits = 767;     // no double has more significant decimal digits

/// The digits of a number in some base, without leading and trailing zeros, read as 0.ddd·base^point.
struct Literal {
  std::string digits;
  int point = 0;
  int exponent = 0;
};

bool is_digit_of(char c, bool hex) {
  const auto u = static_cast<unsigned char>(c);
  return hex ? std::isxdigit(u) != 0 : std::isdigit(u) != 0;
}

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

/// Reads digits[.digits][mark[±]digits], all of `text`; nullopt for any other text.
std::optional<Literal> read_literal(std::string_view text, bool hex) {
  Literal literal;
  bool any = false;
  bool after_point = false;
  std::size_t i = 0;
  for (; i < text.size(); ++i) {
    if (text[i] == '.' && !after_point) {
      after_point = true;
      continue;
    }
    if (!is_digit_of(text[i], hex)) break;
    any = true;
    const bool leading_zero = literal.digits.empty() && text[i] == '0';
    if (!leading_zero) literal.digits += lower(text[i]);
    // A leading zero before the point does not move it, one behind does.
    if (leading_zero ? after_point : !after_point) literal.point += leading_zero ? -1 : 1;
  }
  if (!any) return std::nullopt;
  if (i < text.size()) {
    if (lower(text[i]) != (hex ? 'p' : 'e')) return std::nullopt;
    ++i;
    bool negative = false;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) negative = text[i++] == '-';
    if (i == text.size()) return std::nullopt;
    for (; i < text.size(); ++i) {
      if (!is_digit_of(text[i], false)) return std::nullopt;
      literal.exponent = std::min(literal.exponent * 10 + (text[i] - '0'), exponent_limit);
    }
    if (negative) literal.exponent = -literal.exponent;
  }
  literal.digits.resize(literal.digits.find_last_not_of('0') + 1);
  return literal;
}

std::string to_chars_text(Value v) {
  std::array<char, 64> buffer;
  const auto end = v.format == Format::fp32
                       ? std::to_chars(buffer.begin(), buffer.end(), static_cast<float>(to_double(v)))
                       : std::to_chars(buffer.begin(), buffer.end(), to_double(v));
  return {buffer.begin(), end.ptr};
}

/// Significant digits, without trailing zeros, and the exponent of the first.
struct Significant {
  std::string digits;
  int order = 0;

  friend bool operator==(const Significant&, const Significant&) = default;
};

Significant significant(const Literal& l) {
  return {l.digits, l.exponent + l.point - 1};
}

/// |v| correctly rounded to `count` digits. Precondition: v is finite and not zero.
Significant rounded_to(Value v, std::size_t count) {
  std::array<char, most_digits + 32> buffer;
  const auto end = std::to_chars(buffer.begin(), buffer.end(), to_double(absolute(v)),
                                 std::chars_format::scientific, static_cast<int>(count) - 1);
  return significant(*read_literal({buffer.begin(), end.ptr}, false));
}

Significant shortest(Value v) {
  return significant(*read_literal(to_chars_text(absolute(v)), false));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string shown;
  for (const char c : text.substr(0, longest)) {
    shown += std::isprint(static_cast<unsigned char>(c)) != 0 ? c : '?';
  }
  return text.size() > longest ? shown + "..." : shown;
}

Parsed<Value> not_a_number(std::string_view text) {
  std::string error = "'";
  error += quoted(text);
  error += "' is not a number; write a decimal (1e8), a hex float (0x1.8p+3), inf or nan";
  return {std::nullopt, std::move(error)};
}

Parsed<Value> too_large(std::string_view text, Format format) {
  return {std::nullopt, quoted(text) + " is beyond the range of " + std::string(name(format)) +
                            ", whose largest finite value is " + to_decimal(largest_finite(format)) +
                            "; write inf for an infinity"};
}

Parsed<Value> too_small(std::string_view text, Format format) {
  return {std::nullopt, quoted(text) + " would become zero in " + std::string(name(format)) +
                            ", whose smallest value above zero is " + to_decimal(smallest_subnormal(format)) +
                            "; write 0 for zero"};
}

Parsed<Value> not_exact(std::string_view text, Format format, Value nearest) {
  return {std::nullopt, quoted(text) + " is not a value of " + std::string(name(format)) +
                            "; the nearest is " + to_exact_text(nearest)};
}

Parsed<Value> parse_hex(std::string_view text, bool negative, const Literal& literal, Format format) {
  if (literal.digits.empty()) return {zero(format, negative), {}};
  const std::string_view digits = std::string_view(literal.digits).substr(0, 16);
  std::uint64_t significand = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), significand, 16);
  const int exponent = literal.exponent + 4 * (literal.point - static_cast<int>(digits.size()));
  const bool inexact = digits.size() < literal.digits.size();
  const Value nearest = round_to_nearest_even(format, negative, significand, exponent, inexact);
  if (is_inf(nearest)) return too_large(text, format);
  if (is_zero(nearest)) return too_small(text, format);
  if (inexact || make_exact(format, {negative, significand, exponent}) != nearest) {
    return not_exact(text, format, nearest);
  }
  return {nearest, {}};
}

Value nearest_value(const Significant& s, bool negative, Format format) {
  const std::string text = s.digits.substr(0, 1) + "." + s.digits.substr(1) + "e" + std::to_string(s.order);
  const char* const begin = text.data();
  const char* const end = begin + text.size();
  Value v = zero(format);
  std::errc status{};
  if (format == Format::fp32) {
    float x = 0;
    status = std::from_chars(begin, end, x).ec;
    v = value_of(x);
  } else {
    double x = 0;
    status = std::from_chars(begin, end, x).ec;
    v = value_of(x);
  }
  if (status == std::errc::result_out_of_range) v = s.order > 0 ? infinity(format) : zero(format);
  return negative ? negate(v) : v;
}

Parsed<Value> parse_decimal(std::string_view text, bool negative, const Literal& literal, Format format) {
  if (literal.digits.empty()) return {zero(format, negative), {}};
  const Significant s = significant(literal);
  const Value nearest = nearest_value(s, negative, format);
  if (is_inf(nearest)) return too_large(text, format);
  if (is_zero(nearest)) return too_small(text, format);
  const std::size_t count = s.digits.size();
  if (count <= most_digits && (rounded_to(nearest, count) == s || shortest(nearest) == s))
    return {nearest, {}};
  return not_exact(text, format, nearest);
}

}  // namespace

Parsed<Value> parse_value(std::string_view text, Format format) {
  std::string_view rest = text;
  bool negative = false;
  if (!rest.empty() && (rest[0] == '-' || rest[0] == '+')) {
    negative = rest[0] == '-';
    rest.remove_prefix(1);
  }
  std::string word;
  for (const char c : rest.substr(0, 9)) word += lower(c);
  if (word == "inf" || word == "infinity") return {infinity(format, negative), {}};
  if (word == "nan") return {quiet_nan(format, negative), {}};
  const bool hex = word.starts_with("0x");
  if (hex) rest.remove_prefix(2);
  const std::optional<Literal> literal = read_literal(rest, hex);
  if (!literal) return not_a_number(text);
  return hex ? parse_hex(text, negative, *literal, format) : parse_decimal(text, negative, *literal, format);
}

std::string to_decimal(Value v) {
  if (is_nan(v)) return is_negative(v) ? "-nan" : "nan";
  return to_chars_text(v);
}

std::string to_hex(Value v) {
  if (!is_finite(v)) return to_decimal(v);
  const Unpacked parts = unpack(v);
  const std::string sign = parts.negative ? "-" : "";
  if (parts.significand == 0) return sign + "0x0p+0";
  const int width = 64 - std::countl_zero(parts.significand);
  const int exponent = parts.exponent + width - 1;
  std::string fraction;
  // The digits behind the leading 1, four bits at a time from the top.
  for (std::uint64_t bits = parts.significand << (64 - width) << 1; bits != 0; bits <<= 4) {
    fraction += "0123456789abcdef"[bits >> 60];
  }
  return sign + "0x1" + (fraction.empty() ? "" : "." + fraction) + "p" + (exponent < 0 ? "-" : "+") +
         std::to_string(exponent < 0 ? -exponent : exponent);
}

std::string to_exact_text(Value v) {
  const std::string decimal = to_decimal(v);
  if (!is_finite(v) || is_zero(v) || rounded_to(v, most_digits) == shortest(v)) return decimal;
  return decimal + " (" + to_hex(v) + ")";
}

}  // namespace warpcheck::numeric

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "framework/numeric/value.hpp"

namespace warpcheck::numeric {

/// What was read, or one line that says why it could not be and what would be right.
/// Exactly one of the two is set.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string error;

  explicit operator bool() const { return value.has_value(); }
};

/// Reads one value, exactly as it was meant, or refuses.
///
/// Accepted: an optional sign, then a decimal ("1e8", "-.5", "5."), a hex float ("0x1.8p3"; the
/// exponent may be missing), "inf" or "infinity", or "nan", in any case of letters; nothing around it.
/// A hex float must be representable in `format`. A decimal must denote the nearest value v without
/// doubt: with d significant digits it is v itself, or v correctly rounded to d digits, or the shortest
/// decimal that reads back as v. So 0.1 is the nearest float to 0.1, while 16777217 (not a float) and
/// 1e39 (not finite in fp32) and 1e-60 (would be zero) are errors, which name the text, the format and
/// what would be right.
Parsed<Value> parse_value(std::string_view text, Format format);

/// The shortest decimal that parse_value reads back as the same bits ("0.1", "1e+08", "-0", "inf",
/// "nan", "-nan"). NaN payloads are not kept.
std::string to_decimal(Value v);

/// The same value as a hex float ("0x1.8p+3", "-0x0p+0"); infinities and NaN as to_decimal.
std::string to_hex(Value v);

/// The decimal, with the hex float beside it unless the decimal is the value itself to the last digit:
/// "0.1 (0x1.99999ap-4)", "0.5", "1e+08", "-inf".
std::string to_exact_text(Value v);

}  // namespace warpcheck::numeric

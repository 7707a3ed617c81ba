#include "framework/engine/simplicity.hpp"

#include <bit>
#include <cstdlib>

namespace warpcheck::engine {

using numeric::Unpacked;
using numeric::Value;

int significant_bits(Value value) {
  const Unpacked parts = numeric::unpack(value);
  return 64 - std::countl_zero(parts.significand) - std::countr_zero(parts.significand);
}

int leading_exponent(Value value) {
  const Unpacked parts = numeric::unpack(value);
  return parts.exponent + 63 - std::countl_zero(parts.significand);
}

std::int64_t complexity(Value value) {
  const std::int64_t negative = numeric::is_negative(value) ? 1 : 0;
  constexpr std::int64_t beyond_numbers = std::int64_t{1} << 20;
  if (numeric::is_nan(value)) {
    return beyond_numbers + (value == numeric::quiet_nan(value.format) ? 2 : 3 + negative);
  }
  if (numeric::is_inf(value)) return beyond_numbers + negative;
  if (numeric::is_zero(value)) return 3 * negative;
  const int bits = significant_bits(value);
  const int exponent = leading_exponent(value);
  if (bits == 1 && exponent == 0) return 1 + negative;
  // 4·|exponent| stays below the weight of one significant bit in every format.
  constexpr std::int64_t weight_of_bit = 8192;
  return 16 + (bits - 1) * weight_of_bit + 4 * std::abs(exponent) + (exponent < 0 ? 2 : 0) + negative;
}

std::optional<Value> with_significant_bits(Value value, int bits, bool up) {
  Unpacked parts = numeric::unpack(value);
  const int width = 64 - std::countl_zero(parts.significand);
  if (width <= bits) return value;
  const int dropped = width - bits;
  const std::uint64_t kept = parts.significand >> dropped;
  const bool inexact = (kept << dropped) != parts.significand;
  parts.significand = (kept + (up && inexact ? 1 : 0)) << dropped;
  return numeric::make_exact(value.format, parts);
}

Value small_integer(numeric::Format format, std::uint64_t integer) {
  return *numeric::make_exact(format, {false, integer, 0});
}

}  // namespace warpcheck::engine

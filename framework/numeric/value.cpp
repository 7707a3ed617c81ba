#include "framework/numeric/value.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

namespace warpcheck::numeric {
namespace {

constexpr std::uint64_t one = 1;

int fraction_bits(Format format) {
  return traits(format).precision - 1;
}

std::uint64_t sign_bit(Format format) {
  return one << (traits(format).bits - 1);
}

std::uint64_t infinity_bits(Format format) {
  const std::uint64_t largest_field = (one << (traits(format).bits - traits(format).precision)) - 1;
  return largest_field << fraction_bits(format);
}

std::uint64_t magnitude_bits(Value v) {
  return v.bits & ~sign_bit(v.format);
}

Value with_sign(Format format, std::uint64_t magnitude, bool negative) {
  return {format, magnitude | (negative ? sign_bit(format) : 0)};
}

/// The encoding of significand·2^exponent. Precondition: exponent ≥ smallest_exponent, the significand
/// has at most p bits, and exactly p unless the exponent is the smallest.
Value encode(Format format, bool negative, std::uint64_t significand, int exponent) {
  const FormatTraits& t = traits(format);
  if (exponent > t.max_exponent - t.precision + 1) return infinity(format, negative);
  const auto steps = static_cast<std::uint64_t>(exponent - t.smallest_exponent);
  // The implicit bit of a normal significand adds the missing 1 to the exponent field.
  return with_sign(format, (steps << fraction_bits(format)) + significand, negative);
}

}  // namespace

Value value_of(float x) {
  return {Format::fp32, std::bit_cast<std::uint32_t>(x)};
}

Value value_of(double x) {
  return {Format::fp64, std::bit_cast<std::uint64_t>(x)};
}

std::optional<Value> make_exact(Format format, Unpacked parts) {
  if (parts.significand == 0) return zero(format, parts.negative);
  const FormatTraits& t = traits(format);
  const int width = 64 - std::countl_zero(parts.significand);
  const int top = std::max(parts.exponent + width - t.precision, t.smallest_exponent);
  const int dropped = top - parts.exponent;  // bits that the format has no place for
  if (top > t.max_exponent - t.precision + 1 || dropped > std::countr_zero(parts.significand)) {
    return std::nullopt;
  }
  const std::uint64_t significand =
      dropped >= 0 ? parts.significand >> dropped : parts.significand << -dropped;
  return encode(format, parts.negative, significand, top);
}

std::optional<Value> from_double_exactly(Format format, double x) {
  if (std::isnan(x)) return quiet_nan(format, std::signbit(x));
  if (std::isinf(x)) return infinity(format, x < 0);
  return make_exact(format, unpack(value_of(x)));
}

Value round_to_nearest_even(Format format, bool negative, std::uint64_t integer, int exponent, bool inexact) {
  if (integer == 0) return zero(format, negative);
  const FormatTraits& t = traits(format);
  const int width = 64 - std::countl_zero(integer);
  const int target = std::max(exponent + width - t.precision, t.smallest_exponent);
  const int dropped = target - exponent;
  if (dropped <= 0) return encode(format, negative, integer << -dropped, target);
  if (dropped > 64) return zero(format, negative);
  const std::uint64_t kept = dropped == 64 ? 0 : integer >> dropped;
  const std::uint64_t rest = dropped == 64 ? integer : integer & ((one << dropped) - 1);
  const std::uint64_t half = one << (dropped - 1);
  const bool up = rest > half || (rest == half && (inexact || (kept & 1) != 0));
  const std::uint64_t rounded = kept + (up ? 1 : 0);
  if (rounded >> t.precision != 0) return encode(format, negative, rounded >> 1, target + 1);
  return encode(format, negative, rounded, target);
}

Value zero(Format format, bool negative) {
  return with_sign(format, 0, negative);
}
Value infinity(Format format, bool negative) {
  return with_sign(format, infinity_bits(format), negative);
}

Value quiet_nan(Format format, bool negative) {
  return with_sign(format, infinity_bits(format) | (one << (fraction_bits(format) - 1)), negative);
}

Value largest_finite(Format format, bool negative) {
  return with_sign(format, infinity_bits(format) - 1, negative);
}

Value smallest_subnormal(Format format, bool negative) {
  return with_sign(format, 1, negative);
}

bool is_nan(Value v) {
  return magnitude_bits(v) > infinity_bits(v.format);
}
bool is_inf(Value v) {
  return magnitude_bits(v) == infinity_bits(v.format);
}
bool is_finite(Value v) {
  return magnitude_bits(v) < infinity_bits(v.format);
}
bool is_zero(Value v) {
  return magnitude_bits(v) == 0;
}

bool is_subnormal(Value v) {
  return magnitude_bits(v) != 0 && magnitude_bits(v) >> fraction_bits(v.format) == 0;
}

bool is_negative(Value v) {
  return (v.bits & sign_bit(v.format)) != 0;
}

Unpacked unpack(Value v) {
  assert(is_finite(v));
  const int shift = fraction_bits(v.format);
  const std::uint64_t field = magnitude_bits(v) >> shift;
  const std::uint64_t fraction = v.bits & ((one << shift) - 1);
  const int smallest = traits(v.format).smallest_exponent;
  if (field == 0) return {is_negative(v), fraction, smallest};
  return {is_negative(v), fraction | (one << shift), smallest + static_cast<int>(field) - 1};
}

double to_double(Value v) {
  if (v.format == Format::fp64) return std::bit_cast<double>(v.bits);
  return static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(v.bits)));
}

Value convert(Value v, Format format) {
  if (v.format == format) return v;
  if (is_nan(v)) return quiet_nan(format, is_negative(v));
  if (is_inf(v)) return infinity(format, is_negative(v));
  const Unpacked parts = unpack(v);
  return round_to_nearest_even(format, parts.negative, parts.significand, parts.exponent, false);
}

Value negate(Value v) {
  return {v.format, v.bits ^ sign_bit(v.format)};
}
Value absolute(Value v) {
  return {v.format, magnitude_bits(v)};
}

std::optional<Value> scale_exactly(Value v, int k) {
  if (is_nan(v)) return std::nullopt;
  if (is_inf(v) || is_zero(v)) return v;
  Unpacked parts = unpack(v);
  // Beyond this every result is out of range, and the sum of the exponents cannot overflow.
  parts.exponent += std::clamp(k, -5000, 5000);
  return make_exact(v.format, parts);
}

std::optional<std::uint64_t> ulp_distance(Value a, Value b) {
  if (a.format != b.format || is_nan(a) || is_nan(b)) return std::nullopt;
  const std::uint64_t x = magnitude_bits(a);
  const std::uint64_t y = magnitude_bits(b);
  if (is_negative(a) != is_negative(b)) return x + y;
  return x > y ? x - y : y - x;
}

Value next_up(Value v) {
  if (is_nan(v) || v == infinity(v.format)) return v;
  if (is_zero(v)) return smallest_subnormal(v.format);
  return {v.format, is_negative(v) ? v.bits - 1 : v.bits + 1};
}

Value next_down(Value v) {
  if (is_nan(v)) return v;
  return negate(next_up(negate(v)));
}

std::strong_ordering total_order(Value a, Value b) {
  if (a.format != b.format) return a.format <=> b.format;
  const auto key = [](Value v) {
    const std::uint64_t sign = sign_bit(v.format);
    // NaN: above everything else, by bits. Numbers: sign-magnitude to offset binary.
    if (is_nan(v)) return std::pair{1, v.bits};
    return std::pair{0, is_negative(v) ? sign - 1 - magnitude_bits(v) : sign | v.bits};
  };
  return key(a) <=> key(b);
}

Value load(Format format, std::span<const std::byte> array, std::size_t index) {
  if (format == Format::fp32) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, array.data() + index * sizeof bits, sizeof bits);
    return {format, bits};
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, array.data() + index * sizeof bits, sizeof bits);
  return {format, bits};
}

void store(Value v, std::span<std::byte> array, std::size_t index) {
  if (v.format == Format::fp32) {
    const auto bits = static_cast<std::uint32_t>(v.bits);
    std::memcpy(array.data() + index * sizeof bits, &bits, sizeof bits);
  } else {
    std::memcpy(array.data() + index * sizeof v.bits, &v.bits, sizeof v.bits);
  }
}

std::vector<Value> load_all(Format format, std::span<const std::byte> array) {
  const std::size_t size = size_in_bytes(format);
  if (array.size() % size != 0) {
    throw std::invalid_argument("an array of " + std::to_string(array.size()) +
                                " bytes is no whole number of " + std::string(name(format)) +
                                " elements of " + std::to_string(size) + " bytes");
  }
  std::vector<Value> values(array.size() / size);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = load(format, array, i);
  return values;
}

std::vector<std::byte> store_all(std::span<const Value> values) {
  std::vector<std::byte> array(values.empty() ? 0 : values.size() * size_in_bytes(values.front().format));
  for (std::size_t i = 0; i < values.size(); ++i) store(values[i], array, i);
  return array;
}

}  // namespace warpcheck::numeric

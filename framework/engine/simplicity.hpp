#pragma once

#include <cstdint>
#include <optional>

#include "framework/numeric/value.hpp"

namespace warpcheck::engine {

/// How far a value is from the simplest: 0 for +0, then 1, −1, −0, powers of two from 1 outwards, then values
/// of two significant bits, three, and so on; last infinities and NaN, the quiet NaN before others. Positive
/// before negative.
std::int64_t complexity(numeric::Value value);

/// Bits from the first 1 to the last 1 of the significand. Precondition: finite and not zero.
int significant_bits(numeric::Value value);

/// ⌊log2 |value|⌋. Precondition: finite and not zero.
int leading_exponent(numeric::Value value);

/// The neighbour of a positive value that has at most `bits` significant bits: the greatest not above it or,
/// if `up`, the smallest not below it; nullopt when that overflows. Preconditions: finite, positive, bits
/// ≥ 1.
std::optional<numeric::Value> with_significant_bits(numeric::Value value, int bits, bool up);

/// The integer as a value. Precondition: the format holds it.
numeric::Value small_integer(numeric::Format format, std::uint64_t integer);

}  // namespace warpcheck::engine

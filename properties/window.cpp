#include "properties/window.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

namespace warpcheck::properties {
namespace {

using numeric::FormatTraits;
using numeric::Unpacked;
using numeric::Value;

FormatTraits narrowest(const KernelContract& contract) {
  FormatTraits narrow = numeric::traits(contract.input);
  for (const numeric::Format format : {contract.accumulation, contract.output}) {
    const FormatTraits& traits = numeric::traits(format);
    if (traits.precision < narrow.precision) narrow = traits;
  }
  return narrow;
}

/// The parts with an odd significand. Precondition: not zero.
Unpacked reduced(Unpacked parts) {
  const int zeros = std::countr_zero(parts.significand);
  parts.significand >>= zeros;
  parts.exponent += zeros;
  return parts;
}

}  // namespace

std::optional<Value> window_sum(const KernelContract& contract, const InputArray& input) {
  const FormatTraits narrow = narrowest(contract);
  int lowest = std::numeric_limits<int>::max();
  for (std::uint64_t i = 0; i < input.size(); ++i) {
    const Value value = input[i];
    if (!numeric::is_finite(value)) return std::nullopt;
    if (!numeric::is_zero(value)) lowest = std::min(lowest, reduced(numeric::unpack(value)).exponent);
  }
  if (lowest == std::numeric_limits<int>::max()) return numeric::zero(contract.output);
  const int least = contract.flushes_subnormals ? narrow.min_exponent : narrow.smallest_exponent;
  if (lowest < least || lowest + narrow.precision > narrow.max_exponent + 1) return std::nullopt;

  const std::uint64_t limit = std::uint64_t{1} << narrow.precision;
  std::uint64_t positive = 0, negative = 0, largest = 0;
  for (std::uint64_t i = 0; i < input.size(); ++i) {
    const Value value = input[i];
    if (numeric::is_zero(value)) continue;
    const Unpacked parts = reduced(numeric::unpack(value));
    const int shift = parts.exponent - lowest;
    if (shift > narrow.precision || parts.significand > limit >> shift) return std::nullopt;
    const std::uint64_t m = parts.significand << shift;
    largest = std::max(largest, m);
    (parts.negative ? negative : positive) += m;
    // Both stay below 2^54: no overflow.
    if (std::max(positive, negative) + largest > limit) return std::nullopt;
  }
  const bool below_zero = negative > positive;
  return numeric::make_exact(contract.output,
                             {below_zero, below_zero ? negative - positive : positive - negative, lowest});
}

}  // namespace warpcheck::properties

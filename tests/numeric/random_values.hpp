#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "framework/numeric/value.hpp"

namespace warpcheck::numeric::test {

/// A datum with random bits: every exponent as likely as any other, subnormals and specials included.
inline Value random_bits(Format format, std::mt19937_64& random) {
  const std::uint64_t bits = random();
  return {format, format == Format::fp32 ? bits & 0xFFFFFFFFu : bits};
}

inline Value random_finite(Format format, std::mt19937_64& random) {
  for (;;) {
    const Value v = random_bits(format, random);
    if (is_finite(v)) return v;
  }
}

inline std::vector<Value> random_finite_values(Format format, std::size_t n, std::mt19937_64& random) {
  std::vector<Value> values(n);
  for (Value& v : values) v = random_finite(format, random);
  return values;
}

}  // namespace warpcheck::numeric::test

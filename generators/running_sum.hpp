#pragma once

#include <array>
#include <cstdint>

#include "framework/numeric/value.hpp"

namespace warpcheck::generators {

/// An exact sum of values from a narrow range of exponents, cheap enough to be read after every addition.
///
/// A fixed-point number of 256 bits in two's complement: everything added must be a multiple of 2^lowest, and
/// all partial sums must stay below 2^(lowest + 255).
class RunningSum {
 public:
  explicit RunningSum(int lowest_exponent) : lowest_(lowest_exponent) {}

  /// Preconditions: finite; a multiple of 2^lowest.
  void add(numeric::Value value);

  /// The sum so far, rounded once to nearest even.
  numeric::Value nearest(numeric::Format format) const;

 private:
  static constexpr std::size_t kWords = 4;
  using Words = std::array<std::uint64_t, kWords>;  // least significant first

  static void negate(Words& words);

  int lowest_;
  Words words_{};
};

}  // namespace warpcheck::generators

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "framework/numeric/natural.hpp"

namespace warpcheck::numeric {

/// A natural number to which words can be added at any bit position without propagating a carry.
///
/// It is held in 32-bit digits that may be over-full, in 64 bits each. A deposit adds less than 2^32 to a
/// digit, and a carry leaves less than 2^32 in it, so 2^31 deposits between carries keep every digit below
/// 2^64. It carries by itself when that many were made.
class FixedPoint {
 public:
  static constexpr std::uint64_t most_deposits = std::uint64_t{1} << 31;

  /// Zero; carries after every `limit` deposits. Throws std::invalid_argument unless
  /// 1 ≤ limit ≤ most_deposits.
  explicit FixedPoint(std::uint64_t limit = most_deposits);

  /// Adds value·2^position. Precondition: 0 ≤ position < 32·(digit_count − 2), and the sum stays below
  /// 2^(32·digit_count).
  void deposit(std::uint64_t value, int position);

  /// The sum of all deposits, exactly.
  Natural value() const;

  /// The largest digit now: what must never reach 2^64.
  std::uint64_t fullest_digit() const;

  /// 2,098 bits of fp64 and 64 bits of count are 68 digits; then room for the upper part of a deposit.
  static constexpr std::size_t digit_count = 72;

 private:
  void carry();

  std::array<std::uint64_t, digit_count> digits_{};  // least significant first
  std::uint64_t limit_;
  std::uint64_t deposits_ = 0;
};

// ---------------------------------------------------------------------------------------------

inline void FixedPoint::deposit(std::uint64_t value, int position) {
  if (deposits_ == limit_) carry();
  ++deposits_;
  const auto i = static_cast<std::size_t>(position) / 32;
  const auto offset = static_cast<unsigned>(position) % 32;
  const std::uint64_t low = value << offset;
  const std::uint64_t high = offset == 0 ? 0 : value >> (64 - offset);
  digits_[i] += static_cast<std::uint32_t>(low);
  digits_[i + 1] += low >> 32;
  digits_[i + 2] += high;
}

}  // namespace warpcheck::numeric

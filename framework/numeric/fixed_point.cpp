#include "framework/numeric/fixed_point.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace warpcheck::numeric {

FixedPoint::FixedPoint(std::uint64_t limit) : limit_(limit) {
  if (limit == 0 || limit > most_deposits) {
    throw std::invalid_argument("a limit of " + std::to_string(limit) +
                                " deposits between carries; it must be from 1 to " +
                                std::to_string(most_deposits));
  }
}

void FixedPoint::carry() {
  std::uint64_t carry = 0;
  for (std::uint64_t& digit : digits_) {
    digit += carry;
    carry = digit >> 32;
    digit &= 0xFFFFFFFFu;
  }
  deposits_ = 0;
}

Natural FixedPoint::value() const {
  FixedPoint copy = *this;
  copy.carry();
  std::array<std::uint64_t, digit_count / 2> words;
  for (std::size_t i = 0; i < words.size(); ++i) {
    words[i] = copy.digits_[2 * i] | (copy.digits_[2 * i + 1] << 32);
  }
  return Natural(words);
}

std::uint64_t FixedPoint::fullest_digit() const {
  return *std::max_element(digits_.begin(), digits_.end());
}

}  // namespace warpcheck::numeric

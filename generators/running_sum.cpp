#include "generators/running_sum.hpp"

#include <bit>

namespace warpcheck::generators {

void RunningSum::negate(Words& words) {
  std::uint64_t carry = 1;
  for (std::uint64_t& word : words) {
    word = ~word + carry;
    carry = carry != 0 && word == 0 ? 1 : 0;
  }
}

void RunningSum::add(numeric::Value value) {
  numeric::Unpacked parts = numeric::unpack(value);
  if (parts.significand == 0) return;
  const int zeros = std::countr_zero(parts.significand);
  parts.significand >>= zeros;
  const auto shift = static_cast<unsigned>(parts.exponent + zeros - lowest_);

  Words term{};
  const unsigned word = shift / 64;
  const unsigned bit = shift % 64;
  term.at(word) = parts.significand << bit;
  if (bit != 0 && word + 1 < kWords) term.at(word + 1) = parts.significand >> (64 - bit);
  if (parts.negative) negate(term);

  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < kWords; ++i) {
    const std::uint64_t partial = words_[i] + carry;
    carry = partial < carry ? 1 : 0;
    words_[i] = partial + term[i];
    carry += words_[i] < partial ? 1 : 0;
  }
}

numeric::Value RunningSum::nearest(numeric::Format format) const {
  Words magnitude = words_;
  const bool negative = (magnitude.back() >> 63) != 0;
  if (negative) negate(magnitude);

  std::size_t top = kWords;
  while (top > 0 && magnitude[top - 1] == 0) --top;
  if (top == 0) return numeric::zero(format);
  --top;
  const int shift = std::countl_zero(magnitude[top]);
  std::uint64_t leading = magnitude[top] << shift;
  std::uint64_t rest = 0;
  if (top > 0) {
    if (shift > 0) leading |= magnitude[top - 1] >> (64 - shift);
    rest = magnitude[top - 1] << shift;
    for (std::size_t i = 0; i + 1 < top; ++i) rest |= magnitude[i];
  }
  const int exponent = lowest_ + static_cast<int>(top) * 64 - shift;
  return numeric::round_to_nearest_even(format, negative, leading, exponent, rest != 0);
}

}  // namespace warpcheck::generators

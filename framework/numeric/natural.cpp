#include "framework/numeric/natural.hpp"

#include <algorithm>
#include <bit>

namespace warpcheck::numeric {
namespace {

__extension__ using Double_word = unsigned __int128;

constexpr std::uint64_t ten_to_19 = 10'000'000'000'000'000'000u;
constexpr unsigned five_exponent = 27;  // 5^27 is the largest power of five below 2^64
constexpr std::uint64_t five_to_27 = 7'450'580'596'923'828'125u;

constexpr std::uint64_t small_power(std::uint64_t base, unsigned k) {
  std::uint64_t result = 1;
  while (k-- != 0) result *= base;
  return result;
}

}  // namespace

Natural::Natural(std::uint64_t n) {
  if (n != 0) words_.push_back(n);
}

Natural::Natural(std::span<const std::uint64_t> words) : words_(words.begin(), words.end()) {
  trim();
}

Natural Natural::of_digits(std::string_view digits) {
  Natural result;
  while (!digits.empty()) {
    const std::size_t count = std::min<std::size_t>(19, digits.size());
    std::uint64_t block = 0;
    for (const char c : digits.substr(0, count)) block = block * 10 + static_cast<std::uint64_t>(c - '0');
    result.multiply_add(small_power(10, static_cast<unsigned>(count)), block);
    digits.remove_prefix(count);
  }
  return result;
}

Natural Natural::power_of_five(unsigned k) {
  return Natural(1).multiply_by_power_of_five(k);
}

int Natural::bit_length() const {
  return words_.empty() ? 0 : static_cast<int>(words_.size() * 64) - std::countl_zero(words_.back());
}

int Natural::trailing_zeros() const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i] != 0) return static_cast<int>(i * 64) + std::countr_zero(words_[i]);
  }
  return 0;
}

std::uint64_t Natural::word_at_bit(int k) const {
  const auto index = static_cast<std::size_t>(k) / 64;
  const auto offset = static_cast<unsigned>(k) % 64;
  const auto word = [this](std::size_t i) { return i < words_.size() ? words_[i] : 0; };
  return offset == 0 ? word(index) : (word(index) >> offset) | (word(index + 1) << (64 - offset));
}

bool Natural::any_bit_below(int k) const {
  return !is_zero() && trailing_zeros() < k;
}

Natural& Natural::operator+=(const Natural& b) {
  const std::size_t count = b.words_.size();  // read first: b may be this very number
  words_.resize(std::max(words_.size(), count), 0);
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < words_.size() && (i < count || carry != 0); ++i) {
    const Double_word t = Double_word{words_[i]} + (i < count ? b.words_[i] : 0) + carry;
    words_[i] = static_cast<std::uint64_t>(t);
    carry = static_cast<std::uint64_t>(t >> 64);
  }
  if (carry != 0) words_.push_back(carry);
  return *this;
}

Natural& Natural::operator-=(const Natural& b) {
  std::uint64_t borrow = 0;
  const std::size_t count = b.words_.size();
  for (std::size_t i = 0; i < count || borrow != 0; ++i) {
    const Double_word t = Double_word{words_[i]} - (i < count ? b.words_[i] : 0) - borrow;
    words_[i] = static_cast<std::uint64_t>(t);
    borrow = static_cast<std::uint64_t>(t >> 64) & 1;
  }
  trim();
  return *this;
}

Natural& Natural::operator<<=(int k) {
  if (is_zero() || k == 0) return *this;
  const auto offset = static_cast<unsigned>(k) % 64;
  if (offset != 0) {
    std::uint64_t carry = 0;
    for (std::uint64_t& word : words_) {
      const std::uint64_t shifted = (word << offset) | carry;
      carry = word >> (64 - offset);
      word = shifted;
    }
    if (carry != 0) words_.push_back(carry);
  }
  words_.insert(words_.begin(), static_cast<std::size_t>(k) / 64, 0);
  return *this;
}

Natural& Natural::operator>>=(int k) {
  const std::size_t whole = std::min(static_cast<std::size_t>(k) / 64, words_.size());
  words_.erase(words_.begin(), words_.begin() + static_cast<std::ptrdiff_t>(whole));
  const auto offset = static_cast<unsigned>(k) % 64;
  if (offset != 0) {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      const std::uint64_t above = i + 1 < words_.size() ? words_[i + 1] : 0;
      words_[i] = (words_[i] >> offset) | (above << (64 - offset));
    }
  }
  trim();
  return *this;
}

Natural& Natural::multiply_add(std::uint64_t factor, std::uint64_t addend) {
  std::uint64_t carry = addend;
  for (std::uint64_t& word : words_) {
    const Double_word t = Double_word{word} * factor + carry;
    word = static_cast<std::uint64_t>(t);
    carry = static_cast<std::uint64_t>(t >> 64);
  }
  if (carry != 0) words_.push_back(carry);
  trim();
  return *this;
}

Natural& Natural::multiply_by_power_of_five(unsigned k) {
  for (; k >= five_exponent; k -= five_exponent) multiply_add(five_to_27, 0);
  return k == 0 ? *this : multiply_add(small_power(5, k), 0);
}

Natural operator*(const Natural& a, const Natural& b) {
  Natural product;
  product.words_.resize(a.words_.size() + b.words_.size(), 0);
  for (std::size_t i = 0; i < a.words_.size(); ++i) {
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < b.words_.size(); ++j) {
      const Double_word t = Double_word{a.words_[i]} * b.words_[j] + product.words_[i + j] + carry;
      product.words_[i + j] = static_cast<std::uint64_t>(t);
      carry = static_cast<std::uint64_t>(t >> 64);
    }
    product.words_[i + b.words_.size()] = carry;
  }
  product.trim();
  return product;
}

std::strong_ordering operator<=>(const Natural& a, const Natural& b) {
  if (a.words_.size() != b.words_.size()) return a.words_.size() <=> b.words_.size();
  for (std::size_t i = a.words_.size(); i-- != 0;) {
    if (a.words_[i] != b.words_[i]) return a.words_[i] <=> b.words_[i];
  }
  return std::strong_ordering::equal;
}

std::string Natural::digits() const {
  std::vector<std::uint64_t> blocks;  // of 19 digits, least significant first
  for (Natural rest = *this; !rest.is_zero();) blocks.push_back(rest.divide(ten_to_19));
  if (blocks.empty()) return "0";
  std::string text = std::to_string(blocks.back());
  text.reserve(text.size() + 19 * blocks.size());
  for (std::size_t i = blocks.size() - 1; i-- != 0;) {
    const std::size_t end = text.size() + 19;
    text.append(19, '0');
    std::uint64_t block = blocks[i];
    for (std::size_t j = end; block != 0; block /= 10) text[--j] = static_cast<char>('0' + block % 10);
  }
  return text;
}

std::uint64_t Natural::divide(std::uint64_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = words_.size(); i-- != 0;) {
    const Double_word t = (Double_word{remainder} << 64) | words_[i];
    words_[i] = static_cast<std::uint64_t>(t / divisor);
    remainder = static_cast<std::uint64_t>(t % divisor);
  }
  trim();
  return remainder;
}

void Natural::trim() {
  while (!words_.empty() && words_.back() == 0) words_.pop_back();
}

Truncated leading_bits(const Natural& n, int exponent) {
  const int surplus = std::max(n.bit_length() - 64, 0);
  return {n.word_at_bit(surplus), exponent + surplus, n.any_bit_below(surplus)};
}

Truncated leading_bits_of_quotient(Natural a, Natural b, int exponent) {
  // With a of 63 bits more than b, 2^62 < a/b < 2^64: restoring division gives those 64 bits.
  const int shift = b.bit_length() + 63 - a.bit_length();
  if (shift >= 0) {
    a <<= shift;
  } else {
    b <<= -shift;
  }
  b <<= 63;
  std::uint64_t quotient = 0;
  for (int i = 0; i < 64; ++i) {
    quotient <<= 1;
    if (a >= b) {
      a -= b;
      quotient |= 1;
    }
    a <<= 1;
  }
  return {quotient, exponent - shift, !a.is_zero()};
}

}  // namespace warpcheck::numeric

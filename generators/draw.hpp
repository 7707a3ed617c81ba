#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

namespace warpcheck::generators {

/// A stream of random numbers that depends on its seed alone, on every machine and with every library.
///
/// It is splitmix64 (Steele, Lea & Flood, "Fast splittable pseudorandom number generators", 2014): a counter
/// with an odd step, mixed; a period of 2^64, about a nanosecond a number. Drawing an array element by
/// element through RapidCheck would cost a hundred times as much.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}

  /// Sixty-four random bits.
  std::uint64_t bits();

  /// 0 ≤ result < limit, uniform but for a bias below limit/2^64. Precondition: limit > 0.
  std::uint64_t below(std::uint64_t limit);

  /// lowest ≤ result ≤ highest, both included. Precondition: lowest ≤ highest.
  std::int64_t between(std::int64_t lowest, std::int64_t highest);

  /// true `times` out of `out_of`. Precondition: out_of > 0.
  bool chance(std::uint64_t times, std::uint64_t out_of) { return below(out_of) < times; }

  /// One of the choices, each as likely as the others. Precondition: there is one.
  template <class T>
  const T& pick(std::span<const T> choices) {
    return choices[static_cast<std::size_t>(below(choices.size()))];
  }
  template <class T>
  T pick(std::initializer_list<T> choices) {
    return choices.begin()[static_cast<std::size_t>(below(choices.size()))];
  }

 private:
  std::uint64_t state_;
};

// ---------------------------------------------------------------------------------------------

inline std::uint64_t Draw::bits() {
  state_ += 0x9e3779b97f4a7c15u;
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9u;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111ebu;
  return mixed ^ (mixed >> 31);
}

inline std::uint64_t Draw::below(std::uint64_t limit) {
  // The high half of a 128-bit product: no division.
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((Wide{bits()} * limit) >> 64);
}

inline std::int64_t Draw::between(std::int64_t lowest, std::int64_t highest) {
  const auto width = static_cast<std::uint64_t>(highest) - static_cast<std::uint64_t>(lowest) + 1;
  const std::uint64_t offset = width == 0 ? bits() : below(width);
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(lowest) + offset);
}

}  // namespace warpcheck::generators

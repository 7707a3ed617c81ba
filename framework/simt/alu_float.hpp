#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

/// What every floating-point operation of PTX does to its operands and its result: .ftz, .sat, NaN.
///
/// Where the text leaves a NaN open, results are those that CUDA's headers name: single precision always
/// gives 0x7fffffff; double precision keeps the payload of its first NaN operand and makes it quiet, and an
/// invalid operation gives 0xfff8000000000000.
namespace warpcheck::simt::alu {

template <class F>
using FloatBits = std::conditional_t<sizeof(F) == 8, std::uint64_t, std::uint32_t>;

template <class F>
inline constexpr int kMantissaBits = std::numeric_limits<F>::digits - 1;

template <class F>
inline constexpr FloatBits<F> kSignBit = FloatBits<F>{1} << (8 * sizeof(F) - 1);

template <class F>
inline constexpr FloatBits<F> kInfinityBits = std::bit_cast<FloatBits<F>>(std::numeric_limits<F>::infinity());

template <class F>
inline constexpr FloatBits<F> kQuietBit = FloatBits<F>{1} << (kMantissaBits<F> - 1);

/// The NaN of an operation that invents one.
template <class F>
constexpr F invented_nan() {
  if constexpr (sizeof(F) == 4)
    return std::bit_cast<F>(0x7fffffffu);
  else
    return std::bit_cast<F>(0xfff8000000000000u);
}

/// A subnormal becomes zero of the same sign; anything else stays.
template <class F>
constexpr F flush_subnormal(F x) {
  const auto bits = std::bit_cast<FloatBits<F>>(x);
  return std::bit_cast<F>((bits & kInfinityBits<F>) == 0 ? bits & kSignBit<F> : bits);
}

template <bool kFlush, class F>
constexpr F flush_if(F x) {
  if constexpr (kFlush)
    return flush_subnormal(x);
  else
    return x;
}

/// Clamps to [+0, 1]; NaN and -0 become +0.
template <class F>
constexpr F saturate(F x) {
  const F positive = x > 0 ? x : F{0};
  return positive > 1 ? F{1} : positive;
}

/// The NaN that an operation on these operands returns.
template <class F>
constexpr F nan_of() {
  return invented_nan<F>();
}

template <class F, class... Others>
constexpr F nan_of(F first, Others... others) {
  if constexpr (sizeof(F) == 4) return invented_nan<F>();
  const F quiet = std::bit_cast<F>(std::bit_cast<FloatBits<F>>(first) | kQuietBit<F>);
  const F other = nan_of<F>(others...);
  return first != first ? quiet : other;
}

/// From the rounded value of an operation to its result: .ftz, .sat and the NaN rule. `operands` are those
/// the operation saw.
template <bool kFlush, bool kSaturate, class F, class... Operands>
constexpr F finish(F rounded, Operands... operands) {
  const F value = flush_if<kFlush>(rounded);
  if constexpr (kSaturate)
    return saturate(value);
  else
    return value == value ? value : nan_of<F>(operands...);
}

/// A core operation with PTX's treatment of operands and result around it.
template <class Core, class F, bool kFlush, bool kSaturate>
struct FloatOp {
  template <class... Operands>
  static F apply(Operands... operands) {
    return finish<kFlush, kSaturate>(Core::apply(flush_if<kFlush>(operands)...),
                                     flush_if<kFlush>(operands)...);
  }
};

}  // namespace warpcheck::simt::alu

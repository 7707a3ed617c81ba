#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "framework/numeric/format.hpp"

namespace warpcheck::numeric {

/// One floating-point datum: a format and the bits of its encoding, right-aligned.
///
/// Equality is bitwise: −0 differs from +0, and a NaN equals itself.
struct Value {
  Format format = Format::fp32;
  std::uint64_t bits = 0;

  friend bool operator==(const Value&, const Value&) = default;
};

/// A finite value taken apart: exactly ±significand·2^exponent. Zero keeps its sign.
struct Unpacked {
  bool negative = false;
  std::uint64_t significand = 0;
  int exponent = 0;

  friend bool operator==(const Unpacked&, const Unpacked&) = default;
};

// Construction.

/// The datum with the bits of `x`, NaN payload included.
Value value_of(float x);
Value value_of(double x);

/// ±significand·2^exponent when `format` holds it exactly; nullopt otherwise.
std::optional<Value> make_exact(Format format, Unpacked parts);

/// `x` in `format` when it holds it exactly (infinities do; a NaN becomes the quiet NaN with its
/// sign); nullopt otherwise.
std::optional<Value> from_double_exactly(Format format, double x);

/// (integer + f)·2^exponent rounded to nearest, ties to even, where f = 0 unless `inexact`, and then
/// 0 < f < 1. Subnormal results are rounded once; beyond the largest finite value it is an infinity.
/// Precondition: `integer` ≥ 2^(p+1) when `inexact`.
Value round_to_nearest_even(Format format, bool negative, std::uint64_t integer, int exponent, bool inexact);

Value zero(Format format, bool negative = false);
Value infinity(Format format, bool negative = false);
Value quiet_nan(Format format, bool negative = false);
Value largest_finite(Format format, bool negative = false);
Value smallest_subnormal(Format format, bool negative = false);

// Classification.

bool is_nan(Value v);
bool is_inf(Value v);
bool is_finite(Value v);
bool is_zero(Value v);
bool is_subnormal(Value v);
/// True when the sign bit is set, for −0 and NaN as well.
bool is_negative(Value v);

// Conversion.

/// The parts of a finite value, with the significand as encoded (not reduced).
/// Precondition: is_finite(v).
Unpacked unpack(Value v);

/// The same number as a double: exact for every format so far. A NaN stays a NaN of its sign.
double to_double(Value v);

/// The nearest value of `format`, ties to even; infinities, zeros and NaN keep their sign.
Value convert(Value v, Format format);

// Exact operations.

/// The datum with its sign bit flipped; NaN too.
Value negate(Value v);
Value absolute(Value v);

/// v·2^k when that is exact (no overflow, no bit lost to underflow); nullopt otherwise.
/// Zeros and infinities are themselves; NaN gives nullopt.
std::optional<Value> scale_exactly(Value v, int k);

// Neighbours and order.

/// The number of steps between representable values from `a` to `b`; ±0 coincide, an infinity is one
/// step beyond the largest finite value. It is 0 for equal numbers, symmetric, and adds up along the
/// line. NaN, or two different formats, give nullopt.
std::optional<std::uint64_t> ulp_distance(Value a, Value b);

/// The smallest value greater than `v`: from −0 as from +0 it is η, from −η it is −0.
/// +inf and NaN are returned as they are.
Value next_up(Value v);
/// The largest value less than `v`, so negate(next_up(negate(v))).
Value next_down(Value v);

/// A total order of the data of one format that agrees with < on numbers, puts −0 before +0 and NaN
/// last (NaN among themselves by bits), and is equal exactly when the bits are.
/// Data of different formats are ordered by format first.
std::strong_ordering total_order(Value a, Value b);

// Arrays.

/// Element `index` of an array of `format` in native byte order.
/// Precondition: the array holds at least (index + 1)·size_in_bytes(format) bytes.
Value load(Format format, std::span<const std::byte> array, std::size_t index);
/// Writes `v` as element `index`. Precondition as for load.
void store(Value v, std::span<std::byte> array, std::size_t index);
/// Every element of the array. Throws std::invalid_argument when its size is no multiple of the element's.
std::vector<Value> load_all(Format format, std::span<const std::byte> array);
/// The bytes of an array that holds `values`. Precondition: all of one format.
std::vector<std::byte> store_all(std::span<const Value> values);

}  // namespace warpcheck::numeric

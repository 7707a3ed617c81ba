#pragma once

#include <cstdint>
#include <string_view>

/// IEEE 754 by integers: every result is an exact number of arbitrary size, rounded once.
namespace warpcheck::simt::alu_test {

struct Format {
  int precision;     ///< bits of the significand, the hidden one included
  int max_exponent;  ///< of the largest finite number, as a power of two of its leading bit
  int bits;
};

inline constexpr Format kBinary32{24, 127, 32};
inline constexpr Format kBinary64{53, 1023, 64};

enum class Mode { nearest, zero, down, up };

/// "rn", "rni" → nearest and so on; nearest for anything else.
Mode mode_from_name(std::string_view name);

bool is_nan(const Format& format, std::uint64_t bits);
bool is_infinite(const Format& format, std::uint64_t bits);
bool is_subnormal(const Format& format, std::uint64_t bits);
bool is_negative(const Format& format, std::uint64_t bits);
std::uint64_t magnitude(const Format& format, std::uint64_t bits);
std::uint64_t flush(const Format& format, std::uint64_t bits);
std::uint64_t infinity(const Format& format, bool negative);

/// NaN operands and invalid operations: binary32 gives 0x7fffffff; binary64 the first NaN operand made quiet,
/// or 0xfff8000000000000 if none is NaN.
std::uint64_t nan_result(const Format& format, const std::uint64_t* operands, int count);

/// -1, 0, 1 by value; zeros are equal. Precondition: no NaN.
int compare_values(const Format& format, std::uint64_t a, std::uint64_t b);

/// The clamp of .sat: [+0, 1], NaN to +0.
std::uint64_t saturate(const Format& format, std::uint64_t bits);

std::uint64_t add(const Format& format, Mode mode, std::uint64_t a, std::uint64_t b);
std::uint64_t multiply(const Format& format, Mode mode, std::uint64_t a, std::uint64_t b);
std::uint64_t fused(const Format& format, Mode mode, std::uint64_t a, std::uint64_t b, std::uint64_t c);
std::uint64_t divide(const Format& format, Mode mode, std::uint64_t a, std::uint64_t b);
std::uint64_t square_root(const Format& format, Mode mode, std::uint64_t a);
std::uint64_t reciprocal_root(const Format& format, std::uint64_t a);
std::uint64_t negate(const Format& format, std::uint64_t a);

/// From one format to another, rounded.
std::uint64_t convert(const Format& from, const Format& to, Mode mode, std::uint64_t a);

/// The integral value next to a, as a float of the same format; the sign of zero results is a's.
std::uint64_t to_integral(const Format& format, Mode mode, std::uint64_t a);

/// cvt to an integer of `bits` bits: rounded, clamped, and the text's rule for NaN.
std::uint64_t to_integer(const Format& format, Mode mode, std::uint64_t a, int bits, bool is_signed);

/// cvt from the integer that the low `bits` bits of a hold.
std::uint64_t from_integer(const Format& format, Mode mode, std::uint64_t a, int bits, bool is_signed);

/// "ex2", "lg2", "sin", "cos" or "tanh" of a binary32, rounded to nearest from 100 decimal digits.
std::uint64_t transcendental(std::string_view function, std::uint64_t a);

/// Rounds to a binary64 whose 32 low bits are zero: the format of rcp.approx.ftz.f64.
std::uint64_t upper_word_reciprocal(std::uint64_t a);
std::uint64_t upper_word_reciprocal_root(std::uint64_t a);

}  // namespace warpcheck::simt::alu_test

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace warpcheck::numeric {

/// A binary floating-point format of IEEE 754. The values index the table of traits.
enum class Format : std::uint8_t { fp32, fp64 };

/// The parameters of a format, exact; no entry is a rounded double.
///
/// A finite value is ±m·2^e with 0 ≤ m < 2^precision and e ≥ smallest_exponent.
struct FormatTraits {
  std::string_view name;
  int bits;          ///< width of the encoding
  int precision;     ///< p: bits of the significand, the implicit one included
  int max_exponent;  ///< emax: the largest finite value is (2 − 2^(1−p))·2^emax; also the exponent bias
  int min_exponent;  ///< emin: the smallest normal value is 2^emin
  int smallest_exponent;   ///< emin − p + 1: the smallest subnormal η is 2^smallest_exponent
  int unit_roundoff_log2;  ///< −p: u = 2^−p, half the distance from 1 to the next value
};

/// The traits of `format`. Precondition: `format` is one of the enumerators.
constexpr const FormatTraits& traits(Format format);

/// Bytes of one element in an array.
constexpr std::size_t size_in_bytes(Format format);

/// The name used in contracts, files and messages ("fp32").
constexpr std::string_view name(Format format);

/// Every format, in the order of the enumeration.
std::span<const Format> all_formats();

/// The format called `name`, exactly as `name(Format)` spells it; nullopt for any other text.
std::optional<Format> format_from_name(std::string_view name);

// ---------------------------------------------------------------------------------------------

namespace detail {
inline constexpr std::array<FormatTraits, 2> format_table{{
    {"fp32", 32, 24, 127, -126, -149, -24},
    {"fp64", 64, 53, 1023, -1022, -1074, -53},
}};
}  // namespace detail

constexpr const FormatTraits& traits(Format format) {
  return detail::format_table[static_cast<std::size_t>(format)];
}

constexpr std::size_t size_in_bytes(Format format) {
  return static_cast<std::size_t>(traits(format).bits) / 8;
}

constexpr std::string_view name(Format format) {
  return traits(format).name;
}

}  // namespace warpcheck::numeric

#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

namespace warpcheck::cli {

// Values of options. Each throws UsageError that names the option, the text and what would be right.

/// A whole number in decimal digits, from `least` to `most`.
std::uint64_t parse_whole(std::string_view option, std::string_view text, std::uint64_t least,
                          std::uint64_t most);

/// A length of time: digits, with a fraction or not, and the unit ms, s, m or h ("500ms", "1.5s", "2m"); more
/// than zero, at most 1,000 hours.
std::chrono::milliseconds parse_duration(std::string_view option, std::string_view text);

/// A seed: a whole number, or "random", which draws one.
std::uint64_t parse_seed(std::string_view option, std::string_view text);

}  // namespace warpcheck::cli

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/contract/case.hpp"
#include "framework/numeric/text.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::record {

/// The bits of a value as text that read_element_bits gives back: a hex float ("-0x1.8p+3"), "inf", "-inf",
/// or, with its sign and payload, "nan:0x7fc00001".
std::string element_bits_text(numeric::Value value);

/// Reads what element_bits_text writes. Decimals are accepted where they denote one value without doubt, so
/// that a file can be edited by hand; "nan" without its bits is not.
numeric::Parsed<numeric::Value> read_element_bits(std::string_view text, numeric::Format format);

/// A value as people read it and still exact: a short exact decimal ("0.5", "-3") or else the hex float. The
/// quiet NaN is "nan", any other "nan:0x7fc00001".
std::string element_text(numeric::Value value);

/// An array as one line, equal neighbours with their count: "[1 ×1024, 0x1.8p-3, 0 ×3]". Of more than
/// `most_runs` runs the middle is left out, and the line says how many elements that were. Precondition:
/// most_runs ≥ 2.
std::string array_text(const InputArray& array, std::uint64_t most_runs);

}  // namespace warpcheck::record

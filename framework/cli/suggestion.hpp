#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::cli {

/// The least number of insertions, deletions, replacements and swaps of neighbours that turn one text into
/// the other, no part being changed twice.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidates that a misspelt name may stand for: those at the least distance, at most three, within a
/// third of its length in edits, but at least two; a candidate that begins with the name has distance 0.
/// Letters are compared without regard to case.
std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates);

/// "; did you mean a, b or c?" when anything is near, else "".
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// "a, b and c", or "none".
std::string listed(std::span<const std::string> names);

}  // namespace warpcheck::cli

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace warpcheck {

/// Evaluates a height formula: unsigned integer arithmetic with + - * / ( ), min, max, ceil_div, ceil_log2
/// over the variables n, grid and block. Differences stop at 0, division by 0 gives 0, and overflow stops at
/// 2^64 − 1, so a height never becomes smaller than it is. Throws std::invalid_argument with one line that
/// names the position, what stands there and what would be right.
std::uint64_t evaluate_height(std::string_view formula, std::uint64_t n, std::uint32_t grid,
                              std::uint32_t block);

/// A summation tree that contracts may name.
struct NamedTree {
  std::string_view name;
  std::string_view description;
  /// Height in additions that can round (adding an exact zero cannot), for n elements on grid blocks of block
  /// threads.
  std::uint64_t (*height)(std::uint64_t n, std::uint32_t grid, std::uint32_t block);
};

std::span<const NamedTree> named_trees();

/// nullptr if there is none of that name.
const NamedTree* find_tree(std::string_view name);

}  // namespace warpcheck

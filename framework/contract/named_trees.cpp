#include <algorithm>
#include <array>

#include "framework/contract/height.hpp"
#include "framework/numeric/bound.hpp"

namespace warpcheck {
namespace {

using numeric::ceil_div;

// Threads, warps and blocks with elements always form a prefix, and those of lower index never hold a value
// of smaller height. So the first one meets every addition that can round, and its path is the height.

constexpr std::uint32_t kWarp = 32;

std::uint64_t ceil_log2(std::uint64_t x) {
  return static_cast<std::uint64_t>(numeric::ceil_log2(x));
}

std::uint64_t serial_height(std::uint64_t n, std::uint32_t, std::uint32_t) {
  return n > 0 ? n - 1 : 0;
}

/// Additions of one block of `block` threads that adds the first `active` threads' values by halving.
std::uint64_t halving_levels(std::uint32_t block, std::uint64_t active) {
  std::uint64_t levels = 0;
  for (std::uint64_t count = block; count > 1;) {
    const std::uint64_t kept = (count + 1) / 2;
    if (active > kept) {
      ++levels;
      active = kept;
    }
    count = kept;
  }
  return levels;
}

std::uint64_t tree_height(std::uint64_t n, std::uint32_t grid, std::uint32_t block) {
  std::uint64_t height = 0;
  for (std::uint64_t count = n; count > 1;) {
    const std::uint64_t blocks = std::min<std::uint64_t>(grid, ceil_div(count, block));
    // Passes that reduce nothing never end; whatever ends them instead adds the values in some order.
    if (blocks >= count) return height + count - 1;
    height +=
        ceil_div(count, blocks * block) - 1 + halving_levels(block, std::min<std::uint64_t>(count, block));
    count = blocks;
  }
  return height;
}

/// Additions of one block of which the first `active` threads have values: within the first warp, then among
/// warps.
std::uint64_t shuffle_levels(std::uint64_t active) {
  return ceil_log2(std::min<std::uint64_t>(active, kWarp)) + ceil_log2(ceil_div(active, kWarp));
}

std::uint64_t shuffle_height(std::uint64_t n, std::uint32_t grid, std::uint32_t block) {
  if (n == 0) return 0;
  const std::uint64_t blocks_with_elements = std::min<std::uint64_t>(grid, ceil_div(n, block));
  const auto pass = [block](std::uint64_t count, std::uint64_t stride) {
    return ceil_div(count, stride) - 1 + shuffle_levels(std::min<std::uint64_t>(count, block));
  };
  return pass(n, std::uint64_t{grid} * block) + pass(blocks_with_elements, block);
}

constexpr std::array<NamedTree, 3> kTrees{{
    {"serial", "one thread adds the elements in their order", serial_height},
    {"grid_stride_then_tree",
     "each thread adds every (grid*block)-th element; each block halves its threads' sums in shared memory; "
     "passes of "
     "min(grid, ceil(k/block)) blocks repeat until one value is left",
     tree_height},
    {"grid_stride_then_shuffle",
     "each thread adds every (grid*block)-th element; each warp shuffles down 16, 8, 4, 2, 1; the first warp "
     "does the "
     "same with the warps' sums; one block does the same with the blocks' sums",
     shuffle_height},
}};

}  // namespace

std::span<const NamedTree> named_trees() {
  return kTrees;
}

const NamedTree* find_tree(std::string_view name) {
  const auto found =
      std::find_if(kTrees.begin(), kTrees.end(), [name](const NamedTree& tree) { return tree.name == name; });
  return found == kTrees.end() ? nullptr : &*found;
}

}  // namespace warpcheck

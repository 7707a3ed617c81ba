#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "framework/contract/height.hpp"

namespace warpcheck {
namespace {

/// The height of a partial sum in additions that can round; none stands for an exact zero.
using Height = std::optional<std::uint64_t>;

Height add(Height a, Height b) {
  if (!a) return b;
  if (!b) return a;
  return std::max(*a, *b) + 1;
}

// The data flow of kernels/*.cu, statement by statement, with heights in place of numbers.

Height serial(const std::vector<Height>& x) {
  Height total;
  for (const Height& element : x) total = add(total, element);
  return total;
}

std::vector<Height> thread_sums(const std::vector<Height>& x, std::uint32_t grid, std::uint32_t block,
                                std::uint32_t block_index) {
  std::vector<Height> sums(block);
  for (std::uint32_t thread = 0; thread < block; ++thread) {
    for (std::size_t i = std::size_t{block_index} * block + thread; i < x.size();
         i += std::size_t{grid} * block) {
      sums[thread] = add(sums[thread], x[i]);
    }
  }
  return sums;
}

Height warp_sum(std::vector<Height> lanes) {
  for (std::size_t offset = 16; offset > 0; offset /= 2) {
    const std::vector<Height> before = lanes;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      lanes[lane] = add(before[lane], before[lane + offset < 32 ? lane + offset : lane]);
    }
  }
  return lanes[0];
}

std::vector<Height> shuffle_pass(const std::vector<Height>& x, std::uint32_t grid, std::uint32_t block) {
  std::vector<Height> partials;
  for (std::uint32_t index = 0; index < grid; ++index) {
    std::vector<Height> threads = thread_sums(x, grid, block, index);
    threads.resize((threads.size() + 31) / 32 * 32);
    std::vector<Height> warps(32);
    for (std::size_t warp = 0; warp < threads.size() / 32; ++warp) {
      warps[warp] = warp_sum({threads.begin() + static_cast<std::ptrdiff_t>(warp * 32),
                              threads.begin() + static_cast<std::ptrdiff_t>(warp * 32 + 32)});
    }
    partials.push_back(warp_sum(warps));
  }
  return partials;
}

Height shuffle(const std::vector<Height>& x, std::uint32_t grid, std::uint32_t block) {
  return shuffle_pass(shuffle_pass(x, grid, block), 1, block)[0];
}

std::vector<Height> tree_pass(const std::vector<Height>& x, std::uint32_t grid, std::uint32_t block) {
  std::vector<Height> partials;
  for (std::uint32_t index = 0; index < grid; ++index) {
    std::vector<Height> values = thread_sums(x, grid, block, index);
    for (std::uint32_t count = block; count > 1;) {
      const std::uint32_t kept = (count + 1) / 2;
      for (std::uint32_t thread = 0; thread < count / 2; ++thread) {
        values[thread] = add(values[thread], values[thread + kept]);
      }
      count = kept;
    }
    partials.push_back(values[0]);
  }
  return partials;
}

Height tree(std::vector<Height> x, std::uint32_t grid, std::uint32_t block) {
  for (;;) {
    const std::size_t needed = (x.size() + block - 1) / block;
    const auto blocks = static_cast<std::uint32_t>(needed < 1 ? 1 : needed > grid ? grid : needed);
    x = tree_pass(x, blocks, block);
    if (blocks == 1) return x[0];
  }
}

TEST(NamedTrees, are_the_three_that_the_header_for_authors_names) {
  ASSERT_EQ(named_trees().size(), 3u);
  EXPECT_NE(find_tree("serial"), nullptr);
  EXPECT_NE(find_tree("grid_stride_then_tree"), nullptr);
  EXPECT_NE(find_tree("grid_stride_then_shuffle"), nullptr);
  EXPECT_EQ(find_tree("pairwise"), nullptr);
  EXPECT_EQ(find_tree(""), nullptr);
}

TEST(NamedTrees, have_exactly_the_height_of_the_data_flow_of_the_kernels) {
  const NamedTree& serial_tree = *find_tree("serial");
  const NamedTree& halving_tree = *find_tree("grid_stride_then_tree");
  const NamedTree& shuffle_tree = *find_tree("grid_stride_then_shuffle");
  for (std::uint64_t n = 0; n <= 300; ++n) {
    const std::vector<Height> x(n, Height{0});
    for (const std::uint32_t block : {2u, 3u, 7u, 32u, 33u, 64u, 100u}) {
      for (std::uint32_t grid = 1; grid <= 5; ++grid) {
        SCOPED_TRACE(testing::Message() << "n=" << n << " grid=" << grid << " block=" << block);
        ASSERT_EQ(serial_tree.height(n, grid, block), serial(x).value_or(0));
        ASSERT_EQ(halving_tree.height(n, grid, block), tree(x, grid, block).value_or(0));
        ASSERT_EQ(shuffle_tree.height(n, grid, block), shuffle(x, grid, block).value_or(0));
      }
    }
  }
}

TEST(NamedTrees, have_exactly_that_height_where_the_last_pass_is_larger_than_a_block) {
  for (const std::uint64_t n : {1u, 31u, 33u, 1000u, 4097u}) {
    const std::vector<Height> x(n, Height{0});
    for (const std::uint32_t block : {2u, 5u, 32u, 96u, 1024u}) {
      for (const std::uint32_t grid : {31u, 33u, 64u, 65u, 100u}) {
        SCOPED_TRACE(testing::Message() << "n=" << n << " grid=" << grid << " block=" << block);
        ASSERT_EQ(find_tree("grid_stride_then_tree")->height(n, grid, block),
                  tree(x, grid, block).value_or(0));
        ASSERT_EQ(find_tree("grid_stride_then_shuffle")->height(n, grid, block),
                  shuffle(x, grid, block).value_or(0));
      }
    }
  }
}

TEST(NamedTrees, agree_with_the_height_counted_by_hand) {
  // 2^20 elements, 64 blocks of 256 threads: 64 elements a thread, 5 levels in a warp, 3 among 8 warps; then
  // 64 partials in 2 warps.
  EXPECT_EQ(find_tree("grid_stride_then_shuffle")->height(1u << 20, 64, 256), 63u + 5 + 3 + 5 + 1);
  EXPECT_EQ(find_tree("grid_stride_then_tree")->height(1u << 20, 64, 256), 63u + 8 + 6);
  EXPECT_EQ(find_tree("serial")->height(1u << 24, 64, 256), (1u << 24) - 1);
}

TEST(NamedTrees, answer_at_once_for_any_length_and_geometry) {
  for (const NamedTree& named : named_trees()) {
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
      for (const std::uint32_t grid : {1u, 0xffffffffu}) {
        for (const std::uint32_t block : {1u, 2u, 1024u}) {
          EXPECT_LE(named.height(n, grid, block), n == 0 ? 0 : n - 1) << named.name;
        }
      }
    }
  }
}

}  // namespace
}  // namespace warpcheck

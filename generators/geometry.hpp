#pragma once

#include <cstdint>
#include <vector>

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"
#include "generators/draw.hpp"

namespace warpcheck::generators {

/// How many threads a case of n elements should not exceed: max(2n, 4096).
std::uint64_t common_threads(std::uint64_t n);

/// A geometry that the contract accepts, for n elements.
///
/// Blocks: the smallest, the largest, powers of two, and any accepted size. Grids: one block, just enough
/// blocks for n and one fewer or more, a few, or any number; blocks without elements and threads with many
/// elements both occur. Threads in total stay within common_threads(n) where the smallest block allows it,
/// except in one case of 256, which has up to eight times as many.
Geometry draw_geometry(Draw& draw, const KernelContract& contract, std::uint64_t n);

/// A few accepted geometries that differ as much as the contract and common_threads(n) allow: one block of
/// the smallest and of a middle size, just enough blocks for n, more blocks than n needs, a block that is no
/// power of two. Without duplicates.
std::vector<Geometry> typical_geometries(const KernelContract& contract, std::uint64_t n);

/// Fills in geometry, schedule and pointer offset. The schedule is the default in six cases of eight, the
/// offset 0 in seven of eight and otherwise 1 to 3 elements.
void draw_launch(Draw& draw, const KernelContract& contract, Case& test_case);

}  // namespace warpcheck::generators

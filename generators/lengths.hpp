#pragma once

#include <cstdint>
#include <vector>

#include "framework/contract/kernel_info.hpp"
#include "generators/draw.hpp"

namespace warpcheck::generators {

/// The longest array that a random case has.
inline constexpr std::uint64_t kLongest = 70000;

/// A length of at least `shortest`, drawn without regard to any geometry: mostly up to 300, one in 32 up to
/// 5,000, one in 1,024 up to 70,000. Precondition: shortest ≤ 300.
std::uint64_t draw_length(Draw& draw, std::uint64_t shortest = 1);

/// Every length at which a reduction of this geometry may change its ways, ascending, without duplicates, up
/// to `longest`: 0, 1 and 2; a warp, a block, a pass of the whole grid, and small multiples of each, with
/// both neighbours; powers of two with both neighbours; a few primes.
std::vector<std::uint64_t> boundary_lengths(const Geometry& geometry, std::uint64_t longest);

}  // namespace warpcheck::generators

#pragma once

#include <cstdint>

#include "framework/contract/kernel_info.hpp"

namespace warpcheck::worker {

/// Warp instructions that one launch may execute before it is called endless: far above what any reduction of
/// n elements by that many threads needs, and still a matter of a second for small cases.
inline std::uint64_t step_budget(std::uint64_t n, const Geometry& geometry) {
  // A thread of a reduction executes some hundred instructions, and some ten for each element; a serial loop
  // spends them in one warp. A thousand for each leaves room for kernels nobody has seen yet.
  return 1'000'000 + 1'000 * (n + geometry.threads());
}

}  // namespace warpcheck::worker

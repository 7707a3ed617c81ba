#include "generators/geometry.hpp"

#include <algorithm>

#include "framework/numeric/bound.hpp"

namespace warpcheck::generators {
namespace {

using numeric::ceil_div;

std::uint32_t draw_block(Draw& draw, const KernelContract& contract) {
  const std::uint64_t kind = draw.below(32);
  if (kind == 0) return contract.largest_block();
  if (kind < 8) return contract.smallest_block();
  if (kind < 20) return contract.nearest({1, draw.pick({32u, 64u, 128u, 256u})}).block;
  const std::uint32_t smallest = contract.smallest_block();
  // Small sizes more often: cheap to run, and odd ones among them.
  const std::uint32_t largest =
      std::max(smallest, std::min(contract.largest_block(), kind < 28 ? 160u : 1024u));
  const std::uint32_t steps = (largest - smallest) / contract.block_multiple;
  return smallest + static_cast<std::uint32_t>(draw.below(steps + 1)) * contract.block_multiple;
}

}  // namespace

std::uint64_t common_threads(std::uint64_t n) {
  return std::max<std::uint64_t>(2 * n, 4096);
}

Geometry draw_geometry(Draw& draw, const KernelContract& contract, std::uint64_t n) {
  const std::uint32_t block = draw_block(draw, contract);
  const std::uint64_t factor = draw.chance(1, 256) ? 8 : 1;
  const std::uint64_t most =
      std::clamp<std::uint64_t>(factor * common_threads(n) / block, 1, contract.max_grid);
  const std::uint64_t enough = std::max<std::uint64_t>(1, ceil_div(n, block));
  std::uint64_t grid = 1;
  switch (draw.below(8)) {
    case 0:
    case 1:
      grid = 1;
      break;
    case 2:
      grid = enough;
      break;
    case 3:
      grid = enough > 1 && draw.chance(1, 2) ? enough - 1 : enough + 1;
      break;
    case 4:
    case 5:
      grid = 1 + draw.below(8);
      break;
    case 6:
      grid = 1 + draw.below(std::min<std::uint64_t>(most, 2 * enough));
      break;
    default:
      // The square of a uniform number: large grids are slow.
      grid = 1 + draw.below(1 + draw.below(most));
      break;
  }
  if (factor > 1) grid = most;
  return {static_cast<std::uint32_t>(std::min(grid, most)), block};
}

std::vector<Geometry> typical_geometries(const KernelContract& contract, std::uint64_t n) {
  std::vector<Geometry> geometries;
  const auto consider = [&](std::uint64_t grid, std::uint32_t block) {
    const std::uint64_t most =
        std::max<std::uint64_t>(1, common_threads(n) / contract.nearest({1, block}).block);
    const Geometry geometry =
        contract.nearest({static_cast<std::uint32_t>(std::clamp<std::uint64_t>(grid, 1, most)), block});
    if (std::find(geometries.begin(), geometries.end(), geometry) == geometries.end()) {
      geometries.push_back(geometry);
    }
  };
  const std::uint32_t smallest = contract.smallest_block();
  consider(1, smallest);
  consider(1, 128);
  consider(ceil_div(n, contract.nearest({1, 64}).block), 64);
  consider(ceil_div(n, smallest) + 2, smallest);
  consider(3, 96);
  return geometries;
}

void draw_launch(Draw& draw, const KernelContract& contract, Case& test_case) {
  test_case.geometry = draw_geometry(draw, contract, test_case.n());
  switch (draw.below(8)) {
    case 0:
      test_case.schedule = {Schedule::Order::random, draw.bits()};
      break;
    case 1:
      test_case.schedule = {Schedule::Order::highest_first, 0};
      break;
    default:
      test_case.schedule = {};
      break;
  }
  test_case.pointer_offset = draw.chance(1, 8) ? static_cast<std::uint32_t>(1 + draw.below(3)) : 0;
}

}  // namespace warpcheck::generators

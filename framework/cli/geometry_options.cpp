#include "framework/cli/geometry_options.hpp"

#include <fmt/format.h>

#include "framework/cli/numbers.hpp"
#include "framework/cli/usage_error.hpp"

namespace warpcheck::cli {

namespace {

constexpr std::uint64_t most_blocks = 0x7fffffff;
constexpr std::uint64_t most_threads = 1024;

}  // namespace

void demand_geometry_options(const std::string& grid, const std::string& block) {
  if (!grid.empty()) parse_whole("--grid", grid, 1, most_blocks);
  if (!block.empty()) parse_whole("--block", block, 1, most_threads);
}

Geometry chosen_geometry(const KernelInfo& kernel, Geometry usual, const std::string& grid,
                         const std::string& block) {
  if (!grid.empty()) usual.grid = static_cast<std::uint32_t>(parse_whole("--grid", grid, 1, most_blocks));
  if (!block.empty())
    usual.block = static_cast<std::uint32_t>(parse_whole("--block", block, 1, most_threads));
  const KernelContract& contract = kernel.contract;
  if (!contract.accepts(usual)) {
    throw UsageError(
        fmt::format("{} does not accept grid {}, block {}: its blocks are multiples of {} from {} to {}, "
                    "its grids at most {}",
                    kernel.name, usual.grid, usual.block, contract.block_multiple, contract.min_block,
                    contract.max_block, contract.max_grid));
  }
  return usual;
}

}  // namespace warpcheck::cli

#pragma once

#include <string>

#include "framework/contract/kernel_info.hpp"

namespace warpcheck::cli {

/// Throws UsageError when --grid or --block is given and is no number that a launch can have.
void demand_geometry_options(const std::string& grid, const std::string& block);

/// `usual` with what --grid and --block say instead. Throws UsageError when the kernel's contract does not
/// accept it.
Geometry chosen_geometry(const KernelInfo& kernel, Geometry usual, const std::string& grid,
                         const std::string& block);

}  // namespace warpcheck::cli

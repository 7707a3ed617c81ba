#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/contract/kernel_info.hpp"
#include "framework/contract/property.hpp"

namespace warpcheck::cli {

// What globs select, in the order of all there is; no glob selects everything. A glob that matches nothing is
// a UsageError that says what is near and what there is.

std::vector<const KernelInfo*> select_kernels(std::span<const KernelInfo> kernels,
                                              std::span<const std::string> globs);
std::vector<const Property*> select_properties(std::span<const std::string> globs);
void demand_generators(std::string_view glob);

/// The positions of the names that match any of the globs. `what` is the noun for messages: "kernel".
std::vector<std::size_t> select_names(std::string_view what, std::span<const std::string> names,
                                      std::span<const std::string> globs);

}  // namespace warpcheck::cli

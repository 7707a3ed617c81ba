#pragma once

#include <cstdint>
#include <span>

#include "framework/contract/kernel_info.hpp"

namespace warpcheck {

/// The built-in kernels again, as plain host loops over their documented data flow: an independent statement
/// of the bits that each must return. None of them knows PTX, lanes or the engine.
float serial_twin(std::span<const float> x);
float tree_two_pass_twin(std::span<const float> x, const Geometry& geometry);
float shuffle_two_pass_twin(std::span<const float> x, const Geometry& geometry);
float shuffle_two_pass_fp64_twin(std::span<const float> x, const Geometry& geometry);

}  // namespace warpcheck

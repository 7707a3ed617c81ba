#pragma once

#include <cstddef>
#include <string>

#include "framework/contract/case.hpp"

namespace warpcheck::report {

/// The elements, exactly, equal neighbours together: "[1 ×1024, 0.1 (0x1.99999ap-4), 0 ×3]". After `most`
/// groups the rest is given as a number of elements.
std::string inputs_text(const InputArray& input, std::size_t most = 64);

}  // namespace warpcheck::report

#pragma once

#include <cstdint>
#include <span>

#include "framework/engine/check.hpp"

namespace warpcheck {
class Generator;
}

namespace warpcheck::engine {

/// check() over the generators given, in their order; `generator_glob` is not looked at. Throws
/// std::invalid_argument when `options.cases` is not 0 and less than the number of required cases.
/// Precondition: at least one generator.
CheckResult search(const KernelInfo& kernel, const Property& property, Executor& executor,
                   const CheckOptions& options, std::span<const Generator* const> generators);

/// `other` counts as a case of its own: every measure becomes the greater of the two, NaN left out.
void raise_to(Measures& worst, const Measures& other);

}  // namespace warpcheck::engine

#pragma once

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/contract/verdict.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::properties {

/// Bitwise equal, where a NaN equals any NaN: its sign and payload depend on the operands' order on some
/// devices.
bool equal_results(numeric::Value a, numeric::Value b);

/// The same, and +0 equals −0.
bool equal_up_to_zero_sign(numeric::Value a, numeric::Value b);

/// true where two launches of this case must give equal results whatever the kernel promises or does not: an
/// exact window has the same exact sum in every order. False where that sum is 0, whose sign the order
/// decides.
bool order_is_immaterial(const KernelInfo& kernel, const Case& test_case);

/// true where the same launch again must give the same result: the contract says so, or the order is
/// immaterial.
bool repeatable(const KernelInfo& kernel, const Case& test_case);

/// The reason to give where `repeatable` is false.
inline constexpr const char* kNotRepeatable =
    "the contract does not promise the same result from run to run, and rounding may differ here";

}  // namespace warpcheck::properties

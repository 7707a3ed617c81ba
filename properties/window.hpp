#pragma once

#include <optional>
#include <span>

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::properties {

/// The sum that every order of additions gives exactly, in the output format; nullopt where the array is no
/// exact window of the contract.
///
/// An exact window is an array x_i = m_i·2^e with integers m_i, whose positive and whose negative m_i each
/// sum to at most 2^p − max|m_i|, p and the range of e being those of the narrowest of the contract's
/// formats. Then no partial sum rounds, not even with one element counted twice, so that any single element
/// lost or doubled shows unless it is 0. Where the contract flushes subnormals, 2^e is at least the smallest
/// normal value, so that no partial sum is one. A sum of 0 is given as +0, but its sign depends on the order.
/// The empty array is one.
std::optional<numeric::Value> window_sum(const KernelContract& contract, const InputArray& input);

}  // namespace warpcheck::properties

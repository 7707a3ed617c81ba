#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "framework/contract/case.hpp"
#include "framework/contract/executor.hpp"
#include "framework/contract/kernel_info.hpp"

namespace warpcheck::properties {

/// Patterns for memory before a run: a NaN in both formats, and a moderate number in both (123.13 in fp32).
inline constexpr std::uint32_t kNanPoison = 0xffffffffu;
inline constexpr std::uint32_t kNumberPoison = 0x42f642f6u;

/// The same launch of other elements.
Case with_input(const Case& test_case, std::shared_ptr<const InputArray> input);

/// The same launch of the first n elements. Precondition: n ≤ test_case.n().
Case prefix(const Case& test_case, std::uint64_t n);

/// The same launch of −x.
Case negated(const Case& test_case);

/// The same launch of 2^k·x; nullopt where that is not exact for every element.
std::optional<Case> scaled(const Case& test_case, int k);

/// The case's geometry first, then up to `others` different ones that the contract accepts: one small block,
/// one larger block, several blocks of an odd number. Threads in total stay near max(2n, 4096).
std::vector<Geometry> several_geometries(const KernelContract& contract, const Case& test_case,
                                         std::size_t others);

/// Sixty-four bits that depend on nothing but the elements' bits: seeds what a property draws for a case.
std::uint64_t seed_from(const InputArray& input);

/// One run of each case, with the default poison, in one call.
std::vector<Outcome> run_each(const KernelInfo& kernel, std::span<const Case> cases, Executor& executor);

}  // namespace warpcheck::properties

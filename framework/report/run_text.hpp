#pragma once

#include <span>
#include <string>
#include <string_view>

#include "framework/contract/kernel_info.hpp"
#include "framework/engine/check.hpp"
#include "framework/report/look.hpp"
#include "framework/report/tally.hpp"

namespace warpcheck::report {

/// The property whose measures the accuracy table shows.
inline constexpr std::string_view accuracy_property = "within_proved_bound";

/// One row for each kernel that was judged by within_proved_bound: kernel, accumulation format, greatest
/// height over the cases, cases, worst error / tolerance, worst error / A, verdict. Empty when that property
/// was not among the checks.
std::string accuracy_table(std::span<const KernelInfo> kernels, std::span<const engine::CheckResult> checks,
                           const Look& look);

/// A row for each kernel, a column for each property, one sign a check; a legend of the columns and the signs
/// below.
std::string verdict_matrix(std::span<const engine::CheckResult> checks, const Look& look);

/// Each reason for which checks were inapplicable, not run or without power, once, with the checks it stands
/// for.
std::string reasons(std::span<const engine::CheckResult> checks, const Look& look);

/// How many checks ended how, over how many cases, how many of them zero-blind, and what a pass does not
/// exclude.
std::string summary(const Tally& tally, const Look& look);

/// The word for a verdict, with its tone.
Tone tone_of(VerdictKind verdict);

}  // namespace warpcheck::report

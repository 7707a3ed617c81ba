#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "framework/engine/check.hpp"

namespace warpcheck::report {

/// The result of a run as JSON, version 1:
///
///     {"version": 1, "program", "seed", "executor",
///      "checks": [{"kernel", "property", "executor", "verdict", "class", "reason", "cases",
///      "inapplicable_cases",
///                  "no_power_cases", "zero_blind_cases", "required_cases", "runs", "warnings", "seconds",
///                  "worst": {"abs_error", "error_over_sum_abs", "error_over_tolerance", "condition",
///                  "height"}, "notes": […], "counterexample"}],
///      "summary": {"holds", "falsified", "no_power", "inapplicable", "not_run", "zero_blind_cases"}}
///
/// Verdicts and classes are written as identifiers ("no_power", "over_the_bound"); "class" is null unless
/// falsified. "counterexample" is null or {"file", "n", "grid", "block", "family", "inputs", "expected",
/// "got", "bound", "reason", "flaky", "reduction_runs"}; "file" is null when it was not stored. Finite
/// numbers are numbers, others text.
std::string run_json(std::uint64_t seed, std::string_view executor,
                     std::span<const engine::CheckResult> checks);

}  // namespace warpcheck::report

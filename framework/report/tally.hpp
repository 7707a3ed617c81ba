#pragma once

#include <cstdint>
#include <span>

#include "framework/engine/check.hpp"

namespace warpcheck::report {

/// How a program ends, for the shell.
enum class ExitStatus : int {
  all_hold = 0,
  falsified = 1,
  wrong_use = 2,      ///< wrong use or bad input, named in one line on standard error
  could_not_run = 3,  ///< something that was asked for could not be run, or could not have failed
};

/// How many checks ended in each way, and what their cases add up to.
struct Tally {
  std::uint64_t holds{}, falsified{}, no_power{}, inapplicable{}, not_run{};
  std::uint64_t cases{};  ///< judged
  std::uint64_t inapplicable_cases{};
  std::uint64_t no_power_cases{};
  std::uint64_t zero_blind_cases{};
  std::uint64_t warnings{};
  std::uint64_t runs{};
  double seconds{};

  std::uint64_t checks() const { return holds + falsified + no_power + inapplicable + not_run; }
};

Tally tally(std::span<const engine::CheckResult> checks);

/// falsified if anything is; else could_not_run if a check was not run or consisted of no power only, or if
/// none held; else all_hold. A check that is inapplicable is neither a pass nor a fault.
ExitStatus exit_status(const Tally& tally);

}  // namespace warpcheck::report

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "framework/contract/executor.hpp"
#include "framework/contract/verdict.hpp"

namespace warpcheck::properties {

/// What a run says about the kernel before its result is looked at: nullopt when it completed, broke no rule,
/// wrote the output and left the input alone; else a verdict with class, reason, findings and one run.
///
/// Falsified, first match: crash, time-out, launch error, contract violation (an error among the findings,
/// whatever the status), input changed, stale output. A run that met an instruction the executor does not
/// implement is "not run": that is no fault of the kernel. `which` names the run in the reason where there
/// are several.
std::optional<Verdict> judge_status(const Outcome& outcome, std::string_view which = {});

/// The first of these outcomes that judge_status objects to, named by `names[i]` where given; its verdict
/// counts all of the runs. Precondition: `names` is empty or as long as `outcomes`.
std::optional<Verdict> judge_statuses(std::span<const Outcome> outcomes,
                                      std::span<const std::string> names = {});

/// `verdict` with the number of runs, and with the warnings of all of them.
Verdict complete(Verdict verdict, std::span<const Outcome> outcomes);

/// Holds where all results are equal to the first, bit by bit but for NaN payloads; else nondeterministic,
/// with `reason` and both results under their names. Preconditions: every run is clean; as many names as
/// outcomes.
Verdict judge_equality(std::span<const Outcome> outcomes, std::span<const std::string> names,
                       std::string reason);

}  // namespace warpcheck::properties

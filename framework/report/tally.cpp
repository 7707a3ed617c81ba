#include "framework/report/tally.hpp"

namespace warpcheck::report {

Tally tally(std::span<const engine::CheckResult> checks) {
  Tally sum;
  for (const engine::CheckResult& check : checks) {
    switch (check.verdict) {
      case VerdictKind::holds:
        ++sum.holds;
        break;
      case VerdictKind::falsified:
        ++sum.falsified;
        break;
      case VerdictKind::no_power:
        ++sum.no_power;
        break;
      case VerdictKind::inapplicable:
        ++sum.inapplicable;
        break;
      case VerdictKind::not_run:
        ++sum.not_run;
        break;
    }
    sum.cases += check.cases;
    sum.inapplicable_cases += check.inapplicable_cases;
    sum.no_power_cases += check.no_power_cases;
    sum.zero_blind_cases += check.zero_blind_cases;
    sum.warnings += check.warnings;
    sum.runs += check.runs;
    sum.seconds += check.seconds;
  }
  return sum;
}

ExitStatus exit_status(const Tally& tally) {
  if (tally.falsified > 0) return ExitStatus::falsified;
  if (tally.not_run > 0 || tally.no_power > 0 || tally.holds == 0) return ExitStatus::could_not_run;
  return ExitStatus::all_hold;
}

}  // namespace warpcheck::report

#include "framework/contract/property.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

class EqualAcrossSchedules : public Property {
 public:
  std::string_view name() const override { return "equal_across_schedules"; }
  std::string_view claim() const override {
    return "the result is the same bits in whatever order threads, warps and blocks run";
  }
  std::string inapplicable_to(const KernelInfo& kernel) const override {
    if (kernel.contract.determinism < Determinism::schedules) {
      return "the contract does not promise equal results across schedules";
    }
    return {};
  }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    const std::uint64_t seed = seed_from(*test_case.input);
    std::vector<Case> cases;
    std::vector<std::string> names;
    for (const Schedule& schedule :
         {test_case.schedule, Schedule{Schedule::Order::lowest_first, 0},
          Schedule{Schedule::Order::highest_first, 0}, Schedule{Schedule::Order::random, seed},
          Schedule{Schedule::Order::random, seed + 1}}) {
      if (!cases.empty() && schedule == test_case.schedule) continue;
      cases.push_back(test_case);
      cases.back().schedule = schedule;
      names.push_back(schedule_text(schedule));
    }
    const std::vector<Outcome> outcomes = run_each(kernel, cases, executor);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;
    return judge_equality(
        outcomes, names,
        "two schedules of the same launch differ, and the contract promises that they do not");
  }
};

}  // namespace

WARPCHECK_PROPERTY(EqualAcrossSchedules);

}  // namespace warpcheck::properties

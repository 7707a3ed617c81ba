#include "framework/contract/property.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

class RunToRunEqual : public Property {
 public:
  std::string_view name() const override { return "run_to_run_equal"; }
  std::string_view claim() const override {
    return "the same launch gives the same bits again, whatever memory held before (three runs, NaN payloads "
           "aside)";
  }
  std::string inapplicable_to(const KernelInfo& kernel) const override {
    if (kernel.contract.determinism < Determinism::runs) return "the contract does not promise equal runs";
    return {};
  }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    const std::vector<Run> runs{
        {&test_case, kNanPoison}, {&test_case, kNumberPoison}, {&test_case, kNanPoison}};
    std::vector<std::string> names;
    for (const Run& run : runs)
      names.push_back("run " + std::to_string(names.size() + 1) + ", " + poison_text(run.poison));
    const std::vector<Outcome> outcomes = executor.run(kernel, runs);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;
    return judge_equality(outcomes, names,
                          "two runs of the same launch differ, and the contract promises equal runs");
  }
};

}  // namespace

WARPCHECK_PROPERTY(RunToRunEqual);

}  // namespace warpcheck::properties

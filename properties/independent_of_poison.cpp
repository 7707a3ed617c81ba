#include "framework/contract/property.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/sameness.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

class IndependentOfPoison : public Property {
 public:
  std::string_view name() const override { return "independent_of_poison"; }
  std::string_view claim() const override {
    return "the result does not depend on what the output and fresh allocations held before the launch";
  }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    if (!repeatable(kernel, test_case)) return Verdict::inapplicable(kNotRepeatable);
    // The first pattern twice tells a dependence on memory from plain differences between runs.
    const std::vector<Run> runs{
        {&test_case, kNanPoison}, {&test_case, kNumberPoison}, {&test_case, kNanPoison}};
    std::vector<std::string> names;
    for (const Run& run : runs) names.push_back(poison_text(run.poison));
    const std::vector<Outcome> outcomes = executor.run(kernel, runs);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;

    if (!equal_results(outcomes[0].output, outcomes[2].output)) {
      return complete(Verdict::inapplicable(
                          "two runs with the same memory before them differ: run_to_run_equal judges that"),
                      outcomes);
    }
    return judge_equality(
        outcomes, names,
        "the result depends on previous content: the output, or memory that the kernel allocated, was "
        "read before it was written");
  }
};

}  // namespace

WARPCHECK_PROPERTY(IndependentOfPoison);

}  // namespace warpcheck::properties

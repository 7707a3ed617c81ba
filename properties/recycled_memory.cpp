#include "framework/contract/property.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/sameness.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

class RecycledMemory : public Property {
 public:
  std::string_view name() const override { return "recycled_memory"; }
  std::string_view claim() const override {
    return "a run of half of the elements, on memory that the run of all of them has just freed, equals a "
           "fresh one";
  }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    if (test_case.n() == 0) return Verdict::inapplicable("an empty array has no smaller one");
    const Case smaller = prefix(test_case, test_case.n() / 2);
    if (!repeatable(kernel, smaller)) return Verdict::inapplicable(kNotRepeatable);

    const std::vector<Run> runs{{&smaller}, {&test_case}, {&smaller, kNanPoison, true}};
    const std::string few = std::to_string(smaller.n());
    const std::string all = std::to_string(test_case.n());
    const std::vector<std::string> names{few + " elements on fresh memory", "all " + all + " elements",
                                         few + " elements on the memory of the run of all " + all};
    const std::vector<Outcome> outcomes = executor.run(kernel, runs);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;
    Verdict verdict = judge_equality(
        std::vector<Outcome>{outcomes[0], outcomes[2]}, std::vector<std::string>{names[0], names[2]},
        "what an earlier run left behind changes the result: something is read that this run has not "
        "written");
    return complete(std::move(verdict), outcomes);
  }
};

}  // namespace

WARPCHECK_PROPERTY(RecycledMemory);

}  // namespace warpcheck::properties

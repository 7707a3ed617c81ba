#include "framework/contract/property.hpp"
#include "properties/accuracy.hpp"
#include "properties/outcome_checks.hpp"

namespace warpcheck::properties {
namespace {

class WithinProvedBound : public Property {
 public:
  std::string_view name() const override { return "within_proved_bound"; }
  std::string_view claim() const override {
    return "the result is no further from the exact sum than is proved possible for the declared order and "
           "precision";
  }
  std::string inapplicable_to(const KernelInfo& kernel) const override { return no_bound_reason(kernel); }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    // Fixed before the kernel runs.
    const numeric::Tolerance tolerance = tolerance_for(kernel, test_case);
    const Outcome outcome = executor.run_once(kernel, {&test_case});
    if (auto verdict = judge_status(outcome)) return *verdict;
    return complete(judge_accuracy(outcome.output, test_case.input->reference(), tolerance), {&outcome, 1});
  }
};

}  // namespace

WARPCHECK_PROPERTY(WithinProvedBound);

}  // namespace warpcheck::properties

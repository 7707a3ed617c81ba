#include "framework/contract/property.hpp"
#include "framework/numeric/text.hpp"
#include "properties/outcome_checks.hpp"

namespace warpcheck::properties {
namespace {

class EmptyGivesIdentity : public Property {
 public:
  std::string_view name() const override { return "empty_gives_identity"; }
  std::string_view claim() const override {
    return "the sum of no elements is +0, written to the output, without an error from a grid of no blocks";
  }
  std::vector<std::string> generators() const override { return {"empty"}; }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    if (test_case.n() != 0) return Verdict::inapplicable("the array is not empty");
    const Outcome outcome = executor.run_once(kernel, {&test_case});
    if (auto verdict = judge_status(outcome)) return *verdict;
    Verdict verdict;
    if (outcome.output != numeric::zero(kernel.contract.output)) {
      verdict =
          Verdict::falsified_as(FailureClass::wrong_value, "no elements, so the result must be the identity");
      verdict.expected = "0, the identity of the sum";
      verdict.got = numeric::to_exact_text(outcome.output);
    }
    return complete(std::move(verdict), {&outcome, 1});
  }
};

}  // namespace

WARPCHECK_PROPERTY(EmptyGivesIdentity);

}  // namespace warpcheck::properties

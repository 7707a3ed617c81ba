#include "framework/contract/property.hpp"
#include "framework/numeric/text.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/sameness.hpp"

namespace warpcheck::properties {
namespace {

class SingleElementExact : public Property {
 public:
  std::string_view name() const override { return "single_element_exact"; }
  std::string_view claim() const override {
    return "the sum of one element is that element, rounded once if the output is narrower; -0 may give +0, "
           "since a "
           "+0 may have been added to it";
  }
  std::vector<std::string> generators() const override { return {"single"}; }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    if (test_case.n() != 1) return Verdict::inapplicable("the array does not have exactly one element");
    if (kernel.contract.flushes_subnormals && numeric::is_subnormal((*test_case.input)[0])) {
      return Verdict::inapplicable("the contract flushes subnormals, and the element is one");
    }
    const numeric::Value demanded = numeric::convert((*test_case.input)[0], kernel.contract.output);
    const Outcome outcome = executor.run_once(kernel, {&test_case});
    if (auto verdict = judge_status(outcome)) return *verdict;
    Verdict verdict;
    if (!equal_up_to_zero_sign(outcome.output, demanded)) {
      const bool special = numeric::is_finite(outcome.output) != numeric::is_finite(demanded);
      verdict = Verdict::falsified_as(special ? FailureClass::special_value : FailureClass::wrong_value,
                                      "one element, so there is nothing to round");
      verdict.expected = numeric::to_exact_text(demanded);
      verdict.got = result_text(outcome.output, demanded);
    }
    return complete(std::move(verdict), {&outcome, 1});
  }
};

}  // namespace

WARPCHECK_PROPERTY(SingleElementExact);

}  // namespace warpcheck::properties

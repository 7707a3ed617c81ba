#include "framework/contract/property.hpp"
#include "framework/numeric/text.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/sameness.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

class Negation : public Property {
 public:
  std::string_view name() const override { return "negation"; }
  std::string_view claim() const override {
    return "changing every sign changes the sign of the result and nothing else, up to the sign of zero";
  }
  std::string inapplicable_to(const KernelInfo& kernel) const override {
    if (kernel.contract.order == Order::any) return "the contract declares no tree";
    if (kernel.contract.determinism < Determinism::runs) return "the contract does not promise equal runs";
    return {};
  }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    const std::vector<Case> cases{test_case, negated(test_case)};
    const std::vector<std::string> names{"x", "-x"};
    const std::vector<Outcome> outcomes = run_each(kernel, cases, executor);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;
    const numeric::Value demanded = numeric::negate(outcomes[0].output);
    Verdict verdict;
    if (!equal_up_to_zero_sign(outcomes[1].output, demanded)) {
      verdict =
          Verdict::falsified_as(FailureClass::wrong_value,
                                "rounding to nearest is symmetric, so the sum of -x must mirror that of x");
      verdict.expected = "sum(-x) = " + numeric::to_exact_text(demanded) +
                         ", since sum(x) = " + numeric::to_exact_text(outcomes[0].output);
      verdict.got = "sum(-x) = " + result_text(outcomes[1].output, demanded);
    }
    return complete(std::move(verdict), outcomes);
  }
};

}  // namespace

WARPCHECK_PROPERTY(Negation);

}  // namespace warpcheck::properties

#include <algorithm>
#include <cstdlib>

#include "framework/contract/property.hpp"
#include "framework/numeric/bound.hpp"
#include "framework/numeric/text.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/sameness.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

/// The exponent of the leading bit of the largest magnitude; nullopt if all are zero. Precondition: all
/// finite.
std::optional<int> leading_exponent(const InputArray& input) {
  const numeric::SumReference& reference = input.reference();
  std::optional<int> result;
  for (const auto& extreme : {reference.smallest, reference.largest}) {
    if (!extreme || numeric::is_zero(*extreme)) continue;
    int exponent = numeric::unpack(*extreme).exponent;
    for (std::uint64_t m = numeric::unpack(*extreme).significand; m > 1; m >>= 1) ++exponent;
    result = std::max(result.value_or(exponent), exponent);
  }
  return result;
}

class ScalingByPowersOfTwo : public Property {
 public:
  std::string_view name() const override { return "scaling_by_powers_of_two"; }
  std::string_view claim() const override {
    return "multiplying every element by a power of two multiplies the result by it, where no bit is lost "
           "and nothing "
           "can overflow";
  }
  std::string inapplicable_to(const KernelInfo& kernel) const override {
    const KernelContract& contract = kernel.contract;
    if (contract.flushes_subnormals) return "the contract flushes subnormals";
    if (contract.order == Order::any) return "the contract declares no tree";
    if (contract.determinism < Determinism::runs) return "the contract does not promise equal runs";
    // With as wide an output, what is exact in the input's format cannot underflow later: every partial sum
    // is a multiple of the smallest element's last place.
    if (contract.output < contract.input) return "a narrower output may underflow";
    return {};
  }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    const numeric::SumReference& reference = test_case.input->reference();
    if (reference.special()) return Verdict::inapplicable("some elements are not finite");
    const auto leading = leading_exponent(*test_case.input);
    if (!leading) return Verdict::inapplicable("every element is zero");

    // n·2^(e+1), and as much again for rounding, must stay finite in the narrowest format: the input's.
    const int headroom = numeric::traits(test_case.input->format()).max_exponent -
                         numeric::ceil_log2(test_case.n()) - 2 - *leading;
    if (headroom < 0) return Verdict::inapplicable("a partial sum may overflow");

    std::vector<Case> cases{test_case};
    std::vector<std::string> names{"x"};
    std::vector<int> exponents{0};
    // A small and a large factor either way, as far as they are exact.
    for (const int k : {7, std::min(headroom, 60), -1, -40}) {
      if (k > headroom || std::find(exponents.begin(), exponents.end(), k) != exponents.end()) continue;
      if (auto variant = scaled(test_case, k)) {
        cases.push_back(std::move(*variant));
        names.push_back("2^" + std::to_string(k) + "*x");
        exponents.push_back(k);
      }
    }
    if (cases.size() == 1) return Verdict::inapplicable("no power of two scales every element exactly");

    const std::vector<Outcome> outcomes = run_each(kernel, cases, executor);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;
    const numeric::Value base = outcomes[0].output;
    for (std::size_t i = 1; i < outcomes.size(); ++i) {
      const auto demanded = numeric::scale_exactly(base, exponents[i]);
      if (demanded && equal_results(outcomes[i].output, *demanded)) continue;
      // A NaN from finite elements is another property's business.
      if (numeric::is_nan(base) && numeric::is_nan(outcomes[i].output)) continue;
      Verdict verdict =
          Verdict::falsified_as(FailureClass::wrong_value,
                                "the scaled elements are exact and nothing can overflow, so every "
                                "rounding must scale, too");
      verdict.expected = "sum(" + names[i] + ") = 2^" + std::to_string(exponents[i]) +
                         "*sum(x), and sum(x) = " + numeric::to_exact_text(base);
      verdict.got = "sum(" + names[i] + ") = " + numeric::to_exact_text(outcomes[i].output);
      if (demanded) {
        verdict.expected = "sum(" + names[i] + ") = " + numeric::to_exact_text(*demanded) +
                           ", since sum(x) = " + numeric::to_exact_text(base);
        verdict.got = "sum(" + names[i] + ") = " + result_text(outcomes[i].output, *demanded);
      }
      return complete(std::move(verdict), outcomes);
    }
    return complete(Verdict::holding(), outcomes);
  }
};

}  // namespace

WARPCHECK_PROPERTY(ScalingByPowersOfTwo);

}  // namespace warpcheck::properties

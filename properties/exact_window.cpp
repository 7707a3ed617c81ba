#include "framework/contract/property.hpp"
#include "framework/numeric/text.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/sameness.hpp"
#include "properties/variants.hpp"
#include "properties/window.hpp"

namespace warpcheck::properties {
namespace {

class ExactWindow : public Property {
 public:
  std::string_view name() const override { return "exact_window"; }
  std::string_view claim() const override {
    return "where no addition in any order can round, the result is the exact sum in every geometry and "
           "schedule";
  }
  std::vector<std::string> generators() const override { return {"exact_window", "small_integers"}; }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    const auto sum = window_sum(kernel.contract, *test_case.input);
    if (!sum) return Verdict::inapplicable("the array is no exact window: some order of additions may round");

    std::vector<Case> cases;
    std::vector<std::string> names;
    for (const Geometry& geometry : several_geometries(kernel.contract, test_case, 3)) {
      Case variant = test_case;
      variant.geometry = geometry;
      // The case's own launch first, then other orders of threads as well.
      if (!cases.empty())
        variant.schedule = {Schedule::Order::random, seed_from(*test_case.input) + cases.size()};
      names.push_back(geometry_text(variant.geometry) + ", " + schedule_text(variant.schedule));
      cases.push_back(std::move(variant));
    }
    const std::vector<Outcome> outcomes = run_each(kernel, cases, executor);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;

    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const numeric::Value result = outcomes[i].output;
      if (equal_up_to_zero_sign(result, *sum)) continue;
      const bool special = !numeric::is_finite(result);
      Verdict verdict =
          Verdict::falsified_as(special ? FailureClass::special_value : FailureClass::wrong_value,
                                names[i] +
                                    ": no addition can round, so an element was lost, counted "
                                    "twice or changed");
      verdict.expected = numeric::to_exact_text(*sum) + ", exact in every order";
      verdict.got = result_text(result, *sum);
      verdict.measures = measures(result, test_case.input->reference());
      return complete(std::move(verdict), outcomes);
    }
    return complete(Verdict::holding(), outcomes);
  }

 private:
  static Measures measures(numeric::Value result, const numeric::SumReference& reference) {
    Measures measures;
    measures.condition = reference.condition;
    measures.ulps = numeric::ulp_distance(result, reference.rounded(result.format));
    if (numeric::is_finite(result)) {
      const numeric::Decimal error = (numeric::Decimal(result) - reference.sum).abs();
      measures.abs_error = error.to_double_nearest();
      measures.error_over_sum_abs = numeric::error_ratio(error, reference.sum_abs);
    }
    return measures;
  }
};

}  // namespace

WARPCHECK_PROPERTY(ExactWindow);

}  // namespace warpcheck::properties

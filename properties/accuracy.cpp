#include "properties/accuracy.hpp"

#include <string>

#include "framework/numeric/judge.hpp"
#include "properties/messages.hpp"

namespace warpcheck::properties {
namespace {

using numeric::Accuracy;
using numeric::Applicability;
using numeric::SumReference;
using numeric::Tolerance;
using numeric::Value;

Measures measure(const Accuracy& accuracy, const SumReference& reference, const Tolerance& tolerance) {
  Measures measures;
  if (accuracy.abs_error) measures.abs_error = accuracy.abs_error->to_double_nearest();
  measures.error_over_sum_abs = accuracy.error_over_sum_abs;
  measures.error_over_tolerance = accuracy.error_over_tolerance;
  measures.condition = reference.condition;
  measures.tolerance_over_sum_abs = tolerance.over_sum_abs;
  measures.ulps = accuracy.ulps;
  measures.height = tolerance.terms.model.height;
  measures.zero_blind = tolerance.zero_blind;
  return measures;
}

Verdict falsified(Value result, const SumReference& reference, const Tolerance& tolerance,
                  const Accuracy& accuracy) {
  const bool special = reference.special().has_value() || !numeric::is_finite(result);
  std::string reason;
  if (reference.special()) {
    reason = tolerance.reason;
  } else if (special) {
    reason = "all elements are finite, and no order of additions can overflow";
  } else if (tolerance.value.is_zero()) {
    reason = "no addition can round, so the result must be exact";
  } else {
    reason = "off by " + accuracy.abs_error->to_string(9) +
             ", more than any order that the contract allows can be";
  }
  Verdict verdict = Verdict::falsified_as(special ? FailureClass::special_value : FailureClass::over_bound,
                                          std::move(reason));
  verdict.expected = exact_sum_text(reference, result.format);
  verdict.got = result_text(result, reference);
  verdict.bound = bound_text(tolerance, reference);
  return verdict;
}

Verdict judge_without_measures(Value result, const SumReference& reference, const Tolerance& tolerance,
                               const Accuracy& accuracy) {
  if (tolerance.applicability == Applicability::no_bound || !accuracy.judged) {
    return Verdict::inapplicable(tolerance.reason);
  }
  if (!accuracy.within) return falsified(result, reference, tolerance, accuracy);
  if (tolerance.no_power) {
    Verdict verdict;
    verdict.kind = VerdictKind::no_power;
    verdict.reason = "the tolerance, " + tolerance.value.to_string(9) + ", is no smaller than A, " +
                     reference.sum_abs.to_string(9) + ": declare a shorter chain or a wider accumulation";
    verdict.bound = bound_text(tolerance, reference);
    return verdict;
  }
  return Verdict::holding();
}

}  // namespace

Tolerance tolerance_for(const KernelInfo& kernel, const Case& test_case) {
  return numeric::tolerance(kernel.contract.model(test_case.n(), test_case.geometry),
                            test_case.input->reference());
}

Verdict judge_accuracy(Value result, const SumReference& reference, const Tolerance& tolerance) {
  const Accuracy accuracy = numeric::judge(result, reference, tolerance);
  Verdict verdict = judge_without_measures(result, reference, tolerance, accuracy);
  verdict.measures = measure(accuracy, reference, tolerance);
  return verdict;
}

std::string no_bound_reason(const KernelInfo& kernel) {
  const Geometry geometry = kernel.contract.nearest({1, 32});
  if (numeric::bound_terms(kernel.contract.model(2, geometry), 2)) return {};
  return "no a-priori bound follows from the contract";
}

}  // namespace warpcheck::properties

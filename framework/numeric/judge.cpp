#include "framework/numeric/judge.hpp"

#include <limits>

namespace warpcheck::numeric {
namespace {

bool is_special(Value got, SpecialSum special) {
  if (special == SpecialSum::nan) return is_nan(got);
  return is_inf(got) && is_negative(got) == (special == SpecialSum::negative_infinity);
}

}  // namespace

Accuracy judge(Value got, const SumReference& reference, const Tolerance& tolerance) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Accuracy accuracy;
  const auto set_ratios = [&accuracy](double r) {
    accuracy.error_over_sum_abs = accuracy.error_over_tolerance = accuracy.relative_error = r;
  };

  if (reference.special()) {
    accuracy.judged = tolerance.special.has_value();
    accuracy.within = accuracy.judged && is_special(got, *tolerance.special);
    set_ratios(accuracy.within ? 0 : infinite);
    return accuracy;
  }

  accuracy.ulps = ulp_distance(got, reference.rounded(got.format));
  if (!is_finite(got)) {
    accuracy.judged = tolerance.applicability == Applicability::applies;
    set_ratios(infinite);
    return accuracy;
  }

  const Decimal error = (Decimal(got) - reference.sum).abs();
  accuracy.judged = tolerance.applicability == Applicability::applies ||
                    tolerance.applicability == Applicability::overflow_possible;
  accuracy.within = accuracy.judged && error <= tolerance.value;
  accuracy.error_over_sum_abs = error_ratio(error, reference.sum_abs);
  accuracy.error_over_tolerance = error_ratio(error, tolerance.value);
  accuracy.relative_error = error_ratio(error, reference.sum);
  accuracy.abs_error = error;
  return accuracy;
}

}  // namespace warpcheck::numeric

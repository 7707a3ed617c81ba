#pragma once

#include <cstdint>
#include <optional>

#include "framework/numeric/bound.hpp"
#include "framework/numeric/decimal.hpp"
#include "framework/numeric/exact_sum.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::numeric {

/// How far a result is from the truth. The ratios are for reports; `within` is decided exactly.
struct Accuracy {
  /// False when nothing is proved about this result: no bound, non-finite elements whose result is not
  /// forced, or a non-finite result where overflow is possible. `within` is then false and means nothing.
  /// (A finite result is judged even where overflow is possible: an overflow would not have left it finite.)
  bool judged = false;
  /// |got − S| ≤ tolerance, compared exactly; for non-finite elements, got is the forced result (a NaN
  /// of any sign and payload counts as NaN).
  bool within = false;
  /// |got − S|; none when got is not finite or some element is not.
  std::optional<Decimal> abs_error;
  double error_over_sum_abs = 0;    ///< |got − S|/A; 0 for no error, +inf when got is not finite
  double error_over_tolerance = 0;  ///< likewise; above 1 (or +inf) when not within
  double relative_error = 0;        ///< |got − S|/|S|, information only
  /// Steps from S rounded once to got's format; none for NaN.
  std::optional<std::uint64_t> ulps;
};

/// Judges the result bits `got` of any format against the reference and the tolerance fixed before.
Accuracy judge(Value got, const SumReference& reference, const Tolerance& tolerance);

}  // namespace warpcheck::numeric

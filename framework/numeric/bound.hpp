#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "framework/numeric/decimal.hpp"
#include "framework/numeric/exact_sum.hpp"
#include "framework/numeric/format.hpp"

namespace warpcheck::numeric {

// Notation: u unit roundoff of the accumulation format, v = u/(1+u), n elements, S = Σx and A = Σ|x|
// exact, h the height of the summation tree counted in additions that can round.

/// What a contract says about how a sum is computed, as far as the error bound needs it.
struct SumModel {
  Format input = Format::fp32;
  Format accumulation = Format::fp32;
  Format output = Format::fp32;
  /// h, when the contract declares a tree or a height.
  std::optional<std::uint64_t> height = std::nullopt;
  /// True when all that is promised is that the elements are added, each once, in some order.
  /// With neither this nor a height there is no a-priori bound.
  bool any_order = false;
  /// True when additions may flush subnormal operands and results to zero (a global-memory
  /// atomicAdd(float) on a device).
  bool flushes_subnormals = false;

  friend bool operator==(const SumModel&, const SumModel&) = default;
};

/// The bound |ŝ − S| ≤ a·A + s·|S| + c of one model for one n, before any data is seen. Each coefficient
/// is rounded up, so it is at least its formula.
struct BoundTerms {
  SumModel model;
  std::uint64_t n = 0;
  double sum_abs_coefficient = 0;  ///< a; +inf when no double holds it
  double sum_coefficient = 0;      ///< s
  double absolute = 0;             ///< c, nonzero only where something can underflow
  /// An upper bound of |any partial sum| / A: 1 + the coefficient of the accumulation alone.
  double growth = 1;
  std::string formula;  ///< with the numbers filled in: "(n-1)*v*A; n=4, v=u/(1+u), u=2^-24"
  std::string source;   ///< where it is proved
  /// a ≥ 1: no input can make this bound exclude the answer zero, let alone a wrong one.
  bool vacuous = false;
};

/// The smallest proved bound for the model; nullopt when the model has neither a height nor any order,
/// or accumulates in a format narrower than its input.
///
///   any order          ((n−1)·v)·A          Jeannerod & Rump 2018, Thm 4.1
///   height h           ((1+v)^h − 1)·A      standard model with |δ| ≤ v at each node
///   narrower output    E, then E + u_out·(|S| + E) (+ η_out/2 when the input is wider than the output:
///                      otherwise partial sums are multiples of η_out and cannot underflow)
///   flush-to-zero      E + (2n−1)·2^emin·(1+v)^min(h, n−1): each element and each addition may lose 2^emin
///
/// Where a height is declared, both of the first two hold and the smaller is taken.
std::optional<BoundTerms> bound_terms(const SumModel& model, std::uint64_t n);

/// Whether the accuracy of a finite result can be judged by the bound.
enum class Applicability : std::uint8_t {
  applies,
  overflow_possible,  ///< a partial sum or the output may legitimately overflow
  nonfinite_input,    ///< the result must be `Tolerance::special`, if that is set
  no_bound,           ///< the contract gives no a-priori bound
};

/// A tolerance for one array, fixed before any result is seen.
struct Tolerance {
  Decimal value;     ///< the greatest |ŝ − S| of a finite ŝ, rounded up; 0 without a bound or with
                     ///< non-finite elements
  BoundTerms terms;  ///< defaults when there is no bound
  Applicability applicability = Applicability::applies;
  std::string reason;  ///< one line, empty when it applies
  /// A > 0 and value ≥ A: nothing short of the absurd would be noticed. Never to be counted as a pass.
  bool no_power = false;
  /// |S| ≤ value < A: the answer zero would pass.
  bool zero_blind = false;
  double over_sum_abs = 0;  ///< value/A, for reports
  /// The result forced by non-finite elements; none when finite elements alone might overflow to the
  /// other side first.
  std::optional<SpecialSum> special;
};

/// The tolerance of `model` for the array that `reference` describes. Precondition: model.input is
/// reference.format.
///
/// A finite result is guaranteed while growth·A stays at or below the largest finite number of the
/// accumulation format, and |S| + E of the output format; otherwise overflow is possible.
Tolerance tolerance(const SumModel& model, const SumReference& reference);
/// The same from terms computed earlier: they depend on n only. Precondition: terms.n is reference.n.
Tolerance tolerance(const BoundTerms& terms, const SumReference& reference);

/// ⌈a/b⌉ without overflow. Precondition: b > 0.
constexpr std::uint64_t ceil_div(std::uint64_t a, std::uint64_t b) {
  return a / b + (a % b != 0 ? 1 : 0);
}

/// The smallest k with 2^k ≥ x; 0 for x = 0.
constexpr int ceil_log2(std::uint64_t x) {
  int k = 0;
  while (k < 64 && (k == 63 ? x > (std::uint64_t{1} << 63) : (std::uint64_t{1} << k) < x)) ++k;
  return k;
}

}  // namespace warpcheck::numeric

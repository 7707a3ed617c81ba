#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/contract/verdict.hpp"

namespace warpcheck::engine {

/// Judges one case: the property, kernel and executor are the caller's.
using Judge = std::function<Verdict(const Case&)>;

struct ReductionLimits {
  /// Calls of the judge, the last confirmation included.
  std::uint64_t judgements{3000};
  /// After this moment no candidate is judged, only the last confirmation: for kernels that take long to
  /// fail.
  std::optional<std::chrono::steady_clock::time_point> deadline;
};

struct Reduction {
  Case reduced;
  Verdict verdict;  ///< of the reduced case, from its last judgement
  std::uint64_t judgements{};
  std::uint64_t runs{};    ///< of the kernel, over all judgements
  bool limit_reached{};    ///< the result may not be as small as the same steps could make it
  bool confirmed{};        ///< judged once more at the end, the reduced case showed the same fault
  std::string stopped_by;  ///< the judge's exception, one line; empty if there was none
};

/// The smallest case found that shows the same fault as the original, by steps that each make it simpler:
/// fewer elements, then simpler values, then a simpler launch.
///
/// - Lengths go to 0, 1, 2, the neighbours of warp, block and grid·block, and halves, by prefix and by
/// suffix, then by
///   bisection; chunks become +0 in place, so that the others keep their lanes and blocks, before any is
///   deleted.
/// - Values go to 0, 1, −1, powers of two and few significant bits (complexity() orders them): all elements
/// at once,
///   then all of one magnitude, so that cancelling pairs stay together, then one by one.
/// - The launch goes to one block of the smallest size that the contract accepts, offset 0 and the default
/// schedule;
///   where length and geometry depend on each other they move together.
///
/// A candidate counts only if verdict.same_fault(candidate) and severity_kept(verdict, candidate) hold, so
/// the class never changes and a grossly wrong result never ends as a rounding error. Steps repeat until none
/// succeeds. The same arguments give the same result if the judge is a function of the case, and reducing the
/// result changes nothing.
///
/// `original` must be falsified by `verdict`. If the confirmation at the end fails three times (a flaky
/// fault), the original is returned with confirmed = false. Exceptions of the judge end the search and are
/// reported, not thrown.
Reduction reduce(const Case& original, const Verdict& verdict, const KernelContract& contract,
                 const Judge& judge, const ReductionLimits& limits = {});

/// The error of a falsified verdict on the scale of its class: error / tolerance over the bound, error / A
/// for a wrong value; 0 for classes that measure no error.
double severity(const Verdict& verdict);

/// true if the candidate's severity is at least an eighth of the original's and, over the bound, at least 1.
/// An infinite severity (a tolerance of 0, a result that is not finite) stays infinite.
bool severity_kept(const Verdict& original, const Verdict& candidate);

}  // namespace warpcheck::engine

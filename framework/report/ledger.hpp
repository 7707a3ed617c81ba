#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/contract/kernel_info.hpp"
#include "framework/numeric/bound.hpp"
#include "framework/report/look.hpp"

namespace warpcheck::report {

/// One line of the tolerance ledger: what a kernel's contract proves for n elements in one geometry.
struct LedgerRow {
  std::uint64_t n{};
  Geometry geometry;
  std::optional<std::uint64_t> height;       ///< none for any order
  std::optional<numeric::BoundTerms> terms;  ///< none where there is no a-priori bound
  /// From this cancellation ratio κ = A/|S| on, the answer zero lies within the tolerance; +inf if it never
  /// does.
  double zero_blind_from{};
  /// The greatest A for which no partial sum can overflow; 0 without a bound.
  double largest_sum_abs{};
};

/// The tolerances of one kernel, before any array is seen.
struct KernelLedger {
  KernelInfo kernel;
  std::vector<LedgerRow> rows;
};

/// The geometry that the ledger shows unless another is asked for: blocks of 256 threads (or the contract's
/// nearest), and as many of them as give each thread one element, at most 1,024.
Geometry usual_geometry(const KernelContract& contract, std::uint64_t n);

/// Rows for each n, in `geometry` or the usual one. Precondition: the contract accepts `geometry`.
KernelLedger ledger(const KernelInfo& kernel, std::span<const std::uint64_t> lengths,
                    const std::optional<Geometry>& geometry = std::nullopt);

/// Formula, source, coefficients, height, assumptions and power of each kernel, for people.
std::string ledger_text(std::span<const KernelLedger> ledgers, const Look& look);

/// The same as JSON: {"version": 1, "kernels": [{"kernel", "input", "accumulation", "output", "order",
/// "rows": [{"n", "grid", "block", "height", "sum_abs_coefficient", "sum_coefficient", "absolute", "formula",
/// "source", "vacuous", "zero_blind_from", "largest_sum_abs"}]}]}. Fields of a row without a bound are null.
std::string ledger_json(std::span<const KernelLedger> ledgers);

/// "order" of a contract for people: "any order", "tree serial", "height n - 1".
std::string order_text(const KernelContract& contract);

}  // namespace warpcheck::report

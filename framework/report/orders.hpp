#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/contract/executor.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/numeric/exact_sum.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::report {

/// More values than this need a sample: 8 have up to 40,320 orders, 9 up to 362,880.
inline constexpr std::size_t most_exhaustive_values = 8;

/// x1 + x2 + … from left to right, each addition rounded to the values' format. Precondition: at least one
/// value, all of one format.
numeric::Value serial_sum(std::span<const numeric::Value> values);

/// The sum of the first ⌈n/2⌉ values plus the sum of the others, each computed the same way and each addition
/// rounded: (a + b) + (c + d) for four. Precondition as for serial_sum.
numeric::Value pairwise_sum(std::span<const numeric::Value> values);

/// How many orders of the values differ in bits, exactly: n! divided by m! for each value that occurs m
/// times.
std::string count_of_orders(std::span<const numeric::Value> values);

/// One result, and how far it is from the reference.
struct OrderResult {
  numeric::Value value;
  /// |value − S|, exact. none when the value or an element is not finite: then 0 is meant if the value is
  /// what the elements force (NUMERICS §2), and infinity if not.
  std::optional<numeric::Decimal> abs_error;
  bool forced = false;  ///< no abs_error, and the value is what the elements force
  std::string fault;  ///< how the run ended when it did not complete ("crash: …"); value is then meaningless
  bool beyond_bound = false;  ///< further away than the kernel's contract allows
};

/// One order of the values and what became of it.
struct OrderRow {
  std::vector<numeric::Value> inputs;
  OrderResult serial, pairwise;
  std::vector<OrderResult> kernels;  ///< in the order of OrderStudy::kernels
};

/// What every distinct order of some values sums to.
struct OrderStudy {
  numeric::Format format{};
  std::vector<numeric::Value> values;  ///< sorted by total_order
  std::string orders;                  ///< how many distinct orders there are
  bool sampled = false;                ///< the rows are a sample of them
  numeric::SumReference reference;     ///< the same for every order
  std::vector<KernelInfo> kernels;
  std::vector<Geometry> geometries;     ///< of the kernels
  std::vector<std::string> tolerances;  ///< of the kernels: the formula, or why none applies
  std::vector<OrderRow> rows;           ///< sorted by inputs
};

/// Every distinct order, or a sample of `sample` distinct ones when there are more. Without `sample` there
/// must be at most most_exhaustive_values values. Throws std::invalid_argument for no values, for too many
/// without a sample, and for a sample of 0.
OrderStudy study_orders(std::span<const numeric::Value> values, std::optional<std::uint64_t> sample,
                        std::uint64_t seed);

/// The geometry in which a kernel sums few values: one block of 32 threads, or the contract's nearest.
Geometry small_geometry(const KernelContract& contract);

/// Adds a kernel: its result for every row, in one batch. Preconditions: its input format is that of the
/// study, and it accepts the geometry.
void add_kernel(OrderStudy& study, const KernelInfo& kernel, const Geometry& geometry, Executor& executor);

/// The distinct results of one column, sorted; every NaN counts as one.
std::vector<numeric::Value> serial_outcomes(const OrderStudy& study);
std::vector<numeric::Value> pairwise_outcomes(const OrderStudy& study);
std::vector<numeric::Value> kernel_outcomes(const OrderStudy& study, std::size_t kernel);

/// True if any kernel's run broke down or gave a result beyond its bound.
bool any_fault(const OrderStudy& study);

}  // namespace warpcheck::report

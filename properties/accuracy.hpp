#pragma once

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/contract/verdict.hpp"
#include "framework/numeric/bound.hpp"
#include "framework/numeric/exact_sum.hpp"

namespace warpcheck::properties {

/// The tolerance of the kernel for this case, from contract, n, S and A alone.
numeric::Tolerance tolerance_for(const KernelInfo& kernel, const Case& test_case);

/// Judges a result against the exact sum.
///
/// Holds within the tolerance; over the bound or, for a NaN or an infinity in place of a number or the other
/// way round, special value where it is not. No power where a tolerance of A and more would let everything
/// pass and this result did. Inapplicable where the contract has no bound, where a partial sum may overflow
/// and the result is not finite, and where elements that are not finite force nothing. Measures are filled in
/// always.
Verdict judge_accuracy(numeric::Value result, const numeric::SumReference& reference,
                       const numeric::Tolerance& tolerance);

/// Why no bound can be had for this contract at all; empty if one can.
std::string no_bound_reason(const KernelInfo& kernel);

}  // namespace warpcheck::properties

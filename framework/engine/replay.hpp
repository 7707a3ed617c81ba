#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "framework/contract/executor.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/record/counterexample.hpp"

namespace warpcheck::engine {

using record::Counterexample;

enum class ReplayKind : std::uint8_t {
  same_bits,          ///< falsified again: same class, and what came out is the same to the bit
  fails_differently,  ///< falsified again, in another way: reason says how
  no_longer_fails,    ///< the property holds for the case now
  not_run,            ///< there is no such kernel or property, or it could not run: reason
};

struct ReplayResult {
  ReplayKind kind{ReplayKind::not_run};
  std::string reason;  ///< one line; empty for same_bits
  Verdict verdict;     ///< of this replay; `not_run` if nothing was judged
  /// What is not as it was when the counterexample was stored: contract, plug-in, compiler, executor. One
  /// line each.
  std::vector<std::string> notes;

  bool still_fails() const { return kind == ReplayKind::same_bits || kind == ReplayKind::fails_differently; }
};

/// Judges the reduced case of a counterexample again, bit for bit, with the kernel and property that it
/// names. A flaky one is judged up to 20 times, until it fails. Never throws for what the counterexample
/// holds.
ReplayResult replay(const Counterexample& counterexample, std::span<const KernelInfo> kernels,
                    Executor& executor);

/// What has changed since the counterexample was stored, one line each.
std::vector<std::string> changes_since(const Counterexample& counterexample, const KernelInfo& kernel,
                                       const Executor& executor);

/// Why the kernel cannot be given the counterexample's case; empty if it can.
std::string misfit(const Counterexample& counterexample, const KernelInfo& kernel);

}  // namespace warpcheck::engine

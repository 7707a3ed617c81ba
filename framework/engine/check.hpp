#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/contract/executor.hpp"
#include "framework/contract/property.hpp"
#include "framework/record/counterexample.hpp"

namespace warpcheck::engine {

using record::Counterexample;

struct CheckOptions {
  /// The same seed gives the same cases for a kernel and property, on every machine and executor.
  std::uint64_t seed{1};
  /// Cases to judge, inapplicable ones not counted; a number below the required ones is refused. 0: the
  /// required cases and as many random ones as make 200 in all.
  std::uint64_t cases{0};
  std::string generator_glob{"*"};
  /// No new case is started after this point.
  std::optional<std::chrono::steady_clock::time_point> deadline;
  /// Where counterexamples are stored and read back from; empty: neither.
  std::filesystem::path store;
  /// Judgements that a reduction may take, each of as many runs of the kernel as the property needs.
  std::uint64_t max_reduction_runs{3000};
  /// A reduction starts no judgement after this long, so that kernels which never end do not hold up the
  /// rest.
  std::chrono::milliseconds max_reduction_time{20'000};
  /// Called after each case with the number judged so far; may be empty.
  std::function<void(std::uint64_t)> progress;
};

/// What one property says about one kernel on one executor, over all its cases.
struct CheckResult {
  std::string kernel, property, executor;
  VerdictKind verdict{VerdictKind::holds};
  FailureClass failure{FailureClass::none};
  std::string reason;     ///< for inapplicable, not_run and no_power; empty otherwise
  std::uint64_t cases{};  ///< judged: holds, falsified or no power
  std::uint64_t inapplicable_cases{};
  std::uint64_t no_power_cases{};
  std::uint64_t zero_blind_cases{};
  std::uint64_t warnings{};  ///< findings that are warnings
  std::uint64_t runs{};      ///< launches of the kernel's host function, reduction included
  std::uint64_t
      required_cases{};  ///< the deterministic ones that come first, whether or not they were reached
  Measures worst;        ///< the greatest of each measure over the cases
  std::optional<Counterexample> counterexample;
  std::filesystem::path stored_as;  ///< empty if nothing was stored
  bool from_store{};                ///< a stored counterexample failed again
  /// One line each: damaged stored files, stored counterexamples that no longer fail, changed contracts, a
  /// store that cannot be written, a budget that ended the search.
  std::vector<std::string> notes;
  double seconds{};
};

/// Judges a property on a kernel over stored counterexamples first, then the required cases of every
/// generator that the property uses and the glob admits, then random ones from each in turn, until one
/// falsifies it, all are done or the deadline has passed. The falsifying case is judged three times more to
/// tell a flaky fault, reduced and stored.
///
/// It holds if it held for at least one case and was falsified by none; if no case could have failed it is
/// `no_power`, if it applied to none `inapplicable`, and if a worker cannot be had or the deadline came
/// before the first case `not_run`, each with its reason. Throws std::invalid_argument for options that
/// cannot be met (too few cases, a generator glob that matches nothing).
CheckResult check(const KernelInfo& kernel, const Property& property, Executor& executor,
                  const CheckOptions& options);

/// true if `text` matches a pattern of literal characters, * and ?.
bool glob_matches(std::string_view pattern, std::string_view text);

}  // namespace warpcheck::engine

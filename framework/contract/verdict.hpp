#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/contract/finding.hpp"

namespace warpcheck {

enum class VerdictKind : std::uint8_t {
  holds,
  falsified,
  no_power,      ///< the tolerance could not have failed: never a pass
  inapplicable,  ///< the property says nothing about this kernel or case: `reason`
  not_run,       ///< it could not be run: `reason`
};

/// Why a property is falsified.
enum class FailureClass : std::uint8_t {
  none,
  wrong_value,         ///< not the exact result that is demanded
  over_bound,          ///< further from the exact sum than is proved possible
  contract_violation,  ///< a rule broken while running: the first error among `findings` names it
  nondeterministic,    ///< two runs that must agree do not
  special_value,       ///< NaN or infinity where there must be none, or the other way round
  launch_error,        ///< a CUDA error
  stale_output,        ///< the output was never written
  input_changed,       ///< the kernel wrote to its input
  crash,
  time_out,
};

std::string_view name_of(VerdictKind kind);      ///< "no power"
std::string_view name_of(FailureClass failure);  ///< "over the bound"
std::optional<VerdictKind> verdict_kind_from_name(std::string_view name);
std::optional<FailureClass> failure_class_from_name(std::string_view name);

/// How far a result was from the truth; zeros where nothing was measured.
struct Measures {
  double abs_error{};
  double error_over_sum_abs{};    ///< |ŝ − S| / A
  double error_over_tolerance{};  ///< |ŝ − S| / tolerance
  double condition{};             ///< κ = A / |S|
  double tolerance_over_sum_abs{};
  std::optional<std::uint64_t> ulps;
  std::optional<std::uint64_t> height;
  bool zero_blind{};  ///< the answer zero would have passed
};

/// What a property says about a kernel and a case.
struct Verdict {
  VerdictKind kind{VerdictKind::holds};
  FailureClass failure{FailureClass::none};
  std::string reason;    ///< one line; empty if it holds
  std::string expected;  ///< exact text of what was demanded; empty if it holds
  std::string got;       ///< exact text of what came out
  std::string bound;     ///< the tolerance with its formula and source, where there is one
  Measures measures;
  std::vector<Finding> findings;  ///< errors and warnings
  std::uint64_t runs{};           ///< how often the kernel ran

  bool falsified() const { return kind == VerdictKind::falsified; }

  /// The first finding that is an error; nullptr if there is none.
  const Finding* error_finding() const;

  /// Two verdicts show the same fault: both falsified, same class and, for contract violations, same finding
  /// kind.
  bool same_fault(const Verdict& other) const;

  static Verdict holding() { return {}; }
  static Verdict inapplicable(std::string reason);
  static Verdict not_run(std::string reason);
  static Verdict falsified_as(FailureClass failure, std::string reason);
};

}  // namespace warpcheck

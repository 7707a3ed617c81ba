#include "framework/contract/verdict.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace warpcheck {
namespace {

// In the order of the enumerations.
constexpr std::array<std::string_view, 5> kKinds{"holds", "falsified", "no power", "inapplicable", "not run"};
constexpr std::array<std::string_view, 11> kFailures{
    "none",          "wrong value",  "over the bound", "contract violation", "nondeterministic",
    "special value", "launch error", "stale output",   "input changed",      "crash",
    "time-out"};
static_assert(static_cast<std::size_t>(VerdictKind::not_run) + 1 == kKinds.size());
static_assert(static_cast<std::size_t>(FailureClass::time_out) + 1 == kFailures.size());

template <class Enum, std::size_t N>
std::optional<Enum> find_name(const std::array<std::string_view, N>& names, std::string_view name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Enum>(found - names.begin());
}

}  // namespace

std::string_view name_of(VerdictKind kind) {
  return kKinds.at(static_cast<std::size_t>(kind));
}
std::string_view name_of(FailureClass failure) {
  return kFailures.at(static_cast<std::size_t>(failure));
}

std::optional<VerdictKind> verdict_kind_from_name(std::string_view name) {
  return find_name<VerdictKind>(kKinds, name);
}

std::optional<FailureClass> failure_class_from_name(std::string_view name) {
  return find_name<FailureClass>(kFailures, name);
}

const Finding* Verdict::error_finding() const {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [](const Finding& finding) { return !is_warning(finding.kind); });
  return found == findings.end() ? nullptr : &*found;
}

bool Verdict::same_fault(const Verdict& other) const {
  if (!falsified() || !other.falsified() || failure != other.failure) return false;
  if (failure != FailureClass::contract_violation) return true;
  const Finding* mine = error_finding();
  const Finding* theirs = other.error_finding();
  if (mine == nullptr || theirs == nullptr) return mine == theirs;
  return mine->kind == theirs->kind;
}

Verdict Verdict::inapplicable(std::string reason) {
  Verdict verdict;
  verdict.kind = VerdictKind::inapplicable;
  verdict.reason = std::move(reason);
  return verdict;
}

Verdict Verdict::not_run(std::string reason) {
  Verdict verdict;
  verdict.kind = VerdictKind::not_run;
  verdict.reason = std::move(reason);
  return verdict;
}

Verdict Verdict::falsified_as(FailureClass failure, std::string reason) {
  Verdict verdict;
  verdict.kind = VerdictKind::falsified;
  verdict.failure = failure;
  verdict.reason = std::move(reason);
  return verdict;
}

}  // namespace warpcheck

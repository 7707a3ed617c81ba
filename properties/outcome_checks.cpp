#include "properties/outcome_checks.hpp"

#include <algorithm>
#include <string>

#include "framework/numeric/text.hpp"
#include "properties/messages.hpp"
#include "properties/sameness.hpp"

namespace warpcheck::properties {
namespace {

Verdict with_context(Verdict verdict, const Outcome& outcome, std::string_view which) {
  if (!which.empty()) verdict.reason = std::string(which).append(": ").append(verdict.reason);
  verdict.findings = outcome.findings;
  verdict.runs = 1;
  return verdict;
}

std::string detail_or(const Outcome& outcome, std::string_view otherwise) {
  return outcome.detail.empty() ? std::string(otherwise) : outcome.detail;
}

}  // namespace

std::optional<Verdict> judge_status(const Outcome& outcome, std::string_view which) {
  const auto falsified = [&](FailureClass failure, std::string reason) {
    return with_context(Verdict::falsified_as(failure, std::move(reason)), outcome, which);
  };
  const auto error = std::find_if(outcome.findings.begin(), outcome.findings.end(),
                                  [](const Finding& finding) { return !is_warning(finding.kind); });
  const Finding* first = error == outcome.findings.end() ? nullptr : &*error;

  if (first != nullptr && first->kind == FindingKind::unsupported) {
    return with_context(Verdict::not_run(first->message), outcome, which);
  }
  switch (outcome.status) {
    case RunStatus::crash:
      return falsified(FailureClass::crash, detail_or(outcome, "the process died"));
    case RunStatus::time_out:
      return falsified(FailureClass::time_out,
                       first != nullptr ? first->message : detail_or(outcome, "the kernel did not end"));
    case RunStatus::launch_error:
      return falsified(FailureClass::launch_error, detail_or(outcome, "the launch returned a CUDA error"));
    case RunStatus::violation:
      return falsified(
          FailureClass::contract_violation,
          first != nullptr ? first->message : detail_or(outcome, "a rule was broken while it ran"));
    case RunStatus::completed:
      break;
  }
  if (first != nullptr) return falsified(FailureClass::contract_violation, first->message);
  if (outcome.input_changed) {
    return falsified(FailureClass::input_changed,
                     "the kernel wrote to its input, which the contract calls const");
  }
  if (!outcome.output_written) {
    return falsified(FailureClass::stale_output,
                     "the output was never written: it holds what memory held before the launch");
  }
  return std::nullopt;
}

std::optional<Verdict> judge_statuses(std::span<const Outcome> outcomes, std::span<const std::string> names) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    auto verdict = judge_status(outcomes[i], names.empty() ? std::string_view{} : std::string_view(names[i]));
    if (verdict) {
      verdict->runs = outcomes.size();
      return verdict;
    }
  }
  return std::nullopt;
}

Verdict complete(Verdict verdict, std::span<const Outcome> outcomes) {
  verdict.runs = outcomes.size();
  for (const Outcome& outcome : outcomes) {
    for (const Finding& finding : outcome.findings) {
      if (std::find(verdict.findings.begin(), verdict.findings.end(), finding) == verdict.findings.end()) {
        verdict.findings.push_back(finding);
      }
    }
  }
  return verdict;
}

Verdict judge_equality(std::span<const Outcome> outcomes, std::span<const std::string> names,
                       std::string reason) {
  Verdict verdict;
  for (std::size_t i = 1; i < outcomes.size(); ++i) {
    if (equal_results(outcomes[i].output, outcomes[0].output)) continue;
    verdict = Verdict::falsified_as(FailureClass::nondeterministic, std::move(reason));
    verdict.expected = numeric::to_exact_text(outcomes[0].output) + " (" + names[0] + ")";
    verdict.got = result_text(outcomes[i].output, outcomes[0].output) + " (" + names[i] + ")";
    break;
  }
  return complete(std::move(verdict), outcomes);
}

}  // namespace warpcheck::properties

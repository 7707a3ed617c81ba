#include "framework/engine/replay.hpp"

#include <algorithm>
#include <exception>

#include "framework/contract/property.hpp"

namespace warpcheck::engine {
namespace {

constexpr int most_attempts_if_flaky = 20;

ReplayResult not_run(std::string reason) {
  ReplayResult result;
  result.verdict = Verdict::not_run(reason);
  result.reason = std::move(reason);
  return result;
}

template <class Items, class NameOf>
std::string names_of(const Items& items, const NameOf& name_of_item) {
  std::string names;
  for (const auto& item : items) names += (names.empty() ? "" : ", ") + std::string(name_of_item(item));
  return names.empty() ? "none" : names;
}

std::string fault_text(const Verdict& verdict) {
  const Finding* finding =
      verdict.failure == FailureClass::contract_violation ? verdict.error_finding() : nullptr;
  std::string text(name_of(verdict.failure));
  if (finding != nullptr) text += " (" + std::string(name_of(finding->kind)) + ")";
  return text;
}

void compare(const Verdict& before, ReplayResult& result) {
  const Verdict& now = result.verdict;
  switch (now.kind) {
    case VerdictKind::holds:
      result.kind = ReplayKind::no_longer_fails;
      result.reason = "the property holds for this case now";
      return;
    case VerdictKind::no_power:
    case VerdictKind::inapplicable:
      // Nothing was shown to be right, so this is no repair.
      result.kind = ReplayKind::not_run;
      result.reason = "the property says nothing about this case now: " + std::string(name_of(now.kind)) +
                      (now.reason.empty() ? "" : ", " + now.reason);
      return;
    case VerdictKind::not_run:
      result.kind = ReplayKind::not_run;
      result.reason = now.reason;
      return;
    case VerdictKind::falsified:
      break;
  }
  result.kind = ReplayKind::fails_differently;
  if (!before.same_fault(now)) {
    result.reason = "it was " + fault_text(before) + " and is now " + fault_text(now);
  } else if (before.got != now.got) {
    result.reason = "it gave " + (before.got.empty() ? "nothing" : before.got) + " and gives now " +
                    (now.got.empty() ? "nothing" : now.got);
  } else if (before.expected != now.expected) {
    result.reason = "what is expected was " + before.expected + " and is now " + now.expected;
  } else {
    result.kind = ReplayKind::same_bits;
  }
}

}  // namespace

std::vector<std::string> changes_since(const Counterexample& counterexample, const KernelInfo& kernel,
                                       const Executor& executor) {
  std::vector<std::string> notes;
  const auto note = [&](const std::string& what, const std::string& before, const std::string& now) {
    if (before != now) notes.push_back(what + " since: it was " + before + " and is now " + now);
  };
  note("the contract of " + kernel.name + " has changed", counterexample.contract_hash,
       kernel.contract.hash());
  note("the plug-in is another", counterexample.plugin, kernel.plugin);
  note("the plug-in was built differently", counterexample.built_with, kernel.built_with);
  note("the executor is another", counterexample.executor, std::string(executor.name()));
  return notes;
}

std::string misfit(const Counterexample& counterexample, const KernelInfo& kernel) {
  const Case& test_case = counterexample.reduced;
  if (test_case.input->format() != kernel.contract.input) {
    return kernel.name + " takes " + std::string(numeric::name(kernel.contract.input)) +
           " elements and the case holds " + std::string(numeric::name(test_case.input->format()));
  }
  if (!kernel.contract.accepts(test_case.geometry)) {
    return "the contract of " + kernel.name + " does not accept the case's grid " +
           std::to_string(test_case.geometry.grid) + ", block " + std::to_string(test_case.geometry.block);
  }
  return {};
}

ReplayResult replay(const Counterexample& counterexample, std::span<const KernelInfo> kernels,
                    Executor& executor) {
  const auto kernel = std::find_if(kernels.begin(), kernels.end(), [&](const KernelInfo& info) {
    return info.name == counterexample.kernel;
  });
  if (kernel == kernels.end()) {
    return not_run("there is no kernel named " + counterexample.kernel + "; the plug-in holds " +
                   names_of(kernels, [](const KernelInfo& info) { return info.name; }));
  }
  const Property* property = find_property(counterexample.property);
  if (property == nullptr) {
    return not_run("there is no property named " + counterexample.property + "; there are " +
                   names_of(all_properties(), [](const Property* known) { return known->name(); }));
  }
  std::string reason = misfit(counterexample, *kernel);
  if (reason.empty()) reason = property->inapplicable_to(*kernel);
  ReplayResult result = reason.empty() ? ReplayResult{} : not_run(std::move(reason));
  result.notes = changes_since(counterexample, *kernel, executor);
  if (!result.reason.empty()) return result;
  std::uint64_t runs = 0;
  for (int attempt = counterexample.flaky ? most_attempts_if_flaky : 1; attempt > 0; --attempt) {
    try {
      result.verdict = property->judge(*kernel, counterexample.reduced, executor);
    } catch (const std::exception& failure) {
      result.verdict = Verdict::not_run(failure.what());
    }
    runs += result.verdict.runs;
    if (result.verdict.kind != VerdictKind::holds) break;
  }
  result.verdict.runs = runs;
  compare(counterexample.verdict, result);
  return result;
}

}  // namespace warpcheck::engine

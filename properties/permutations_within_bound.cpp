#include <algorithm>
#include <iterator>
#include <random>
#include <span>

#include "framework/contract/property.hpp"
#include "properties/accuracy.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

using numeric::Value;

// Up to this length every distinct order is tried: at most 720.
constexpr std::uint64_t kExhaustive = 6;

bool before(Value a, Value b) {
  return numeric::total_order(a, b) == std::strong_ordering::less;
}

/// The case's own order, then every other distinct one.
std::vector<std::vector<Value>> every_order(const std::vector<Value>& values) {
  std::vector<std::vector<Value>> orders{values};
  std::vector<Value> next = values;
  std::sort(next.begin(), next.end(), before);
  do {
    if (next != values) orders.push_back(next);
  } while (std::next_permutation(next.begin(), next.end(), before));
  return orders;
}

/// The case's own order, then some random ones, fewer of longer arrays.
std::vector<std::vector<Value>> some_orders(const std::vector<Value>& values, std::uint64_t seed) {
  const std::size_t count = std::clamp<std::size_t>(4096 / values.size(), 2, 64);
  // std::shuffle differs between libraries; this engine and this shuffle do not.
  std::mt19937_64 random(seed);
  std::vector<std::vector<Value>> orders{values};
  std::vector<Value> next = values;
  while (orders.size() < count) {
    for (std::size_t left = next.size(); left > 1; --left) {
      std::swap(next[left - 1], next[static_cast<std::size_t>(random() % left)]);
    }
    orders.push_back(next);
  }
  return orders;
}

class PermutationsWithinBound : public Property {
 public:
  std::string_view name() const override { return "permutations_within_bound"; }
  std::string_view claim() const override {
    return "in every order of the elements the result is within the proved bound (all distinct orders of up "
           "to 6 "
           "elements, a sample beyond)";
  }
  std::vector<std::string> generators() const override { return {"permutations", "cancellation"}; }
  std::string inapplicable_to(const KernelInfo& kernel) const override { return no_bound_reason(kernel); }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    const InputArray& input = *test_case.input;
    if (input.size() < 2) return Verdict::inapplicable("fewer than two elements have one order only");
    // S, A and n are those of every order, and so is the tolerance.
    const numeric::SumReference& reference = input.reference();
    const numeric::Tolerance tolerance = tolerance_for(kernel, test_case);

    std::vector<Case> cases;
    std::vector<std::string> names;
    const std::vector<Value> values = input.values();
    const auto orders =
        input.size() <= kExhaustive ? every_order(values) : some_orders(values, seed_from(input));
    for (const std::vector<Value>& order : orders) {
      cases.push_back(with_input(test_case, make_input(input.format(), order)));
      names.push_back("order " + elements_text(*cases.back().input));
    }
    // The first order alone: a kernel that crashes or hangs does so in most of them, and each costs a
    // process.
    std::vector<Outcome> outcomes = run_each(kernel, std::span(cases).first(1), executor);
    if (auto verdict = judge_statuses(outcomes, std::span(names).first(1))) return *verdict;
    std::vector<Outcome> others = run_each(kernel, std::span(cases).subspan(1), executor);
    std::move(others.begin(), others.end(), std::back_inserter(outcomes));
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;

    // The worst one stands for all.
    Verdict worst;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      Verdict verdict = judge_accuracy(outcomes[i].output, reference, tolerance);
      if (verdict.falsified()) verdict.reason = names[i] + ": " + verdict.reason;
      const auto rank = [](const Verdict& v) {
        // One order that cannot be judged takes nothing from those that can.
        return std::pair(v.falsified()                         ? 2
                         : v.kind == VerdictKind::inapplicable ? 0
                                                               : 1,
                         v.measures.error_over_tolerance);
      };
      if (i == 0 || rank(verdict) > rank(worst)) worst = std::move(verdict);
    }
    return complete(std::move(worst), outcomes);
  }
};

}  // namespace

WARPCHECK_PROPERTY(PermutationsWithinBound);

}  // namespace warpcheck::properties

#include <optional>

#include "framework/contract/property.hpp"
#include "framework/numeric/text.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/sameness.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

// Up to this length every position is tried.
constexpr std::uint64_t kEveryPosition = 64;

/// Where the only element that is not zero stands; nullopt where there are none or several.
std::optional<std::uint64_t> hot_position(const InputArray& input) {
  std::optional<std::uint64_t> position;
  for (std::uint64_t i = 0; i < input.size(); ++i) {
    if (numeric::is_zero(input[i])) continue;
    if (position) return std::nullopt;
    position = i;
  }
  return position;
}

class OneHot : public Property {
 public:
  std::string_view name() const override { return "one_hot"; }
  std::string_view claim() const override {
    return "one element among zeros is the result, at every position (all of them up to 64 elements)";
  }
  std::vector<std::string> generators() const override { return {"one_hot"}; }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    const InputArray& input = *test_case.input;
    const auto position = hot_position(input);
    if (!position) return Verdict::inapplicable("the array has not exactly one element that is not zero");
    if (kernel.contract.flushes_subnormals && numeric::is_subnormal(input[*position])) {
      return Verdict::inapplicable("the contract flushes subnormals, and the element is one");
    }
    const numeric::Value demanded = numeric::convert(input[*position], kernel.contract.output);
    if (numeric::convert(demanded, input.format()) != input[*position]) {
      return Verdict::inapplicable("the output's format does not hold the element");
    }

    // The case's own position first.
    std::vector<std::uint64_t> positions{*position};
    if (input.size() <= kEveryPosition) {
      for (std::uint64_t i = 0; i < input.size(); ++i) {
        if (i != *position) positions.push_back(i);
      }
    }
    std::vector<Case> cases;
    std::vector<std::string> names;
    for (const std::uint64_t i : positions) {
      std::vector<numeric::Value> values(input.size(), numeric::zero(input.format()));
      values[i] = input[*position];
      cases.push_back(with_input(test_case, make_input(input.format(), values)));
      names.push_back("element " + std::to_string(i) + " of " + std::to_string(input.size()));
    }
    const std::vector<Outcome> outcomes = run_each(kernel, cases, executor);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;

    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      const numeric::Value result = outcomes[i].output;
      if (equal_results(result, demanded)) continue;
      const bool special = numeric::is_finite(result) != numeric::is_finite(demanded);
      const std::string_view fate = numeric::is_zero(result) ? "lost" : "not added once and exactly";
      Verdict verdict =
          Verdict::falsified_as(special ? FailureClass::special_value : FailureClass::wrong_value,
                                names[i] + ", the only one that is not zero, was " + std::string(fate));
      verdict.expected = numeric::to_exact_text(demanded);
      verdict.got = result_text(result, demanded);
      return complete(std::move(verdict), outcomes);
    }
    return complete(Verdict::holding(), outcomes);
  }
};

}  // namespace

WARPCHECK_PROPERTY(OneHot);

}  // namespace warpcheck::properties

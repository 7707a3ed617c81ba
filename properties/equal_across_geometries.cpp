#include "framework/contract/property.hpp"
#include "properties/messages.hpp"
#include "properties/outcome_checks.hpp"
#include "properties/variants.hpp"

namespace warpcheck::properties {
namespace {

class EqualAcrossGeometries : public Property {
 public:
  std::string_view name() const override { return "equal_across_geometries"; }
  std::string_view claim() const override {
    return "the result is the same bits for every grid and block size";
  }
  std::string inapplicable_to(const KernelInfo& kernel) const override {
    if (kernel.contract.determinism < Determinism::geometries) {
      return "the contract does not promise equal results across geometries";
    }
    return {};
  }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    std::vector<Case> cases;
    std::vector<std::string> names;
    for (const Geometry& geometry : several_geometries(kernel.contract, test_case, 3)) {
      cases.push_back(test_case);
      cases.back().geometry = geometry;
      names.push_back(geometry_text(geometry));
    }
    if (cases.size() == 1) return Verdict::inapplicable("the contract accepts one geometry only");
    const std::vector<Outcome> outcomes = run_each(kernel, cases, executor);
    if (auto verdict = judge_statuses(outcomes, names)) return *verdict;
    return judge_equality(outcomes, names,
                          "two geometries differ, and the contract promises that they do not");
  }
};

}  // namespace

WARPCHECK_PROPERTY(EqualAcrossGeometries);

}  // namespace warpcheck::properties

#include "framework/contract/property.hpp"
#include "properties/outcome_checks.hpp"

namespace warpcheck::properties {
namespace {

class InputUnchanged : public Property {
 public:
  std::string_view name() const override { return "input_unchanged"; }
  std::string_view claim() const override { return "after the run every byte of the input is what it was"; }

  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override {
    const Outcome outcome = executor.run_once(kernel, {&test_case});
    if (auto verdict = judge_status(outcome)) return *verdict;
    return complete(Verdict::holding(), {&outcome, 1});
  }
};

}  // namespace

WARPCHECK_PROPERTY(InputUnchanged);

}  // namespace warpcheck::properties

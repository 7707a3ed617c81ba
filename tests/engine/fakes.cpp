#include "tests/engine/fakes.hpp"

#include "framework/numeric/text.hpp"
#include "generators/draw.hpp"
#include "tests/engine/example.hpp"

namespace warpcheck::engine::testing {

std::vector<Outcome> HostExecutor::run(const KernelInfo&, std::span<const Run> runs) {
  std::vector<Outcome> outcomes;
  for (const Run& run : runs) outcomes.push_back(kernel_(*run.test_case));
  runs_ += runs.size();
  return outcomes;
}

HostExecutor::Kernel serial_sum(std::size_t dropped) {
  return [dropped](const Case& test_case) {
    const std::vector<numeric::Value> values = test_case.input->values();
    float sum = 0;
    for (std::size_t i = 0; i + dropped < values.size(); ++i)
      sum += static_cast<float>(numeric::to_double(values[i]));
    Outcome outcome;
    outcome.output = numeric::value_of(sum);
    outcome.output_written = true;
    return outcome;
  };
}

Verdict ExactSumProperty::judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const {
  const Outcome outcome = executor.run_once(kernel, Run{&test_case, 0xffffffffu, false});
  const numeric::Value exact = test_case.input->reference().rounded(kernel.contract.output);
  Verdict verdict;
  verdict.runs = 1;
  verdict.measures.condition = test_case.condition();
  if (outcome.output == exact) return verdict;
  verdict.kind = VerdictKind::falsified;
  verdict.failure = FailureClass::wrong_value;
  verdict.reason = "the result is not the exact sum";
  verdict.expected = numeric::to_exact_text(exact);
  verdict.got = numeric::to_exact_text(outcome.output);
  return verdict;
}

std::vector<Case> IntegerGenerator::required(const KernelInfo&) const {
  std::vector<Case> cases;
  for (std::uint64_t n = 1; n <= required_; ++n) {
    cases.push_back(case_of(std::vector<float>(n, 1.0f)));
    cases.back().family = name_;
  }
  return cases;
}

Case IntegerGenerator::make(const KernelInfo&, generators::Draw& draw) const {
  std::vector<float> values(draw.below(100));
  for (float& value : values) value = static_cast<float>(draw.between(1, 9));
  return case_of(values, {static_cast<std::uint32_t>(draw.between(1, 4)), 64});
}

}  // namespace warpcheck::engine::testing

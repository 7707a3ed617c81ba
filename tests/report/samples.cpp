#include "tests/report/samples.hpp"

#include <limits>

using namespace warpcheck;

KernelInfo sample_kernel(const std::string& name, const std::string& tree, numeric::Format accumulation) {
  KernelInfo kernel;
  kernel.name = name;
  kernel.contract.accumulation = accumulation;
  kernel.contract.order = tree.empty() ? Order::any : Order::tree;
  kernel.contract.order_expression = tree;
  kernel.contract.determinism = Determinism::schedules;
  kernel.file = "kernels/" + name + ".cu";
  kernel.line = 17;
  kernel.plugin = "kernels.so";
  return kernel;
}

engine::CheckResult holding_check(const std::string& kernel, const std::string& property) {
  engine::CheckResult check;
  check.kernel = kernel;
  check.property = property;
  check.executor = "cpu";
  check.cases = 200;
  check.runs = 200;
  check.required_cases = 60;
  check.worst.abs_error = 0.5;
  check.worst.error_over_sum_abs = 1.25e-8;
  check.worst.error_over_tolerance = 0.03125;
  check.worst.condition = std::numeric_limits<double>::infinity();
  check.worst.height = 12;
  check.seconds = 0.25;
  return check;
}

std::vector<KernelInfo> sample_kernels() {
  return {sample_kernel("serial", "serial"), sample_kernel("tree_two_pass", "grid_stride_then_tree"),
          sample_kernel("shuffle_two_pass", "grid_stride_then_shuffle"),
          sample_kernel("shuffle_two_pass_fp64", "grid_stride_then_shuffle", numeric::Format::fp64),
          sample_kernel("atomics", "")};
}

std::vector<engine::CheckResult> sample_checks() {
  std::vector<engine::CheckResult> checks;
  for (const KernelInfo& kernel : sample_kernels()) {
    for (const char* property :
         {"empty_gives_identity", "exact_window", "run_to_run_equal", "within_proved_bound"}) {
      checks.push_back(holding_check(kernel.name, property));
    }
  }

  engine::CheckResult& bound_of_serial = checks[3];
  bound_of_serial.zero_blind_cases = 31;
  bound_of_serial.inapplicable_cases = 7;

  engine::CheckResult& window_of_tree = checks[5];
  window_of_tree.verdict = VerdictKind::falsified;
  window_of_tree.failure = FailureClass::wrong_value;
  window_of_tree.stored_as = ".warpcheck/tree_two_pass.exact_window.json";
  engine::Counterexample found;
  found.kernel = "tree_two_pass";
  found.property = "exact_window";
  found.executor = "cpu";
  found.reduced.input = make_input(std::vector<float>{1, 1, 0.1f});
  found.reduced.geometry = {1, 2};
  found.reduced.family = "exact_window";
  found.verdict =
      Verdict::falsified_as(FailureClass::wrong_value, "the last element is missing: 2 < 2.1 & \"wrong\"");
  found.verdict.expected = "2.1";
  found.verdict.got = "2";
  found.original = found.reduced;
  found.original_verdict = found.verdict;
  found.reduction_runs = 41;
  found.text = "exact_window fails for tree_two_pass on cpu\n  input [1, 1, 0.1]\n";
  window_of_tree.counterexample = found;

  engine::CheckResult& runs_of_atomics = checks[18];
  runs_of_atomics.verdict = VerdictKind::inapplicable;
  runs_of_atomics.reason = "the contract does not promise that runs are equal";
  runs_of_atomics.cases = runs_of_atomics.runs = 0;

  engine::CheckResult& bound_of_atomics = checks[19];
  bound_of_atomics.verdict = VerdictKind::no_power;
  bound_of_atomics.reason = "no case had a tolerance below the sum of magnitudes";
  bound_of_atomics.no_power_cases = 200;
  bound_of_atomics.worst.height.reset();

  engine::CheckResult& window_of_fp64 = checks[13];
  window_of_fp64.verdict = VerdictKind::not_run;
  window_of_fp64.reason = "the budget was used up";
  window_of_fp64.cases = window_of_fp64.runs = 0;
  return checks;
}

std::vector<Outcome> HostExecutor::run(const KernelInfo&, std::span<const Run> runs) {
  std::vector<Outcome> outcomes;
  for (const Run& run : runs) outcomes.push_back(function_(*run.test_case));
  return outcomes;
}

Outcome completed(float result) {
  Outcome outcome;
  outcome.output = numeric::value_of(result);
  outcome.output_written = true;
  return outcome;
}

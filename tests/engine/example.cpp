#include "tests/engine/example.hpp"

#include <cmath>
#include <cstring>
#include <limits>

namespace warpcheck::engine::testing {
namespace {

using numeric::Format;
using numeric::Value;

bool same_bits(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0 || (std::isnan(a) && std::isnan(b));
}

std::string difference(const Case& a, const Case& b) {
  if (a.input->format() != b.input->format()) return "format";
  const auto x = a.input->bytes();
  const auto y = b.input->bytes();
  if (x.size() != y.size() || (!x.empty() && std::memcmp(x.data(), y.data(), x.size()) != 0))
    return "elements";
  if (a.geometry != b.geometry) return "geometry";
  if (a.pointer_offset != b.pointer_offset) return "pointer_offset";
  if (a.schedule != b.schedule) return "schedule";
  if (a.family != b.family) return "family";
  if (a.parameters != b.parameters) return "parameters";
  return {};
}

std::string difference(const Verdict& a, const Verdict& b) {
  if (a.kind != b.kind || a.failure != b.failure) return "class";
  if (a.reason != b.reason || a.expected != b.expected || a.got != b.got || a.bound != b.bound)
    return "texts";
  const Measures &x = a.measures, &y = b.measures;
  if (!same_bits(x.abs_error, y.abs_error) || !same_bits(x.error_over_sum_abs, y.error_over_sum_abs) ||
      !same_bits(x.error_over_tolerance, y.error_over_tolerance) || !same_bits(x.condition, y.condition) ||
      !same_bits(x.tolerance_over_sum_abs, y.tolerance_over_sum_abs) || x.ulps != y.ulps ||
      x.height != y.height || x.zero_blind != y.zero_blind) {
    return "measures";
  }
  if (a.findings != b.findings) return "findings";
  if (a.runs != b.runs) return "runs";
  return {};
}

}  // namespace

std::uint64_t Numbers::bits() {
  state_ ^= state_ >> 12;
  state_ ^= state_ << 25;
  state_ ^= state_ >> 27;
  return state_ * 0x2545f4914f6cdd1du;
}

float Numbers::real() {
  const auto significand = static_cast<float>(1 + below(0xffffff)) / static_cast<float>(0x1000000);
  const float value = std::ldexp(significand, static_cast<int>(below(41)) - 20);
  return below(2) == 0 ? value : -value;
}

std::vector<float> random_floats(std::uint64_t n, std::uint64_t seed) {
  Numbers numbers(seed);
  std::vector<float> values(n);
  for (float& value : values) value = numbers.real();
  return values;
}

Case case_of(std::vector<float> values, Geometry geometry) {
  Case test_case;
  test_case.input = make_input(std::span<const float>(values));
  test_case.geometry = geometry;
  test_case.family = "made_by_hand";
  return test_case;
}

KernelInfo any_kernel(std::string name) {
  KernelInfo kernel;
  kernel.name = std::move(name);
  kernel.contract.input = kernel.contract.accumulation = kernel.contract.output = Format::fp32;
  kernel.contract.order = Order::any;
  kernel.plugin = "build/my_kernels.so";
  kernel.built_with = "nvcc 13.0 -O3";
  return kernel;
}

Counterexample full_counterexample() {
  Counterexample example;
  example.kernel = "my_sum<float>";
  example.plugin = "build/my kernels.so";
  example.property = "within_proved_bound";
  example.executor = "cuda";
  example.contract_hash = "0123456789abcdef";
  example.built_with = "nvcc 13.0 -O3 \"quoted\" é";
  example.seed = UINT64_MAX;
  example.flaky = true;
  example.reduction_runs = 214;
  example.text = "line one\nline two\n";

  const Value nan_with_payload{Format::fp32, 0x7fc00001};
  const Value negative_nan{Format::fp32, 0xff800123};
  const std::vector<Value> elements{numeric::value_of(1.0f),
                                    numeric::value_of(1.0f),
                                    numeric::value_of(1.0f),
                                    numeric::value_of(0.1f),
                                    numeric::zero(Format::fp32, true),
                                    numeric::zero(Format::fp32),
                                    nan_with_payload,
                                    nan_with_payload,
                                    negative_nan,
                                    numeric::infinity(Format::fp32, true),
                                    numeric::smallest_subnormal(Format::fp32),
                                    numeric::largest_finite(Format::fp32, true)};
  example.reduced.input = make_input(Format::fp32, elements);
  example.reduced.geometry = {3, 96};
  example.reduced.pointer_offset = 2;
  example.reduced.schedule = {Schedule::Order::random, 0x8000000000000001u};
  example.reduced.family = "cancellation";
  example.reduced.parameters = {{"condition", "1e12"}, {"terms", "12"}};
  example.original = example.reduced;
  example.original.input = make_input(std::span<const double>(std::vector<double>{0.1, -1e300, 5e-324}));
  example.original.schedule = {Schedule::Order::highest_first, 7};

  Verdict& verdict = example.verdict;
  verdict = Verdict::falsified_as(FailureClass::contract_violation, "a rule was broken");
  verdict.expected = "2";
  verdict.got = "0.1 (0x1.99999ap-4)";
  verdict.bound = "(n-1)*v*A";
  verdict.measures.abs_error = 0.1;
  verdict.measures.error_over_sum_abs = std::numeric_limits<double>::quiet_NaN();
  verdict.measures.error_over_tolerance = std::numeric_limits<double>::infinity();
  verdict.measures.condition = 5e-324;
  verdict.measures.tolerance_over_sum_abs = -std::numeric_limits<double>::infinity();
  verdict.measures.ulps = UINT64_MAX;
  verdict.measures.height = 0;
  verdict.measures.zero_blind = true;
  verdict.runs = 4;
  Finding finding;
  finding.kind = FindingKind::out_of_bounds;
  finding.message = "a read of 4 bytes at partials[8], which holds 8";
  finding.kernel = "block_sums(float const*, unsigned long, float*)";
  finding.object = "partials[8]";
  finding.advice = "compare the index with the number of blocks";
  finding.count = 32;
  Party party{{1, 2, 3},
              {4, 5, 6},
              31,
              {{"my_sum.cu", 12, "warp_sum"}, {"my_sum.cu", 40, "block_sums"}, {"", 0, ""}}};
  finding.parties = {party, Party{}};
  Finding warning;
  warning.kind = FindingKind::shuffle_delta;
  warning.message = "a distance of 32";
  verdict.findings = {finding, warning};
  example.original_verdict = Verdict::falsified_as(FailureClass::over_bound, "too far");
  return example;
}

Counterexample plain_counterexample() {
  Counterexample example;
  const KernelInfo kernel = any_kernel();
  example.kernel = kernel.name;
  example.plugin = kernel.plugin;
  example.property = "within_proved_bound";
  example.executor = "cpu";
  example.contract_hash = kernel.contract.hash();
  example.built_with = kernel.built_with;
  example.seed = 1;
  example.reduced = case_of({1});
  example.original = case_of({1, 2, 3}, {4, 128});
  example.verdict = Verdict::falsified_as(FailureClass::over_bound, "the result is too far from the sum");
  example.original_verdict = example.verdict;
  example.reduction_runs = 30;
  return example;
}

::testing::AssertionResult same(const Counterexample& a, const Counterexample& b) {
  std::string what;
  if (a.kernel != b.kernel || a.plugin != b.plugin || a.property != b.property || a.executor != b.executor) {
    what = "names";
  } else if (a.contract_hash != b.contract_hash || a.built_with != b.built_with || a.seed != b.seed ||
             a.reduction_runs != b.reduction_runs || a.flaky != b.flaky || a.text != b.text) {
    what = "contract, seed, runs or text";
  } else if (!difference(a.reduced, b.reduced).empty()) {
    what = "reduced: " + difference(a.reduced, b.reduced);
  } else if (!difference(a.original, b.original).empty()) {
    what = "original: " + difference(a.original, b.original);
  } else if (!difference(a.verdict, b.verdict).empty()) {
    what = "verdict: " + difference(a.verdict, b.verdict);
  } else if (!difference(a.original_verdict, b.original_verdict).empty()) {
    what = "original verdict: " + difference(a.original_verdict, b.original_verdict);
  }
  if (what.empty()) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "they differ in " << what;
}

}  // namespace warpcheck::engine::testing

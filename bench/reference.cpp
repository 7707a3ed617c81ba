// What the exact reference costs beside a plain summation loop, and a judged case in all.

#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "framework/numeric/bound.hpp"
#include "framework/numeric/exact_sum.hpp"
#include "framework/numeric/judge.hpp"

namespace {

using namespace warpcheck::numeric;

enum class Input { ones, uniform, wide_range };

template <class Float>
std::vector<Float> make_input(std::size_t n, Input input) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<Float> uniform(-1, 1);
  const int reach = std::numeric_limits<Float>::max_exponent - 40;
  std::uniform_int_distribution<int> exponent(-reach, reach);
  std::vector<Float> x(n, Float{1});
  if (input == Input::ones) return x;
  for (Float& v : x) v = uniform(random);
  if (input == Input::wide_range) {
    for (Float& v : x) v = std::ldexp(v, exponent(random));
  }
  return x;
}

template <class Float>
void plain_double_loop(benchmark::State& state) {
  const auto x =
      make_input<Float>(static_cast<std::size_t>(state.range(0)), static_cast<Input>(state.range(1)));
  for (auto _ : state) {
    double s = 0;
    for (const Float v : x) s += v;
    benchmark::DoNotOptimize(s);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Float>
void exact_reference(benchmark::State& state) {
  const auto x =
      make_input<Float>(static_cast<std::size_t>(state.range(0)), static_cast<Input>(state.range(1)));
  const Format format = value_of(Float{}).format;
  for (auto _ : state) {
    SumReference r = reference_sum(format, std::as_bytes(std::span(x)));
    benchmark::DoNotOptimize(r);
  }
  state.SetItemsProcessed(state.iterations() * state.range(0));
}

template <class Float>
void judged_case(benchmark::State& state) {
  const auto x =
      make_input<Float>(static_cast<std::size_t>(state.range(0)), static_cast<Input>(state.range(1)));
  const Format format = value_of(Float{}).format;
  const SumModel model{.input = format, .accumulation = format, .output = format, .height = 20};
  for (auto _ : state) {
    const SumReference r = reference_sum(format, std::as_bytes(std::span(x)));
    const Tolerance t = tolerance(model, r);
    Accuracy a = judge(r.rounded(format), r, t);
    benchmark::DoNotOptimize(a);
  }
}

const std::vector<std::vector<std::int64_t>> large{{1 << 20}, {0, 1, 2}};
const std::vector<std::vector<std::int64_t>> small{{4, 1000}, {1, 2}};

BENCHMARK(plain_double_loop<float>)->ArgsProduct(large);
BENCHMARK(exact_reference<float>)->ArgsProduct(large);
BENCHMARK(plain_double_loop<double>)->ArgsProduct(large);
BENCHMARK(exact_reference<double>)->ArgsProduct(large);
BENCHMARK(exact_reference<float>)->ArgsProduct(small);
BENCHMARK(judged_case<float>)->ArgsProduct(small);
BENCHMARK(judged_case<double>)->ArgsProduct(small);

}  // namespace

BENCHMARK_MAIN();

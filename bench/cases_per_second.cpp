// How many cases a second within_proved_bound judges on shuffle_two_pass with n ≤ 256: generator, worker
// process, machine, exact reference and verdict together.
//
//     cases_per_second [cases, 20000 unless given]

#include <fmt/format.h>

#include <rapidcheck.h>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include "framework/contract/property.hpp"
#include "framework/engine/session.hpp"
#include "generators/generator.hpp"

int main(int argc, char** argv) {
  using namespace warpcheck;
  try {
    const std::uint64_t wanted = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 20'000;
    engine::Session session("cpu");
    session.add_plugin(engine::builtin_kernels_plugin());
    const KernelInfo* kernel = nullptr;
    for (const KernelInfo& info : session.kernels()) {
      if (info.name == "shuffle_two_pass") kernel = &info;
    }
    const Property* const property = find_property("within_proved_bound");
    if (kernel == nullptr || property == nullptr)
      throw std::runtime_error("the built-in kernel or property is missing");

    std::uint64_t judged = 0;
    std::uint64_t drawn = 0;
    rc::Random random(1);
    const auto start = std::chrono::steady_clock::now();
    while (judged < wanted) {
      for (const Generator* generator : all_generators()) {
        const Case test_case = generator->cases(*kernel)(random.split(), 50).value();
        ++drawn;
        if (test_case.n() > 256) continue;
        const Verdict verdict = property->judge(*kernel, test_case, session.executor());
        if (verdict.falsified()) throw std::runtime_error(verdict.reason);
        ++judged;
      }
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print("{} cases judged ({} drawn) in {:.2f} s: {:.0f} cases a second\n", judged, drawn, seconds,
               static_cast<double>(judged) / seconds);
  } catch (const std::exception& error) {
    fmt::print(stderr, "cases_per_second: {}\n", error.what());
    return 3;
  }
  return 0;
}

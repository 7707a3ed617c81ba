// The built-in kernels on a device against the same kernels on the checking machine. Without a device the
// tests are skipped, which CTest shows.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

#include "framework/engine/session.hpp"
#include "framework/worker/worker_executor.hpp"

namespace warpcheck {
namespace {

/// Elements whose sums depend on every detail of the order.
std::vector<float> rough_values(std::size_t n, std::mt19937_64& random) {
  std::uniform_real_distribution<float> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-20, 20);
  std::vector<float> values(n);
  for (float& value : values) value = std::ldexp(mantissa(random), exponent(random));
  return values;
}

/// Shapes that the kernel's contract allows, and arrays around the sizes at which an algorithm changes its
/// way.
std::vector<Case> cases_for(const KernelInfo& kernel) {
  std::mt19937_64 random(11);
  std::vector<Case> cases;
  for (const std::uint32_t block : {1u, 32u, 64u, 128u, 256u, 1024u}) {
    for (const std::uint32_t grid : {1u, 2u, 5u}) {
      const Geometry geometry{grid, block};
      if (!kernel.contract.accepts(geometry)) continue;
      for (const std::size_t n : {0u, 1u, 2u, 31u, 33u, 100u, 257u, 1000u, 4099u}) {
        Case made;
        made.input = make_input(rough_values(n, random));
        made.geometry = geometry;
        made.pointer_offset = static_cast<std::uint32_t>(n % 4);
        cases.push_back(std::move(made));
      }
    }
  }
  return cases;
}

TEST(CudaDevice, gives_the_bits_that_the_checking_machine_gives) {
  worker::WorkerExecutor cuda("cuda");
  if (const std::string reason = cuda.not_available(); !reason.empty()) {
    std::cout << "not run: " << reason << std::endl;
    GTEST_SKIP() << "not run: " << reason;
  }
  worker::WorkerExecutor cpu("cpu");
  const std::vector<KernelInfo> kernels = cuda.load(engine::builtin_kernels_plugin());
  ASSERT_EQ(kernels.size(), 4u);
  for (const KernelInfo& kernel : kernels) {
    const std::vector<Case> cases = cases_for(kernel);
    ASSERT_FALSE(cases.empty()) << kernel.name;
    std::vector<warpcheck::Run> runs;
    for (const Case& each : cases) runs.push_back({&each});
    const std::vector<Outcome> here = cpu.run(kernel, runs);
    const std::vector<Outcome> there = cuda.run(kernel, runs);
    for (std::size_t i = 0; i < runs.size(); ++i) {
      SCOPED_TRACE(testing::Message() << kernel.name << ", n " << cases[i].n() << ", grid "
                                      << cases[i].geometry.grid << ", block " << cases[i].geometry.block);
      ASSERT_EQ(here[i].status, RunStatus::completed) << here[i].detail;
      ASSERT_EQ(there[i].status, RunStatus::completed) << there[i].detail;
      EXPECT_TRUE(there[i].output_written);
      EXPECT_FALSE(there[i].input_changed);
      EXPECT_TRUE(there[i].findings.empty());
      EXPECT_EQ(there[i].output, here[i].output);
    }
  }
}

}  // namespace
}  // namespace warpcheck

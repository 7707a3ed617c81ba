// CUB and Thrust, as programs call them.

#include <cstring>
#include <vector>

#include "tests/cudart/loaded_plugin.hpp"

namespace warpcheck::cudart {
namespace {

using Libraries = PluginTest;

/// Runs `sum(device pointer, n, result)` for lengths around the boundaries of tiles; integers small enough
/// for the sum to be exact in every order.
template <class Sum>
void expect_exact_sums(Runtime& runtime, const CaseSettings& settings, Sum sum) {
  for (const int n : {1, 2, 31, 33, 256, 1000, 4097, 20000}) {
    runtime.begin_case(settings);
    const auto bytes = static_cast<std::uint64_t>(n) * sizeof(float);
    const simt::DeviceAddress x = runtime.memory().allocate(bytes, simt::AllocationKind::device, "x");
    auto* const values = reinterpret_cast<float*>(runtime.memory().host(x));
    double expected = 0;
    for (int i = 0; i < n; ++i) {
      values[i] = static_cast<float>(i % 7 - 2);
      expected += i % 7 - 2;
    }
    runtime.memory().set_read_only(x, true);
    float result = -1;
    EXPECT_EQ(sum(reinterpret_cast<const float*>(x), n, &result), 0) << n;
    EXPECT_EQ(result, static_cast<float>(expected)) << n;
    const CaseReport report = runtime.end_case();
    for (const Finding& finding : report.findings) ADD_FAILURE() << n << ": " << finding.message;
    EXPECT_TRUE(report.api_errors.empty());
    EXPECT_TRUE(report.failed_launches.empty());
    EXPECT_TRUE(report.leaks.empty());
    EXPECT_GE(report.launches, 1u);
  }
}

TEST_F(Libraries, find_every_kernel_supported) {
  plugin_symbol("libraries.so", "cub_sum");
  for (const std::string& line : runtime().unsupported()) {
    // A binary for later devices may be open, too.
    if (line.find("future.so") == std::string::npos) ADD_FAILURE() << line;
  }
}

TEST_F(Libraries, sum_with_cub) {
  auto* const sum =
      reinterpret_cast<int (*)(const float*, float*, int)>(plugin_symbol("libraries.so", "cub_sum"));
  expect_exact_sums(runtime(), settings(), [&](const float* x, int n, float* result) {
    const simt::DeviceAddress out = runtime().memory().allocate(4, simt::AllocationKind::device, "out");
    const int code = sum(x, reinterpret_cast<float*>(out), n);
    std::memcpy(result, runtime().memory().host(out), sizeof *result);
    return code;
  });
}

TEST_F(Libraries, sum_with_thrust) {
  auto* const sum =
      reinterpret_cast<int (*)(const float*, float*, int)>(plugin_symbol("libraries.so", "thrust_sum"));
  expect_exact_sums(runtime(), settings(),
                    [&](const float* x, int n, float* result) { return sum(x, result, n); });
}

}  // namespace
}  // namespace warpcheck::cudart

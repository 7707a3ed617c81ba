#include <csignal>

#include "tests/cli/host_plugin.hpp"

namespace {

/// The sum without its last element.
int without_last(const void* input, std::uint64_t n, void* output, const warpcheck_geometry*, void*) {
  const float* x = static_cast<const float*>(input);
  float total = 0;
  for (std::uint64_t i = 0; i + 1 < n; ++i) total += x[i];
  *static_cast<float*>(output) = total;
  return 0;
}

/// Ends its process as soon as there is anything to add.
int crash(const void*, std::uint64_t n, void* output, const warpcheck_geometry*, void*) {
  if (n > 0) std::raise(SIGSEGV);
  *static_cast<float*>(output) = 0;
  return 0;
}

constexpr warpcheck_kernel drops_last = host_kernel("host_drops_last", 21, without_last);
constexpr warpcheck_kernel crashes = host_kernel("host_crashes", 22, crash);

}  // namespace

HOST_PLUGIN(WARPCHECK_ABI_VERSION, &drops_last, &crashes)

#include "tests/cli/host_plugin.hpp"

namespace {

template <class In, class T>
int serial(const void* input, std::uint64_t n, void* output, const warpcheck_geometry*, void*) {
  const In* x = static_cast<const In*>(input);
  T total = 0;
  for (std::uint64_t i = 0; i < n; ++i) total += static_cast<T>(x[i]);
  *static_cast<In*>(output) = static_cast<In>(total);
  return 0;
}

constexpr warpcheck_kernel serial_kernel = host_kernel("host_serial", 11, serial<float, float>);
constexpr warpcheck_kernel fp64_kernel =
    host_kernel("host_serial_fp64", 12, serial<float, double>, WARPCHECK_FORMAT_FP32, WARPCHECK_FORMAT_FP64);
constexpr warpcheck_kernel wide_kernel =
    host_kernel("host_wide", 13, serial<double, double>, WARPCHECK_FORMAT_FP64, WARPCHECK_FORMAT_FP64);

}  // namespace

HOST_PLUGIN(WARPCHECK_ABI_VERSION, &serial_kernel, &fp64_kernel, &wide_kernel)

#include "tests/cli/host_plugin.hpp"

namespace {

int nothing(const void*, std::uint64_t, void*, const warpcheck_geometry*, void*) {
  return 0;
}

constexpr warpcheck_kernel with_block(warpcheck_kernel kernel, std::uint32_t largest) {
  kernel.max_block = largest;
  return kernel;
}
constexpr warpcheck_kernel kernel = with_block(host_kernel("too_wide", 1, nothing), 2048);

}  // namespace

HOST_PLUGIN(WARPCHECK_ABI_VERSION, &kernel)

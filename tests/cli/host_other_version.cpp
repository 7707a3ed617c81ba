#include "tests/cli/host_plugin.hpp"

namespace {
constexpr warpcheck_kernel kernel = host_kernel("k", 1, nullptr);
}

HOST_PLUGIN(WARPCHECK_ABI_VERSION + 1, &kernel)

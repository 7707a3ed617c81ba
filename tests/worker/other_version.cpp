#include <warpcheck/abi.h>

extern "C" const struct warpcheck_plugin* warpcheck_plugin() {
  static const struct warpcheck_plugin plugin { WARPCHECK_ABI_VERSION + 1, 0, nullptr, "" };
  return &plugin;
}

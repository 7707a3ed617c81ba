#include <warpcheck/abi.h>

extern "C" const struct warpcheck_plugin* entry_of_another_version() asm("warpcheck_plugin");
extern "C" const struct warpcheck_plugin* entry_of_another_version() {
  static const warpcheck_plugin plugin{WARPCHECK_ABI_VERSION + 1, 0, nullptr, ""};
  return &plugin;
}

// libFuzzer's entry point: whatever the bytes, the parser returns a consistent module or an error.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "tests/ptx/parsed.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpcheck::ptx;
  const ParseResult result = parse(std::string_view(reinterpret_cast<const char*>(data), size));
  bool is_right = result.module.has_value() != result.error.has_value();
  if (result.module) {
    const std::string missing = dangling(*result.module);
    if (!missing.empty()) std::fprintf(stderr, "dangling: %s\n", missing.c_str());
    is_right = is_right && missing.empty();
  } else if (result.error) {
    is_right = is_right && !result.error->message.empty();
  }
  if (!is_right) std::abort();
  return 0;
}

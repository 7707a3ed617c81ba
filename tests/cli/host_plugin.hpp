#pragma once

#include <warpcheck/abi.h>

#include <cstddef>
#include <cstdint>

// Plug-ins for these tests, made by the host compiler: the registrations are written by hand, the kernels are
// loops.

/// A kernel of fp32 elements, added in the formats given, with the tree "serial".
constexpr warpcheck_kernel host_kernel(const char* name, std::uint32_t line, warpcheck_launch launch,
                                       std::uint8_t input = WARPCHECK_FORMAT_FP32,
                                       std::uint8_t accumulation = WARPCHECK_FORMAT_FP32) {
  warpcheck_kernel kernel{};
  kernel.size = sizeof(warpcheck_kernel);
  kernel.line = line;
  kernel.name = name;
  kernel.file = "host_kernels.cpp";
  kernel.operation = "sum";
  kernel.input_format = input;
  kernel.accumulation_format = accumulation;
  kernel.output_format = input;
  kernel.order = WARPCHECK_ORDER_TREE;
  kernel.order_expression = "serial";
  kernel.determinism = WARPCHECK_DETERMINISTIC_GEOMETRIES;
  kernel.min_block = 1;
  kernel.max_block = 1024;
  kernel.block_multiple = 1;
  kernel.max_grid = 65535;
  kernel.launch = launch;
  return kernel;
}

#define HOST_PLUGIN(version, ...)                                                                       \
  extern "C" __attribute__((visibility("default"))) const warpcheck_plugin*                             \
  warpcheck_plugin_entry_point() asm("warpcheck_plugin");                                               \
  const warpcheck_plugin* warpcheck_plugin_entry_point() {                                              \
    static const warpcheck_kernel* const kernels[] = {__VA_ARGS__};                                     \
    static const warpcheck_plugin plugin{version, sizeof kernels / sizeof kernels[0], kernels, "host"}; \
    return &plugin;                                                                                     \
  }

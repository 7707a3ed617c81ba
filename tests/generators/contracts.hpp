#pragma once

#include <string>
#include <vector>

#include "framework/contract/kernel_info.hpp"

namespace warpcheck::generators {

inline KernelInfo kernel_with(std::string name, numeric::Format input, numeric::Format accumulation,
                              numeric::Format output, std::string tree, std::uint32_t min_block,
                              std::uint32_t max_block, std::uint32_t multiple,
                              std::uint32_t max_grid = 65535) {
  KernelInfo kernel;
  kernel.name = std::move(name);
  kernel.contract.input = input;
  kernel.contract.accumulation = accumulation;
  kernel.contract.output = output;
  kernel.contract.order = Order::tree;
  kernel.contract.order_expression = std::move(tree);
  kernel.contract.determinism = Determinism::schedules;
  kernel.contract.min_block = min_block;
  kernel.contract.max_block = max_block;
  kernel.contract.block_multiple = multiple;
  kernel.contract.max_grid = max_grid;
  return kernel;
}

/// The contracts of kernels/*.cu.
inline std::vector<KernelInfo> built_in_contracts() {
  using numeric::Format;
  return {
      kernel_with("serial", Format::fp32, Format::fp32, Format::fp32, "serial", 1, 1024, 1),
      kernel_with("shuffle_two_pass", Format::fp32, Format::fp32, Format::fp32, "grid_stride_then_shuffle",
                  32, 1024, 32),
      kernel_with("shuffle_two_pass_fp64", Format::fp32, Format::fp64, Format::fp32,
                  "grid_stride_then_shuffle", 32, 1024, 32),
      kernel_with("tree_two_pass", Format::fp32, Format::fp32, Format::fp32, "grid_stride_then_tree", 2, 1024,
                  1),
  };
}

/// Beside those: double precision, a narrower output, and contracts that leave little choice of geometry.
inline std::vector<KernelInfo> many_contracts() {
  using numeric::Format;
  std::vector<KernelInfo> kernels = built_in_contracts();
  kernels.push_back(kernel_with("double", Format::fp64, Format::fp64, Format::fp64,
                                "grid_stride_then_shuffle", 32, 1024, 32));
  kernels.push_back(
      kernel_with("narrowing", Format::fp64, Format::fp64, Format::fp32, "grid_stride_then_tree", 2, 512, 2));
  kernels.push_back(
      kernel_with("one_block", Format::fp32, Format::fp32, Format::fp32, "serial", 1, 1024, 1, 1));
  kernels.push_back(kernel_with("fixed", Format::fp32, Format::fp32, Format::fp32, "grid_stride_then_tree",
                                256, 256, 256, 7));
  kernels.push_back(kernel_with("large", Format::fp32, Format::fp32, Format::fp32, "grid_stride_then_tree",
                                600, 1000, 100));
  return kernels;
}

}  // namespace warpcheck::generators

#pragma once

#include <string>

#include "framework/contract/kernel_info.hpp"
#include "tests/generators/contracts.hpp"

namespace warpcheck::properties {

using generators::kernel_with;
using numeric::Format;

inline KernelInfo serial_kernel() {
  KernelInfo kernel = kernel_with("serial", Format::fp32, Format::fp32, Format::fp32, "serial", 1, 1024, 1);
  kernel.contract.determinism = Determinism::geometries;
  return kernel;
}
inline KernelInfo tree_kernel() {
  return kernel_with("tree", Format::fp32, Format::fp32, Format::fp32, "grid_stride_then_tree", 2, 1024, 1);
}
inline KernelInfo shuffle_kernel() {
  return kernel_with("shuffle", Format::fp32, Format::fp32, Format::fp32, "grid_stride_then_shuffle", 32,
                     1024, 32);
}
/// fp32 elements and result, additions in fp64.
inline KernelInfo mixed_kernel() {
  return kernel_with("mixed", Format::fp32, Format::fp64, Format::fp32, "grid_stride_then_shuffle", 32, 1024,
                     32);
}
inline KernelInfo double_kernel() {
  return kernel_with("double", Format::fp64, Format::fp64, Format::fp64, "grid_stride_then_tree", 2, 1024, 1);
}
/// fp64 elements and additions, fp32 result.
inline KernelInfo narrowing_kernel() {
  return kernel_with("narrowing", Format::fp64, Format::fp64, Format::fp32, "grid_stride_then_tree", 2, 1024,
                     1);
}
/// Promises neither an order nor equal runs.
inline KernelInfo atomic_kernel() {
  KernelInfo kernel = shuffle_kernel();
  kernel.name = "atomic";
  kernel.contract.order = Order::any;
  kernel.contract.order_expression.clear();
  kernel.contract.determinism = Determinism::none;
  return kernel;
}

}  // namespace warpcheck::properties

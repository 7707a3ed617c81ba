#include <warpcheck/kernel.hpp>

/// One thread adds n elements in their order.
__global__ void serial_sum(const float* x, std::size_t n, float* sum) {
  float total = 0;
  for (std::size_t i = 0; i < n; ++i) total += x[i];
  *sum = total;
}

cudaError_t serial(const float* x, std::size_t n, float* sum, const warpcheck::Geometry&,
                   cudaStream_t stream) {
  serial_sum<<<1, 1, 0, stream>>>(x, n, sum);
  return cudaGetLastError();
}

WARPCHECK_KERNEL(serial, warpcheck::sum<float>()
                             .tree(warpcheck::serial)
                             .deterministic_across(warpcheck::geometries)
                             .blocks(1, 1024)
                             .multiples_of(1));

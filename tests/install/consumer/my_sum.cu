#include <warpcheck/kernel.hpp>

__global__ void add_all(const float* x, std::size_t n, float* sum) {
  float total = 0;
  for (std::size_t i = 0; i < n; ++i) total += x[i];
  *sum = total;
}

cudaError_t my_sum(const float* x, std::size_t n, float* sum, const warpcheck::Geometry&,
                   cudaStream_t stream) {
  add_all<<<1, 1, 0, stream>>>(x, n, sum);
  return cudaGetLastError();
}

WARPCHECK_KERNEL(my_sum,
                 warpcheck::sum<float>().tree(warpcheck::serial).deterministic_across(warpcheck::geometries));

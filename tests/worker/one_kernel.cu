#include <warpcheck/kernel.hpp>

__global__ void copy_first(const float* x, float* result) {
  *result = *x;
}

cudaError_t first_element(const float* x, std::size_t, float* result, const warpcheck::Geometry&,
                          cudaStream_t stream) {
  copy_first<<<1, 1, 0, stream>>>(x, result);
  return cudaGetLastError();
}

WARPCHECK_KERNEL(first_element, warpcheck::sum<float>().any_order());

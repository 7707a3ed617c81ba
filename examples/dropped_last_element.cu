// A faulty kernel to look at: `scripts/run` ends with it, caught and reduced.

#include <warpcheck/kernel.hpp>

/// One block adds n elements, each thread every blockDim.x-th one.
__global__ void sum_all_but_one(const float* x, std::size_t n, float* result) {
  __shared__ float sums[1024];
  float sum = 0;
  for (std::size_t i = threadIdx.x; i + 1 < n; i += blockDim.x) sum += x[i];  // the fault: i < n is meant
  sums[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (threadIdx.x < step) sums[threadIdx.x] += sums[threadIdx.x + step];
    __syncthreads();
  }
  if (threadIdx.x == 0) *result = sums[0];
}

cudaError_t dropped_last_element(const float* x, std::size_t n, float* sum, const warpcheck::Geometry& g,
                                 cudaStream_t stream) {
  sum_all_but_one<<<1, g.block, 0, stream>>>(x, n, sum);
  return cudaGetLastError();
}

WARPCHECK_KERNEL(dropped_last_element, warpcheck::sum<float>()
                                           .height("ceil_div(n, block) + ceil_log2(block)")
                                           .deterministic_across(warpcheck::schedules)
                                           .blocks(256, 256)
                                           .multiples_of(256));

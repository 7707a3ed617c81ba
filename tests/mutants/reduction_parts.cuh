#pragma once

// Correct parts that the faulty kernels are made of, so that each file shows its fault and little else.

#include <warpcheck/kernel.hpp>

namespace parts {

__device__ inline float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

/// The sum over a block whose size is a multiple of 32, valid in thread 0.
__device__ inline float block_sum(float value) {
  __shared__ float warp_sums[32];
  value = warp_sum(value);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = value;
  __syncthreads();
  if (threadIdx.x < 32) value = warp_sum(threadIdx.x < blockDim.x / 32 ? warp_sums[threadIdx.x] : 0.0f);
  return value;
}

__device__ inline std::size_t first_index() {
  return blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
}
__device__ inline std::size_t stride() {
  return std::size_t{gridDim.x} * blockDim.x;
}

/// Writes one sum a block.
static __global__ void block_sums(const float* x, std::size_t n, float* sums) {
  float sum = 0;
  for (std::size_t i = first_index(); i < n; i += stride()) sum += x[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
}

/// Device memory for the time of one call.
class Workspace {
 public:
  Workspace(std::size_t count, cudaStream_t stream) : stream_(stream) {
    error_ = cudaMallocAsync(&data_, count * sizeof(float), stream);
  }
  ~Workspace() {
    if (data_ != nullptr) cudaFreeAsync(data_, stream_);
  }
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  float* data() const { return data_; }
  cudaError_t error() const { return error_; }

 private:
  cudaStream_t stream_;
  float* data_{};
  cudaError_t error_{};
};

}  // namespace parts

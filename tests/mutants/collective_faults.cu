// Planted faults: barriers and shuffles that not everybody reaches. A kernel's name says what is wrong with
// it; the table in mutants_test.cpp says how it must be caught.

#include "reduction_parts.cuh"

namespace {

constexpr auto atomic_contract() {
  return warpcheck::sum<float>().any_order().flushes_subnormals().blocks(32, 1024).multiples_of(32);
}

constexpr auto one_block_contract() {
  return warpcheck::sum<float>()
      .height("ceil_div(n, block) + ceil_log2(block) + 1")
      .deterministic_across(warpcheck::schedules)
      .blocks(32, 1024)
      .multiples_of(32);
}

__device__ float tree_in(float* values, float value) {
  values[threadIdx.x] = value;
  __syncthreads();
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned kept = (count + 1) / 2;
    if (threadIdx.x < count / 2) values[threadIdx.x] += values[threadIdx.x + kept];
    __syncthreads();
    count = kept;
  }
  return values[0];
}

/// Threads past the end skip the block's tree and wait at the barrier behind it.
__global__ void tree_inside_bounds_check(const float* x, std::size_t n, float* result) {
  __shared__ float values[1024];
  const std::size_t i = parts::first_index();
  float sum = 0;
  values[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) sum = tree_in(values, x[i]);
  __syncthreads();
  if (i < n && threadIdx.x == 0) atomicAdd(result, sum);
}

/// Threads past the end return before the barriers.
__global__ void early_return(const float* x, std::size_t n, float* result) {
  __shared__ float values[1024];
  const std::size_t i = parts::first_index();
  values[threadIdx.x] = 0;
  if (i >= n) return;
  const float sum = tree_in(values, x[i]);
  if (threadIdx.x == 0) atomicAdd(result, sum);
}

/// The last warp's lanes add up under a mask that names the lower half, reading from the upper one.
__global__ void half_mask_sum(const float* x, std::size_t n, float* result) {
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < n; i += 32) sum += x[i];
  if (threadIdx.x < 16) {
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0x0000ffffu, sum, offset);
    if (threadIdx.x == 0) *result = sum;
  }
}

cudaError_t cleared(float* result, cudaStream_t stream) {
  return cudaMemsetAsync(result, 0, sizeof(float), stream);
}

unsigned covering(std::size_t n, const warpcheck::Geometry& g) {
  return static_cast<unsigned>(n < 1 ? 1 : (n + g.block - 1) / g.block);
}

}  // namespace

cudaError_t collective_in_bounds_check(const float* x, std::size_t n, float* result,
                                       const warpcheck::Geometry& g, cudaStream_t stream) {
  if (cudaError_t error = cleared(result, stream)) return error;
  tree_inside_bounds_check<<<covering(n, g), g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(collective_in_bounds_check, atomic_contract());

cudaError_t return_before_barrier(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                                  cudaStream_t stream) {
  if (cudaError_t error = cleared(result, stream)) return error;
  early_return<<<covering(n, g), g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(return_before_barrier, atomic_contract());

// The same early return, but each warp adds for itself: the exits are before a barrier that decides nothing.
__global__ void early_return_of_warps(const float* x, std::size_t n, float* result) {
  const std::size_t i = parts::first_index();
  if (i / 32 * 32 >= n) return;
  __syncthreads();
  const float sum = parts::warp_sum(i < n ? x[i] : 0.0f);
  if (threadIdx.x % 32 == 0) atomicAdd(result, sum);
}

cudaError_t warps_return_as_declared(const float* x, std::size_t n, float* result,
                                     const warpcheck::Geometry& g, cudaStream_t stream) {
  if (cudaError_t error = cleared(result, stream)) return error;
  early_return_of_warps<<<covering(n, g), g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL_NAMED("warps_return_undeclared", warps_return_as_declared, atomic_contract());
WARPCHECK_KERNEL(warps_return_as_declared, atomic_contract().threads_may_exit_early());

cudaError_t shuffle_from_unnamed_lanes(const float* x, std::size_t n, float* result,
                                       const warpcheck::Geometry&, cudaStream_t stream) {
  half_mask_sum<<<1, 32, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(shuffle_from_unnamed_lanes, one_block_contract());

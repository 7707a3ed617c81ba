// Planted faults: loop bounds, launch shapes and passes. A kernel's name says what is wrong with it; the
// table in mutants_test.cpp says how it must be caught.

#include "reduction_parts.cuh"

namespace {

constexpr auto one_block_contract() {
  return warpcheck::sum<float>()
      .height("ceil_div(n, block) + ceil_log2(block) + 1")
      .deterministic_across(warpcheck::schedules)
      .blocks(32, 1024);
}

constexpr auto two_pass_contract() {
  return warpcheck::sum<float>()
      .tree(warpcheck::grid_stride_then_shuffle)
      .deterministic_across(warpcheck::schedules)
      .blocks(32, 1024)
      .multiples_of(32);
}

/// One block; every shuffle names 32 lanes. `kRounding` decides how a partial last warp is counted.
template <unsigned kRounding>
__global__ void xor_block_sum(const float* x, std::size_t n, float* result) {
  __shared__ float warp_sums[32];
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) warp_sums[threadIdx.x / 32] = sum;
  __syncthreads();
  const unsigned warps = (blockDim.x + kRounding) / 32;
  if (threadIdx.x < 32) {
    sum = threadIdx.x < warps ? warp_sums[threadIdx.x] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
    if (threadIdx.x == 0) *result = sum;
  }
}

/// The loop ends at `i + kDropped < n`; with −1 it reads one element too many.
template <int kDropped>
__global__ void bounded_block_sum(const float* x, std::size_t n, float* result) {
  float sum = 0;
  for (std::size_t i = threadIdx.x; i + kDropped < n; i += blockDim.x) sum += x[i];
  sum = parts::block_sum(sum);
  if (threadIdx.x == 0) *result = sum;
}

__global__ void inclusive_bound_sum(const float* x, std::size_t n, float* result) {
  float sum = 0;
  for (std::size_t i = threadIdx.x; i <= n; i += blockDim.x) sum += x[i];
  sum = parts::block_sum(sum);
  if (threadIdx.x == 0) *result = sum;
}

__global__ void sums_to_half_slots(const float* x, std::size_t n, float* sums) {
  float sum = 0;
  for (std::size_t i = parts::first_index(); i < n; i += parts::stride()) sum += x[i];
  sum = parts::block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x / 2] = sum;
}

/// Reduces blockDim.x values, however many there are.
__global__ void sum_of_block_size(const float* x, float* result) {
  const float sum = parts::block_sum(x[threadIdx.x]);
  if (threadIdx.x == 0) *result = sum;
}

}  // namespace

// The second stage reads blockDim.x / 32 warp sums, rounded down: a partial last warp is lost.
cudaError_t partial_warp_floor(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                               cudaStream_t stream) {
  xor_block_sum<0><<<1, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(partial_warp_floor, one_block_contract().multiples_of(1));

// Rounded up, but every shuffle still names 32 lanes, and those past the end of the block do not exist.
cudaError_t partial_warp_full_mask(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                                   cudaStream_t stream) {
  xor_block_sum<31><<<1, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(partial_warp_full_mask, one_block_contract().multiples_of(1));

cudaError_t last_element_dropped(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                                 cudaStream_t stream) {
  bounded_block_sum<1><<<1, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(last_element_dropped, one_block_contract().multiples_of(32));

cudaError_t read_past_the_end(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                              cudaStream_t stream) {
  inclusive_bound_sum<<<1, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(read_past_the_end, one_block_contract().multiples_of(32));

// The blocks' sums are there, but only the first one is handed out.
cudaError_t final_pass_skipped(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                               cudaStream_t stream) {
  parts::Workspace partials(g.grid, stream);
  if (partials.error() != cudaSuccess) return partials.error();
  parts::block_sums<<<g.grid, g.block, 0, stream>>>(x, n, partials.data());
  return cudaMemcpyAsync(result, partials.data(), sizeof(float), cudaMemcpyDeviceToDevice, stream);
}
WARPCHECK_KERNEL(final_pass_skipped, two_pass_contract());

// Two blocks write to one slot, and half of the slots stay as they were: zero.
cudaError_t partial_in_wrong_slot(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                                  cudaStream_t stream) {
  parts::Workspace partials(g.grid, stream);
  if (partials.error() != cudaSuccess) return partials.error();
  cudaMemsetAsync(partials.data(), 0, g.grid * sizeof(float), stream);
  sums_to_half_slots<<<g.grid, g.block, 0, stream>>>(x, n, partials.data());
  parts::block_sums<<<1, g.block, 0, stream>>>(partials.data(), g.grid, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(partial_in_wrong_slot, two_pass_contract());

// One block an n-th of the input, as many as that takes; but the final pass reduces one block's worth of
// partials, which is right only when there are exactly as many blocks as threads in one.
cudaError_t final_pass_of_block_size(const float* x, std::size_t n, float* result,
                                     const warpcheck::Geometry& g, cudaStream_t stream) {
  const std::size_t blocks = n < 1 ? 1 : (n + g.block - 1) / g.block;
  parts::Workspace partials(blocks < g.block ? g.block : blocks, stream);
  if (partials.error() != cudaSuccess) return partials.error();
  parts::block_sums<<<static_cast<unsigned>(blocks), g.block, 0, stream>>>(x, n, partials.data());
  sum_of_block_size<<<1, g.block, 0, stream>>>(partials.data(), result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(final_pass_of_block_size, one_block_contract().multiples_of(32));

// An empty input is "nothing to do", so the result is never written.
cudaError_t nothing_written_for_empty(const float* x, std::size_t n, float* result,
                                      const warpcheck::Geometry& g, cudaStream_t stream) {
  if (n == 0) return cudaSuccess;
  bounded_block_sum<0><<<1, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(nothing_written_for_empty, one_block_contract().multiples_of(32));

// As many blocks as the input fills: none at all for an empty one.
cudaError_t empty_grid_for_empty(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                                 cudaStream_t stream) {
  const std::size_t blocks = (n + g.block - 1) / g.block;
  parts::Workspace partials(blocks + 1, stream);
  if (partials.error() != cudaSuccess) return partials.error();
  parts::block_sums<<<static_cast<unsigned>(blocks), g.block, 0, stream>>>(x, n, partials.data());
  parts::block_sums<<<1, g.block, 0, stream>>>(partials.data(), blocks, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(empty_grid_for_empty, warpcheck::sum<float>()
                                           .height("ceil_log2(block) + ceil_div(ceil_div(n, block), block) + "
                                                   "ceil_log2(block)")
                                           .deterministic_across(warpcheck::schedules)
                                           .multiples_of(32));

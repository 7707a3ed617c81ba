#include <warpcheck/kernel.hpp>

/// The sum over a warp, valid in lane 0. All 32 lanes take part.
template <class T>
__device__ T warp_sum(T value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

/// The sum over a block whose size is a multiple of 32, valid in thread 0. The first warp takes part as a
/// whole in the second stage: lanes without a warp's sum add zero.
template <class T>
__device__ T block_sum(T value) {
  __shared__ T warp_sums[32];
  const unsigned lane = threadIdx.x % 32;
  const unsigned warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) value = warp_sum(lane < blockDim.x / 32 ? warp_sums[lane] : T{0});
  return value;
}

/// Writes one sum a block. T: the precision of the additions.
template <class T, class In, class Out>
__global__ void block_sums(const In* x, std::size_t n, Out* sums) {
  T sum{0};
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    sum += static_cast<T>(x[i]);
  }
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = static_cast<Out>(sum);
}

template <class T>
cudaError_t two_passes(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                       cudaStream_t stream) {
  T* partials = nullptr;
  if (cudaError_t error = cudaMallocAsync(&partials, g.grid * sizeof(T), stream)) return error;
  block_sums<T><<<g.grid, g.block, 0, stream>>>(x, n, partials);
  block_sums<T><<<1, g.block, 0, stream>>>(partials, g.grid, result);
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t freed = cudaFreeAsync(partials, stream);
  return launched != cudaSuccess ? launched : freed;
}

cudaError_t shuffle_two_pass(const float* x, std::size_t n, float* sum, const warpcheck::Geometry& g,
                             cudaStream_t stream) {
  return two_passes<float>(x, n, sum, g, stream);
}

cudaError_t shuffle_two_pass_fp64(const float* x, std::size_t n, float* sum, const warpcheck::Geometry& g,
                                  cudaStream_t stream) {
  return two_passes<double>(x, n, sum, g, stream);
}

WARPCHECK_KERNEL(shuffle_two_pass, warpcheck::sum<float>()
                                       .tree(warpcheck::grid_stride_then_shuffle)
                                       .deterministic_across(warpcheck::schedules)
                                       .blocks(32, 1024)
                                       .multiples_of(32));

WARPCHECK_KERNEL(shuffle_two_pass_fp64, warpcheck::sum<float>()
                                            .accumulates_in<double>()
                                            .tree(warpcheck::grid_stride_then_shuffle)
                                            .deterministic_across(warpcheck::schedules)
                                            .blocks(32, 1024)
                                            .multiples_of(32));

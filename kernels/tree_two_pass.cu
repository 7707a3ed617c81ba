#include <warpcheck/kernel.hpp>

/// Writes one sum a block, for any block size: threads without an element contribute zero, and each step adds
/// the upper part of what is left to the lower one.
__global__ void tree_sums(const float* x, std::size_t n, float* sums) {
  extern __shared__ float values[];
  float sum = 0;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    sum += x[i];
  }
  values[threadIdx.x] = sum;
  __syncthreads();
  for (unsigned count = blockDim.x; count > 1;) {
    const unsigned kept = (count + 1) / 2;
    if (threadIdx.x < count / 2) values[threadIdx.x] += values[threadIdx.x + kept];
    __syncthreads();
    count = kept;
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = values[0];
}

/// Passes over the input and then over the blocks' sums, until one is left.
cudaError_t tree_two_pass(const float* x, std::size_t n, float* sum, const warpcheck::Geometry& g,
                          cudaStream_t stream) {
  const auto blocks_for = [&g](std::size_t count) {
    const std::size_t needed = (count + g.block - 1) / g.block;
    return static_cast<unsigned>(needed < 1 ? 1 : needed > g.grid ? g.grid : needed);
  };
  const unsigned first = blocks_for(n);
  float* partials = nullptr;
  if (cudaError_t error = cudaMallocAsync(&partials, 2 * first * sizeof(float), stream)) return error;
  float* source = partials;
  float* target = partials + first;

  unsigned blocks = first;
  tree_sums<<<blocks, g.block, g.block * sizeof(float), stream>>>(x, n, blocks == 1 ? sum : source);
  while (blocks > 1) {
    const std::size_t count = blocks;
    blocks = blocks_for(count);
    tree_sums<<<blocks, g.block, g.block * sizeof(float), stream>>>(source, count,
                                                                    blocks == 1 ? sum : target);
    float* const read = source;
    source = target;
    target = read;
  }
  const cudaError_t launched = cudaGetLastError();
  const cudaError_t freed = cudaFreeAsync(partials, stream);
  return launched != cudaSuccess ? launched : freed;
}

WARPCHECK_KERNEL(tree_two_pass, warpcheck::sum<float>()
                                    .tree(warpcheck::grid_stride_then_tree)
                                    .deterministic_across(warpcheck::schedules)
                                    .blocks(2, 1024)
                                    .multiples_of(1));

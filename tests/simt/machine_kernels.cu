// What nvcc makes of kernels that people write: the machine's tests run its PTX.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cassert>
#include <cstdio>

namespace cg = cooperative_groups;

__device__ unsigned int tickets;
__constant__ float weights[4];

__global__ void tree(const float* x, int n, float* sums) {
  __shared__ float s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

__global__ void tree_too_far(const float* x, int n, float* sums) {
  __shared__ float s[256];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.0f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    s[t] += s[t + k];  // line: shared overrun
    __syncthreads();
  }
  if (t == 0) sums[blockIdx.x] = s[0];
}

__global__ void unguarded(const float* x, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 2 * x[i];  // line: global overrun
}

__inline__ __device__ float warp_sum(float v) {
  for (int k = 16; k > 0; k >>= 1) v += __shfl_down_sync(0xffffffffu, v, k);
  return v;
}

__global__ void shuffle_two_pass(const float* x, int n, float* sum) {
  extern __shared__ float partials[];
  float v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) v += x[i] * weights[i & 3];
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) partials[threadIdx.x / 32] = v;
  __syncthreads();
  if (threadIdx.x < 32) {
    v = threadIdx.x < (blockDim.x + 31) / 32 ? partials[threadIdx.x] : 0.0f;
    v = warp_sum(v);
    if (threadIdx.x == 0) *sum = v;
  }
}

__global__ void early_return(const float* x, int n, float* sum) {
  __shared__ float s[64];
  if (threadIdx.x >= n) return;  // line: leaves
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();  // line: barrier
  if (threadIdx.x == 0) *sum = s[0] + s[n - 1];
}

__global__ void barrier_in_branch(const float* x, int n, float* sum) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  if (threadIdx.x < 32) {
    s[threadIdx.x] += 1;
    __syncthreads();
    s[threadIdx.x] *= 2;
  } else {
    s[threadIdx.x] -= 1;
    __syncthreads();
    s[threadIdx.x] *= 3;
  }
  sum[threadIdx.x] = s[threadIdx.x ^ n];
}

__global__ void last_block(const float* x, int n, volatile float* partials, float* sum) {
  __shared__ bool last;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) v += x[i];
  v = warp_sum(v);
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = v;
    __threadfence();
    last = atomicInc(&tickets, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  v = 0;
  for (int i = threadIdx.x; i < gridDim.x; i += blockDim.x) v += partials[i];
  v = warp_sum(v);
  if (threadIdx.x == 0) *sum = v;
}

__global__ void grid_sync(const float* x, int n, float* partials, float* sum) {
  const cg::grid_group grid = cg::this_grid();
  float v = 0;
  for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size()) v += x[i];
  partials[grid.thread_rank()] = v;
  for (unsigned long long k = grid.size() / 2; k > 0; k /= 2) {
    grid.sync();
    if (grid.thread_rank() < k) partials[grid.thread_rank()] += partials[grid.thread_rank() + k];
  }
  grid.sync();
  if (grid.thread_rank() == 0) *sum = partials[0];
}

__global__ void tile_reduce(const int* x, int n, int* sums) {
  const cg::thread_block block = cg::this_thread_block();
  const cg::thread_block_tile<8> tile = cg::tiled_partition<8>(block);
  const cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  const int i = block.thread_rank();
  const int v = i < n ? x[i] : 0;
  const int eight = cg::reduce(tile, v, cg::plus<int>());
  const int most = cg::reduce(warp, v, cg::greater<int>());
  if (v & 1) {
    const cg::coalesced_group odd = cg::coalesced_threads();
    sums[i] = cg::reduce(odd, v, cg::plus<int>());
  } else {
    sums[i] = eight * 1000 + most;
  }
}

struct Operation {
  __device__ virtual int apply(int a, int b) const = 0;
};
struct Sum : Operation {
  __device__ int apply(int a, int b) const override { return a + b; }
};
struct Product : Operation {
  __device__ int apply(int a, int b) const override { return a * b; }
};

__device__ __noinline__ int fold(const Operation& operation, const int* x, int n) {
  return n == 1 ? x[0] : operation.apply(x[n - 1], fold(operation, x, n - 1));
}

__global__ void virtual_calls(const int* x, int* out) {
  const Sum sum;
  const Product product;
  const Operation* const operations[2] = {&sum, &product};
  out[threadIdx.x] = fold(*operations[threadIdx.x & 1], x, 1 + threadIdx.x % 5);
}

__global__ void checked(const int* x, int n) {
  if (threadIdx.x == 0) printf("n = %d, first %s %.3f\n", n, "value", x[0] * 0.5);
  assert(n < 100);  // line: assertion
}

__global__ void histogram(const unsigned char* x, int n, unsigned int* counts, double* total) {
  __shared__ unsigned int s[16];
  if (threadIdx.x < 16) s[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    atomicAdd(&s[x[i] % 16], 1u);
    atomicAdd(total, static_cast<double>(x[i]));
  }
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&counts[threadIdx.x], s[threadIdx.x]);
}

__global__ void partial_warp(const int* x, int* out) {
  // A ballot decides who takes part; the others never name themselves.
  const int v = x[threadIdx.x];
  const unsigned int mask = __ballot_sync(0xffffffffu, v > 10);
  if (v > 10) out[threadIdx.x] = __reduce_max_sync(mask, v) + __popc(__match_any_sync(mask, v & 1));
}

__global__ void never_ends(volatile int* flag) {
  while (*flag == 0) {  // line: spin
  }
}

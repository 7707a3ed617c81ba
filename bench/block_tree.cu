// The algorithm that both executors run: a block tree of 256 threads, one element a thread.

__global__ void block_tree(const float* x, float* sums) {
  __shared__ float values[256];
  const unsigned thread = threadIdx.x;
  values[thread] = x[blockIdx.x * blockDim.x + thread];
  __syncthreads();
  for (unsigned step = blockDim.x / 2; step > 0; step /= 2) {
    if (thread < step) values[thread] += values[thread + step];
    __syncthreads();
  }
  if (thread == 0) sums[blockIdx.x] = values[0];
}

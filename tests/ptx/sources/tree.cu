// Block reductions in the forms that kernels use: a tree in shared memory, warp shuffles, dynamic shared
// memory, a switch, and functions that the compiler inlines into one another.

__device__ __forceinline__ float add(float a, float b) {
  return a + b;
}

__device__ __forceinline__ float warp_sum(float v) {
  for (int offset = 16; offset > 0; offset /= 2) v = add(v, __shfl_down_sync(0xffffffffu, v, offset));
  return v;
}

__device__ __forceinline__ float block_sum(float v, float* partial) {
  v = warp_sum(v);
  if (threadIdx.x % 32 == 0) partial[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < blockDim.x / 32 ? partial[threadIdx.x] : 0.0f;
  if (threadIdx.x < 32) v = warp_sum(v);
  return v;
}

__global__ void __launch_bounds__(256, 2) tree(const float* in, float* out, int n) {
  __shared__ float s[256];
  const unsigned t = threadIdx.x;
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) v += in[i];
  s[t] = v;
  __syncthreads();
  for (unsigned half = 128; half > 0; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

__global__ void shuffle_two_pass(const float4* in, float* out, int n) {
  extern __shared__ float partial[];
  float v = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float4 q = in[i];
    v += (q.x + q.y) + (q.z + q.w);
  }
  v = block_sum(v, partial);
  if (threadIdx.x == 0) atomicAdd(out, v);
}

__global__ void strided(const double* in, double* out, int n, int kind) {
  double v = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    switch (kind) {
      case 0:
        v += in[i];
        break;
      case 1:
        v = fmax(v, in[i]);
        break;
      case 2:
        v = fmin(v, in[i]);
        break;
      case 3:
        v += in[i] * in[i];
        break;
      case 4:
        v += fabs(in[i]);
        break;
      case 5:
        v *= in[i];
        break;
      default:
        v -= in[i];
    }
  }
  out[threadIdx.x] = v;
}

__global__ void minimum(const int* in, int* out, unsigned long long* key, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int v = i < n ? in[i] : 0x7fffffff;
  atomicMin(out, __reduce_min_sync(0xffffffffu, v));
  atomicMax(key, (static_cast<unsigned long long>(v) << 32) | static_cast<unsigned>(i));
  unsigned long long seen = *key;
  while (atomicCAS(key, seen, seen + 1) != seen) seen = *key;
}

// Calls in every form: not inlined, through a pointer, recursive, returning a struct, variadic (printf),
// and the ones that never return (assert, trap).
#include <cassert>
#include <cstdio>

struct Moments {
  double mean, m2;
  long long count;
};

__device__ __noinline__ Moments combine(Moments a, const Moments& b) {
  const double delta = b.mean - a.mean;
  a.count += b.count;
  a.mean += delta * double(b.count) / double(a.count);
  a.m2 += b.m2 + delta * delta;
  return a;
}

using Operation = float (*)(float, float);
__device__ __noinline__ float sum(float a, float b) {
  return a + b;
}
__device__ __noinline__ float largest(float a, float b) {
  return a > b ? a : b;
}
__device__ Operation operations[2] = {sum, largest};

__device__ __noinline__ float pairwise(const float* x, int n) {
  if (n == 1) return x[0];
  return pairwise(x, n / 2) + pairwise(x + n / 2, n - n / 2);
}

__global__ void welford(const Moments* in, Moments* out, int n) {
  Moments m{0, 0, 0};
  for (int i = 0; i < n; ++i) m = combine(m, in[i]);
  *out = m;
}

__global__ void indirect(const float* in, float* out, int n, int which) {
  float v = in[0];
  for (int i = 1; i < n; ++i) v = operations[which](v, in[i]);
  out[0] = v;
}

__global__ void recursive(const float* in, float* out, int n) {
  assert(n > 0);
  out[threadIdx.x] = pairwise(in, n);
  if (out[threadIdx.x] != out[threadIdx.x]) {
    printf("thread %u: %f of %d\n", threadIdx.x, double(out[threadIdx.x]), n);
    __trap();
  }
}

// Planted faults: precision, order, and host code. A kernel's name says what is wrong with it; the table in
// mutants_test.cpp says how it must be caught.

#include "reduction_parts.cuh"

namespace {

constexpr auto one_block_contract() {
  return warpcheck::sum<float>()
      .height("ceil_div(n, block) + ceil_log2(block) + 1")
      .deterministic_across(warpcheck::schedules)
      .blocks(32, 1024)
      .multiples_of(32);
}

__global__ void one_atomic_an_element(const float* x, std::size_t n, float* result) {
  for (std::size_t i = parts::first_index(); i < n; i += parts::stride()) atomicAdd(result, x[i]);
}

__global__ void endless_sum(const float* x, std::size_t n, float* result) {
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
  sum = parts::block_sum(sum);
  if (threadIdx.x != 0) return;
  *result = sum;
  // Waits for a flag that nobody sets.
  while (n > 100 && *static_cast<volatile float*>(result) == sum) {
  }
}

}  // namespace

// The contract says fp64; the additions are fp32.
cudaError_t narrow_accumulation(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                                cudaStream_t stream) {
  parts::block_sums<<<1, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(narrow_accumulation, one_block_contract().accumulates_in<double>());

// Not wrong, but a chain of n additions: beyond 2^24 ones it stalls, and nothing proved can tell.
cudaError_t atomic_an_element(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                              cudaStream_t stream) {
  if (cudaError_t error = cudaMemsetAsync(result, 0, sizeof(float), stream)) return error;
  one_atomic_an_element<<<g.grid, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(
    atomic_an_element,
    warpcheck::sum<float>().any_order().deterministic_across(warpcheck::runs).flushes_subnormals());

// Adds to whatever the output holds.
cudaError_t output_not_cleared(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                               cudaStream_t stream) {
  one_atomic_an_element<<<g.grid, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(output_not_cleared, warpcheck::sum<float>().any_order().flushes_subnormals());

cudaError_t host_reads_device_memory(const float* x, std::size_t n, float* result,
                                     const warpcheck::Geometry& g, cudaStream_t stream) {
  if (n == 1) return cudaMemcpyAsync(result, &x[0], sizeof(float), cudaMemcpyDeviceToDevice, stream);
  if (n > 1 && x[n - 1] == 0.0f) --n;  // the fault: x is the device's
  parts::block_sums<<<1, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(host_reads_device_memory, one_block_contract());

cudaError_t never_ends(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                       cudaStream_t stream) {
  endless_sum<<<1, g.block, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(never_ends, one_block_contract());

// The input is the caller's, but the first block's sum is stored over its first element.
__global__ void sum_in_place(float* x, std::size_t n, float* result) {
  float sum = 0;
  for (std::size_t i = threadIdx.x; i < n; i += blockDim.x) sum += x[i];
  sum = parts::block_sum(sum);
  if (threadIdx.x == 0) {
    *result = sum;
    if (n > 0) x[0] = sum;
  }
}
cudaError_t input_overwritten(const float* x, std::size_t n, float* result, const warpcheck::Geometry& g,
                              cudaStream_t stream) {
  sum_in_place<<<1, g.block, 0, stream>>>(const_cast<float*>(x), n, result);
  return cudaGetLastError();
}
WARPCHECK_KERNEL(input_overwritten, one_block_contract());

// The allocation functions that plug-ins find before NVIDIA's, because this program comes first in their
// search: cudaMalloc, cudaMallocAsync, cudaFree, cudaFreeAsync. Everything else is NVIDIA's own.

#include "framework/cuda/device_runtime.hpp"
#include "framework/cuda/guarded_memory.hpp"

namespace {

using warpcheck::cuda::device_runtime;
using warpcheck::cuda::guarded_memory;

}  // namespace

extern "C" {

__attribute__((visibility("default"))) cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  return guarded_memory().allocate(pointer, size, {});
}

__attribute__((visibility("default"))) cudaError_t cudaFree(void* pointer) {
  // The device may still be using the block; CUDA's own call waits, too.
  if (const cudaError_t error = device_runtime().device_synchronize(); error != cudaSuccess) return error;
  return guarded_memory().free(pointer);
}

__attribute__((visibility("default"))) cudaError_t cudaMallocAsync(void** pointer, std::size_t size,
                                                                   cudaStream_t) {
  return guarded_memory().allocate(pointer, size, {});
}

__attribute__((visibility("default"))) cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  if (const cudaError_t error = device_runtime().stream_synchronize(stream); error != cudaSuccess)
    return error;
  return guarded_memory().free(pointer);
}

}  // extern "C"

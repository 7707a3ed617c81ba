// A CUDA runtime on host memory, with the errors that the plug-in asks for. It follows the error model that
// the CUDA Runtime API documents: asynchronous faults show at the next call that waits, and stay; other
// errors are returned once more by cudaGetLastError, and then are gone.

#include "tests/cuda/fake_cudart.hpp"

#include <cstdlib>
#include <cstring>

namespace {

cudaError_t next_malloc = cudaSuccess;
cudaError_t last = cudaSuccess;
cudaError_t unseen_fault = cudaSuccess;
cudaError_t fault = cudaSuccess;
int live_blocks = 0;

cudaError_t remembered(cudaError_t error) {
  if (error != cudaSuccess) last = error;
  return error;
}

/// What every call that waits for the device begins with.
cudaError_t settled() {
  fault = unseen_fault;
  return remembered(fault);
}

}  // namespace

extern "C" {

void fake_cudart_fail_next_malloc(cudaError_t error) {
  next_malloc = error;
}
void fake_cudart_leave_error(cudaError_t error) {
  last = error;
}
void fake_cudart_fault(cudaError_t error) {
  unseen_fault = error;
}
int fake_cudart_live_blocks() {
  return live_blocks;
}

cudaError_t cudaGetDeviceCount(int* count) {
  *count = 0;
  if (const char* error = std::getenv("FAKE_CUDART_COUNT_ERROR")) {
    return remembered(static_cast<cudaError_t>(std::atoi(error)));
  }
  const char* const devices = std::getenv("FAKE_CUDART_DEVICES");
  *count = devices == nullptr ? 1 : std::atoi(devices);
  return cudaSuccess;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
    case cudaSuccess:
      return "cudaSuccess";
    case cudaErrorInvalidValue:
      return "cudaErrorInvalidValue";
    case cudaErrorMemoryAllocation:
      return "cudaErrorMemoryAllocation";
    case cudaErrorInvalidConfiguration:
      return "cudaErrorInvalidConfiguration";
    case cudaErrorInsufficientDriver:
      return "cudaErrorInsufficientDriver";
    case cudaErrorNoDevice:
      return "cudaErrorNoDevice";
    case cudaErrorIllegalAddress:
      return "cudaErrorIllegalAddress";
    default:
      return "unrecognized error code";
  }
}

cudaError_t cudaGetLastError() {
  const cudaError_t error = last;
  last = fault;
  return error;
}

cudaError_t cudaDeviceSynchronize() {
  return settled();
}

cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return settled();
}

cudaError_t cudaMalloc(void** pointer, std::size_t size) {
  if (fault != cudaSuccess) return fault;
  if (next_malloc != cudaSuccess) {
    const cudaError_t error = next_malloc;
    next_malloc = cudaSuccess;
    return remembered(error);
  }
  ++live_blocks;
  *pointer = std::aligned_alloc(256, (size + 255) / 256 * 256);
  // What a device's memory holds is whatever was there: recognisably neither poison nor zero.
  std::memset(*pointer, 0x5a, size);
  return cudaSuccess;
}

cudaError_t cudaFree(void* pointer) {
  if (settled() != cudaSuccess) return fault;
  if (pointer != nullptr) --live_blocks;
  std::free(pointer);
  return cudaSuccess;
}

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t size, cudaMemcpyKind) {
  if (settled() != cudaSuccess) return fault;
  std::memcpy(to, from, size);
  return cudaSuccess;
}

cudaError_t cudaMemset(void* to, int value, std::size_t size) {
  if (settled() != cudaSuccess) return fault;
  std::memset(to, value, size);
  return cudaSuccess;
}
}

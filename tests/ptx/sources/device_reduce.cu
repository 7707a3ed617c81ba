// The library reduction that most programs use, as a large real module.
#include <cub/device/device_reduce.cuh>

cudaError_t total(void* work, size_t& bytes, const float* in, float* out, int n) {
  return cub::DeviceReduce::Sum(work, bytes, in, out, n);
}

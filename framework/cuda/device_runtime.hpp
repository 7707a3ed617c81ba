#pragma once

#include <cuda_runtime_api.h>

#include <string>

namespace warpcheck::cuda {

/// NVIDIA's CUDA runtime, opened at run time: this program has no need of it to start or to be linked.
struct DeviceRuntime {
  decltype(&::cudaGetDeviceCount) get_device_count{};
  decltype(&::cudaGetErrorName) get_error_name{};
  decltype(&::cudaGetLastError) get_last_error{};
  decltype(&::cudaDeviceSynchronize) device_synchronize{};
  cudaError_t (*malloc)(void**, std::size_t){};
  decltype(&::cudaFree) free{};
  decltype(&::cudaMemcpy) memcpy{};
  decltype(&::cudaMemset) memset{};
  decltype(&::cudaStreamSynchronize) stream_synchronize{};

  /// Opens libcudart with global visibility, so that plug-ins resolve against it: the file that
  /// WARPCHECK_CUDART names, or the newest major version that the loader finds. Returns why there is none, or
  /// an empty string.
  std::string open();
};

/// The one of this process.
DeviceRuntime& device_runtime();

}  // namespace warpcheck::cuda

#include "framework/cuda/device_runtime.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace warpcheck::cuda {
namespace {

/// The library, or why there is none.
void* open_library(std::string& reason) {
  if (const char* path = std::getenv("WARPCHECK_CUDART")) {
    void* const library = ::dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      reason = std::string("WARPCHECK_CUDART names '") + path + "', which cannot be opened: " + ::dlerror();
    }
    return library;
  }
  for (const char* name : {"libcudart.so.13", "libcudart.so.12"}) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  reason = "no libcudart.so.13 or .12 is found; WARPCHECK_CUDART may name one";
  return nullptr;
}

template <class Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

std::string DeviceRuntime::open() {
  std::string reason;
  void* const library = open_library(reason);
  if (library == nullptr) return "no CUDA device (" + reason + ")";
  const bool complete = resolve(library, "cudaGetDeviceCount", get_device_count) &&
                        resolve(library, "cudaGetErrorName", get_error_name) &&
                        resolve(library, "cudaGetLastError", get_last_error) &&
                        resolve(library, "cudaDeviceSynchronize", device_synchronize) &&
                        resolve(library, "cudaMalloc", malloc) && resolve(library, "cudaFree", free) &&
                        resolve(library, "cudaMemcpy", memcpy) && resolve(library, "cudaMemset", memset) &&
                        resolve(library, "cudaStreamSynchronize", stream_synchronize);
  if (!complete) return "no CUDA device (the library that was opened is no CUDA runtime)";
  int count = 0;
  if (const cudaError_t error = get_device_count(&count); error != cudaSuccess) {
    return std::string("no CUDA device (") + get_error_name(error) + ")";
  }
  return count == 0 ? "no CUDA device (the CUDA runtime counts none)" : "";
}

DeviceRuntime& device_runtime() {
  static DeviceRuntime runtime;
  return runtime;
}

}  // namespace warpcheck::cuda

#include "framework/cuda/device_runtime.hpp"

#include <dlfcn.h>

#include <cstdlib>

namespace warpcheck::cuda {
namespace {

void* open_library() {
  if (const char* path = std::getenv("WARPCHECK_CUDART")) return ::dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  for (const char* name : {"libcudart.so.13", "libcudart.so.12"}) {
    if (void* library = ::dlopen(name, RTLD_NOW | RTLD_GLOBAL)) return library;
  }
  return nullptr;
}

template <class Function>
bool resolve(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(::dlsym(library, name));
  return function != nullptr;
}

}  // namespace

std::string DeviceRuntime::open() {
  void* const library = open_library();
  if (library == nullptr) {
    return "no CUDA device (no libcudart.so.13 or .12 is found; WARPCHECK_CUDART may name one)";
  }
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
  return count == 0 ? "no CUDA device" : "";
}

DeviceRuntime& device_runtime() {
  static DeviceRuntime runtime;
  return runtime;
}

}  // namespace warpcheck::cuda

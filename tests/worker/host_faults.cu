// Kernels whose host functions misbehave, beside one that does not.

#include <warpcheck/kernel.hpp>

#include <cstdlib>
#include <stdexcept>

__global__ void add_up(const float* x, std::size_t n, float* result) {
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += x[i];
  *result = sum;
}

namespace {

cudaError_t launch(const float* x, std::size_t n, float* result, cudaStream_t stream) {
  add_up<<<1, 1, 0, stream>>>(x, n, result);
  return cudaGetLastError();
}

constexpr auto contract() {
  return warpcheck::sum<float>().tree(warpcheck::serial);
}

}  // namespace

#define HOST_KERNEL(NAME, ...)                                                                    \
  cudaError_t NAME([[maybe_unused]] const float* x, [[maybe_unused]] std::size_t n,               \
                   [[maybe_unused]] float* result, [[maybe_unused]] const warpcheck::Geometry& g, \
                   [[maybe_unused]] cudaStream_t stream){__VA_ARGS__} WARPCHECK_KERNEL(NAME, contract())

// Each misbehaves for n = 3 only.
HOST_KERNEL(correct, return launch(x, n, result, stream););
HOST_KERNEL(calls_exit, if (n == 3) std::exit(5); return launch(x, n, result, stream););
HOST_KERNEL(calls_abort, if (n == 3) std::abort(); return launch(x, n, result, stream););
HOST_KERNEL(throws, if (n == 3) throw std::runtime_error("no luck"); return launch(x, n, result, stream););
HOST_KERNEL(throws_an_int, if (n == 3) throw 7; return launch(x, n, result, stream););
HOST_KERNEL(dereferences_device_memory, if (n == 3) * const_cast<volatile float*>(x + 2) = 1.0f;
            return launch(x, n, result, stream););
HOST_KERNEL(dereferences_null, if (n == 3) * static_cast<volatile int*>(nullptr) = 1;
            return launch(x, n, result, stream););
HOST_KERNEL(
    never_returns,
    if (n == 3) for (volatile int spin = 1; spin != 0;) {} return launch(x, n, result, stream););
HOST_KERNEL(does_nothing, if (n == 3) return cudaSuccess; return launch(x, n, result, stream););
HOST_KERNEL(returns_an_error, if (n == 3) return cudaErrorInvalidValue; return launch(x, n, result, stream););
HOST_KERNEL(
    launches_no_blocks, if (n == 3) {
      add_up<<<0, 32, 0, stream>>>(x, n, result);
      return cudaSuccess;
    } return launch(x, n, result, stream););
HOST_KERNEL(
    launches_too_many_threads, if (n == 3) {
      add_up<<<1, 2048, 0, stream>>>(x, n, result);
      return cudaGetLastError();
    } return launch(x, n, result, stream););
HOST_KERNEL(writes_to_its_input, if (n == 3) cudaMemsetAsync(const_cast<float*>(x), 0, sizeof(float), stream);
            return launch(x, n, result, stream););
HOST_KERNEL(asks_for_what_is_missing, if (n == 3) return cudaHostRegister(&n, sizeof n, 0);
            return launch(x, n, result, stream););

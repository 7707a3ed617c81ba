// Kernels that the host compiler made: a launch is a loop over "device" memory. Each one that misbehaves does
// so for n = 3 alone.

#include <cstring>
#include <stdexcept>

#include "tests/cli/host_plugin.hpp"
#include "tests/cuda/fake_cudart.hpp"

namespace {

constexpr std::uint64_t kOdd = 3;  // elements of the runs that misbehave

int add_up(const void* input, std::uint64_t n, void* output) {
  const float* const x = static_cast<const float*>(input);
  float total = 0;
  for (std::uint64_t i = 0; i < n; ++i) total += x[i];
  std::memcpy(output, &total, sizeof total);
  return cudaSuccess;
}

float* writable(const void* input) {
  return static_cast<float*>(const_cast<void*>(input));
}

int correct(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  return add_up(x, n, result);
}

/// The last element's bits, whatever they say.
int copies_last(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  std::memcpy(result, static_cast<const float*>(x) + n - 1, sizeof(float));
  return cudaSuccess;
}

int writes_nothing(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  return n == kOdd ? cudaSuccess : add_up(x, n, result);
}

int changes_input(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  const int code = add_up(x, n, result);
  if (n == kOdd) writable(x)[1] = 9;
  return code;
}

int past_the_end(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) writable(x)[n + 4] = 9;
  return add_up(x, n, result);
}

int before_the_beginning(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) writable(x)[-1] = 9;
  return add_up(x, n, result);
}

int past_the_result(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) static_cast<float*>(result)[1] = 9;
  return add_up(x, n, result);
}

/// Takes memory twice, one block after the other, and writes past the end of the first.
int past_a_freed_block(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  for (int round = 0; round < 2; ++round) {
    void* scratch = nullptr;
    if (const cudaError_t error = cudaMalloc(&scratch, 100)) return error;
    if (n == kOdd && round == 0) static_cast<char*>(scratch)[107] = 1;
    if (const cudaError_t error = cudaFree(scratch)) return error;
  }
  return add_up(x, n, result);
}

/// Returns word 7 of fresh memory with all bits inverted, so that poison does not look unwritten, and leaves
/// the first element there.
int reports_scratch(const void* x, std::uint64_t, void* result, const warpcheck_geometry*, void*) {
  void* scratch = nullptr;
  if (const cudaError_t error = cudaMalloc(&scratch, 4096)) return error;
  std::uint32_t word = 0;
  std::memcpy(&word, static_cast<const char*>(scratch) + 28, sizeof word);
  word = ~word;
  std::memcpy(result, &word, sizeof word);
  std::memcpy(static_cast<char*>(scratch) + 28, x, sizeof word);
  return cudaFree(scratch);
}

/// How much of the device's memory is taken, one block by this kernel itself.
int counts_blocks(const void*, std::uint64_t, void* result, const warpcheck_geometry*, void*) {
  void* scratch = nullptr;
  if (const cudaError_t error = cudaMalloc(&scratch, 512)) return error;
  const float blocks = static_cast<float>(fake_cudart_live_blocks());
  std::memcpy(result, &blocks, sizeof blocks);
  return cudaFree(scratch);
}

/// Where the input begins, in bytes after a multiple of 256.
int tells_alignment(const void* x, std::uint64_t, void* result, const warpcheck_geometry*, void*) {
  const auto bytes = static_cast<float>(reinterpret_cast<std::uintptr_t>(x) % 256);
  std::memcpy(result, &bytes, sizeof bytes);
  return cudaSuccess;
}

int fails_malloc(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) fake_cudart_fail_next_malloc(cudaErrorMemoryAllocation);
  void* scratch = nullptr;
  if (const cudaError_t error = cudaMalloc(&scratch, 64)) return error;
  cudaFree(scratch);
  return add_up(x, n, result);
}

/// The memory of the run after this one cannot be had.
int exhausts(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) fake_cudart_fail_next_malloc(cudaErrorMemoryAllocation);
  return add_up(x, n, result);
}

int returns_error(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  return n == kOdd ? cudaErrorInvalidValue : add_up(x, n, result);
}

int leaves_error(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) fake_cudart_leave_error(cudaErrorInvalidConfiguration);
  return add_up(x, n, result);
}

int frees_a_stranger(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  int stranger = 0;
  return n == kOdd ? cudaFree(&stranger) : add_up(x, n, result);
}

int faults(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) fake_cudart_fault(cudaErrorIllegalAddress);
  return add_up(x, n, result);
}

int throws(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) throw std::runtime_error("no luck");
  return add_up(x, n, result);
}

int faults_and_throws(const void* x, std::uint64_t n, void* result, const warpcheck_geometry*, void*) {
  if (n == kOdd) {
    fake_cudart_fault(cudaErrorIllegalAddress);
    throw std::runtime_error("no luck either");
  }
  return add_up(x, n, result);
}

constexpr warpcheck_kernel kernels_by_line[] = {
    host_kernel("correct", 1, correct),
    host_kernel("copies_last", 2, copies_last),
    host_kernel("writes_nothing", 3, writes_nothing),
    host_kernel("changes_input", 4, changes_input),
    host_kernel("past_the_end", 5, past_the_end),
    host_kernel("before_the_beginning", 6, before_the_beginning),
    host_kernel("past_the_result", 7, past_the_result),
    host_kernel("past_a_freed_block", 8, past_a_freed_block),
    host_kernel("reports_scratch", 9, reports_scratch),
    host_kernel("fails_malloc", 10, fails_malloc),
    host_kernel("exhausts", 11, exhausts),
    host_kernel("returns_error", 12, returns_error),
    host_kernel("leaves_error", 13, leaves_error),
    host_kernel("frees_a_stranger", 14, frees_a_stranger),
    host_kernel("faults", 15, faults),
    host_kernel("throws", 16, throws),
    host_kernel("faults_and_throws", 17, faults_and_throws),
    host_kernel("counts_blocks", 18, counts_blocks),
    host_kernel("tells_alignment", 19, tells_alignment),
};

}  // namespace

HOST_PLUGIN(WARPCHECK_ABI_VERSION, &kernels_by_line[0], &kernels_by_line[1], &kernels_by_line[2],
            &kernels_by_line[3], &kernels_by_line[4], &kernels_by_line[5], &kernels_by_line[6],
            &kernels_by_line[7], &kernels_by_line[8], &kernels_by_line[9], &kernels_by_line[10],
            &kernels_by_line[11], &kernels_by_line[12], &kernels_by_line[13], &kernels_by_line[14],
            &kernels_by_line[15], &kernels_by_line[16], &kernels_by_line[17], &kernels_by_line[18])

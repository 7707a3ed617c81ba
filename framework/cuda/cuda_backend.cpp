#include <fmt/format.h>

#include <cstring>
#include <exception>

#include "framework/cuda/device_runtime.hpp"
#include "framework/cuda/guarded_memory.hpp"
#include "framework/numeric/format.hpp"
#include "framework/worker/backend.hpp"

namespace warpcheck::cuda {
namespace {

using worker::CrashRecord;
using worker::RunRequest;

std::string error_text(cudaError_t code) {
  return fmt::format("{} ({})", device_runtime().get_error_name(code), static_cast<int>(code));
}

/// Kernels run on the first CUDA device.
class CudaBackend : public worker::Backend {
 public:
  std::string_view name() const override { return "cuda"; }

  std::string open() override { return unavailable_ = device_runtime().open(); }

  std::string check_plugin() override {
    return unavailable_.empty() ? "" : fmt::format("its kernels cannot run here: {}", unavailable_);
  }

  Outcome run(const RunRequest& request, std::span<const std::byte> input, warpcheck_launch launch) override {
    Outcome outcome;
    const auto output_format = static_cast<numeric::Format>(request.output_format);
    outcome.output = {output_format, 0};
    const DeviceRuntime& device = device_runtime();
    GuardedMemory& memory = guarded_memory();
    const std::size_t output_bytes = numeric::size_in_bytes(output_format);
    const std::size_t offset =
        request.pointer_offset * numeric::size_in_bytes(static_cast<numeric::Format>(request.input_format));

    void* x = nullptr;
    void* result = nullptr;
    const std::uint32_t poison[2] = {request.poison, request.poison};
    // An error that the run before this one left behind is none of this run's.
    device.get_last_error();
    cudaError_t error = memory.begin_run(request.poison, request.recycle != 0);
    if (error == cudaSuccess && !input.empty()) error = memory.allocate(&x, input.size(), "x", offset);
    if (error == cudaSuccess) error = memory.allocate(&result, output_bytes, "result");
    if (error == cudaSuccess && x != nullptr)
      error = device.memcpy(x, input.data(), input.size(), cudaMemcpyHostToDevice);
    if (error == cudaSuccess) error = device.memcpy(result, poison, output_bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) {
      retired_ = !idle_and_sound();
      return failed(outcome, "the case could not be put on the device", error);
    }

    const warpcheck_geometry geometry{request.grid, request.block};
    cudaError_t returned = cudaSuccess;
    try {
      returned = static_cast<cudaError_t>(launch(x, request.n, result, &geometry, nullptr));
    } catch (const std::exception& exception) {
      outcome.status = RunStatus::crash;
      outcome.detail = fmt::format("the kernel's host function threw an exception: {}", exception.what());
      retired_ = !idle_and_sound();
      return outcome;
    } catch (...) {
      outcome.status = RunStatus::crash;
      outcome.detail = "the kernel's host function threw something that is no std::exception";
      retired_ = !idle_and_sound();
      return outcome;
    }
    const cudaError_t pending = device.get_last_error();
    if (const cudaError_t fault = device.device_synchronize(); fault != cudaSuccess) {
      retired_ = true;
      return failed(outcome, "a kernel failed on the device", fault);
    }
    if (returned != cudaSuccess) return failed(outcome, "the kernel's host function returned", returned);
    if (pending != cudaSuccess) return failed(outcome, "a launch failed", pending);

    std::vector<std::byte> after(input.size());
    error = device.memcpy(&outcome.output.bits, result, output_bytes, cudaMemcpyDeviceToHost);
    if (error == cudaSuccess && x != nullptr)
      error = device.memcpy(after.data(), x, after.size(), cudaMemcpyDeviceToHost);
    if (error != cudaSuccess) {
      retired_ = !idle_and_sound();
      return failed(outcome, "the result could not be read", error);
    }
    outcome.output_written = std::memcmp(&outcome.output.bits, poison, output_bytes) != 0;
    outcome.input_changed = !input.empty() && std::memcmp(after.data(), input.data(), input.size()) != 0;
    outcome.findings = memory.damaged();
    if (!outcome.findings.empty()) {
      outcome.status = RunStatus::violation;
      outcome.detail = outcome.findings.front().message;
    }
    return outcome;
  }

  /// After a fault in a kernel every further call of this process would report the same error.
  bool retired() const override { return retired_; }

  void describe_address(std::uint64_t, CrashRecord&) const override {}

 private:
  /// Waits for what was launched, and says whether this process can run anything after it.
  static bool idle_and_sound() { return device_runtime().device_synchronize() == cudaSuccess; }

  static Outcome failed(Outcome outcome, std::string_view what, cudaError_t error) {
    outcome.status = RunStatus::launch_error;
    outcome.detail = fmt::format("{}: {}", what, error_text(error));
    return outcome;
  }

  std::string unavailable_;
  bool retired_{};
};

}  // namespace
}  // namespace warpcheck::cuda

namespace warpcheck::worker {

Backend& backend() {
  static cuda::CudaBackend instance;
  return instance;
}

}  // namespace warpcheck::worker

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "framework/cudart/runtime.hpp"
#include "framework/numeric/format.hpp"
#include "framework/worker/backend.hpp"

// Ours, of framework/cudart.
extern "C" const char* cudaGetErrorName(int code);

namespace warpcheck::worker {
namespace {

using cudart::CaseReport;
using cudart::Runtime;

std::string error_text(int code) {
  return fmt::format("{} ({})", cudaGetErrorName(code), code);
}

class StandardError : public simt::OutputSink {
 public:
  void write(std::string_view text) override { std::fwrite(text.data(), 1, text.size(), stderr); }
};

constexpr int kNotSupported = 801;  // cudaErrorNotSupported

/// Kernels run on the checking machine of this process.
class CpuBackend : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }

  std::string open() override {
    // Kernels' printf beside everything else that a plug-in prints: not on standard output, which is a
    // report's.
    Runtime::instance().set_output(&printed_);
    return {};
  }

  std::string check_plugin() override {
    Runtime& runtime = Runtime::instance();
    const std::size_t known = runtime.kernels().size();
    if (known == registered_) {
      return "holds no kernel for this program's runtime: it was linked with a CUDA runtime of its own, or "
             "has no "
             "__global__ function; build it with warpcheck_add_kernels, or with nvcc -cudart none";
    }
    registered_ = known;
    const std::vector<std::string> problems = runtime.unloadable();
    if (problems.size() == problems_) return {};
    std::string first = problems[problems_];
    problems_ = problems.size();
    return first;
  }

  Outcome run(const RunRequest& request, std::span<const std::byte> input, warpcheck_launch launch) override {
    Runtime& runtime = Runtime::instance();
    cudart::CaseSettings settings;
    settings.schedule.order = static_cast<simt::Schedule::Order>(request.schedule_order);
    settings.schedule.seed = request.schedule_seed;
    settings.step_budget = request.step_budget;
    settings.early_exit_allowed = request.threads_may_exit_early != 0;
    settings.fill = {request.poison, request.recycle != 0};
    settings.keep_content = request.recycle != 0;
    runtime.begin_case(settings);

    simt::DeviceMemory& memory = runtime.memory();
    element_bytes_ = numeric::size_in_bytes(static_cast<numeric::Format>(request.input_format));
    const auto output_format = static_cast<numeric::Format>(request.output_format);
    const std::size_t output_bytes = numeric::size_in_bytes(output_format);
    const auto misalign = static_cast<std::uint32_t>(request.pointer_offset * element_bytes_ % 256);
    const simt::DeviceAddress x = memory.allocate(input.size(), simt::AllocationKind::device, "x", misalign);
    const simt::DeviceAddress result = memory.allocate(output_bytes, simt::AllocationKind::device, "result");

    Outcome outcome;
    outcome.output = {output_format, 0};
    if (result == 0 || (x == 0 && !input.empty())) {
      outcome.status = RunStatus::launch_error;
      outcome.detail = fmt::format("the virtual device has no room for {} bytes of input", input.size());
      runtime.end_case();
      return outcome;
    }
    if (!input.empty()) {
      std::memcpy(memory.host(x), input.data(), input.size());
      memory.set_read_only(x, true);
    }
    // Poison also where a recycled block came with other content: an unwritten result must show.
    const std::uint32_t poison[2] = {request.poison, request.poison};
    std::memcpy(memory.host(result), poison, output_bytes);

    int code = 0;
    const warpcheck_geometry geometry{request.grid, request.block};
    try {
      code = launch(reinterpret_cast<const void*>(x), request.n, reinterpret_cast<void*>(result), &geometry,
                    nullptr);
    } catch (const std::exception& error) {
      outcome.status = RunStatus::crash;
      outcome.detail = fmt::format("the kernel's host function threw an exception: {}", error.what());
    } catch (...) {
      outcome.status = RunStatus::crash;
      outcome.detail = "the kernel's host function threw something that is no std::exception";
    }
    CaseReport report = runtime.end_case();

    std::memcpy(&outcome.output.bits, memory.host(result), output_bytes);
    outcome.output_written = std::memcmp(memory.host(result), poison, output_bytes) != 0;
    outcome.input_changed = !input.empty() && std::memcmp(memory.host(x), input.data(), input.size()) != 0;
    outcome.warp_instructions = report.warp_instructions;
    outcome.findings = std::move(report.findings);
    if (outcome.status == RunStatus::completed) settle_status(report, code, outcome);
    return outcome;
  }

  void describe_address(std::uint64_t address, CrashRecord& record) const override {
    const simt::DeviceMemory& memory = Runtime::instance().memory();
    if (!memory.is_device_space(address)) return;
    record.in_device_space = 1;
    const simt::Allocation* const allocation = memory.nearest(address);
    if (allocation == nullptr || address < allocation->begin) return;
    const std::uint64_t offset = address - allocation->begin;
    const char* const name = allocation->name.c_str();
    if (allocation->name == "x") {
      std::snprintf(record.object, sizeof record.object, "x[%llu]",
                    static_cast<unsigned long long>(offset / element_bytes_));
    } else {
      std::snprintf(record.object, sizeof record.object, "%llu bytes into %s",
                    static_cast<unsigned long long>(offset), name);
    }
  }

 private:
  static void settle_status(const CaseReport& report, int code, Outcome& outcome) {
    if (code == kNotSupported) {
      // No fault of the kernel: a device would have done it.
      const auto missing = std::find_if(report.api_errors.begin(), report.api_errors.end(),
                                        [](const auto& call) { return call.error == kNotSupported; });
      Finding finding;
      finding.kind = FindingKind::unsupported;
      finding.message = missing == report.api_errors.end()
                            ? "the host function asked for something that this executor does not implement"
                            : missing->function + " is not implemented by this executor";
      outcome.findings.insert(outcome.findings.begin(), finding);
    }
    const auto error = std::find_if(outcome.findings.begin(), outcome.findings.end(),
                                    [](const Finding& finding) { return !is_warning(finding.kind); });
    if (error != outcome.findings.end()) {
      outcome.status = error->kind == FindingKind::time_out ? RunStatus::time_out : RunStatus::violation;
      outcome.detail = error->message;
    } else if (!report.failed_launches.empty()) {
      const cudart::FailedLaunch& failed = report.failed_launches.front();
      outcome.status = RunStatus::launch_error;
      outcome.detail =
          fmt::format("{}<<<{}, {}>>> was not launched: {}, {}", failed.kernel, failed.grid.count(),
                      failed.block.count(), error_text(failed.error), failed.message);
    } else if (code != 0) {
      outcome.status = RunStatus::launch_error;
      outcome.detail = fmt::format("the kernel's host function returned {}", error_text(code));
      if (!report.api_errors.empty() && !report.api_errors.front().message.empty()) {
        outcome.detail +=
            fmt::format(" ({}: {})", report.api_errors.front().function, report.api_errors.front().message);
      }
    }
  }

  StandardError printed_;
  std::size_t registered_{};
  std::size_t problems_{};
  std::size_t element_bytes_{4};
};

}  // namespace

Backend& backend() {
  static CpuBackend instance;
  return instance;
}

}  // namespace warpcheck::worker

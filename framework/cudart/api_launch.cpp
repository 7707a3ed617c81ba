// Launches:
//   __cudaPushCallConfiguration  __cudaPopCallConfiguration  __cudaLaunchKernel  cudaLaunchKernel
//   cudaLaunchKernelExC  cudaLaunchCooperativeKernel
// A kernel has ended when its launch returns. A launch that the device would refuse returns CUDA's code and
// runs nothing. A kernel that breaks a rule makes its code pending: the launch itself succeeds, as on a
// device, and every later call returns the code.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "framework/cudart/api_call.hpp"

namespace warpcheck::cudart {
namespace {

struct Request {
  const void* function{};
  simt::Dim3 grid, block;
  void** arguments{};
  std::uint64_t dynamic_shared_bytes{};
  const void* stream{};
  bool cooperative{};
};

simt::Dim3 dimensions(abi::Dim3 from) {
  return {from.x, from.y, from.z};
}

std::string text_of(simt::Dim3 d) {
  return fmt::format("({}, {}, {})", d.x, d.y, d.z);
}

bool exceeds(simt::Dim3 wanted, simt::Dim3 limit) {
  return wanted.x > limit.x || wanted.y > limit.y || wanted.z > limit.z;
}

/// What the device says to the configuration; the first refusal.
Outcome check_limits(const State& here, const Request& request, const Kernel& kernel,
                     const simt::EntryInfo& entry) {
  const simt::DeviceModel& model = here.model;
  if (request.grid.count() == 0 || exceeds(request.grid, model.max_grid)) {
    return {abi::Error::invalid_configuration,
            fmt::format("a grid of {} blocks; each number must be from 1 to {}", text_of(request.grid),
                        text_of(model.max_grid))};
  }
  if (request.block.count() == 0 || exceeds(request.block, model.max_block)) {
    return {abi::Error::invalid_configuration,
            fmt::format("a block of {} threads; each number must be from 1 to {}", text_of(request.block),
                        text_of(model.max_block))};
  }
  const std::uint64_t threads = request.block.count();
  if (threads > model.max_threads_per_block) {
    return {abi::Error::invalid_configuration,
            fmt::format("a block of {} = {} threads; a block may have {}", text_of(request.block), threads,
                        model.max_threads_per_block)};
  }
  if (threads > entry.max_threads) {
    return {abi::Error::invalid_value,
            fmt::format("a block of {} threads; the kernel was compiled for at most {}", threads,
                        entry.max_threads)};
  }
  if (entry.static_shared_bytes > model.shared_per_block) {
    return {abi::Error::invalid_ptx,
            fmt::format("the kernel declares {} bytes of shared memory; at most {} can be static",
                        entry.static_shared_bytes, model.shared_per_block)};
  }
  const std::uint64_t shared_limit =
      kernel.max_dynamic_shared.value_or(model.shared_per_block - entry.static_shared_bytes);
  if (request.dynamic_shared_bytes > shared_limit) {
    return {
        abi::Error::invalid_value,
        fmt::format(
            "{} bytes of dynamic shared memory; the kernel may have {}{}", request.dynamic_shared_bytes,
            shared_limit,
            kernel.max_dynamic_shared ? "" : " (cudaFuncAttributeMaxDynamicSharedMemorySize raises that)")};
  }
  if (request.cooperative) {
    const std::uint64_t resident =
        model.multiprocessors * resident_blocks(model, entry, threads, request.dynamic_shared_bytes);
    if (request.grid.count() > resident) {
      return {abi::Error::cooperative_launch_too_large,
              fmt::format("a cooperative grid of {} blocks; {} fit the device at once", request.grid.count(),
                          resident)};
    }
  }
  return {};
}

/// Copies the arguments into the kernel's parameter block.
Outcome gather(const Request& request, const simt::EntryInfo& entry, std::vector<std::byte>& block) {
  block.assign(entry.parameter_bytes, std::byte{0});
  for (std::size_t i = 0; i < entry.parameter_sizes.size(); ++i) {
    if (request.arguments == nullptr || request.arguments[i] == nullptr) {
      return {abi::Error::invalid_value, fmt::format("argument {} of {} is missing", i + 1, entry.demangled)};
    }
    std::memcpy(block.data() + entry.parameter_offsets[i], request.arguments[i], entry.parameter_sizes[i]);
  }
  return {};
}

/// The code that a device reports for a fault of that kind.
abi::Error code_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds:
    case FindingKind::use_after_free:
    case FindingKind::host_pointer:
    case FindingKind::null_pointer:
    case FindingKind::write_to_const:
      return abi::Error::illegal_address;
    case FindingKind::misaligned:
      return abi::Error::misaligned_address;
    case FindingKind::assertion_failed:
      return abi::Error::assert_failed;
    case FindingKind::time_out:
    case FindingKind::deadlock:
      return abi::Error::launch_timeout;
    case FindingKind::unsupported:
      return abi::Error::not_supported;
    case FindingKind::invalid_program:
      return abi::Error::invalid_ptx;
    default:
      return abi::Error::launch_failure;
  }
}

Outcome run(State& here, const Request& request, FailedLaunch& failed) {
  Kernel* kernel = nullptr;
  const simt::EntryInfo* entry = nullptr;
  if (const Outcome found = here.entry_of(request.function, kernel, entry);
      found.code != abi::Error::success) {
    if (kernel != nullptr) failed.kernel = ptx::demangle(kernel->name);
    return found;
  }
  failed.kernel = entry->demangled;
  if (!here.is_stream(request.stream)) {
    return {abi::Error::invalid_resource_handle, fmt::format("{} is no stream", fmt::ptr(request.stream))};
  }
  if (Outcome refused = check_limits(here, request, *kernel, *entry); refused.code != abi::Error::success) {
    return refused;
  }
  std::vector<std::byte> parameters;
  if (Outcome missing = gather(request, *entry, parameters); missing.code != abi::Error::success)
    return missing;

  simt::LaunchConfig config;
  config.grid = request.grid;
  config.block = request.block;
  config.dynamic_shared_bytes = request.dynamic_shared_bytes;
  config.cooperative = request.cooperative;
  config.schedule = here.settings.schedule;
  config.step_budget = here.settings.step_budget;
  config.early_exit_allowed = here.settings.early_exit_allowed;
  Module& module = *kernel->module;
  module.dirty = true;
  // A plug-in may be closed only when no kernel runs, but the program must outlive the launch in any case.
  const std::shared_ptr<const simt::Program> program = module.program;
  simt::LaunchResult result = here.machine->launch(*program, kernel->name, config, parameters);

  here.report.warp_instructions += result.warp_instructions;
  std::optional<Outcome> fault;
  for (Finding& finding : result.findings) {
    if (!fault && !is_warning(finding.kind)) fault = Outcome(code_of(finding.kind), finding.message);
    here.add_finding(std::move(finding));
  }
  if (result.status == simt::LaunchStatus::completed) return {};
  if (!fault) fault = Outcome(abi::Error::launch_failure, "the launch was stopped");
  // What the machine cannot run never started, so nothing is broken; a fault in mid-flight leaves memory in
  // any state.
  if (fault->code == abi::Error::not_supported || fault->code == abi::Error::invalid_ptx) return *fault;
  here.sticky_error = fault->code;
  return {};
}

int launch(const char* function, const Request& request) {
  return api(function, [&](State& here) -> Outcome {
    ++here.report.launches;
    FailedLaunch failed;
    const Outcome outcome = run(here, request, failed);
    if (outcome.code != abi::Error::success) {
      failed.grid = request.grid;
      failed.block = request.block;
      failed.dynamic_shared_bytes = request.dynamic_shared_bytes;
      failed.error = static_cast<int>(outcome.code);
      failed.message = outcome.message;
      here.report.failed_launches.push_back(std::move(failed));
    }
    return outcome;
  });
}

struct CallConfiguration {
  abi::Dim3 grid, block;
  std::size_t shared;
  void* stream;
};

/// What `<<<…>>>` pushes before its arguments are evaluated; they may launch kernels themselves.
thread_local std::vector<CallConfiguration> call_configurations;

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;
namespace simt = warpcheck::simt;

extern "C" {

unsigned __cudaPushCallConfiguration(abi::Dim3 grid, abi::Dim3 block, std::size_t shared, void* stream) {
  call_configurations.push_back({grid, block, shared, stream});
  return 0;
}

int __cudaPopCallConfiguration(abi::Dim3* grid, abi::Dim3* block, std::size_t* shared, void* stream) {
  if (call_configurations.empty()) return static_cast<int>(abi::Error::missing_configuration);
  const CallConfiguration top = call_configurations.back();
  call_configurations.pop_back();
  *grid = top.grid;
  *block = top.block;
  *shared = top.shared;
  std::memcpy(stream, &top.stream, sizeof top.stream);
  return 0;
}

int __cudaLaunchKernel(void* kernel, abi::Dim3 grid, abi::Dim3 block, void** arguments, std::size_t shared,
                       void* stream) {
  return launch("cudaLaunchKernel",
                {kernel, dimensions(grid), dimensions(block), arguments, shared, stream, false});
}

int cudaLaunchKernel(const void* function, abi::Dim3 grid, abi::Dim3 block, void** arguments,
                     std::size_t shared, void* stream) {
  return launch("cudaLaunchKernel",
                {function, dimensions(grid), dimensions(block), arguments, shared, stream, false});
}

int cudaLaunchCooperativeKernel(const void* function, abi::Dim3 grid, abi::Dim3 block, void** arguments,
                                std::size_t shared, void* stream) {
  return launch("cudaLaunchCooperativeKernel",
                {function, dimensions(grid), dimensions(block), arguments, shared, stream, true});
}

int cudaLaunchKernelExC(const abi::LaunchConfig* config, const void* function, void** arguments) {
  constexpr const char* kName = "cudaLaunchKernelExC";
  if (config == nullptr || (config->attribute_count > 0 && config->attributes == nullptr)) {
    return api(kName, [](State&) -> Outcome {
      return {abi::Error::invalid_value, "the configuration or its attributes are a null pointer"};
    });
  }
  Request request{function,  dimensions(config->grid),     dimensions(config->block),
                  arguments, config->dynamic_shared_bytes, config->stream,
                  false};
  for (unsigned i = 0; i < config->attribute_count; ++i) {
    const abi::LaunchAttribute& attribute = config->attributes[i];
    switch (attribute.id) {
      case abi::kIgnore:
      case abi::kAccessPolicyWindow:
      case abi::kSynchronizationPolicy:
      case abi::kClusterSchedulingPolicy:
      case abi::kProgrammaticStreamSerialization:  // a permission to overlap, which the stream need not use
      case abi::kPriority:
      case abi::kMemSyncDomainMap:
      case abi::kMemSyncDomain:
      case abi::kSharedMemoryCarveout:
        break;
      case abi::kCooperative:
        request.cooperative = attribute.value.number != 0;
        break;
      case abi::kClusterDimension:
      case abi::kPreferredClusterDimension: {
        const simt::Dim3 cluster = dimensions(attribute.value.cluster);
        if (cluster.count() == 1) break;
        return api(kName, [&](State&) -> Outcome {
          return {abi::Error::not_supported,
                  fmt::format("clusters of {} blocks are not implemented; use (1, 1, 1)", text_of(cluster))};
        });
      }
      default:
        return api(kName, [&](State&) -> Outcome {
          return {abi::Error::not_supported,
                  fmt::format("launch attribute {} is not implemented", attribute.id)};
        });
    }
  }
  return launch(kName, request);
}

}  // extern "C"

WARPCHECK_PER_THREAD(__cudaLaunchKernel, _ptsz);
WARPCHECK_PER_THREAD(cudaLaunchKernel, _ptsz);
WARPCHECK_PER_THREAD(cudaLaunchKernelExC, _ptsz);
WARPCHECK_PER_THREAD(cudaLaunchCooperativeKernel, _ptsz);

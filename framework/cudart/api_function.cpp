// Functions and their occupancy:
//   cudaFuncGetAttributes  cudaFuncSetAttribute  cudaKernelSetAttributeForDevice  cudaFuncSetCacheConfig
//   cudaFuncSetSharedMemConfig  cudaFuncGetName  cudaFuncGetParamInfo  cudaGetFuncBySymbol  cudaGetKernel
//   cudaOccupancyMaxActiveBlocksPerMultiprocessor  …WithFlags  cudaOccupancyAvailableDynamicSMemPerBlock

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "framework/cudart/api_call.hpp"

namespace warpcheck::cudart {
namespace {

constexpr std::uint64_t kSharedGranule = 128;

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

Outcome set_attribute(State& here, const void* function, int attribute, int value) {
  Kernel* kernel = nullptr;
  const simt::EntryInfo* entry = nullptr;
  if (const Outcome found = here.entry_of(function, kernel, entry); found.code != abi::Error::success)
    return found;
  switch (attribute) {
    case abi::kMaxDynamicSharedMemorySize: {
      const std::uint64_t most = here.model.shared_per_block_optin -
                                 std::min(here.model.shared_per_block_optin, entry->static_shared_bytes);
      if (value < 0 || static_cast<std::uint64_t>(value) > most) {
        return {abi::Error::invalid_value,
                fmt::format("{} bytes of dynamic shared memory for {}; it may have 0 to {}", value,
                            entry->demangled, most)};
      }
      kernel->max_dynamic_shared = static_cast<std::uint64_t>(value);
      return {};
    }
    case abi::kPreferredSharedMemoryCarveout:
      if (value < -1 || value > 100) {
        return {abi::Error::invalid_value,
                fmt::format("a carve-out of {}; it must be from -1 to 100", value)};
      }
      kernel->carveout = value;
      return {};
    default:
      return {abi::Error::not_supported, fmt::format("function attribute {} is not implemented", attribute)};
  }
}

Outcome find_handle(State& here, void** handle, const void* function) {
  Kernel* const kernel = here.find_kernel(function);
  if (handle == nullptr) return {abi::Error::invalid_value, "nowhere to write the handle"};
  if (kernel == nullptr) {
    return {abi::Error::invalid_device_function,
            fmt::format("{} is no __global__ function of a plug-in", fmt::ptr(function))};
  }
  *handle = kernel;
  return {};
}

Outcome active_blocks(State& here, int* blocks, const void* function, int block_size,
                      std::size_t dynamic_shared) {
  if (blocks == nullptr || block_size <= 0) {
    return {abi::Error::invalid_value, fmt::format("a block size of {}; it must be positive", block_size)};
  }
  Kernel* kernel = nullptr;
  const simt::EntryInfo* entry = nullptr;
  if (const Outcome found = here.entry_of(function, kernel, entry); found.code != abi::Error::success)
    return found;
  *blocks = static_cast<int>(
      resident_blocks(here.model, *entry, static_cast<std::uint64_t>(block_size), dynamic_shared));
  return {};
}

}  // namespace

std::uint64_t reserved_shared_per_block(const simt::DeviceModel& model) {
  return model.sm >= 80 ? 1024 : 0;
}

std::uint64_t shared_per_multiprocessor(const simt::DeviceModel& model) {
  return model.shared_per_block_optin + reserved_shared_per_block(model);
}

std::uint64_t resident_blocks(const simt::DeviceModel& model, const simt::EntryInfo& entry,
                              std::uint64_t threads, std::uint64_t dynamic_shared_bytes) {
  if (threads == 0 || threads > std::min(entry.max_threads, model.max_threads_per_block)) return 0;
  std::uint64_t blocks =
      std::min<std::uint64_t>(model.max_blocks_per_sm, model.max_threads_per_sm / round_up(threads, 32));
  const std::uint64_t available = shared_per_multiprocessor(model);
  if (dynamic_shared_bytes > available) return 0;
  const std::uint64_t shared = round_up(entry.static_shared_bytes + dynamic_shared_bytes, kSharedGranule) +
                               reserved_shared_per_block(model);
  if (shared > 0) blocks = std::min(blocks, available / shared);
  return blocks;
}

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;
namespace simt = warpcheck::simt;

extern "C" {

int cudaFuncGetAttributes(abi::FuncAttributes* attributes, const void* function) {
  return api("cudaFuncGetAttributes", [&](State& here) -> Outcome {
    Kernel* kernel = nullptr;
    const simt::EntryInfo* entry = nullptr;
    if (attributes == nullptr) return {abi::Error::invalid_value, "nowhere to write the attributes"};
    if (const Outcome found = here.entry_of(function, kernel, entry); found.code != abi::Error::success)
      return found;
    const std::uint64_t default_dynamic =
        here.model.shared_per_block - std::min(here.model.shared_per_block, entry->static_shared_bytes);
    std::memset(attributes, 0, sizeof *attributes);
    attributes->shared_size_bytes = entry->static_shared_bytes;
    attributes->const_size_bytes = entry->constant_bytes;
    attributes->local_size_bytes = entry->local_bytes;
    attributes->max_threads_per_block =
        static_cast<int>(std::min(entry->max_threads, here.model.max_threads_per_block));
    attributes->registers = static_cast<int>(entry->registers);
    attributes->ptx_version = kernel->module->ptx_version;
    attributes->binary_version = static_cast<int>(here.model.sm);
    attributes->max_dynamic_shared_size_bytes =
        static_cast<int>(kernel->max_dynamic_shared.value_or(default_dynamic));
    attributes->preferred_shared_carveout = kernel->carveout;
    return {};
  });
}

int cudaFuncSetAttribute(const void* function, int attribute, int value) {
  return api("cudaFuncSetAttribute",
             [&](State& here) { return set_attribute(here, function, attribute, value); });
}

int cudaKernelSetAttributeForDevice(void* kernel, int attribute, int value, int device) {
  return api("cudaKernelSetAttributeForDevice", [&](State& here) -> Outcome {
    if (device != 0)
      return {abi::Error::invalid_device, fmt::format("device {}; there is only device 0", device)};
    return set_attribute(here, kernel, attribute, value);
  });
}

// Preferences about caches and banks, which the machine does not have.
int cudaFuncSetCacheConfig(const void* function, int) {
  return api("cudaFuncSetCacheConfig", [&](State& here) -> Outcome {
    void* unused = nullptr;
    return find_handle(here, &unused, function);
  });
}

int cudaFuncSetSharedMemConfig(const void* function, int) {
  return api("cudaFuncSetSharedMemConfig", [&](State& here) -> Outcome {
    void* unused = nullptr;
    return find_handle(here, &unused, function);
  });
}

int cudaFuncGetName(const char** name, const void* function) {
  return api("cudaFuncGetName", [&](State& here) -> Outcome {
    void* handle = nullptr;
    if (name == nullptr) return {abi::Error::invalid_value, "nowhere to write the name"};
    const Outcome found = find_handle(here, &handle, function);
    if (found.code == abi::Error::success) *name = static_cast<const Kernel*>(handle)->name.c_str();
    return found;
  });
}

int cudaFuncGetParamInfo(const void* function, std::size_t index, std::size_t* offset, std::size_t* size) {
  return api("cudaFuncGetParamInfo", [&](State& here) -> Outcome {
    Kernel* kernel = nullptr;
    const simt::EntryInfo* entry = nullptr;
    if (const Outcome found = here.entry_of(function, kernel, entry); found.code != abi::Error::success)
      return found;
    if (offset == nullptr || index >= entry->parameter_sizes.size()) {
      return {abi::Error::invalid_value, fmt::format("parameter {} of {}, which has {}", index,
                                                     entry->demangled, entry->parameter_sizes.size())};
    }
    *offset = entry->parameter_offsets[index];
    if (size != nullptr) *size = entry->parameter_sizes[index];
    return {};
  });
}

int cudaGetFuncBySymbol(void** handle, const void* function) {
  return api("cudaGetFuncBySymbol", [&](State& here) { return find_handle(here, handle, function); });
}

int cudaGetKernel(void** handle, const void* function) {
  return api("cudaGetKernel", [&](State& here) { return find_handle(here, handle, function); });
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function, int block_size,
                                                  std::size_t dynamic_shared) {
  return api("cudaOccupancyMaxActiveBlocksPerMultiprocessor",
             [&](State& here) { return active_blocks(here, blocks, function, block_size, dynamic_shared); });
}

int cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* function, int block_size,
                                                           std::size_t dynamic_shared, unsigned) {
  return api("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
             [&](State& here) { return active_blocks(here, blocks, function, block_size, dynamic_shared); });
}

int cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void* function, int blocks,
                                              int block_size) {
  return api("cudaOccupancyAvailableDynamicSMemPerBlock", [&](State& here) -> Outcome {
    Kernel* kernel = nullptr;
    const simt::EntryInfo* entry = nullptr;
    if (const Outcome found = here.entry_of(function, kernel, entry); found.code != abi::Error::success)
      return found;
    const std::uint64_t threads = block_size > 0 ? static_cast<std::uint64_t>(block_size) : 0;
    if (bytes == nullptr || blocks <= 0 ||
        resident_blocks(here.model, *entry, threads, 0) < static_cast<std::uint64_t>(blocks)) {
      return {abi::Error::invalid_value,
              fmt::format("{} blocks of {} threads do not fit a multiprocessor", blocks, block_size)};
    }
    const std::uint64_t each = shared_per_multiprocessor(here.model) / static_cast<std::uint64_t>(blocks);
    const std::uint64_t taken = entry->static_shared_bytes + reserved_shared_per_block(here.model);
    const std::uint64_t left = each > taken ? each - taken : 0;
    *bytes = std::min(left / kSharedGranule * kSharedGranule,
                      here.model.shared_per_block_optin - entry->static_shared_bytes);
    return {};
  });
}

}  // extern "C"

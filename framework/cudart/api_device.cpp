// The device:
//   cudaGetDeviceCount  cudaGetDevice  cudaSetDevice  cudaInitDevice  cudaChooseDevice  cudaSetValidDevices
//   cudaGetDeviceProperties (CUDA 13)  cudaGetDeviceProperties_v2 (CUDA 12)  cudaDeviceGetAttribute
//   cudaDeviceSynchronize  cudaThreadSynchronize  cudaDeviceReset  cudaThreadExit  cudaDeviceGetLimit
//   cudaDeviceSetLimit  cudaDeviceGetCacheConfig  cudaDeviceSetCacheConfig  cudaDeviceGetSharedMemConfig
//   cudaDeviceSetSharedMemConfig  cudaGetDeviceFlags  cudaSetDeviceFlags  cudaDeviceCanAccessPeer
//   cudaDeviceGetPCIBusId  cudaDeviceGetByPCIBusId  cudaRuntimeGetVersion  cudaDriverGetVersion
//   cudaProfilerStart  cudaProfilerStop  cudaCtxResetPersistingL2Cache
//   cudaCreateChannelDesc  cudaGetDriverEntryPoint  cudaGetDriverEntryPointByVersion
// One virtual device, whose numbers are those of the machine's DeviceModel.

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <map>
#include <string_view>

#include "framework/cudart/api_call.hpp"

namespace warpcheck::cudart {
namespace {

constexpr int kRuntimeVersion = 13000;
constexpr std::size_t kConstantBytes = 64 * 1024;
constexpr std::size_t kMaxPitch = 2147483647;
constexpr int kL2CacheBytes = 40 * 1024 * 1024;
constexpr std::string_view kBusId = "0000:00:00.0";

Outcome check_device(int device) {
  if (device == 0) return {};
  return {abi::Error::invalid_device, fmt::format("device {}; there is only device 0", device)};
}

template <class Properties>
void describe(const State& here, Properties& p) {
  const simt::DeviceModel& model = here.model;
  std::memset(&p, 0, sizeof p);
  std::snprintf(p.name, sizeof p.name, "warpcheck sm_%u", model.sm);
  p.total_global_memory = here.memory->capacity();
  p.shared_per_block = model.shared_per_block;
  p.registers_per_block = static_cast<int>(model.registers_per_sm);
  p.warp_size = 32;
  p.memory_pitch = kMaxPitch;
  p.max_threads_per_block = static_cast<int>(model.max_threads_per_block);
  const simt::Dim3 block = model.max_block, grid = model.max_grid;
  const unsigned blocks[] = {block.x, block.y, block.z}, grids[] = {grid.x, grid.y, grid.z};
  for (int i = 0; i < 3; ++i) {
    p.max_block[i] = static_cast<int>(blocks[i]);
    p.max_grid[i] = static_cast<int>(grids[i]);
  }
  p.total_constant_memory = kConstantBytes;
  p.major = static_cast<int>(model.sm / 10);
  p.minor = static_cast<int>(model.sm % 10);
  p.texture_alignment = 512;
  p.texture_pitch_alignment = 32;
  p.surface_alignment = 512;
  p.multiprocessors = static_cast<int>(model.multiprocessors);
  p.can_map_host_memory = 1;
  p.concurrent_kernels = 1;
  p.unified_addressing = 1;
  p.l2_cache_size = kL2CacheBytes;
  p.max_threads_per_multiprocessor = static_cast<int>(model.max_threads_per_sm);
  p.global_l1_cache_supported = 1;
  p.local_l1_cache_supported = 1;
  p.shared_per_multiprocessor = shared_per_multiprocessor(model);
  p.registers_per_multiprocessor = static_cast<int>(model.registers_per_sm);
  p.managed_memory = 1;
  p.concurrent_managed_access = 1;
  p.cooperative_launch = 1;
  p.shared_per_block_optin = model.shared_per_block_optin;
  p.max_blocks_per_multiprocessor = static_cast<int>(model.max_blocks_per_sm);
  p.reserved_shared_per_block = reserved_shared_per_block(model);
  p.memory_pools_supported = 1;
  p.unified_function_pointers = 1;
}

/// Attributes of the device by number; those that are missing are 0: features that it does not have.
int attribute_value(const State& here, int attribute) {
  const simt::DeviceModel& model = here.model;
  const auto value = [](std::uint64_t number) { return static_cast<int>(number); };
  switch (attribute) {
    case 1:
      return value(model.max_threads_per_block);
    case 2:
      return value(model.max_block.x);
    case 3:
      return value(model.max_block.y);
    case 4:
      return value(model.max_block.z);
    case 5:
      return value(model.max_grid.x);
    case 6:
      return value(model.max_grid.y);
    case 7:
      return value(model.max_grid.z);
    case 8:
      return value(model.shared_per_block);
    case 9:
      return value(kConstantBytes);
    case 10:
      return 32;
    case 11:
      return value(kMaxPitch);
    case 12:
      return value(model.registers_per_sm);
    case 14:
      return 512;  // texture alignment
    case 16:
      return value(model.multiprocessors);
    case 19:
      return 1;  // can map host memory
    case 30:
      return 512;  // surface alignment
    case 31:
      return 1;  // concurrent kernels
    case 38:
      return kL2CacheBytes;
    case 39:
      return value(model.max_threads_per_sm);
    case 41:
      return 1;  // unified addressing
    case 51:
      return 32;  // texture pitch alignment
    case 75:
      return value(model.sm / 10);
    case 76:
      return value(model.sm % 10);
    case 79:
      return 1;  // L1 caches
    case 80:
      return 1;
    case 81:
      return value(shared_per_multiprocessor(model));
    case 82:
      return value(model.registers_per_sm);
    case 83:
      return 1;  // managed memory
    case 89:
      return 1;  // concurrent managed access
    case 95:
      return 1;  // cooperative launch
    case 97:
      return value(model.shared_per_block_optin);
    case 106:
      return value(model.max_blocks_per_sm);
    case 111:
      return value(reserved_shared_per_block(model));
    case 115:
      return 1;  // memory pools
    case 126:
      return 1;  // memory synchronisation domains
    case 134:
      return -1;  // no NUMA node
    default:
      return 0;
  }
}

constexpr int kLastAttribute = 256;

/// Limits that programs may set and read back. Only a stack and a heap exist on the machine, with bounds of
/// their own.
std::map<int, std::size_t>& limits() {
  static std::map<int, std::size_t> values{{0, 1024}, {1, 1 << 20}, {2, 8 << 20}, {3, 2},
                                           {4, 2048}, {5, 128},     {6, 0}};
  return values;
}

template <class Properties>
int get_properties(const char* function, Properties* properties, int device) {
  return api(function, [&](State& here) -> Outcome {
    if (properties == nullptr) return {abi::Error::invalid_value, "nowhere to write the properties"};
    if (Outcome wrong = check_device(device); wrong.code != abi::Error::success) return wrong;
    describe(here, *properties);
    return {};
  });
}

template <class Value>
int answer(const char* function, Value* target, Value value) {
  return api(function, [&](State&) -> Outcome {
    if (target == nullptr) return {abi::Error::invalid_value, "nowhere to write the answer"};
    *target = value;
    return {};
  });
}

int done(const char* function) {
  return api(function, [](State&) { return Outcome(); });
}

int reset(const char* function) {
  return api(function, [](State& here) -> Outcome {
    for (const auto& [address, allocation] : here.owned) here.memory->free(address);
    here.owned.clear();
    here.streams.clear();
    here.events.clear();
    for (const auto& module : here.modules) here.restore_variables(*module);
    return {};
  });
}

int no_entry_point(const char* function, const char* symbol, void** pointer, int* status) {
  return api(function, [&](State&) -> Outcome {
    if (pointer != nullptr) *pointer = nullptr;
    if (status != nullptr) *status = 1;  // the symbol was not found
    return {abi::Error::not_supported,
            fmt::format("there is no driver to take {} from", symbol != nullptr ? symbol : "a function")};
  });
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;

extern "C" {

int cudaGetDeviceCount(int* count) {
  return answer("cudaGetDeviceCount", count, 1);
}

int cudaGetDevice(int* device) {
  return answer("cudaGetDevice", device, 0);
}

int cudaSetDevice(int device) {
  return api("cudaSetDevice", [&](State&) { return check_device(device); });
}

int cudaInitDevice(int device, unsigned, unsigned) {
  return api("cudaInitDevice", [&](State&) { return check_device(device); });
}

int cudaChooseDevice(int* device, const void*) {
  return answer("cudaChooseDevice", device, 0);
}

int cudaSetValidDevices(int*, int) {
  return done("cudaSetValidDevices");
}

int cudaGetDeviceProperties(abi::DeviceProperties13* properties, int device) {
  return get_properties("cudaGetDeviceProperties", properties, device);
}

int cudaGetDeviceProperties_v2(abi::DeviceProperties12* properties, int device) {
  return get_properties("cudaGetDeviceProperties", properties, device);
}

int cudaDeviceGetAttribute(int* value, int attribute, int device) {
  return api("cudaDeviceGetAttribute", [&](State& here) -> Outcome {
    if (Outcome wrong = check_device(device); wrong.code != abi::Error::success) return wrong;
    if (value == nullptr || attribute < 1 || attribute > kLastAttribute) {
      return {abi::Error::invalid_value,
              fmt::format("device attribute {}; it must be from 1 to {}", attribute, kLastAttribute)};
    }
    *value = attribute_value(here, attribute);
    return {};
  });
}

int cudaDeviceSynchronize() {
  return done("cudaDeviceSynchronize");
}
int cudaThreadSynchronize() {
  return done("cudaThreadSynchronize");
}
int cudaDeviceReset() {
  return reset("cudaDeviceReset");
}
int cudaThreadExit() {
  return reset("cudaThreadExit");
}

int cudaDeviceGetLimit(std::size_t* value, int limit) {
  return api("cudaDeviceGetLimit", [&](State&) -> Outcome {
    const auto known = limits().find(limit);
    if (value == nullptr) return {abi::Error::invalid_value, "nowhere to write the limit"};
    if (known == limits().end()) return {abi::Error::unsupported_limit, fmt::format("limit {}", limit)};
    *value = known->second;
    return {};
  });
}

int cudaDeviceSetLimit(int limit, std::size_t value) {
  return api("cudaDeviceSetLimit", [&](State&) -> Outcome {
    const auto known = limits().find(limit);
    if (known == limits().end()) return {abi::Error::unsupported_limit, fmt::format("limit {}", limit)};
    known->second = value;
    return {};
  });
}

int cudaDeviceGetCacheConfig(int* config) {
  return answer("cudaDeviceGetCacheConfig", config, 0);
}
int cudaDeviceSetCacheConfig(int) {
  return done("cudaDeviceSetCacheConfig");
}
int cudaDeviceGetSharedMemConfig(int* config) {
  return answer("cudaDeviceGetSharedMemConfig", config, 1);
}
int cudaDeviceSetSharedMemConfig(int) {
  return done("cudaDeviceSetSharedMemConfig");
}
int cudaGetDeviceFlags(unsigned* flags) {
  return answer("cudaGetDeviceFlags", flags, 0u);
}
int cudaSetDeviceFlags(unsigned) {
  return done("cudaSetDeviceFlags");
}

int cudaDeviceCanAccessPeer(int* can, int device, int peer) {
  return api("cudaDeviceCanAccessPeer", [&](State&) -> Outcome {
    if (can == nullptr) return {abi::Error::invalid_value, "nowhere to write the answer"};
    *can = 0;
    if (Outcome wrong = check_device(device); wrong.code != abi::Error::success) return wrong;
    return check_device(peer);
  });
}

int cudaDeviceGetPCIBusId(char* id, int length, int device) {
  return api("cudaDeviceGetPCIBusId", [&](State&) -> Outcome {
    if (Outcome wrong = check_device(device); wrong.code != abi::Error::success) return wrong;
    if (id == nullptr || length <= static_cast<int>(kBusId.size())) {
      return {abi::Error::invalid_value,
              fmt::format("room for {} characters; {} are needed", length, kBusId.size() + 1)};
    }
    std::memcpy(id, kBusId.data(), kBusId.size());
    id[kBusId.size()] = '\0';
    return {};
  });
}

int cudaDeviceGetByPCIBusId(int* device, const char* id) {
  return api("cudaDeviceGetByPCIBusId", [&](State&) -> Outcome {
    if (device == nullptr || id == nullptr || kBusId != id) {
      return {abi::Error::invalid_device, fmt::format("the only device is {}", kBusId)};
    }
    *device = 0;
    return {};
  });
}

int cudaRuntimeGetVersion(int* version) {
  return answer("cudaRuntimeGetVersion", version, kRuntimeVersion);
}
int cudaDriverGetVersion(int* version) {
  return answer("cudaDriverGetVersion", version, kRuntimeVersion);
}
int cudaProfilerStart() {
  return done("cudaProfilerStart");
}
int cudaProfilerStop() {
  return done("cudaProfilerStop");
}
int cudaCtxResetPersistingL2Cache() {
  return done("cudaCtxResetPersistingL2Cache");
}

// A plain description of a texture's elements, returned by value; there is nothing to do with it here.
struct ChannelDescription {
  int bits[4];
  int kind;
};

ChannelDescription cudaCreateChannelDesc(int x, int y, int z, int w, int kind) {
  return {{x, y, z, w}, kind};
}

int cudaGetDriverEntryPoint(const char* symbol, void** pointer, unsigned long long, int* status) {
  return no_entry_point("cudaGetDriverEntryPoint", symbol, pointer, status);
}

int cudaGetDriverEntryPointByVersion(const char* symbol, void** pointer, unsigned, unsigned long long,
                                     int* status) {
  return no_entry_point("cudaGetDriverEntryPointByVersion", symbol, pointer, status);
}

}  // extern "C"

WARPCHECK_PER_THREAD(cudaGetDriverEntryPoint, _ptsz);
WARPCHECK_PER_THREAD(cudaGetDriverEntryPointByVersion, _ptsz);

// Allocation:
//   cudaMalloc  cudaMallocManaged  cudaMallocHost  cudaHostAlloc  cudaMallocPitch  cudaMalloc3D
//   cudaMallocAsync cudaMallocFromPoolAsync  cudaFree  cudaFreeHost  cudaFreeAsync  cudaHostGetDevicePointer
//   cudaHostGetFlags cudaMemGetInfo  cudaPointerGetAttributes  cudaMemAdvise  cudaMemPrefetchAsync (and _v2)
//   cudaDeviceGetDefaultMemPool  cudaDeviceGetMemPool  cudaDeviceSetMemPool  cudaMemPoolGetAttribute
//   cudaMemPoolSetAttribute  cudaMemPoolTrimTo
// A plug-in may free only what it allocated, once, with the function that belongs to it.

#include <fmt/format.h>

#include "framework/cudart/api_call.hpp"

namespace warpcheck::cudart {
namespace {

/// Rows of pitched memory begin at multiples of this, as on devices.
constexpr std::size_t kPitchAlignment = 512;

/// The one memory pool. Its address is its handle.
char default_pool;

Outcome allocate(State& here, void** pointer, std::uint64_t size, simt::AllocationKind kind,
                 const char* origin, unsigned flags = 0) {
  if (pointer == nullptr) return {abi::Error::invalid_value, "nowhere to write the address"};
  *pointer = nullptr;
  if (size == 0) return {};
  const simt::DeviceAddress address =
      here.memory->allocate(size, kind, fmt::format("{} #{}", origin, here.next_allocation));
  if (address == 0) {
    return {abi::Error::memory_allocation,
            fmt::format("{} bytes; {} of {} are free", size,
                        here.memory->capacity() - here.memory->bytes_live(), here.memory->capacity())};
  }
  ++here.next_allocation;
  here.owned[address] = {kind == simt::AllocationKind::host, flags};
  *pointer = reinterpret_cast<void*>(address);
  return {};
}

/// What is wrong with freeing an address that is not a plug-in's live allocation.
std::string explain_free(const State& here, simt::DeviceAddress address) {
  const simt::Allocation* const found = here.memory->find(address);
  if (found == nullptr) return fmt::format("{:#x} is not an allocation", address);
  const std::string where = address == found->begin
                                ? found->name
                                : fmt::format("byte {} of {}", address - found->begin, found->name);
  if (!found->live) return where + " was freed before";
  return where +
         (address == found->begin ? " was not allocated by the plug-in" : "; free takes its first byte");
}

Outcome release(State& here, void* pointer, bool host) {
  if (pointer == nullptr) return {};
  const auto address = reinterpret_cast<simt::DeviceAddress>(pointer);
  const auto owned = here.owned.find(address);
  if (owned == here.owned.end()) return {abi::Error::invalid_value, explain_free(here, address)};
  if (owned->second.host != host) {
    return {abi::Error::invalid_value, fmt::format("{} belongs to {}", here.memory->find(address)->name,
                                                   owned->second.host ? "cudaFreeHost" : "cudaFree")};
  }
  here.owned.erase(owned);
  here.memory->free(address);
  return {};
}

Outcome allocate_rows(State& here, void** pointer, std::size_t* pitch, std::size_t width, std::size_t rows,
                      const char* origin) {
  if (pitch == nullptr) return {abi::Error::invalid_value, "nowhere to write the pitch"};
  if (width > ~std::size_t{0} - kPitchAlignment) return {abi::Error::memory_allocation};
  *pitch = (width + kPitchAlignment - 1) / kPitchAlignment * kPitchAlignment;
  std::size_t bytes;
  if (__builtin_mul_overflow(*pitch, rows, &bytes)) return {abi::Error::memory_allocation};
  return allocate(here, pointer, bytes, simt::AllocationKind::device, origin);
}

Outcome check_pool(const void* pool) {
  if (pool == &default_pool) return {};
  return {abi::Error::invalid_value, fmt::format("{} is not the device's memory pool", fmt::ptr(pool))};
}

Outcome check_stream(const State& here, const void* stream) {
  if (here.is_stream(stream)) return {};
  return {abi::Error::invalid_resource_handle, fmt::format("{} is no stream", fmt::ptr(stream))};
}

Outcome check_device(int device) {
  if (device == 0) return {};
  return {abi::Error::invalid_device, fmt::format("device {}; there is only device 0", device)};
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;
using warpcheck::simt::AllocationKind;

extern "C" {

int cudaMalloc(void** pointer, std::size_t size) {
  return api("cudaMalloc", [&](State& here) {
    return allocate(here, pointer, size, AllocationKind::device, "cudaMalloc");
  });
}

int cudaMallocManaged(void** pointer, std::size_t size, unsigned flags) {
  return api("cudaMallocManaged", [&](State& here) -> Outcome {
    // CUDA refuses an empty managed block, unlike an empty device block.
    if (size == 0) return {abi::Error::invalid_value, "0 bytes of managed memory"};
    return allocate(here, pointer, size, AllocationKind::managed, "cudaMallocManaged", flags);
  });
}

int cudaMallocHost(void** pointer, std::size_t size) {
  return api("cudaMallocHost", [&](State& here) {
    return allocate(here, pointer, size, AllocationKind::host, "cudaMallocHost");
  });
}

int cudaHostAlloc(void** pointer, std::size_t size, unsigned flags) {
  return api("cudaHostAlloc", [&](State& here) {
    return allocate(here, pointer, size, AllocationKind::host, "cudaHostAlloc", flags);
  });
}

int cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
  return api("cudaMallocPitch", [&](State& here) {
    return allocate_rows(here, pointer, pitch, width, height, "cudaMallocPitch");
  });
}

int cudaMalloc3D(abi::PitchedPointer* pointer, abi::Extent extent) {
  return api("cudaMalloc3D", [&](State& here) -> Outcome {
    if (pointer == nullptr) return {abi::Error::invalid_value, "nowhere to write the address"};
    std::size_t rows;
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows)) return {abi::Error::memory_allocation};
    pointer->width = extent.width;
    pointer->height = extent.height;
    return allocate_rows(here, &pointer->pointer, &pointer->pitch, extent.width, rows, "cudaMalloc3D");
  });
}

int cudaMallocAsync(void** pointer, std::size_t size, void* stream) {
  return api("cudaMallocAsync", [&](State& here) -> Outcome {
    if (Outcome wrong = check_stream(here, stream); wrong.code != abi::Error::success) return wrong;
    return allocate(here, pointer, size, AllocationKind::device, "cudaMallocAsync");
  });
}

int cudaMallocFromPoolAsync(void** pointer, std::size_t size, void* pool, void* stream) {
  return api("cudaMallocFromPoolAsync", [&](State& here) -> Outcome {
    if (Outcome wrong = check_pool(pool); wrong.code != abi::Error::success) return wrong;
    if (Outcome wrong = check_stream(here, stream); wrong.code != abi::Error::success) return wrong;
    return allocate(here, pointer, size, AllocationKind::device, "cudaMallocFromPoolAsync");
  });
}

int cudaFree(void* pointer) {
  return api("cudaFree", [&](State& here) { return release(here, pointer, false); });
}

int cudaFreeHost(void* pointer) {
  return api("cudaFreeHost", [&](State& here) { return release(here, pointer, true); });
}

int cudaFreeAsync(void* pointer, void* stream) {
  return api("cudaFreeAsync", [&](State& here) -> Outcome {
    if (Outcome wrong = check_stream(here, stream); wrong.code != abi::Error::success) return wrong;
    return release(here, pointer, false);
  });
}

int cudaHostGetDevicePointer(void** device, void* host, unsigned) {
  return api("cudaHostGetDevicePointer", [&](State& here) -> Outcome {
    const auto* const record = here.memory->live_range(reinterpret_cast<std::uint64_t>(host), 1);
    if (device == nullptr || record == nullptr || record->kind != AllocationKind::host) {
      return {abi::Error::invalid_value,
              fmt::format("{} was not allocated with cudaHostAlloc", fmt::ptr(host))};
    }
    *device = host;
    return {};
  });
}

int cudaHostGetFlags(unsigned* flags, void* host) {
  return api("cudaHostGetFlags", [&](State& here) -> Outcome {
    const auto owned = here.owned.find(reinterpret_cast<std::uint64_t>(host));
    if (flags == nullptr || owned == here.owned.end() || !owned->second.host) {
      return {abi::Error::invalid_value,
              fmt::format("{} was not allocated with cudaHostAlloc", fmt::ptr(host))};
    }
    *flags = owned->second.flags;
    return {};
  });
}

int cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return api("cudaMemGetInfo", [&](State& here) -> Outcome {
    if (free_bytes == nullptr || total_bytes == nullptr)
      return {abi::Error::invalid_value, "nowhere to write"};
    *free_bytes = here.memory->capacity() - here.memory->bytes_live();
    *total_bytes = here.memory->capacity();
    return {};
  });
}

int cudaPointerGetAttributes(abi::PointerAttributes* attributes, const void* pointer) {
  return api("cudaPointerGetAttributes", [&](State& here) -> Outcome {
    if (attributes == nullptr) return {abi::Error::invalid_value, "nowhere to write the attributes"};
    void* const address = const_cast<void*>(pointer);
    const auto* const record = here.memory->live_range(reinterpret_cast<std::uint64_t>(pointer), 1);
    attributes->type = abi::kUnregistered;
    attributes->device = record != nullptr ? 0 : -2;
    attributes->device_pointer = record != nullptr ? address : nullptr;
    attributes->host_pointer = nullptr;
    if (record == nullptr) return {};
    const bool shared =
        reinterpret_cast<const void*>(here.memory->host(reinterpret_cast<std::uint64_t>(pointer))) == pointer;
    attributes->type = record->kind == AllocationKind::host ? abi::kHost
                       : shared                             ? abi::kManaged
                                                            : abi::kDevice;
    if (shared) attributes->host_pointer = address;
    return {};
  });
}

// Advice about where managed memory should be: there is only one place. The parameters after `count` differ
// between CUDA 12 and 13 and are not needed.
int cudaMemAdvise(const void* pointer, std::size_t count, int) {
  return api("cudaMemAdvise", [&](State& here) -> Outcome {
    if (here.memory->live_range(reinterpret_cast<std::uint64_t>(pointer), count) != nullptr) return {};
    return {abi::Error::invalid_value,
            fmt::format("{} bytes at {} are not one allocation", count, fmt::ptr(pointer))};
  });
}

int cudaMemPrefetchAsync(const void* pointer, std::size_t count) {
  return api("cudaMemPrefetchAsync", [&](State& here) -> Outcome {
    if (here.memory->live_range(reinterpret_cast<std::uint64_t>(pointer), count) != nullptr) return {};
    return {abi::Error::invalid_value,
            fmt::format("{} bytes at {} are not one allocation", count, fmt::ptr(pointer))};
  });
}

int cudaDeviceGetDefaultMemPool(void** pool, int device) {
  return api("cudaDeviceGetDefaultMemPool", [&](State&) -> Outcome {
    if (pool == nullptr) return {abi::Error::invalid_value, "nowhere to write the pool"};
    *pool = &default_pool;
    return check_device(device);
  });
}

int cudaDeviceGetMemPool(void** pool, int device) {
  return api("cudaDeviceGetMemPool", [&](State&) -> Outcome {
    if (pool == nullptr) return {abi::Error::invalid_value, "nowhere to write the pool"};
    *pool = &default_pool;
    return check_device(device);
  });
}

int cudaDeviceSetMemPool(int device, void* pool) {
  return api("cudaDeviceSetMemPool", [&](State&) -> Outcome {
    if (Outcome wrong = check_pool(pool); wrong.code != abi::Error::success) return wrong;
    return check_device(device);
  });
}

// Attributes 1 to 3 are ints, 4 and later 64-bit numbers; they are kept, and change nothing.
int cudaMemPoolGetAttribute(void* pool, int attribute, void* value) {
  return api("cudaMemPoolGetAttribute", [&](State& here) -> Outcome {
    if (Outcome wrong = check_pool(pool); wrong.code != abi::Error::success) return wrong;
    if (value == nullptr || attribute < 1 || attribute > 8) {
      return {abi::Error::invalid_value,
              fmt::format("memory pool attribute {}; it must be from 1 to 8", attribute)};
    }
    const auto known = here.pool_attributes.find(attribute);
    if (attribute <= 3) {
      *static_cast<int*>(value) = known != here.pool_attributes.end() ? static_cast<int>(known->second) : 1;
    } else {
      *static_cast<std::uint64_t*>(value) = attribute != 4                        ? here.memory->bytes_live()
                                            : known != here.pool_attributes.end() ? known->second
                                                                                  : 0;
    }
    return {};
  });
}

int cudaMemPoolSetAttribute(void* pool, int attribute, void* value) {
  return api("cudaMemPoolSetAttribute", [&](State& here) -> Outcome {
    if (Outcome wrong = check_pool(pool); wrong.code != abi::Error::success) return wrong;
    if (value == nullptr || attribute < 1 || attribute > 8) {
      return {abi::Error::invalid_value,
              fmt::format("memory pool attribute {}; it must be from 1 to 8", attribute)};
    }
    here.pool_attributes[attribute] = attribute <= 3
                                          ? static_cast<std::uint64_t>(*static_cast<const int*>(value))
                                          : *static_cast<const std::uint64_t*>(value);
    return {};
  });
}

int cudaMemPoolTrimTo(void* pool, std::size_t) {
  return api("cudaMemPoolTrimTo", [&](State&) { return check_pool(pool); });
}

}  // extern "C"

extern "C" __attribute__((alias("cudaMemAdvise"))) decltype(cudaMemAdvise) cudaMemAdvise_v2;
extern "C"
    __attribute__((alias("cudaMemPrefetchAsync"))) decltype(cudaMemPrefetchAsync) cudaMemPrefetchAsync_v2;
WARPCHECK_PER_THREAD(cudaMallocAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMallocFromPoolAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaFreeAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemPrefetchAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemPrefetchAsync_v2, _ptsz);

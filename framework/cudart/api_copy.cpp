// Copies and sets:
//   cudaMemcpy  cudaMemcpyAsync  cudaMemcpy2D  cudaMemcpy2DAsync  cudaMemcpy3D  cudaMemcpy3DAsync
//   cudaMemcpyToSymbol  cudaMemcpyToSymbolAsync  cudaMemcpyFromSymbol  cudaMemcpyFromSymbolAsync
//   cudaMemset  cudaMemsetAsync  cudaMemset2D  cudaMemset2DAsync  cudaMemset3D  cudaMemset3DAsync
//   cudaGetSymbolAddress  cudaGetSymbolSize
// All are done when they return. A range that is not within one live allocation is refused before a byte is
// moved.

#include <fmt/format.h>

#include <cstring>

#include "framework/cudart/api_call.hpp"

namespace warpcheck::cudart {
namespace {

enum class Side : std::uint8_t { host, device, either };

/// `rows` rows of `width` bytes, `pitch` bytes apart, in `slices` slices of `slice_pitch` bytes.
struct Block {
  std::uint64_t address{};
  std::size_t pitch{};
  std::size_t slice_pitch{};
};

struct Shape {
  std::size_t width{}, rows{1}, slices{1};
  bool empty() const { return width == 0 || rows == 0 || slices == 0; }
};

/// Bytes from the first to the last that a block touches; nothing if that overflows.
std::optional<std::size_t> span_of(const Block& block, const Shape& shape) {
  std::size_t rows, slices, total;
  if (__builtin_mul_overflow(shape.rows - 1, block.pitch, &rows) ||
      __builtin_mul_overflow(shape.slices - 1, block.slice_pitch, &slices) ||
      __builtin_add_overflow(rows, slices, &total) || __builtin_add_overflow(total, shape.width, &total)) {
    return std::nullopt;
  }
  return total;
}

/// The host address of the bytes, if they may be read or written from that side.
Outcome resolve(State& here, const Block& block, const Shape& shape, Side side, bool write,
                std::byte*& bytes) {
  const std::optional<std::size_t> size = span_of(block, shape);
  if (!size) return {abi::Error::invalid_value, "the copied range is larger than the address space"};
  if (block.address == 0)
    return {abi::Error::invalid_value, fmt::format("a null pointer for {} bytes", *size)};
  if (!here.memory->is_device_space(block.address)) {
    if (side == Side::device) {
      return {abi::Error::invalid_value, fmt::format("{:#x} is not a device address", block.address)};
    }
    bytes = reinterpret_cast<std::byte*>(block.address);
    return {};
  }
  const simt::Allocation* const record = here.memory->live_range(block.address, *size);
  if (record == nullptr) {
    const simt::Allocation* const near = here.memory->nearest(block.address);
    if (near == nullptr) {
      return {abi::Error::invalid_value, fmt::format("{:#x} is not in an allocation", block.address)};
    }
    const auto offset = static_cast<std::int64_t>(block.address - near->begin);
    return {abi::Error::invalid_value, near->live ? fmt::format("{} bytes at byte {} of {}, which has {}",
                                                                *size, offset, near->name, near->size)
                                                  : fmt::format("{} bytes at byte {} of {}, which was freed",
                                                                *size, offset, near->name)};
  }
  bytes = here.memory->host(block.address);
  const bool shared = reinterpret_cast<std::uint64_t>(bytes) == block.address;
  if (side == Side::host && !shared) {
    return {abi::Error::invalid_value, fmt::format("{} is device memory, not the host's", record->name)};
  }
  // A constant variable is read-only for kernels alone.
  if (write && record->read_only && record->kind != simt::AllocationKind::variable) {
    Finding finding;
    finding.kind = FindingKind::write_to_const;
    finding.message = fmt::format("the host writes {} bytes to {}, which is constant", *size, record->name);
    finding.object = record->name;
    finding.advice = "write to memory of the kernel's own";
    here.add_finding(std::move(finding));
    return {abi::Error::invalid_value, fmt::format("{} is constant", record->name)};
  }
  if (write && record->kind == simt::AllocationKind::variable) {
    for (const auto& module : here.modules) module->dirty = true;
  }
  return {};
}

Outcome sides_of(int kind, Side& target, Side& source) {
  switch (kind) {
    case abi::kHostToHost:
      target = source = Side::host;
      return {};
    case abi::kHostToDevice:
      target = Side::device;
      source = Side::host;
      return {};
    case abi::kDeviceToHost:
      target = Side::host;
      source = Side::device;
      return {};
    case abi::kDeviceToDevice:
      target = source = Side::device;
      return {};
    case abi::kDefault:
      target = source = Side::either;
      return {};
    default:
      return {abi::Error::invalid_memcpy_direction,
              fmt::format("direction {}; it must be from 0 to 4", kind)};
  }
}

Outcome copy(State& here, const Block& target, const Block& source, const Shape& shape, int kind) {
  Side target_side{}, source_side{};
  if (Outcome wrong = sides_of(kind, target_side, source_side); wrong.code != abi::Error::success)
    return wrong;
  if (shape.empty()) return {};
  if ((shape.rows > 1 || shape.slices > 1) && (shape.width > target.pitch || shape.width > source.pitch)) {
    return {abi::Error::invalid_pitch_value, fmt::format("rows of {} bytes with pitches of {} and {}",
                                                         shape.width, target.pitch, source.pitch)};
  }
  std::byte* to = nullptr;
  std::byte* from = nullptr;
  if (Outcome wrong = resolve(here, source, shape, source_side, false, from);
      wrong.code != abi::Error::success) {
    return wrong;
  }
  if (Outcome wrong = resolve(here, target, shape, target_side, true, to);
      wrong.code != abi::Error::success) {
    return wrong;
  }
  for (std::size_t slice = 0; slice < shape.slices; ++slice) {
    for (std::size_t row = 0; row < shape.rows; ++row) {
      std::memmove(to + slice * target.slice_pitch + row * target.pitch,
                   from + slice * source.slice_pitch + row * source.pitch, shape.width);
    }
  }
  return {};
}

Outcome set(State& here, const Block& target, const Shape& shape, int value) {
  if (shape.empty()) return {};
  if ((shape.rows > 1 || shape.slices > 1) && shape.width > target.pitch) {
    return {abi::Error::invalid_pitch_value,
            fmt::format("rows of {} bytes with a pitch of {}", shape.width, target.pitch)};
  }
  std::byte* to = nullptr;
  if (Outcome wrong = resolve(here, target, shape, Side::device, true, to);
      wrong.code != abi::Error::success) {
    return wrong;
  }
  for (std::size_t slice = 0; slice < shape.slices; ++slice) {
    for (std::size_t row = 0; row < shape.rows; ++row) {
      std::memset(to + slice * target.slice_pitch + row * target.pitch, value, shape.width);
    }
  }
  return {};
}

std::uint64_t number(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer);
}

/// Runs `body` if the stream is one.
template <class Body>
int on_stream(const char* function, const void* stream, Body body) {
  return api(function, [&](State& here) -> Outcome {
    if (!here.is_stream(stream)) {
      return {abi::Error::invalid_resource_handle, fmt::format("{} is no stream", fmt::ptr(stream))};
    }
    return body(here);
  });
}

Outcome copy_symbol(State& here, const void* symbol, const void* other, std::size_t count, std::size_t offset,
                    int kind, bool to_symbol) {
  Symbol* found = nullptr;
  simt::DeviceAddress address = 0;
  if (Outcome wrong = here.address_of(symbol, found, address); wrong.code != abi::Error::success)
    return wrong;
  const bool fits = to_symbol ? kind == abi::kHostToDevice : kind == abi::kDeviceToHost;
  if (!fits && kind != abi::kDeviceToDevice && kind != abi::kDefault) {
    return {abi::Error::invalid_memcpy_direction,
            fmt::format("direction {} for a copy {} a device variable", kind, to_symbol ? "to" : "from")};
  }
  if (offset > found->size || count > found->size - offset) {
    return {abi::Error::invalid_value, fmt::format("{} bytes at byte {} of {}, which has {}", count, offset,
                                                   ptx::demangle(found->name), found->size)};
  }
  const Block variable{address + offset, count, count};
  const Block memory{number(other), count, count};
  return to_symbol ? copy(here, variable, memory, {count}, kind)
                   : copy(here, memory, variable, {count}, kind);
}

Outcome copy_3d(State& here, const abi::Memcpy3DParameters* p) {
  if (p == nullptr) return {abi::Error::invalid_value, "the parameters are a null pointer"};
  if (p->source_array != nullptr || p->target_array != nullptr) {
    return {abi::Error::not_supported, "CUDA arrays are not implemented; copy linear memory"};
  }
  const auto block = [](const abi::PitchedPointer& base, const abi::Position& at) {
    const std::size_t slice = base.pitch * base.height;
    return Block{number(base.pointer) + at.z * slice + at.y * base.pitch + at.x, base.pitch, slice};
  };
  return copy(here, block(p->target, p->target_position), block(p->source, p->source_position),
              {p->extent.width, p->extent.height, p->extent.depth}, p->kind);
}

Outcome set_3d(State& here, const abi::PitchedPointer& target, int value, const abi::Extent& extent) {
  return set(here, {number(target.pointer), target.pitch, target.pitch * target.height},
             {extent.width, extent.height, extent.depth}, value);
}

}  // namespace
}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;
namespace simt = warpcheck::simt;

extern "C" {

int cudaMemcpy(void* target, const void* source, std::size_t count, int kind) {
  return api("cudaMemcpy", [&](State& here) {
    return copy(here, {number(target), count, count}, {number(source), count, count}, {count}, kind);
  });
}

int cudaMemcpyAsync(void* target, const void* source, std::size_t count, int kind, void* stream) {
  return on_stream("cudaMemcpyAsync", stream, [&](State& here) {
    return copy(here, {number(target), count, count}, {number(source), count, count}, {count}, kind);
  });
}

int cudaMemcpy2D(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                 std::size_t width, std::size_t height, int kind) {
  return api("cudaMemcpy2D", [&](State& here) {
    return copy(here, {number(target), target_pitch, 0}, {number(source), source_pitch, 0}, {width, height},
                kind);
  });
}

int cudaMemcpy2DAsync(void* target, std::size_t target_pitch, const void* source, std::size_t source_pitch,
                      std::size_t width, std::size_t height, int kind, void* stream) {
  return on_stream("cudaMemcpy2DAsync", stream, [&](State& here) {
    return copy(here, {number(target), target_pitch, 0}, {number(source), source_pitch, 0}, {width, height},
                kind);
  });
}

int cudaMemcpy3D(const abi::Memcpy3DParameters* parameters) {
  return api("cudaMemcpy3D", [&](State& here) { return copy_3d(here, parameters); });
}

int cudaMemcpy3DAsync(const abi::Memcpy3DParameters* parameters, void* stream) {
  return on_stream("cudaMemcpy3DAsync", stream, [&](State& here) { return copy_3d(here, parameters); });
}

int cudaMemcpyToSymbol(const void* symbol, const void* source, std::size_t count, std::size_t offset,
                       int kind) {
  return api("cudaMemcpyToSymbol",
             [&](State& here) { return copy_symbol(here, symbol, source, count, offset, kind, true); });
}

int cudaMemcpyToSymbolAsync(const void* symbol, const void* source, std::size_t count, std::size_t offset,
                            int kind, void* stream) {
  return on_stream("cudaMemcpyToSymbolAsync", stream,
                   [&](State& here) { return copy_symbol(here, symbol, source, count, offset, kind, true); });
}

int cudaMemcpyFromSymbol(void* target, const void* symbol, std::size_t count, std::size_t offset, int kind) {
  return api("cudaMemcpyFromSymbol",
             [&](State& here) { return copy_symbol(here, symbol, target, count, offset, kind, false); });
}

int cudaMemcpyFromSymbolAsync(void* target, const void* symbol, std::size_t count, std::size_t offset,
                              int kind, void* stream) {
  return on_stream("cudaMemcpyFromSymbolAsync", stream, [&](State& here) {
    return copy_symbol(here, symbol, target, count, offset, kind, false);
  });
}

int cudaMemset(void* target, int value, std::size_t count) {
  return api("cudaMemset", [&](State& here) {
    return set(here, {number(target), count, count}, {count}, value);
  });
}

int cudaMemsetAsync(void* target, int value, std::size_t count, void* stream) {
  return on_stream("cudaMemsetAsync", stream, [&](State& here) {
    return set(here, {number(target), count, count}, {count}, value);
  });
}

int cudaMemset2D(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height) {
  return api("cudaMemset2D", [&](State& here) {
    return set(here, {number(target), pitch, 0}, {width, height}, value);
  });
}

int cudaMemset2DAsync(void* target, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      void* stream) {
  return on_stream("cudaMemset2DAsync", stream, [&](State& here) {
    return set(here, {number(target), pitch, 0}, {width, height}, value);
  });
}

int cudaMemset3D(abi::PitchedPointer target, int value, abi::Extent extent) {
  return api("cudaMemset3D", [&](State& here) { return set_3d(here, target, value, extent); });
}

int cudaMemset3DAsync(abi::PitchedPointer target, int value, abi::Extent extent, void* stream) {
  return on_stream("cudaMemset3DAsync", stream,
                   [&](State& here) { return set_3d(here, target, value, extent); });
}

int cudaGetSymbolAddress(void** address, const void* symbol) {
  return api("cudaGetSymbolAddress", [&](State& here) -> Outcome {
    if (address == nullptr) return {abi::Error::invalid_value, "nowhere to write the address"};
    Symbol* found = nullptr;
    simt::DeviceAddress begin = 0;
    if (Outcome wrong = here.address_of(symbol, found, begin); wrong.code != abi::Error::success)
      return wrong;
    found->module->address_taken = found->module->dirty = true;
    *address = reinterpret_cast<void*>(begin);
    return {};
  });
}

int cudaGetSymbolSize(std::size_t* size, const void* symbol) {
  return api("cudaGetSymbolSize", [&](State& here) -> Outcome {
    if (size == nullptr) return {abi::Error::invalid_value, "nowhere to write the size"};
    Symbol* found = nullptr;
    simt::DeviceAddress begin = 0;
    if (Outcome wrong = here.address_of(symbol, found, begin); wrong.code != abi::Error::success)
      return wrong;
    *size = found->size;
    return {};
  });
}

}  // extern "C"

WARPCHECK_PER_THREAD(cudaMemcpy, _ptds);
WARPCHECK_PER_THREAD(cudaMemcpyAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemcpy2D, _ptds);
WARPCHECK_PER_THREAD(cudaMemcpy2DAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemcpy3D, _ptds);
WARPCHECK_PER_THREAD(cudaMemcpy3DAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemcpyToSymbol, _ptds);
WARPCHECK_PER_THREAD(cudaMemcpyToSymbolAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemcpyFromSymbol, _ptds);
WARPCHECK_PER_THREAD(cudaMemcpyFromSymbolAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemset, _ptds);
WARPCHECK_PER_THREAD(cudaMemsetAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemset2D, _ptds);
WARPCHECK_PER_THREAD(cudaMemset2DAsync, _ptsz);
WARPCHECK_PER_THREAD(cudaMemset3D, _ptds);
WARPCHECK_PER_THREAD(cudaMemset3DAsync, _ptsz);

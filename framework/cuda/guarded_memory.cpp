#include "framework/cuda/guarded_memory.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "framework/cuda/device_runtime.hpp"

namespace warpcheck::cuda {
namespace {

constexpr std::uint8_t kCanary = 0xc5;

std::size_t rounded(std::size_t size) {
  return (size + 255) / 256 * 256;
}

}  // namespace

cudaError_t GuardedMemory::begin_run(std::uint32_t poison, bool recycle) {
  poison_ = poison;
  recycle_ = recycle;
  count_ = 0;
  for (auto block = blocks_.begin(); block != blocks_.end();) {
    block->second.live = false;
    block->second.used = false;
    if (recycle) {
      ++block;
      continue;
    }
    if (const cudaError_t error = device_runtime().free(block->second.base); error != cudaSuccess)
      return error;
    block = blocks_.erase(block);
  }
  return cudaSuccess;
}

cudaError_t GuardedMemory::prepare(Block& block, bool fill) {
  block.live = block.used = true;
  const DeviceRuntime& device = device_runtime();
  const std::size_t before = kGuardBytes + block.lead;
  const std::size_t after = block.capacity - block.lead - block.size + kGuardBytes;
  std::byte* const begin = block.base + before;
  if (const cudaError_t error = device.memset(block.base, kCanary, before)) return error;
  if (const cudaError_t error = device.memset(begin + block.size, kCanary, after)) return error;
  if (!fill) return cudaSuccess;
  std::vector<std::uint32_t> pattern((block.size + 3) / 4, poison_);
  return device.memcpy(begin, pattern.data(), block.size, cudaMemcpyHostToDevice);
}

cudaError_t GuardedMemory::allocate(void** pointer, std::size_t size, std::string name, std::size_t lead) {
  if (pointer == nullptr) return cudaErrorInvalidValue;
  *pointer = nullptr;
  if (size == 0) return cudaSuccess;
  if (name.empty()) name = fmt::format("cudaMalloc #{}", ++count_);
  Block* best = nullptr;
  std::byte* address = nullptr;
  if (recycle_) {
    for (auto& [begin, block] : blocks_) {
      // A block that this run has freed keeps its guard zones until they have been looked at.
      if (block.used || block.capacity < lead + size || (best != nullptr && best->capacity <= block.capacity))
        continue;
      best = &block;
      address = begin;
    }
  }
  const bool fresh = best == nullptr;
  if (fresh) {
    Block block;
    block.capacity = rounded(lead + size);
    void* base = nullptr;
    if (const cudaError_t error = device_runtime().malloc(&base, block.capacity + 2 * kGuardBytes))
      return error;
    block.base = static_cast<std::byte*>(base);
    address = block.base + kGuardBytes;
    best = &(blocks_[address] = block);
  }
  best->name = std::move(name);
  best->lead = lead;
  best->size = size;
  *pointer = address + lead;
  return prepare(*best, fresh);
}

cudaError_t GuardedMemory::free(void* pointer) {
  if (pointer == nullptr) return cudaSuccess;
  const auto found = blocks_.find(static_cast<std::byte*>(pointer));
  if (found == blocks_.end() || !found->second.live) return cudaErrorInvalidValue;
  // The bytes stay until the run has ended, so that its guard zones can be looked at.
  found->second.live = false;
  return cudaSuccess;
}

std::vector<Finding> GuardedMemory::damaged() const {
  std::vector<Finding> findings;
  for (const auto& [begin, block] : blocks_) {
    if (!block.used) continue;
    std::vector<std::uint8_t> bytes(block.capacity + 2 * kGuardBytes);
    if (device_runtime().memcpy(bytes.data(), block.base, bytes.size(), cudaMemcpyDeviceToHost) !=
        cudaSuccess)
      break;
    const auto intact = [](std::uint8_t byte) { return byte == kCanary; };
    const auto first = bytes.begin();
    const auto data = first + static_cast<std::ptrdiff_t>(kGuardBytes + block.lead);
    const auto end_of_data = data + static_cast<std::ptrdiff_t>(block.size);
    const auto before = std::find_if_not(first, data, intact);
    const auto after = std::find_if_not(end_of_data, bytes.end(), intact);
    Finding finding;
    finding.kind = FindingKind::out_of_bounds;
    finding.object = block.name;
    finding.advice = "run on the cpu executor, which names the thread and the line";
    if (after != bytes.end()) {
      finding.message = fmt::format("something was written {} bytes past the end of {} ({} bytes)",
                                    after - end_of_data, block.name, block.size);
      findings.push_back(finding);
    }
    if (before != data) {
      finding.message = fmt::format("something was written {} bytes before the beginning of {} ({} bytes)",
                                    data - before, block.name, block.size);
      findings.push_back(finding);
    }
  }
  return findings;
}

GuardedMemory& guarded_memory() {
  static GuardedMemory memory;
  return memory;
}

}  // namespace warpcheck::cuda

#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "framework/contract/finding.hpp"

namespace warpcheck::cuda {

/// Allocations on a device with guard zones before and after them, filled with a pattern beforehand.
///
/// A write outside an allocation but inside its guard zones is found when the run ends; a read is not, which
/// is what the cpu executor is for.
class GuardedMemory {
 public:
  static constexpr std::size_t kGuardBytes = 1024;

  /// Frees everything and begins a run. With `recycle`, blocks of the runs before are handed out again with
  /// their content.
  cudaError_t begin_run(std::uint32_t poison, bool recycle);

  /// At an address that is a multiple of 256 and `lead` bytes more; the bytes in front belong to the guard
  /// zone. Nothing and cudaSuccess for a size of 0.
  cudaError_t allocate(void** pointer, std::size_t size, std::string name, std::size_t lead = 0);
  /// An address inside a block that does not begin one is cudaErrorInvalidValue.
  cudaError_t free(void* pointer);

  /// A finding for each allocation of this run whose guard zones were written to. Precondition: the device is
  /// idle.
  std::vector<Finding> damaged() const;

 private:
  struct Block {
    std::byte* base{};       ///< of the whole block, guard zones included
    std::size_t lead{};      ///< before the address handed out, beside the guard zone
    std::size_t size{};      ///< as asked for
    std::size_t capacity{};  ///< between the guard zones
    std::string name;
    bool live{};
    bool used{};  ///< in this run
  };
  cudaError_t prepare(Block& block, bool fill);

  std::map<std::byte*, Block> blocks_;  ///< by the address between the guard zones
  std::uint32_t poison_{};
  bool recycle_{};
  std::uint32_t count_{};
};

GuardedMemory& guarded_memory();

}  // namespace warpcheck::cuda

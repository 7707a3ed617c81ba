#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

/// Device memory as an address space of its own.
namespace warpcheck::simt {

using DeviceAddress = std::uint64_t;  ///< 0 is never a valid address

enum class AllocationKind : std::uint8_t {
  device,    ///< cudaMalloc: the host cannot dereference its address
  managed,   ///< cudaMallocManaged: one address for both sides
  host,      ///< cudaMallocHost, cudaHostAlloc: likewise
  variable,  ///< a __device__ or __constant__ variable of a module
};

struct Allocation {
  DeviceAddress begin{};
  std::uint64_t size{};      ///< bytes, as asked for
  std::uint64_t capacity{};  ///< bytes that the block can hold when it is recycled
  AllocationKind kind{};
  bool live{};
  bool read_only{};    ///< kernels must not write (constant memory, a case's input)
  std::uint64_t id{};  ///< grows with every allocation
  std::string name;    ///< for reports: "x", "out", "cudaMalloc #3", a variable's demangled name

  DeviceAddress end() const { return begin + size; }
};

/// What a freshly allocated byte holds before anyone writes it.
struct FillPolicy {
  /// The bytes of a never-used block: this 32-bit pattern repeated.
  std::uint32_t pattern{0xffffffffu};
  /// true: a freed block may be handed out again with its old content, as devices do.
  /// false: every allocation gets a block that holds the pattern.
  bool recycle{false};
};

/// The memory of one virtual device: allocations that lie so far apart that a wild index never meets a
/// neighbour.
///
/// Device addresses are not host addresses: they lie in a reservation without access rights, at a constant
/// distance from the bytes behind them, so host code that dereferences one faults. Managed and pinned host
/// memory has the same address on both sides. Not thread-safe.
class DeviceMemory {
 public:
  /// `capacity`: bytes that may be live at once; more is "out of memory".
  explicit DeviceMemory(std::uint64_t capacity = std::uint64_t{8} << 30);
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory&) = delete;
  DeviceMemory& operator=(const DeviceMemory&) = delete;

  void set_fill(const FillPolicy& policy) { fill_ = policy; }
  const FillPolicy& fill() const { return fill_; }

  /// A block of at least `size` bytes, aligned to 256 + `misalign` bytes (misalign < 256), filled as set_fill
  /// says; 0 if it does not fit. A size of 0 gives 0.
  DeviceAddress allocate(std::uint64_t size, AllocationKind kind, std::string name = {},
                         std::uint32_t misalign = 0);

  /// Frees the live allocation that begins at `address`; false if there is none.
  bool free(DeviceAddress address);

  /// Frees all allocations that are not variables; what was freed cannot be recycled afterwards unless
  /// `keep_content`.
  void free_all(bool keep_content);

  /// The allocation whose bytes contain `address`, dead or alive; nullptr if none does.
  const Allocation* find(DeviceAddress address) const;

  /// The allocation, dead or alive, whose slot (bytes and the gap around them) contains `address`: names the
  /// object a wild access probably meant; nullptr outside every slot.
  const Allocation* nearest(DeviceAddress address) const;

  /// The live allocation that contains [address, address + size), or nullptr.
  const Allocation* live_range(DeviceAddress address, std::uint64_t size) const;

  void set_name(DeviceAddress begin, std::string name);
  void set_read_only(DeviceAddress begin, bool read_only);

  /// true if the address lies in the device's or the shared part of the address space, allocated or not.
  bool is_device_space(DeviceAddress address) const;

  /// The byte behind a device address. Precondition: is_device_space(address).
  std::byte* host(DeviceAddress address) const;

  std::uint64_t bytes_live() const { return bytes_live_; }
  std::uint64_t capacity() const { return capacity_; }
  std::size_t live_count() const { return live_count_; }

  /// Index of the slot an address belongs to; equal slots mean the same allocation record. For observers'
  /// shadows.
  const Allocation* slot_record(std::uint32_t slot) const;

 private:
  struct Region;
  FillPolicy fill_;
  std::uint64_t capacity_{};
  std::uint64_t bytes_live_{};
  std::size_t live_count_{};
  std::uint64_t next_id_{1};
  Region* region_{};
};

}  // namespace warpcheck::simt

#include "framework/simt/device_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <deque>
#include <set>
#include <stdexcept>
#include <utility>

namespace warpcheck::simt {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;

/// The unit of the slot table. Every slot begins and ends at a multiple of it.
constexpr unsigned kGranuleShift = 20;

/// A slot is at least twice as large as the bytes it holds, and never smaller than this.
constexpr std::uint64_t kSmallestSlot = 4 * kMiB;

constexpr std::uint64_t kAlignment = 256;

/// Device allocators round sizes up before they reuse a block; so does `capacity`.
constexpr std::uint64_t kCapacityStep = 512;

/// Freed blocks of this size and more give their pages back when their content is not wanted.
constexpr std::uint64_t kReleaseAt = 64 * kMiB;

/// Blocks of one class that are kept dead before the oldest is used again.
constexpr std::uint64_t kQuarantineBlocks = 16;
constexpr std::uint64_t kQuarantineBytes = 64 * kMiB;

constexpr std::uint64_t kLargestReservation = 256 * kGiB;
constexpr std::uint64_t kSmallestReservation = 64 * kMiB;

/// Where the reservation lies if nothing else does: addresses then repeat from run to run. Any other place
/// works, too.
constexpr std::uint64_t kPreferredBase = std::uint64_t{1} << 45;

constexpr std::uint32_t kNone = 0xffffffffu;

std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

std::byte* map_bytes(std::uint64_t hint, std::uint64_t bytes, int protection, int more_flags) {
  void* const place = ::mmap(reinterpret_cast<void*>(hint), bytes, protection,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | more_flags, -1, 0);
  return place == MAP_FAILED ? nullptr : static_cast<std::byte*>(place);
}

void fill_pattern(std::byte* to, std::uint64_t bytes, std::uint32_t pattern) {
  if (pattern == (pattern & 0xffu) * 0x01010101u) {
    std::memset(to, static_cast<int>(pattern & 0xffu), bytes);
    return;
  }
  std::uint64_t at = 0;
  for (; at + sizeof pattern <= bytes; at += sizeof pattern) std::memcpy(to + at, &pattern, sizeof pattern);
  std::memcpy(to + at, &pattern, bytes - at);
}

/// A stretch of granules that holds one allocation at a time.
struct Slot {
  Allocation record;
  std::uint32_t first_granule{};
  std::uint32_t granules{};
  std::uint64_t lead{};  ///< bytes before the block
  std::uint8_t size_class{};
  bool tight{};  ///< made when the address space ran short: smaller gaps, no class
  std::uint32_t previous{kNone}, next{kNone};  ///< in the list of live slots, oldest first
};

/// A free block whose content may be handed out again: the smallest that fits comes first, then the latest
/// freed.
struct Recyclable {
  std::uint64_t capacity;
  std::uint64_t freed_before;  ///< falls with every free
  std::uint32_t slot;
  auto operator<=>(const Recyclable&) const = default;
};

/// One half of the address space and its free slots.
struct Arena {
  std::uint32_t first_granule{}, end_granule{};
  std::uint32_t next_granule{};                     ///< nothing was ever placed from here on
  std::array<std::deque<std::uint32_t>, 44> freed;  ///< by class, oldest first
  std::vector<std::uint32_t> freed_tight;
  std::set<Recyclable> recyclable;
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      holes;  ///< first granule and count; made by consolidate
};

std::uint64_t quarantine_depth(std::uint64_t slot_bytes) {
  return std::clamp<std::uint64_t>(kQuarantineBytes / slot_bytes, 2, kQuarantineBlocks);
}

}  // namespace

/// The address space [base, base + device_bytes + shared_bytes): the device's part, without access rights,
/// then the part whose addresses the host shares. `backing` holds the bytes of the device's part.
struct DeviceMemory::Region {
  std::uint64_t base{};
  std::uint64_t device_bytes{};
  std::uint64_t shared_bytes{};
  std::byte* backing{};
  std::uint64_t to_backing{};  ///< device address + this = host address, modulo 2^64

  Arena device, shared;
  std::vector<std::uint32_t> granule_slot;  ///< slot number + 1 of every granule; 0 if none
  std::deque<Slot> slots;                   ///< a deque: records keep their addresses
  std::vector<std::uint32_t> retired;       ///< slot numbers without granules
  std::uint32_t oldest_live{kNone}, newest_live{kNone};
  std::uint64_t frees{};

  explicit Region(std::uint64_t wanted) {
    for (std::uint64_t bytes = wanted; bytes >= kSmallestReservation; bytes /= 2) {
      if (reserve(bytes)) return;
    }
    throw std::runtime_error(fmt::format(
        "cannot reserve {} MiB of address space for device memory ({}); raise the limit on virtual memory",
        kSmallestReservation * 5 / 2 / kMiB, std::strerror(errno)));
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;
  ~Region() {
    ::munmap(reinterpret_cast<void*>(base), device_bytes + shared_bytes);
    ::munmap(backing, device_bytes);
  }

  bool reserve(std::uint64_t bytes) {
    const std::uint64_t total = bytes + bytes / 2;
    // A granule more, so that the base can be aligned wherever the kernel puts it.
    std::byte* place = map_bytes(kPreferredBase, total, PROT_NONE, MAP_FIXED_NOREPLACE);
    if (place != nullptr && reinterpret_cast<std::uint64_t>(place) % kMiB != 0) {
      ::munmap(place, total);
      place = nullptr;
    }
    if (place == nullptr) {
      place = map_bytes(0, total + kMiB, PROT_NONE, 0);
      if (place == nullptr) return false;
      const std::uint64_t at = reinterpret_cast<std::uint64_t>(place);
      const std::uint64_t aligned = round_up(at, kMiB);
      if (aligned != at) ::munmap(place, aligned - at);
      if (aligned + total != at + total + kMiB) {
        ::munmap(reinterpret_cast<void*>(aligned + total), at + kMiB - aligned);
      }
      place = reinterpret_cast<std::byte*>(aligned);
    }
    base = reinterpret_cast<std::uint64_t>(place);
    std::byte* const second = map_bytes(0, bytes, PROT_READ | PROT_WRITE, 0);
    if (second == nullptr || ::mprotect(place + bytes, bytes / 2, PROT_READ | PROT_WRITE) != 0) {
      const int reason = errno;
      ::munmap(place, total);
      if (second != nullptr) ::munmap(second, bytes);
      errno = reason;
      return false;
    }
    // A huge page would make the first touch of a small block clear 2 MiB; a crash must not dump the
    // reservation.
    for (const auto& [at, size] : {std::pair{second, bytes}, std::pair{place + bytes, bytes / 2}}) {
      ::madvise(at, size, MADV_NOHUGEPAGE);
      ::madvise(at, size, MADV_DONTDUMP);
    }
    device_bytes = bytes;
    shared_bytes = bytes / 2;
    backing = second;
    to_backing = reinterpret_cast<std::uint64_t>(second) - base;
    const auto middle = static_cast<std::uint32_t>(device_bytes >> kGranuleShift);
    const auto end = static_cast<std::uint32_t>(total >> kGranuleShift);
    // The first granule of each part stays empty: the gap before its first block.
    device.first_granule = device.next_granule = 1;
    device.end_granule = middle;
    shared.first_granule = shared.next_granule = middle + 1;
    shared.end_granule = end;
    granule_slot.assign(end, 0);
    return true;
  }

  bool contains(DeviceAddress address) const { return address - base < device_bytes + shared_bytes; }

  std::byte* host(DeviceAddress address) const {
    const std::uint64_t at = address - base < device_bytes ? address + to_backing : address;
    return reinterpret_cast<std::byte*>(at);
  }

  Arena& arena(AllocationKind kind) {
    return kind == AllocationKind::managed || kind == AllocationKind::host ? shared : device;
  }

  std::uint32_t slot_number(DeviceAddress address) const {
    return contains(address) ? granule_slot[(address - base) >> kGranuleShift] - 1 : kNone;
  }

  const Slot* slot_at(DeviceAddress address) const {
    const std::uint32_t number = slot_number(address);
    return number == kNone ? nullptr : &slots[number];
  }

  /// The record of the allocation that begins there, dead or alive; nullptr if there is none.
  Allocation* record_of(DeviceAddress begin) {
    const std::uint32_t number = slot_number(begin);
    return number != kNone && slots[number].record.begin == begin ? &slots[number].record : nullptr;
  }

  DeviceAddress block_begin(const Slot& slot) const {
    return base + (std::uint64_t{slot.first_granule} << kGranuleShift) + slot.lead;
  }

  std::uint32_t make_slot(std::uint32_t first, std::uint32_t granules) {
    std::uint32_t number;
    if (retired.empty()) {
      number = static_cast<std::uint32_t>(slots.size());
      slots.emplace_back();
    } else {
      number = retired.back();
      retired.pop_back();
      slots[number] = Slot{};
    }
    slots[number].first_granule = first;
    slots[number].granules = granules;
    std::fill_n(granule_slot.begin() + first, granules, number + 1);
    return number;
  }

  /// Granules that no slot holds: fresh ones or a hole; kNone if there are none.
  static std::uint32_t take_granules(Arena& from, std::uint32_t count) {
    if (count <= from.end_granule - from.next_granule) {
      const std::uint32_t first = from.next_granule;
      from.next_granule += count;
      return first;
    }
    for (auto& [first, size] : from.holes) {
      if (size < count) continue;
      const std::uint32_t taken = first;
      first += count;
      size -= count;
      return taken;
    }
    return kNone;
  }

  /// Gives up what is known of the dead blocks, so that their granules can be joined and cut anew.
  void consolidate(Arena& in) {
    std::vector<std::uint32_t> dead = std::move(in.freed_tight);
    in.freed_tight.clear();
    for (auto& list : in.freed) {
      dead.insert(dead.end(), list.begin(), list.end());
      list.clear();
    }
    for (const Recyclable& block : in.recyclable) dead.push_back(block.slot);
    in.recyclable.clear();
    for (const std::uint32_t number : dead) {
      const Slot& slot = slots[number];
      in.holes.emplace_back(slot.first_granule, slot.granules);
      std::fill_n(granule_slot.begin() + slot.first_granule, slot.granules, 0);
      retired.push_back(number);
    }
    std::sort(in.holes.begin(), in.holes.end());
    std::vector<std::pair<std::uint32_t, std::uint32_t>> joined;
    for (const auto& hole : in.holes) {
      if (hole.second == 0) continue;
      if (!joined.empty() && joined.back().first + joined.back().second == hole.first) {
        joined.back().second += hole.second;
      } else {
        joined.push_back(hole);
      }
    }
    in.holes = std::move(joined);
    if (!in.holes.empty() && in.holes.back().first + in.holes.back().second == in.next_granule) {
      in.next_granule = in.holes.back().first;
      in.holes.pop_back();
    }
  }

  /// A slot for `bytes` whose content does not matter; kNone if the address space is used up.
  std::uint32_t take_slot(Arena& from, std::uint64_t bytes) {
    if (bytes > device_bytes) return kNone;
    const std::uint64_t slot_bytes = std::max(kSmallestSlot, std::bit_ceil(2 * bytes));
    const auto size_class = static_cast<std::uint8_t>(std::countr_zero(slot_bytes) - kGranuleShift);
    auto& list = from.freed[size_class];
    const auto reuse_oldest = [&] {
      const std::uint32_t number = list.front();
      list.pop_front();
      return number;
    };
    if (list.size() > quarantine_depth(slot_bytes)) return reuse_oldest();
    for (const bool consolidated : {false, true}) {
      if (consolidated) consolidate(from);
      const std::uint32_t first =
          take_granules(from, static_cast<std::uint32_t>(slot_bytes >> kGranuleShift));
      if (first != kNone) {
        const std::uint32_t number =
            make_slot(first, static_cast<std::uint32_t>(slot_bytes >> kGranuleShift));
        slots[number].size_class = size_class;
        // The colour keeps blocks from all beginning in the same cache set.
        slots[number].lead = slot_bytes / 4 + (std::uint64_t{number} * 0x1100 & 0xff00);
        return number;
      }
      if (!list.empty()) return reuse_oldest();
    }
    const std::uint64_t tight_bytes = round_up(bytes, kMiB) + 2 * kMiB;
    const auto tight_granules = static_cast<std::uint32_t>(tight_bytes >> kGranuleShift);
    const std::uint32_t first = take_granules(from, tight_granules);
    if (first == kNone) return kNone;
    const std::uint32_t number = make_slot(first, tight_granules);
    slots[number].tight = true;
    slots[number].lead = kMiB;
    return number;
  }

  void link_live(std::uint32_t number) {
    Slot& slot = slots[number];
    slot.previous = newest_live;
    slot.next = kNone;
    (newest_live == kNone ? oldest_live : slots[newest_live].next) = number;
    newest_live = number;
  }

  void unlink_live(std::uint32_t number) {
    Slot& slot = slots[number];
    (slot.previous == kNone ? oldest_live : slots[slot.previous].next) = slot.next;
    (slot.next == kNone ? newest_live : slots[slot.next].previous) = slot.previous;
  }

  /// Hands a dead slot to the free lists without its content.
  void quarantine(Arena& in, std::uint32_t number) {
    Slot& slot = slots[number];
    if (slot.record.capacity >= kReleaseAt) {
      const std::uint64_t page = 4096;
      const std::uint64_t begin = reinterpret_cast<std::uint64_t>(host(block_begin(slot))) / page * page;
      ::madvise(reinterpret_cast<void*>(begin), round_up(slot.record.capacity + page, page), MADV_DONTNEED);
    }
    if (slot.tight) {
      in.freed_tight.push_back(number);
    } else {
      in.freed[slot.size_class].push_back(number);
    }
  }

  void release(std::uint32_t number, bool keep_content) {
    Slot& slot = slots[number];
    slot.record.live = false;
    unlink_live(number);
    ++frees;
    Arena& in = arena(slot.record.kind);
    if (keep_content) {
      in.recyclable.insert({slot.record.capacity, ~frees, number});
    } else {
      quarantine(in, number);
    }
  }

  void forget_content(Arena& in) {
    std::vector<Recyclable> blocks(in.recyclable.begin(), in.recyclable.end());
    std::sort(blocks.begin(), blocks.end(),
              [](const Recyclable& a, const Recyclable& b) { return a.freed_before > b.freed_before; });
    for (const Recyclable& block : blocks) quarantine(in, block.slot);
    in.recyclable.clear();
  }
};

DeviceMemory::DeviceMemory(std::uint64_t capacity) : capacity_(capacity) {
  const std::uint64_t wanted = capacity > kLargestReservation / 4 && capacity < (std::uint64_t{1} << 44)
                                   ? 4 * std::bit_ceil(capacity)
                                   : kLargestReservation;
  region_ = new Region(wanted);
}

DeviceMemory::~DeviceMemory() {
  delete region_;
}

DeviceAddress DeviceMemory::allocate(std::uint64_t size, AllocationKind kind, std::string name,
                                     std::uint32_t misalign) {
  if (size == 0 || size > capacity_ - bytes_live_) return 0;
  if (misalign >= kAlignment) {
    throw std::invalid_argument(
        fmt::format("a misalignment of {} bytes; it must be less than {}", misalign, kAlignment));
  }
  Region& region = *region_;
  Arena& arena = region.arena(kind);
  const std::uint64_t capacity = round_up(size + misalign, kCapacityStep);

  std::uint32_t number = kNone;
  bool has_content = false;
  if (fill_.recycle) {
    const auto block = arena.recyclable.lower_bound({size + misalign, 0, 0});
    if (block != arena.recyclable.end()) {
      number = block->slot;
      has_content = true;
      arena.recyclable.erase(block);
    }
  } else if (!arena.recyclable.empty()) {
    region.forget_content(arena);
  }
  if (number == kNone) number = region.take_slot(arena, capacity);
  if (number == kNone) return 0;

  Slot& slot = region.slots[number];
  const DeviceAddress block = region.block_begin(slot);
  Allocation& record = slot.record;
  record.begin = block + misalign;
  record.size = size;
  if (!has_content) {
    record.capacity = capacity;
    // The phase of the pattern is the allocation's, so that every word of an aligned array holds it.
    std::byte* const bytes = region.host(block);
    fill_pattern(bytes + misalign, capacity - misalign, fill_.pattern);
    fill_pattern(bytes, misalign, fill_.pattern);
  }
  record.kind = kind;
  record.live = true;
  record.read_only = false;
  record.id = next_id_++;
  record.name = std::move(name);
  region.link_live(number);
  bytes_live_ += size;
  ++live_count_;
  return record.begin;
}

bool DeviceMemory::free(DeviceAddress address) {
  const Allocation* const record = region_->record_of(address);
  if (record == nullptr || !record->live) return false;
  bytes_live_ -= record->size;
  --live_count_;
  region_->release(region_->slot_number(address), fill_.recycle);
  return true;
}

void DeviceMemory::free_all(bool keep_content) {
  Region& region = *region_;
  for (std::uint32_t number = region.oldest_live; number != kNone;) {
    const Slot& slot = region.slots[number];
    const std::uint32_t next = slot.next;
    if (slot.record.kind != AllocationKind::variable) {
      bytes_live_ -= slot.record.size;
      --live_count_;
      region.release(number, keep_content);
    }
    number = next;
  }
  if (!keep_content) {
    region.forget_content(region.device);
    region.forget_content(region.shared);
  }
}

const Allocation* DeviceMemory::find(DeviceAddress address) const {
  const Slot* const slot = region_->slot_at(address);
  return slot != nullptr && address - slot->record.begin < slot->record.size ? &slot->record : nullptr;
}

const Allocation* DeviceMemory::nearest(DeviceAddress address) const {
  const Slot* const slot = region_->slot_at(address);
  return slot != nullptr ? &slot->record : nullptr;
}

const Allocation* DeviceMemory::live_range(DeviceAddress address, std::uint64_t size) const {
  const Slot* const slot = region_->slot_at(address);
  if (slot == nullptr || !slot->record.live) return nullptr;
  const std::uint64_t offset = address - slot->record.begin;
  const std::uint64_t length = slot->record.size;
  return offset < length && size <= length - offset ? &slot->record : nullptr;
}

void DeviceMemory::set_name(DeviceAddress begin, std::string name) {
  if (Allocation* const record = region_->record_of(begin)) record->name = std::move(name);
}

void DeviceMemory::set_read_only(DeviceAddress begin, bool read_only) {
  if (Allocation* const record = region_->record_of(begin)) record->read_only = read_only;
}

bool DeviceMemory::is_device_space(DeviceAddress address) const {
  return region_->contains(address);
}

std::byte* DeviceMemory::host(DeviceAddress address) const {
  return region_->host(address);
}

const Allocation* DeviceMemory::slot_record(std::uint32_t slot) const {
  return nearest(std::uint64_t{slot} << kGranuleShift);
}

}  // namespace warpcheck::simt

#include <algorithm>
#include <bit>
#include <cstring>
#include <type_traits>

#include "framework/simt/engine.hpp"
#include "framework/simt/lane_addresses.hpp"

namespace warpcheck::simt {
namespace {

/// All bits of a used_bytes mask below `bytes` are set.
bool all_used(const MemoryOp& op) {
  const std::uint32_t bytes = op.bytes();
  const std::uint32_t all = bytes >= 32 ? 0xffffffffu : (1u << bytes) - 1;
  return (op.used_bytes & all) == all;
}

/// The byte at a host address. Bases are numbers, since an address space's origin is no valid pointer.
inline std::byte* byte_at(std::uint64_t host) {
  return reinterpret_cast<std::byte*>(host);
}
std::uint64_t number_of(const std::byte* host) {
  return reinterpret_cast<std::uint64_t>(host);
}

/// One vector element of a load from `base` + address: extended to the register, other lanes kept.
template <class Memory, class Register, class Address>
inline void load_element(std::uint64_t base, const Address* address, Register* d, LaneMask mask) {
  const auto read = [base](Address at) {
    Memory value;
    std::memcpy(&value, byte_at(base + at), sizeof value);
    if constexpr (std::is_signed_v<Memory>) {
      return static_cast<Register>(static_cast<std::make_signed_t<Register>>(value));
    } else {
      return static_cast<Register>(value);
    }
  };
  if (mask == kAllLanes) {
    if constexpr (sizeof(Memory) == sizeof(Register)) {
      if (consecutive(address, static_cast<Address>(sizeof(Memory)))) {
        std::memcpy(d, byte_at(base + address[0]), sizeof(Memory) * kWarpSize);
        return;
      }
    }
    for (int lane = 0; lane < kWarpSize; ++lane) d[lane] = read(address[lane]);
    return;
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    d[lane] = read(address[lane]);
  }
}

template <class Memory, class Register, class Address>
inline void store_element(std::uint64_t base, const Address* address, const Register* a, LaneMask mask) {
  if constexpr (sizeof(Memory) == sizeof(Register)) {
    if (mask == kAllLanes && consecutive(address, static_cast<Address>(sizeof(Memory)))) {
      std::memcpy(byte_at(base + address[0]), a, sizeof(Memory) * kWarpSize);
      return;
    }
  }
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Memory value = static_cast<Memory>(a[lane]);
    std::memcpy(byte_at(base + address[lane]), &value, sizeof value);
  }
}

template <class Register, class Address>
void load_into(const MemoryOp& op, std::uint64_t base, const Address* address, Register* d, LaneMask mask) {
  switch (op.element_bytes) {
    case 1:
      return op.sign ? load_element<std::int8_t>(base, address, d, mask)
                     : load_element<std::uint8_t>(base, address, d, mask);
    case 2:
      return op.sign ? load_element<std::int16_t>(base, address, d, mask)
                     : load_element<std::uint16_t>(base, address, d, mask);
    case 4:
      return op.sign && sizeof(Register) > 4 ? load_element<std::int32_t>(base, address, d, mask)
                                             : load_element<std::uint32_t>(base, address, d, mask);
    default:
      if constexpr (sizeof(Register) == 8) load_element<std::uint64_t>(base, address, d, mask);
      return;
  }
}

template <class Register, class Address>
void store_from(const MemoryOp& op, std::uint64_t base, const Address* address, const Register* a,
                LaneMask mask) {
  switch (op.element_bytes) {
    case 1:
      return store_element<std::uint8_t>(base, address, a, mask);
    case 2:
      return store_element<std::uint16_t>(base, address, a, mask);
    case 4:
      return store_element<std::uint32_t>(base, address, a, mask);
    default:
      if constexpr (sizeof(Register) == 8) store_element<std::uint64_t>(base, address, a, mask);
      return;
  }
}

/// All elements of a load whose addresses are good.
template <class Address>
inline void load_lanes(const MemoryOp& op, const LaneContext& context, std::uint64_t base,
                       const Address* address, LaneMask mask) {
  if (op.count == 1 && op.element_bytes == 4 && !op.wide) {
    load_element<std::uint32_t>(base, address, context.at<std::uint32_t>(op.data[0]), mask);
    return;
  }
  for (std::uint32_t i = 0; i < op.count; ++i) {
    if (op.data[i] == kNoOperand) continue;
    const std::uint64_t element = base + i * op.element_bytes;
    if (op.wide) {
      load_into(op, element, address, context.at<std::uint64_t>(op.data[i]), mask);
    } else {
      load_into(op, element, address, context.at<std::uint32_t>(op.data[i]), mask);
    }
  }
}

/// A load of all lanes from one address.
void load_uniform(const MemoryOp& op, const LaneContext& context, const std::byte* from, LaneMask mask) {
  for (std::uint32_t i = 0; i < op.count; ++i) {
    if (op.data[i] == kNoOperand) continue;
    std::uint64_t value = 0;
    std::memcpy(&value, from + i * op.element_bytes, op.element_bytes);
    if (op.sign) {
      const int unused = 64 - 8 * op.element_bytes;
      value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
    }
    if (op.wide) {
      std::uint64_t* const d = context.at<std::uint64_t>(op.data[i]);
      for (int lane = 0; lane < kWarpSize; ++lane) d[lane] = (mask >> lane & 1u) ? value : d[lane];
    } else {
      std::uint32_t* const d = context.at<std::uint32_t>(op.data[i]);
      for (int lane = 0; lane < kWarpSize; ++lane) {
        d[lane] = (mask >> lane & 1u) ? static_cast<std::uint32_t>(value) : d[lane];
      }
    }
  }
}

template <class Address>
inline void store_lanes(const MemoryOp& op, const LaneContext& context, std::uint64_t base,
                        const Address* address, LaneMask mask) {
  if (op.count == 1) {
    if (op.element_bytes == 4) {
      store_element<std::uint32_t>(base, address, context.at<std::uint32_t>(op.data[0]), mask);
    } else if (op.wide) {
      store_from(op, base, address, context.at<std::uint64_t>(op.data[0]), mask);
    } else {
      store_from(op, base, address, context.at<std::uint32_t>(op.data[0]), mask);
    }
    return;
  }
  // Lane by lane, so that of two lanes that write to overlapping bytes one wins as a whole.
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (std::uint32_t i = 0; i < op.count; ++i) {
      const std::uint64_t value =
          op.wide ? context.at<std::uint64_t>(op.data[i])[lane] : context.at<std::uint32_t>(op.data[i])[lane];
      std::memcpy(byte_at(base + address[lane] + i * op.element_bytes), &value, op.element_bytes);
    }
  }
}

}  // namespace

/// Shared memory through 32-bit addresses, where the instruction found its variable before: most accesses
/// there are. False if that is not the case; nothing has been done then.
bool Engine::shared_quickly(Warp& warp, const Group& group, const MemoryOp& op, LaneMask mask, bool writes) {
  alignas(64) std::uint32_t address[kWarpSize];
  lane_addresses(*group.frame, program_->constants, op, mask, address);
  const SharedSite& site = shared_sites_[op.site];
  if (!all_inside(address, site.begin, site.end, op.bytes())) return false;
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  if (observer_ != nullptr) {
    std::uint64_t wide[kWarpSize];
    std::copy(std::begin(address), std::end(address), wide);
    observe(warp, group, op, writes ? Access::Operation::store : Access::Operation::load, ptx::Space::shared,
            mask, wide);
  }
  if (writes) {
    store_lanes(op, context, number_of(warp.block->shared.data()), address, mask);
  } else {
    load_lanes(op, context, number_of(warp.block->shared.data()), address, mask);
  }
  return true;
}

void Engine::observe(Warp& warp, const Group& group, const MemoryOp& op, Access::Operation operation,
                     ptx::Space space, LaneMask mask, const std::uint64_t* address) {
  const WarpPlace place{program_, group.frame->function, group.pc, warp.block->index, warp.index, mask};
  Access access;
  access.operation = operation;
  access.space = space;
  access.bytes = op.bytes();
  access.mask = mask;
  access.addresses = address;
  access.is_volatile = op.is_volatile;
  access.semantics = op.semantics;
  access.scope = op.scope;
  access.used_bytes = operation == Access::Operation::load ? op.used_bytes : 0xffffffffu;
  observer_->access(place, access);
}

bool Engine::load(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  const MemoryOp& op = group.frame->code->memory[instr.aux];
  if (op.space == ptx::Space::shared && op.form == AddressForm::reg32 &&
      shared_quickly(warp, group, op, mask, false)) {
    return true;
  }
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  alignas(64) std::uint64_t address[kWarpSize];
  lane_addresses(*group.frame, program_->constants, op, mask, address);

  std::uint64_t base = 0;
  bool quick = false;  // where the instruction found its object before
  ptx::Space space = ptx::Space::global;
  if (op.space == ptx::Space::global || op.space == ptx::Space::none || op.space == ptx::Space::constant) {
    const GlobalSite& site = global_sites_[op.site];
    if (op.space == ptx::Space::constant) space = op.space;
    if (all_inside<std::uint64_t>(address, site.begin, site.end, op.bytes())) {
      base = number_of(site.bytes) - site.begin;
      quick = true;
    }
  } else if (op.space == ptx::Space::shared) {
    const SharedSite& site = shared_sites_[op.site];
    space = ptx::Space::shared;
    if (all_inside<std::uint64_t>(address, site.begin, site.end, op.bytes())) {
      base = number_of(warp.block->shared.data());
      quick = true;
    }
  } else if (op.space == ptx::Space::param && op.form == AddressForm::constant) {
    const std::uint64_t begin = address[0] - kParameterWindow;
    space = ptx::Space::param;
    if (begin <= parameters_.size() && parameters_.size() - begin >= op.bytes() && begin % op.bytes() == 0) {
      base = number_of(parameters_.data()) - kParameterWindow;
      quick = true;
    }
  }
  if (quick) {
    if (observer_ != nullptr) observe(warp, group, op, Access::Operation::load, space, mask, address);
    if (op.form == AddressForm::constant) {
      load_uniform(op, context, byte_at(base + address[0]), mask);
    } else {
      load_lanes(op, context, base, address, mask);
    }
    return true;
  }

  std::byte* bytes[kWarpSize];
  ptx::Space spaces[kWarpSize];
  if (!resolve(warp, group, op, Access::Operation::load, mask, address, bytes, spaces)) return false;
  const bool whole = all_used(op);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    for (std::uint32_t i = 0; i < op.count; ++i) {
      if (op.data[i] == kNoOperand) continue;
      std::uint64_t value = 0;
      if (whole) {
        std::memcpy(&value, bytes[lane] + i * op.element_bytes, op.element_bytes);
      } else {
        // Only bytes that are used: the others may lie outside.
        for (std::uint32_t b = 0; b < op.element_bytes; ++b) {
          const std::uint32_t at = i * op.element_bytes + b;
          if (op.used_bytes >> at & 1u)
            value |= std::uint64_t{std::to_integer<std::uint8_t>(bytes[lane][at])} << 8 * b;
        }
      }
      if (op.sign) {
        const int unused = 64 - 8 * op.element_bytes;
        value = static_cast<std::uint64_t>(static_cast<std::int64_t>(value << unused) >> unused);
      }
      if (op.wide) {
        context.at<std::uint64_t>(op.data[i])[lane] = value;
      } else {
        context.at<std::uint32_t>(op.data[i])[lane] = static_cast<std::uint32_t>(value);
      }
    }
  }
  return true;
}

bool Engine::store(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  const MemoryOp& op = group.frame->code->memory[instr.aux];
  if (op.space == ptx::Space::shared && op.form == AddressForm::reg32 &&
      shared_quickly(warp, group, op, mask, true)) {
    return true;
  }
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  alignas(64) std::uint64_t address[kWarpSize];
  lane_addresses(*group.frame, program_->constants, op, mask, address);

  std::uint64_t base = 0;
  bool quick = false;  // where the instruction found its object before
  ptx::Space space = ptx::Space::global;
  if (op.space == ptx::Space::global || op.space == ptx::Space::none) {
    const GlobalSite& site = global_sites_[op.site];
    if (site.writable && all_inside<std::uint64_t>(address, site.begin, site.end, op.bytes())) {
      base = number_of(site.bytes) - site.begin;
      quick = true;
    }
  } else if (op.space == ptx::Space::shared) {
    const SharedSite& site = shared_sites_[op.site];
    space = ptx::Space::shared;
    if (all_inside<std::uint64_t>(address, site.begin, site.end, op.bytes())) {
      base = number_of(warp.block->shared.data());
      quick = true;
    }
  }
  if (quick) {
    if (observer_ != nullptr) observe(warp, group, op, Access::Operation::store, space, mask, address);
    store_lanes(op, context, base, address, mask);
    return true;
  }

  std::byte* bytes[kWarpSize];
  ptx::Space spaces[kWarpSize];
  if (!resolve(warp, group, op, Access::Operation::store, mask, address, bytes, spaces)) return false;
  std::uint64_t host[kWarpSize];
  for (int lane = 0; lane < kWarpSize; ++lane) {
    host[lane] = (mask >> lane & 1u) ? reinterpret_cast<std::uint64_t>(bytes[lane]) : 0;
  }
  store_lanes(op, context, std::uint64_t{0}, host, mask);
  return true;
}

bool Engine::resolve(Warp& warp, Group& group, const MemoryOp& op, Access::Operation operation, LaneMask mask,
                     const std::uint64_t* address, std::byte** bytes, ptx::Space* spaces) {
  const bool writes = operation != Access::Operation::load;
  LaneMask bad = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (!resolve_lane(warp, group, op, writes, lane, address[lane], bytes[lane], spaces[lane])) {
      bad |= LaneMask{1} << lane;
    }
  }
  if (bad != 0) {
    report_access(warp, group, op, writes, bad, address);
    return false;
  }
  if (observer_ != nullptr) {
    // A generic access may go to several spaces: one call for each.
    for (LaneMask rest = mask; rest != 0;) {
      const ptx::Space space = spaces[std::countr_zero(rest)];
      LaneMask same = 0;
      std::uint64_t in_space[kWarpSize];
      for (int lane = 0; lane < kWarpSize; ++lane) {
        in_space[lane] = address[lane];
        if ((rest >> lane & 1u) == 0 || spaces[lane] != space) continue;
        same |= LaneMask{1} << lane;
        if (op.space == ptx::Space::none && space == ptx::Space::shared) in_space[lane] -= kSharedWindow;
        if (op.space == ptx::Space::none && space == ptx::Space::local) in_space[lane] -= kLocalWindow;
      }
      observe(warp, group, op, operation, space, same, in_space);
      rest &= ~same;
    }
  }
  return true;
}

bool Engine::resolve_lane(Warp& warp, const Group& group, const MemoryOp& op, bool writes, int lane,
                          std::uint64_t address, std::byte*& bytes, ptx::Space& space) {
  // Without a qualifier the address says where it points. Parameters of a device function are in its local
  // area.
  space = op.space;
  if (space == ptx::Space::none) {
    if (address - kSharedWindow < kWindowSize) {
      space = ptx::Space::shared;
      address -= kSharedWindow;
    } else if (address - kLocalWindow < kWindowSize) {
      space = ptx::Space::local;
      address -= kLocalWindow;
    } else if (address - kParameterWindow < kWindowSize) {
      space = ptx::Space::param;
    } else {
      space = ptx::Space::global;
    }
  } else if (space == ptx::Space::param && address - kParameterWindow >= kWindowSize) {
    space = ptx::Space::local;
  }
  std::uint32_t first = 0, size = op.bytes();
  if (!writes && !all_used(op)) {
    const std::uint32_t used = op.used_bytes & (size >= 32 ? 0xffffffffu : (1u << size) - 1);
    if (used == 0) {
      static std::byte nothing[32]{};
      bytes = nothing;
      return true;
    }
    first = static_cast<std::uint32_t>(std::countr_zero(used));
    size = 32 - static_cast<std::uint32_t>(std::countl_zero(used)) - first;
  }
  if ((address & (op.bytes() - 1)) != 0) return false;
  const std::uint64_t begin = address + first;
  switch (space) {
    case ptx::Space::shared: {
      bool inside = false;
      const SharedObject* const object = shared_object_near(begin, inside, size);
      if (!inside) return false;
      shared_sites_[op.site] = {object->begin, object->begin + object->size};
      bytes = warp.block->shared.data() + address;
      return true;
    }
    case ptx::Space::local: {
      const Frame* owner = nullptr;
      if (local_object(*group.frame, begin, size, &owner) == nullptr) return false;
      bytes = warp.local.data() + std::size_t{warp.local_capacity} * static_cast<std::size_t>(lane) + address;
      return true;
    }
    case ptx::Space::param: {
      const std::uint64_t offset = begin - kParameterWindow;
      if (writes || offset > parameters_.size() || parameters_.size() - offset < size) return false;
      bytes = parameters_.data() + (address - kParameterWindow);
      return true;
    }
    default: {
      const Allocation* const allocation = memory_.live_range(begin, size);
      if (allocation == nullptr || (writes && allocation->read_only)) return false;
      if (op.space == ptx::Space::constant &&
          !(allocation->kind == AllocationKind::variable && allocation->read_only)) {
        return false;
      }
      GlobalSite& site = global_sites_[op.site];
      site = {allocation->begin, allocation->end(), memory_.host(allocation->begin), !allocation->read_only};
      // Unused bytes of a load may lie before the allocation: no pointer arithmetic.
      bytes = byte_at(number_of(site.bytes) + address - site.begin);
      return true;
    }
  }
}

}  // namespace warpcheck::simt

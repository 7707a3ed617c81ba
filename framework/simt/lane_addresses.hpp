#pragma once

#include <bit>
#include <cstdint>

#include "framework/simt/frames.hpp"

/// The addresses of one memory instruction, lane by lane.
namespace warpcheck::simt {

/// Addresses of the lanes in `mask`; the other lanes get one of them, so that checks need not know the mask.
/// `Address` is std::uint64_t, or std::uint32_t for AddressForm::reg32, which wraps around in 32 bits.
template <class Address>
inline void lane_addresses(const Frame& frame, std::byte* constants, const MemoryOp& op, LaneMask mask,
                           Address* to) {
  const LaneContext context{{frame.registers.data(), constants}};
  const auto offset = static_cast<Address>(op.offset);
  switch (op.form) {
    case AddressForm::reg64: {
      const std::uint64_t* const a = context.at<std::uint64_t>(op.address);
      for (int lane = 0; lane < kWarpSize; ++lane) to[lane] = static_cast<Address>(a[lane]) + offset;
      break;
    }
    case AddressForm::reg32: {
      const std::uint32_t* const a = context.at<std::uint32_t>(op.address);
      const auto low = static_cast<std::uint32_t>(op.offset);
      for (int lane = 0; lane < kWarpSize; ++lane) to[lane] = static_cast<std::uint32_t>(a[lane] + low);
      break;
    }
    case AddressForm::constant:
      for (int lane = 0; lane < kWarpSize; ++lane) to[lane] = offset;
      return;
    case AddressForm::frame:
      for (int lane = 0; lane < kWarpSize; ++lane) to[lane] = frame.local_base + offset;
      return;
  }
  if (mask != kAllLanes) {
    const Address some = to[std::countr_zero(mask)];
    for (int lane = 0; lane < kWarpSize; ++lane) to[lane] = (mask >> lane & 1u) ? to[lane] : some;
  }
}

/// true if [address, address + bytes) lies in [begin, end) for all 32 addresses, and all are multiples of
/// `bytes`, a power of two.
template <class Address>
inline bool all_inside(const Address* address, Address begin, Address end, Address bytes) {
  if (static_cast<Address>(end - begin) < bytes) return false;
  const auto limit = static_cast<Address>(end - begin - bytes);
  Address bits = 0, farthest = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const auto distance = static_cast<Address>(address[lane] - begin);
    farthest = distance > farthest ? distance : farthest;
    bits |= address[lane];
  }
  return farthest <= limit && (bits & (bytes - 1)) == 0;
}

/// true if lane i's address is that of lane 0 plus i × bytes.
template <class Address>
inline bool consecutive(const Address* address, Address bytes) {
  Address difference = 0;
  for (Address lane = 0; lane < kWarpSize; ++lane) difference |= address[lane] ^ (address[0] + lane * bytes);
  return difference == 0;
}

}  // namespace warpcheck::simt

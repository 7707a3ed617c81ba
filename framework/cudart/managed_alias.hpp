#pragma once

#include <cstddef>
#include <cstdint>

/// Managed variables: the machine places every module variable where the host cannot reach it, but a
/// `__managed__` one has the same address on both sides.
namespace warpcheck::cudart {

/// Makes the bytes of a variable reachable by the host at its device address, keeping what they hold. `bytes`
/// is what is behind the address. Whole pages are shared: nothing else may lie within a page of the variable.
/// Throws std::runtime_error with one line if the system refuses.
void share_with_host(std::uint64_t device_address, std::byte* bytes, std::uint64_t size);

/// Takes that back: the host faults again, the bytes are lost.
void unshare(std::uint64_t device_address, std::byte* bytes, std::uint64_t size);

}  // namespace warpcheck::cudart

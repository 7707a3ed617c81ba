#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Fat binaries made by hand, from a description of the format that is independent of the reader under test.
namespace warpcheck::cudart {

struct EntryToWrite {
  std::uint16_t kind{1};  ///< 1: PTX, 2: machine code
  std::uint32_t sm{80};
  std::string payload;  ///< as stored
  std::uint64_t flags{0x11};
  std::uint64_t uncompressed_size{};
};

/// Header, entries and padding.
inline std::vector<std::byte> fatbin_of(const std::vector<EntryToWrite>& entries) {
  std::vector<std::byte> bytes;
  const auto append = [&](auto number) {
    for (std::size_t i = 0; i < sizeof number; ++i) {
      bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(number) >> (8 * i)));
    }
  };
  append(std::uint32_t{0xba55ed50});
  append(std::uint16_t{1});
  append(std::uint16_t{16});
  std::uint64_t total = 0;
  for (const EntryToWrite& entry : entries) total += 64 + (entry.payload.size() + 7) / 8 * 8;
  append(total);
  for (const EntryToWrite& entry : entries) {
    const bool compressed = entry.uncompressed_size != 0;
    append(entry.kind);
    append(std::uint16_t{0x101});
    append(std::uint32_t{64});
    append(std::uint64_t{(entry.payload.size() + 7) / 8 * 8});
    append(static_cast<std::uint32_t>(compressed ? entry.payload.size() : 0));
    append(std::uint32_t{0});
    append(std::uint16_t{0});
    append(std::uint16_t{9});
    append(entry.sm);
    append(std::uint64_t{0});
    append(entry.flags);
    append(std::uint64_t{0});
    append(entry.uncompressed_size);
    for (const char c : entry.payload) bytes.push_back(static_cast<std::byte>(c));
    while (bytes.size() % 8 != 0) bytes.push_back(std::byte{0});
  }
  return bytes;
}

/// What __cudaRegisterFatBinary is given.
struct FatbinWrapper {
  std::uint32_t magic{0x466243b1};
  std::uint32_t version{1};
  const void* data{};
  const void* unused{};
};

}  // namespace warpcheck::cudart

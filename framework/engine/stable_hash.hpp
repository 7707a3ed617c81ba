#pragma once

#include <cstdint>
#include <string_view>

namespace warpcheck::engine {

/// FNV-1a over bytes and numbers: the same on every machine and in every version, so that seeds and file
/// names keep their meaning. Not for secrets.
class StableHash {
 public:
  StableHash& add(std::string_view bytes) {
    // The length goes in as well, so that {"ab","c"} and {"a","bc"} differ.
    add(static_cast<std::uint64_t>(bytes.size()));
    for (const char c : bytes) mix(static_cast<unsigned char>(c));
    return *this;
  }

  StableHash& add(std::uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) mix(static_cast<unsigned char>(number >> shift));
    return *this;
  }

  std::uint64_t value() const { return state_; }

 private:
  void mix(unsigned char byte) { state_ = (state_ ^ byte) * 0x100000001b3u; }

  std::uint64_t state_ = 0xcbf29ce484222325u;
};

}  // namespace warpcheck::engine

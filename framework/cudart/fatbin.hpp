#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

/// The container that nvcc puts PTX and machine code in, one entry for each target.
namespace warpcheck::cudart {

enum class PayloadKind : std::uint8_t { ptx, machine_code, other };

enum class Compression : std::uint8_t { none, lz4, zstd, unknown };

struct FatbinEntry {
  PayloadKind kind{};
  std::uint32_t sm{};  ///< 80 for compute_80 and sm_80
  Compression compression{};
  std::uint64_t uncompressed_size{};  ///< bytes; 0 if not compressed
  std::span<const std::byte> payload;
};

/// The container behind the argument of __cudaRegisterFatBinary: header and entries. Its length is what its
/// header says; if the address lies in a loaded file, the length must lie within that file's segment. Throws
/// std::runtime_error with one line if the wrapper or the header is not one.
std::span<const std::byte> fatbin_image(const void* wrapper);

/// All entries, in the container's order. Reads nothing outside `image`; throws std::runtime_error with one
/// line if a header does not fit.
std::vector<FatbinEntry> read_fatbin(std::span<const std::byte> image);

/// The text of a PTX entry, decompressed. Throws std::runtime_error with one line if the data are damaged or
/// compressed in a way that is not known.
std::string ptx_text(const FatbinEntry& entry);

/// The PTX that a device with compute capability `sm` compiles: the highest architecture that does not exceed
/// it; nullptr if there is none.
const FatbinEntry* choose_ptx(std::span<const FatbinEntry> entries, std::uint32_t sm);

/// Why there is none, and how to build it: "no PTX for sm_80 or lower (there is: PTX for sm_90, machine code
/// for sm_80): compile with -arch=compute_80".
std::string explain_no_ptx(std::span<const FatbinEntry> entries, std::uint32_t sm);

}  // namespace warpcheck::cudart

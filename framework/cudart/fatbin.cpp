#include "framework/cudart/fatbin.hpp"

#include <fmt/format.h>
#include <link.h>
#include <lz4.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace warpcheck::cudart {
namespace {

// Facts about the format, found by reading what nvcc 12 and 13 write. All numbers are little-endian.
constexpr std::uint32_t kWrapperMagic = 0x466243b1u;
constexpr std::uint32_t kImageMagic = 0xba55ed50u;
constexpr std::size_t kImageHeader = 16;
constexpr std::size_t kEntryHeader = 64;
constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagOldCompression = 0x1000;

constexpr std::uint64_t kLargestImage = std::uint64_t{1} << 32;
constexpr std::uint64_t kLargestText = std::uint64_t{1} << 28;

struct Wrapper {
  std::uint32_t magic;
  std::uint32_t version;
  const std::byte* data;
  const void* unused;
};

template <class Number>
Number number_at(std::span<const std::byte> bytes, std::size_t offset) {
  Number value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

struct Segment {
  std::uintptr_t address;
  std::size_t bytes_after;  ///< 0 if no loaded file holds the address
};

int visit_file(dl_phdr_info* info, std::size_t, void* data) {
  Segment& wanted = *static_cast<Segment*>(data);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const auto& header = info->dlpi_phdr[i];
    const std::uintptr_t begin = info->dlpi_addr + header.p_vaddr;
    if (header.p_type == PT_LOAD && wanted.address - begin < header.p_memsz) {
      wanted.bytes_after = begin + header.p_memsz - wanted.address;
      return 1;
    }
  }
  return 0;
}

/// Bytes from an address to the end of its segment, or `otherwise` if it lies in no loaded file (on the
/// heap).
std::size_t readable_bytes(const void* address, std::size_t otherwise) {
  Segment wanted{reinterpret_cast<std::uintptr_t>(address), 0};
  return ::dl_iterate_phdr(visit_file, &wanted) != 0 ? wanted.bytes_after : otherwise;
}

[[noreturn]] void fail(const std::string& message) {
  throw std::runtime_error(message);
}

}  // namespace

std::span<const std::byte> fatbin_image(const void* wrapper) {
  if (wrapper == nullptr) fail("the fat binary's wrapper is a null pointer");
  if (readable_bytes(wrapper, sizeof(Wrapper)) < sizeof(Wrapper)) {
    fail("the fat binary's wrapper ends with its file");
  }
  Wrapper fields;
  std::memcpy(&fields, wrapper, sizeof fields);
  if (fields.magic != kWrapperMagic) {
    fail(fmt::format("the fat binary's wrapper begins with {:#x}, not with {:#x}", fields.magic,
                     kWrapperMagic));
  }
  if (fields.data == nullptr) fail("the fat binary's wrapper holds no data");
  const std::size_t readable = readable_bytes(fields.data, kLargestImage);
  if (readable < kImageHeader) fail("the fat binary ends with its file");
  const std::span<const std::byte> header(fields.data, kImageHeader);
  const auto magic = number_at<std::uint32_t>(header, 0);
  if (magic != kImageMagic)
    fail(fmt::format("the fat binary begins with {:#x}, not with {:#x}", magic, kImageMagic));
  const std::uint64_t header_size = number_at<std::uint16_t>(header, 6);
  const auto size = number_at<std::uint64_t>(header, 8);
  if (size > readable || header_size > readable - size) {
    fail(fmt::format("the fat binary claims {} bytes, but only {} are there", size, readable));
  }
  return {fields.data, header_size + size};
}

std::vector<FatbinEntry> read_fatbin(std::span<const std::byte> image) {
  if (image.size() < kImageHeader) {
    fail(fmt::format("a fat binary of {} bytes; its header alone takes {}", image.size(), kImageHeader));
  }
  const auto magic = number_at<std::uint32_t>(image, 0);
  if (magic != kImageMagic)
    fail(fmt::format("the fat binary begins with {:#x}, not with {:#x}", magic, kImageMagic));
  const std::size_t header_size = number_at<std::uint16_t>(image, 6);
  const auto size = number_at<std::uint64_t>(image, 8);
  if (header_size < kImageHeader || header_size > image.size() || size > image.size() - header_size) {
    fail(fmt::format("the fat binary claims a header of {} and {} more bytes; it has {}", header_size, size,
                     image.size()));
  }
  std::vector<FatbinEntry> entries;
  std::span<const std::byte> rest = image.subspan(header_size, size);
  while (rest.size() >= kEntryHeader) {
    const std::size_t entry_header = number_at<std::uint32_t>(rest, 4);
    const auto payload_size = number_at<std::uint64_t>(rest, 8);
    if (entry_header < kEntryHeader || entry_header > rest.size() ||
        payload_size > rest.size() - entry_header) {
      fail(fmt::format(
          "entry {} of the fat binary claims a header of {} and a payload of {} bytes; {} are left",
          entries.size(), entry_header, payload_size, rest.size()));
    }
    FatbinEntry entry;
    const auto kind = number_at<std::uint16_t>(rest, 0);
    entry.kind = kind == 1 ? PayloadKind::ptx : kind == 2 ? PayloadKind::machine_code : PayloadKind::other;
    entry.sm = number_at<std::uint32_t>(rest, 28);
    const auto flags = number_at<std::uint64_t>(rest, 40);
    entry.compression = (flags & kFlagLz4) != 0              ? Compression::lz4
                        : (flags & kFlagZstd) != 0           ? Compression::zstd
                        : (flags & kFlagOldCompression) != 0 ? Compression::unknown
                                                             : Compression::none;
    const std::uint64_t compressed_size = number_at<std::uint32_t>(rest, 16);
    std::uint64_t used = payload_size;
    if (entry.compression != Compression::none) {
      // The payload is padded; a decompressor wants the exact length.
      if (compressed_size > payload_size) {
        fail(fmt::format("entry {} of the fat binary claims {} compressed bytes in a payload of {}",
                         entries.size(), compressed_size, payload_size));
      }
      used = compressed_size;
      entry.uncompressed_size = number_at<std::uint64_t>(rest, 56);
    }
    entry.payload = rest.subspan(entry_header, used);
    entries.push_back(entry);
    rest = rest.subspan(entry_header + payload_size);
  }
  return entries;
}

std::string ptx_text(const FatbinEntry& entry) {
  const char* const data = reinterpret_cast<const char*>(entry.payload.data());
  const std::size_t size = entry.payload.size();
  const std::uint64_t wanted = entry.uncompressed_size;
  std::string text;
  const auto check_size = [&](std::uint64_t possible) {
    if (wanted > kLargestText || wanted > possible) {
      fail(fmt::format("compressed PTX of {} bytes claims to hold {}", size, wanted));
    }
  };
  switch (entry.compression) {
    case Compression::none:
      text.assign(data, size);
      break;
    case Compression::lz4: {
      // One byte of LZ4 stands for at most 255.
      check_size(std::uint64_t{255} * size + 64);
      text.resize(wanted);
      const int got =
          size > static_cast<std::size_t>(LZ4_MAX_INPUT_SIZE)
              ? -1
              : ::LZ4_decompress_safe(data, text.data(), static_cast<int>(size), static_cast<int>(wanted));
      if (got < 0 || static_cast<std::uint64_t>(got) != wanted) fail("LZ4-compressed PTX is damaged");
      break;
    }
    case Compression::zstd: {
      check_size(::ZSTD_getFrameContentSize(data, size) == wanted ? wanted : 0);
      text.resize(wanted);
      const std::size_t got = ::ZSTD_decompress(text.data(), wanted, data, size);
      if (::ZSTD_isError(got) != 0 || got != wanted) fail("zstd-compressed PTX is damaged");
      break;
    }
    case Compression::unknown:
      fail("PTX is compressed in an unknown way: compile with --no-compress");
  }
  // The text is followed by zeros up to the next multiple of eight.
  text.resize(std::min(text.find('\0'), text.size()));
  return text;
}

const FatbinEntry* choose_ptx(std::span<const FatbinEntry> entries, std::uint32_t sm) {
  const FatbinEntry* best = nullptr;
  for (const FatbinEntry& entry : entries) {
    if (entry.kind != PayloadKind::ptx || entry.sm > sm) continue;
    if (best == nullptr || entry.sm > best->sm) best = &entry;
  }
  return best;
}

std::string explain_no_ptx(std::span<const FatbinEntry> entries, std::uint32_t sm) {
  std::string present;
  for (const FatbinEntry& entry : entries) {
    if (!present.empty()) present += ", ";
    present += fmt::format("{} for sm_{}",
                           entry.kind == PayloadKind::ptx            ? "PTX"
                           : entry.kind == PayloadKind::machine_code ? "machine code"
                                                                     : "other data",
                           entry.sm);
  }
  if (present.empty()) present = "nothing";
  return fmt::format("no PTX for sm_{0} or lower (there is: {1}): compile with -arch=compute_{0}", sm,
                     present);
}

}  // namespace warpcheck::cudart

#include "framework/cudart/managed_alias.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace warpcheck::cudart {
namespace {

constexpr std::uint64_t kPage = 4096;

struct Pages {
  std::uint64_t lead;   ///< bytes before the variable in its first page
  std::uint64_t bytes;  ///< whole pages
};

Pages pages_around(std::uint64_t device_address, std::uint64_t size) {
  const std::uint64_t lead = device_address % kPage;
  return {lead, (lead + size + kPage - 1) / kPage * kPage};
}

}  // namespace

void share_with_host(std::uint64_t device_address, std::byte* bytes, std::uint64_t size) {
  const Pages pages = pages_around(device_address, size);
  const std::vector<std::byte> content(bytes - pages.lead, bytes - pages.lead + pages.bytes);
  const auto refuse = [&] {
    throw std::runtime_error(fmt::format("cannot share a managed variable of {} bytes with the host: {}",
                                         size, std::strerror(errno)));
  };
  const int file = ::memfd_create("managed variable", MFD_CLOEXEC);
  if (file < 0) refuse();
  bool mapped = ::ftruncate(file, static_cast<off_t>(pages.bytes)) == 0;
  for (void* const place :
       {static_cast<void*>(bytes - pages.lead), reinterpret_cast<void*>(device_address - pages.lead)}) {
    mapped = mapped &&
             ::mmap(place, pages.bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == place;
  }
  ::close(file);
  if (!mapped) refuse();
  std::memcpy(bytes - pages.lead, content.data(), content.size());
}

void unshare(std::uint64_t device_address, std::byte* bytes, std::uint64_t size) {
  const Pages pages = pages_around(device_address, size);
  constexpr int kFlags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED;
  ::mmap(bytes - pages.lead, pages.bytes, PROT_READ | PROT_WRITE, kFlags, -1, 0);
  ::mmap(reinterpret_cast<void*>(device_address - pages.lead), pages.bytes, PROT_NONE, kFlags, -1, 0);
}

}  // namespace warpcheck::cudart

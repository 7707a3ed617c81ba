#include "framework/worker/channel.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace warpcheck::worker {
namespace {

constexpr std::uint32_t kLongestMessage = 1u << 28;

bool send_all(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = ::send(socket, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t got = ::recv(socket, data, size, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    data += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace

bool send_message(int socket, std::string_view text) {
  // One system call for short messages: a batch of one run costs two context switches, not four.
  const auto length = static_cast<std::uint32_t>(text.size());
  std::string framed(sizeof length + text.size(), '\0');
  std::memcpy(framed.data(), &length, sizeof length);
  std::memcpy(framed.data() + sizeof length, text.data(), text.size());
  return send_all(socket, framed.data(), framed.size());
}

std::optional<std::string> receive_message(int socket, int timeout_ms) {
  if (timeout_ms >= 0) {
    pollfd waiting{socket, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, timeout_ms);
    if (ready == 0 || (ready < 0 && errno == EINTR)) return std::string{};
    if (ready < 0) return std::nullopt;
  }
  std::uint32_t length = 0;
  if (!receive_all(socket, reinterpret_cast<char*>(&length), sizeof length)) return std::nullopt;
  if (length == 0 || length > kLongestMessage) return std::nullopt;
  std::string text(length, '\0');
  if (!receive_all(socket, text.data(), length)) return std::nullopt;
  return text;
}

}  // namespace warpcheck::worker

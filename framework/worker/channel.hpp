#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace warpcheck::worker {

/// Sends one message; false if the other side is gone.
bool send_message(int socket, std::string_view text);

/// Waits for one message; nullopt if the other side is gone or sends what is no message.
/// With `timeout_ms` ≥ 0, an empty string after that time without a first byte.
std::optional<std::string> receive_message(int socket, int timeout_ms = -1);

}  // namespace warpcheck::worker

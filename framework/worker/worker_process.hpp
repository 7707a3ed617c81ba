#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "framework/worker/protocol.hpp"

namespace warpcheck::worker {

/// One worker process, its socket and the memory shared with it. Ends the process when destroyed.
class WorkerProcess {
 public:
  /// Starts the program and waits for its greeting. Throws std::runtime_error with one line if it does not
  /// come.
  explicit WorkerProcess(const std::filesystem::path& program);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  WorkerPage& page() const { return *reinterpret_cast<WorkerPage*>(shared_); }
  RequestPage& requests() const { return *reinterpret_cast<RequestPage*>(shared_ + kRequestOffset); }
  std::byte* inputs() const { return shared_ + kInputOffset; }

  /// The greeting, as JSON.
  const std::string& greeting() const { return greeting_; }

  /// Sends a message; false if the process is gone.
  bool send(std::string_view text);

  /// The reply; nullopt if the process died, an empty string after `timeout_ms` without one.
  std::optional<std::string> receive(int timeout_ms);

  /// Kills the process if it lives, and says in one line how it ended: "was killed by signal 11 (Segmentation
  /// fault)", "exited with status 3".
  std::string end();

 private:
  pid_t pid_{-1};
  int socket_{-1};
  std::byte* shared_{};
  std::string greeting_;
};

}  // namespace warpcheck::worker

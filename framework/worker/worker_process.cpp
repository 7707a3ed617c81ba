#include "framework/worker/worker_process.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>

#include "framework/worker/channel.hpp"

extern char** environ;

namespace warpcheck::worker {
namespace {

// Where the worker finds its ends; it is told on its command line.
constexpr int kSocketInWorker = 3;
constexpr int kMemoryInWorker = 4;
constexpr int kGreetingMs = 30'000;

std::runtime_error failure(const std::filesystem::path& program, std::string_view what) {
  return std::runtime_error(fmt::format("the worker {} cannot be started: {}", program.string(), what));
}

pid_t spawn(const std::filesystem::path& program, int socket, int memory) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  // Two steps, because either descriptor may already have the number that the other is to get.
  posix_spawn_file_actions_adddup2(&actions, socket, 10);
  posix_spawn_file_actions_adddup2(&actions, memory, 11);
  posix_spawn_file_actions_adddup2(&actions, 10, kSocketInWorker);
  posix_spawn_file_actions_adddup2(&actions, 11, kMemoryInWorker);
  posix_spawn_file_actions_addclose(&actions, 10);
  posix_spawn_file_actions_addclose(&actions, 11);
  // What a plug-in's host code prints must not mix with a report on standard output.
  posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);

  const std::string path = program.string();
  const std::string socket_text = std::to_string(kSocketInWorker);
  const std::string memory_text = std::to_string(kMemoryInWorker);
  const char* arguments[] = {path.c_str(), "--socket",          socket_text.c_str(),
                             "--memory",   memory_text.c_str(), nullptr};
  pid_t pid = -1;
  const int error =
      ::posix_spawn(&pid, path.c_str(), &actions, nullptr, const_cast<char* const*>(arguments), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw failure(program, std::strerror(error));
  return pid;
}

}  // namespace

WorkerProcess::WorkerProcess(const std::filesystem::path& program) {
  const int memory = ::memfd_create("warpcheck", MFD_CLOEXEC);
  if (memory < 0 || ::ftruncate(memory, static_cast<off_t>(kSharedBytes)) != 0) {
    throw failure(program, std::string("no shared memory: ") + std::strerror(errno));
  }
  void* const mapped =
      ::mmap(nullptr, kSharedBytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory, 0);
  if (mapped == MAP_FAILED) throw failure(program, std::string("no shared memory: ") + std::strerror(errno));
  shared_ = static_cast<std::byte*>(mapped);

  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    throw failure(program, std::string("no socket: ") + std::strerror(errno));
  }
  socket_ = ends[0];
  try {
    pid_ = spawn(program, ends[1], memory);
  } catch (...) {
    ::close(ends[0]);
    ::close(ends[1]);
    ::close(memory);
    ::munmap(shared_, kSharedBytes);
    throw;
  }
  ::close(ends[1]);
  ::close(memory);
  std::optional<std::string> greeting = receive(kGreetingMs);
  if (!greeting || greeting->empty() || page().protocol_version != kProtocolVersion) {
    const std::string how = end();
    ::close(socket_);
    ::munmap(shared_, kSharedBytes);
    throw failure(program, "it " + how + " before it was ready");
  }
  greeting_ = std::move(*greeting);
}

WorkerProcess::~WorkerProcess() {
  end();
  ::close(socket_);
  ::munmap(shared_, kSharedBytes);
}

bool WorkerProcess::send(std::string_view text) {
  return pid_ > 0 && send_message(socket_, text);
}

std::optional<std::string> WorkerProcess::receive(int timeout_ms) {
  if (pid_ <= 0) return std::nullopt;
  return receive_message(socket_, timeout_ms);
}

std::string WorkerProcess::end() {
  if (pid_ <= 0) return "had ended before";
  int status = 0;
  // A process that closed its end is about to die of its own fault, which is what is to be reported: it gets
  // a moment.
  ::shutdown(socket_, SHUT_WR);
  pid_t ended = 0;
  for (int waited_ms = 0; waited_ms < 200 && ended == 0; ++waited_ms) {
    ended = ::waitpid(pid_, &status, WNOHANG);
    if (ended == 0) ::usleep(1000);
  }
  if (ended == 0) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
  }
  pid_ = -1;
  if (WIFSIGNALED(status)) {
    return fmt::format("was killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)));
  }
  return fmt::format("exited with status {}", WEXITSTATUS(status));
}

}  // namespace warpcheck::worker

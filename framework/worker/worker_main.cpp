#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "framework/contract/finding_json.hpp"
#include "framework/worker/backend.hpp"
#include "framework/worker/channel.hpp"
#include "framework/worker/debug_replay.hpp"
#include "framework/worker/plugin.hpp"

namespace warpcheck::worker {
namespace {

using nlohmann::json;

/// What a dying process still has to say; set before any kernel runs.
WorkerPage* crash_page = nullptr;

void on_fatal_signal(int signal, siginfo_t* info, void*) {
  if (crash_page != nullptr) {
    CrashRecord& record = crash_page->crash;
    record.signal = signal;
    record.address = signal == SIGABRT ? 0 : reinterpret_cast<std::uintptr_t>(info->si_addr);
    if (signal == SIGSEGV || signal == SIGBUS) backend().describe_address(record.address, record);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

void catch_fatal_signals() {
  // A stack of its own, because running out of stack is one of the things that host code does.
  static std::byte stack[64 * 1024];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  ::sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = on_fatal_signal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESETHAND;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) ::sigaction(signal, &action, nullptr);
}

/// Serves one engine until it closes the socket.
class Server {
 public:
  Server(int socket, std::byte* writable, const std::byte* readable)
      : socket_(socket),
        page_(*reinterpret_cast<WorkerPage*>(writable)),
        requests_(*reinterpret_cast<const RequestPage*>(readable + kRequestOffset)),
        inputs_(readable + kInputOffset) {}

  int serve() {
    page_.protocol_version = kProtocolVersion;
    const std::string unavailable = backend().open();
    if (!send_message(socket_, json{{"unavailable", unavailable}}.dump())) return 1;
    while (const std::optional<std::string> message = receive_message(socket_)) {
      const json command = json::parse(*message);
      const std::string name = command.at("command").get<std::string>();
      const json reply = name == "load" ? load(command.at("path").get<std::string>()) : run_batch();
      if (!send_message(socket_, reply.dump(-1, ' ', false, json::error_handler_t::replace))) return 1;
    }
    return 0;
  }

 private:
  json load(const std::string& path) {
    Plugin plugin = open_plugin(path);
    if (!plugin.error.empty()) return {{"error", plugin.error}};
    json reply = describe(plugin);
    reply["index"] = plugins_.size();
    plugins_.push_back(std::move(plugin));
    return reply;
  }

  json run_batch() {
    details_used_ = 0;
    for (std::uint32_t i = 0; i < requests_.count; ++i) {
      page_.current = i;
      const RunRequest& request = requests_.requests[i];
      const std::size_t bytes =
          request.n * numeric::size_in_bytes(static_cast<numeric::Format>(request.input_format));
      const warpcheck_kernel& kernel = *plugins_[request.plugin].data->kernels[request.kernel];
      record(i, backend().run(request, {inputs_ + request.input_offset, bytes}, kernel.launch));
      if (backend().retired()) {
        page_.retired = 1;
        std::_Exit(0);
      }
    }
    return {{"done", requests_.count}};
  }

  void record(std::uint32_t index, const Outcome& outcome) {
    RunResult& result = page_.results[index];
    result.status = static_cast<std::uint8_t>(outcome.status);
    result.output_written = outcome.output_written ? 1 : 0;
    result.input_changed = outcome.input_changed ? 1 : 0;
    result.output_bits = outcome.output.bits;
    result.warp_instructions = outcome.warp_instructions;
    result.details_bytes = 0;
    if (!outcome.detail.empty() || !outcome.findings.empty()) {
      json findings = json::array();
      for (const Finding& finding : outcome.findings) findings.push_back(to_json(finding));
      const std::string text = json{{"detail", outcome.detail}, {"findings", std::move(findings)}}.dump(
          -1, ' ', false, json::error_handler_t::replace);
      if (text.size() <= kDetailsBytes - details_used_) {
        std::memcpy(page_.details + details_used_, text.data(), text.size());
        result.details_offset = details_used_;
        result.details_bytes = static_cast<std::uint32_t>(text.size());
        details_used_ += text.size();
      }
    }
    std::atomic_thread_fence(std::memory_order_release);
    result.done = 1;
  }

  int socket_;
  WorkerPage& page_;
  const RequestPage& requests_;
  const std::byte* inputs_;
  std::vector<Plugin> plugins_;
  std::size_t details_used_{};
};

int serve(int socket, int memory) {
  // The engine's process must not outlive its worker's usefulness, nor the other way round.
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  void* const writable = ::mmap(nullptr, kRequestOffset, PROT_READ | PROT_WRITE, MAP_SHARED, memory, 0);
  void* const readable = ::mmap(nullptr, kSharedBytes, PROT_READ, MAP_SHARED | MAP_NORESERVE, memory, 0);
  if (writable == MAP_FAILED || readable == MAP_FAILED) {
    std::fprintf(stderr, "%s: the shared memory cannot be mapped\n", program_invocation_short_name);
    return 3;
  }
  ::close(memory);
  crash_page = static_cast<WorkerPage*>(writable);
  catch_fatal_signals();
  return Server(socket, static_cast<std::byte*>(writable), static_cast<const std::byte*>(readable)).serve();
}

}  // namespace
}  // namespace warpcheck::worker

int main(int argc, char** argv) {
  using namespace warpcheck::worker;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  try {
    if (arguments.size() == 4 && arguments[0] == "--socket" && arguments[2] == "--memory") {
      return serve(std::stoi(arguments[1]), std::stoi(arguments[3]));
    }
    if (arguments.size() == 2 && arguments[0] == "--replay") return debug_replay(arguments[1]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, error.what());
    return 2;
  }
  std::fprintf(stderr,
               "%s: runs kernels for warpcheck, which starts it; by hand: %s --replay FILE runs a stored "
               "counterexample in this process, under a debugger say\n",
               program_invocation_short_name, program_invocation_short_name);
  return 2;
}

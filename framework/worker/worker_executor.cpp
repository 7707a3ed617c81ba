#include "framework/worker/worker_executor.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "framework/contract/finding_json.hpp"
#include "framework/worker/step_budget.hpp"
#include "framework/worker/worker_process.hpp"

/// Defined in programs that were built against an installed package, and nowhere else.
extern "C" __attribute__((weak)) const char* warpcheck_worker_folder();

namespace warpcheck::worker {

namespace fs = std::filesystem;
using nlohmann::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int kPollMs = 100;
constexpr auto kLastStatus = static_cast<std::uint8_t>(RunStatus::time_out);
constexpr auto kLoadLimit = std::chrono::seconds(60);

std::string crash_text(const CrashRecord& crash, const std::string& how) {
  if (crash.signal == 0) return fmt::format("the kernel's host function ended the process, which {}", how);
  if (crash.in_device_space != 0) {
    return fmt::format(
        "host code dereferenced the device address {:#x}{}{}: copy the data to the host first (the process "
        "{})",
        crash.address, crash.object[0] != '\0' ? ", " : "", crash.object, how);
  }
  if (crash.signal == SIGSEGV || crash.signal == SIGBUS) {
    return fmt::format("host code accessed the invalid address {:#x} (the process {})", crash.address, how);
  }
  return fmt::format("host code ended the process, which {}", how);
}

/// The strings behind a warpcheck_kernel that came as JSON.
struct RegistrationText {
  explicit RegistrationText(const json& object)
      : name(object.at("name").get<std::string>()),
        file(object.at("file").get<std::string>()),
        operation(object.at("operation").get<std::string>()),
        order_expression(object.at("order_expression").get<std::string>()) {}
  std::string name, file, operation, order_expression;
};

KernelInfo kernel_from_json(const json& object) {
  const RegistrationText text(object);
  warpcheck_kernel registration{};
  registration.size = object.at("size").get<std::uint32_t>();
  registration.line = object.at("line").get<std::uint32_t>();
  registration.name = text.name.c_str();
  registration.file = text.file.c_str();
  registration.operation = text.operation.c_str();
  registration.order_expression = text.order_expression.empty() ? nullptr : text.order_expression.c_str();
  registration.input_format = object.at("input_format").get<std::uint8_t>();
  registration.accumulation_format = object.at("accumulation_format").get<std::uint8_t>();
  registration.output_format = object.at("output_format").get<std::uint8_t>();
  registration.order = object.at("order").get<std::uint8_t>();
  registration.determinism = object.at("determinism").get<std::uint8_t>();
  registration.flags = object.at("flags").get<std::uint8_t>();
  registration.min_block = object.at("min_block").get<std::uint32_t>();
  registration.max_block = object.at("max_block").get<std::uint32_t>();
  registration.block_multiple = object.at("block_multiple").get<std::uint32_t>();
  registration.max_grid = object.at("max_grid").get<std::uint32_t>();
  // The function itself stays in the worker; read_kernel only asks whether there is one.
  if (object.at("has_launch").get<bool>()) {
    registration.launch = [](const void*, std::uint64_t, void*, const warpcheck_geometry*, void*) {
      return 1;
    };
  }
  return read_kernel(registration);
}

}  // namespace

struct WorkerExecutor::Impl {
  std::string name;
  std::unique_ptr<WorkerProcess> process;
  std::map<std::string, std::uint32_t> loaded;  ///< plug-ins of the living process, and their number there
  std::uint64_t started{};
  std::chrono::milliseconds host_limit{10'000};

  WorkerProcess& living() {
    if (!process) {
      process = std::make_unique<WorkerProcess>(worker_program(name));
      loaded.clear();
      ++started;
    }
    return *process;
  }

  std::string unavailable() { return json::parse(living().greeting()).at("unavailable").get<std::string>(); }

  /// The reply to "load"; throws std::invalid_argument if the plug-in cannot be used.
  json load(const std::string& path) {
    WorkerProcess& worker = living();
    const auto fail = [&](const std::string& what) {
      return std::invalid_argument(fmt::format("plug-in {}: {}", path, what));
    };
    const Clock::time_point start = Clock::now();
    std::optional<std::string> reply;
    if (worker.send(json{{"command", "load"}, {"path", path}}.dump())) {
      do {
        reply = worker.receive(kPollMs);
      } while (reply && reply->empty() && Clock::now() - start < kLoadLimit);
    }
    if (!reply || reply->empty()) {
      const bool hung = reply.has_value();
      const std::string how = worker.end();
      process.reset();
      throw fail(
          hung ? "loading it never ended; look at what its static initialisers do"
               : fmt::format(
                     "loading it ended the process, which {}; look at what its static initialisers do", how));
    }
    json object = json::parse(*reply);
    if (object.contains("error")) throw fail(object.at("error").get<std::string>());
    loaded[path] = object.at("index").get<std::uint32_t>();
    return object;
  }

  std::uint32_t plugin_index(const std::string& path) {
    living();
    const auto found = loaded.find(path);
    if (found != loaded.end()) return found->second;
    load(path);
    return loaded.at(path);
  }

  /// Writes the runs from `first` on until the batch is full; returns how many.
  std::size_t write_requests(const KernelInfo& kernel, std::span<const Run> runs, std::size_t first) {
    const std::uint32_t plugin = plugin_index(kernel.plugin);
    WorkerProcess& worker = living();
    RequestPage& page = worker.requests();
    std::map<const InputArray*, std::uint64_t> offsets;
    std::uint64_t used = 0;
    std::size_t count = 0;
    for (; first + count < runs.size() && count < kMaxBatch; ++count) {
      const Run& run = runs[first + count];
      const Case& test_case = *run.test_case;
      const std::span<const std::byte> bytes = test_case.input->bytes();
      auto offset = offsets.find(test_case.input.get());
      if (offset == offsets.end()) {
        if (used + bytes.size() > kInputBytes) break;
        std::memcpy(worker.inputs() + used, bytes.data(), bytes.size());
        offset = offsets.emplace(test_case.input.get(), used).first;
        used = (used + bytes.size() + 63) / 64 * 64;
      }
      RunRequest& request = page.requests[count];
      request = {};
      request.plugin = plugin;
      request.kernel = kernel.index;
      request.grid = test_case.geometry.grid;
      request.block = test_case.geometry.block;
      request.n = test_case.n();
      request.input_offset = offset->second;
      request.input_format = static_cast<std::uint32_t>(test_case.input->format());
      request.output_format = static_cast<std::uint32_t>(kernel.contract.output);
      request.pointer_offset = test_case.pointer_offset;
      request.poison = run.poison;
      request.recycle = run.recycle ? 1 : 0;
      request.schedule_order = static_cast<std::uint32_t>(test_case.schedule.order);
      request.schedule_seed = test_case.schedule.seed;
      request.threads_may_exit_early = kernel.contract.threads_may_exit_early ? 1 : 0;
      request.step_budget = step_budget(test_case.n(), test_case.geometry);
      worker.page().results[count] = {};
    }
    if (count == 0) throw std::runtime_error("an input array is larger than the 1 GiB that a worker takes");
    page.count = static_cast<std::uint32_t>(count);
    worker.page().current = 0;
    worker.page().retired = 0;
    worker.page().crash = {};
    return count;
  }

  enum class Wait { done, died, timed_out };

  /// Waits until the batch is done, the process has died, or host code takes too long.
  Wait wait() {
    WorkerProcess& worker = living();
    std::uint32_t last = 0;
    Clock::time_point since = Clock::now();
    while (true) {
      const std::optional<std::string> reply = worker.receive(kPollMs);
      if (!reply) return Wait::died;
      if (!reply->empty()) return Wait::done;
      const std::uint32_t current = worker.page().current;
      if (current != last) {
        last = current;
        since = Clock::now();
      }
      const std::uint64_t budget =
          worker.requests().requests[std::min<std::size_t>(current, kMaxBatch - 1)].step_budget;
      // 1 µs a step is far slower than the machine is, even under a sanitizer: this guards host code, and the
      // step budget guards kernels.
      if (Clock::now() - since > host_limit + std::chrono::microseconds(budget)) return Wait::timed_out;
    }
  }

  /// The outcome of request `index`. The worker's memory is not trusted: a kernel may have written anywhere
  /// in it.
  Outcome read_result(std::size_t index, numeric::Format output) {
    const WorkerPage& page = living().page();
    const RunResult& result = page.results[index];
    Outcome outcome;
    outcome.status = static_cast<RunStatus>(std::min<std::uint8_t>(result.status, kLastStatus));
    outcome.output = {output, result.output_bits};
    outcome.output_written = result.output_written != 0;
    outcome.input_changed = result.input_changed != 0;
    outcome.warp_instructions = result.warp_instructions;
    if (result.details_bytes == 0) return outcome;
    if (result.details_offset > kDetailsBytes ||
        result.details_bytes > kDetailsBytes - result.details_offset) {
      return corrupted(output);
    }
    try {
      const json details = json::parse(page.details + result.details_offset,
                                       page.details + result.details_offset + result.details_bytes);
      outcome.detail = details.at("detail").get<std::string>();
      for (const json& finding : details.at("findings"))
        outcome.findings.push_back(finding_from_json(finding));
    } catch (const std::exception&) {
      return corrupted(output);
    }
    return outcome;
  }

  static Outcome corrupted(numeric::Format output) {
    Outcome outcome;
    outcome.status = RunStatus::crash;
    outcome.output = {output, 0};
    outcome.detail = "host code overwrote memory of the process that runs it";
    return outcome;
  }
};

WorkerExecutor::WorkerExecutor(std::string_view name) : impl_(std::make_unique<Impl>()) {
  impl_->name = name;
}
WorkerExecutor::~WorkerExecutor() = default;

std::string_view WorkerExecutor::name() const {
  return impl_->name;
}
std::string WorkerExecutor::not_available() {
  return impl_->unavailable();
}
void WorkerExecutor::set_host_limit(std::chrono::milliseconds limit) {
  impl_->host_limit = limit;
}
std::uint64_t WorkerExecutor::processes_started() const {
  return impl_->started;
}

std::vector<KernelInfo> WorkerExecutor::load(const fs::path& plugin) {
  std::error_code error;
  const std::string path = plugin.string();
  if (!fs::exists(plugin, error)) {
    throw std::invalid_argument(
        fmt::format("plug-in {}: no such file; give the path of a shared library built with "
                    "warpcheck_add_kernels",
                    path));
  }
  if (!fs::is_regular_file(plugin, error)) {
    throw std::invalid_argument(
        fmt::format("plug-in {}: not a file; give the path of a shared library", path));
  }
  const json reply = impl_->load(path);
  std::vector<KernelInfo> kernels;
  for (const json& object : reply.at("kernels")) {
    KernelInfo kernel = kernel_from_json(object);
    kernel.plugin = path;
    kernel.built_with = reply.at("built_with").get<std::string>();
    kernel.index = static_cast<std::uint32_t>(kernels.size());
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::vector<Outcome> WorkerExecutor::run(const KernelInfo& kernel, std::span<const Run> runs) {
  std::vector<Outcome> outcomes;
  outcomes.reserve(runs.size());
  while (outcomes.size() < runs.size()) {
    const std::size_t count = impl_->write_requests(kernel, runs, outcomes.size());
    WorkerProcess& worker = impl_->living();
    const Impl::Wait end = worker.send(R"({"command":"run"})") ? impl_->wait() : Impl::Wait::died;
    for (std::size_t i = 0; i < count && worker.page().results[i].done != 0; ++i) {
      outcomes.push_back(impl_->read_result(i, kernel.contract.output));
    }
    if (end == Impl::Wait::done) continue;

    if (worker.page().retired != 0) {
      impl_->process.reset();
      continue;
    }

    // The process is gone with the run that it was carrying out; the others go on in a new one.
    Outcome lost;
    const std::string how = worker.end();
    if (end == Impl::Wait::timed_out) {
      lost.status = RunStatus::time_out;
      lost.detail =
          "the kernel's host function did not return, though no launch was running past its step budget";
    } else {
      lost.status = RunStatus::crash;
      lost.detail = crash_text(worker.page().crash, how);
    }
    lost.output = {kernel.contract.output, 0};
    if (outcomes.size() < runs.size()) outcomes.push_back(std::move(lost));
    impl_->process.reset();
  }
  return outcomes;
}

fs::path worker_program(std::string_view executor) {
  const std::string file = fmt::format("warpcheck-worker-{}", executor);
  std::vector<fs::path> places;
  if (const char* folder = std::getenv("WARPCHECK_WORKER_DIR")) places.emplace_back(folder);
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error) {
    places.push_back(self.parent_path());
    places.push_back(self.parent_path().parent_path() / "libexec" / "warpcheck");
  }
  if (warpcheck_worker_folder != nullptr) places.emplace_back(warpcheck_worker_folder());
  places.emplace_back(WARPCHECK_WORKER_BUILD_DIR);
  places.emplace_back(WARPCHECK_WORKER_INSTALL_DIR);
  for (const fs::path& place : places) {
    if (::access((place / file).c_str(), X_OK) == 0) return place / file;
  }
  std::string looked;
  for (const fs::path& place : places) looked += (looked.empty() ? "" : ", ") + place.string();
  throw std::runtime_error(
      fmt::format("no {} in {}; set WARPCHECK_WORKER_DIR to the folder that holds it", file, looked));
}

}  // namespace warpcheck::worker

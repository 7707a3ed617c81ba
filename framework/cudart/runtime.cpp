#include "framework/cudart/runtime.hpp"

#include <algorithm>
#include <utility>

#include "framework/cudart/state.hpp"

namespace warpcheck::cudart {
namespace {

bool same_occurrence(const Finding& a, const Finding& b) {
  if (a.kind != b.kind || a.kernel != b.kernel || a.parties.size() != b.parties.size()) return false;
  if (a.parties.empty() && a.message != b.message) return false;
  return std::equal(a.parties.begin(), a.parties.end(), b.parties.begin(),
                    [](const Party& x, const Party& y) { return x.stack == y.stack; });
}

}  // namespace

Runtime& Runtime::instance() {
  static Runtime* const runtime = new Runtime;
  return *runtime;
}

State& state() {
  return *Runtime::instance().state_;
}

Runtime::Runtime() : state_(new State) {}

void Runtime::configure(const simt::DeviceModel& model, std::uint64_t memory_capacity) {
  State& here = *state_;
  for (const auto& module : here.modules) here.unload(*module);
  here.machine.reset();
  here.memory.reset();
  here.owned.clear();
  here.model = model;
  here.capacity = memory_capacity;
  here.need_device();
  begin_case({});
  // Host code holds addresses of managed variables and won't ask again.
  for (const auto& module : here.modules) {
    if (module->host_uses_managed) here.load(*module);
  }
}

simt::DeviceMemory& Runtime::memory() {
  state_->need_device();
  return *state_->memory;
}

simt::Machine& Runtime::machine() {
  state_->need_device();
  return *state_->machine;
}

const simt::DeviceModel& Runtime::model() {
  return state_->model;
}

void Runtime::set_output(simt::OutputSink* sink) {
  state_->output = sink;
  if (state_->machine) state_->machine->set_output(sink);
}

void Runtime::set_observer(simt::Observer* observer) {
  state_->observer = observer;
  if (state_->machine) state_->machine->set_observer(observer);
}

void Runtime::begin_case(const CaseSettings& settings) {
  State& here = *state_;
  here.need_device();
  here.settings = settings;
  here.report = {};
  here.last_error = abi::Error::success;
  here.sticky_error = abi::Error::success;
  here.owned.clear();
  here.next_allocation = 1;
  here.pool_attributes.clear();
  here.memory->free_all(settings.keep_content);
  here.memory->set_fill(settings.fill);
  for (const auto& module : here.modules) here.restore_variables(*module);
}

CaseReport Runtime::end_case() {
  State& here = *state_;
  here.need_device();
  std::vector<std::pair<std::uint64_t, Leak>> leaks;
  for (const auto& [address, allocation] : here.owned) {
    if (const simt::Allocation* const record = here.memory->live_range(address, 1)) {
      leaks.push_back({record->id, {record->name, record->size}});
    }
  }
  std::sort(leaks.begin(), leaks.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (auto& [id, leak] : leaks) here.report.leaks.push_back(std::move(leak));
  here.report.sticky_error = static_cast<int>(here.sticky_error);
  return std::exchange(here.report, {});
}

std::vector<std::string> Runtime::kernels() {
  std::vector<std::string> names;
  for (const auto& module : state_->modules) {
    for (const auto& kernel : module->kernels) names.push_back(kernel->name);
  }
  return names;
}

std::vector<std::string> Runtime::unloadable() {
  State& here = *state_;
  here.need_device();
  std::vector<std::string> lines;
  for (const auto& module : here.modules) {
    const Outcome loaded = here.load(*module);
    if (loaded.code != abi::Error::success) lines.push_back(loaded.message);
  }
  return lines;
}

std::vector<std::string> Runtime::unsupported() {
  State& here = *state_;
  here.need_device();
  std::vector<std::string> lines;
  for (const auto& module : here.modules) {
    const Outcome loaded = here.load(*module);
    if (loaded.code != abi::Error::success) {
      lines.push_back(loaded.message);
      continue;
    }
    for (const auto& kernel : module->kernels) {
      const simt::EntryInfo* const entry = simt::Machine::entry(*module->program, kernel->name);
      if (entry == nullptr) {
        lines.push_back(ptx::demangle(kernel->name) + ": not in the binary's PTX");
      } else if (!entry->unsupported.empty()) {
        lines.push_back(entry->demangled + ": " + entry->unsupported);
      }
    }
  }
  return lines;
}

void State::need_device() {
  if (machine) return;
  memory = std::make_unique<simt::DeviceMemory>(capacity);
  machine = std::make_unique<simt::Machine>(*memory, model);
  machine->set_output(output);
  machine->set_observer(observer);
}

void State::add_finding(Finding finding) {
  for (Finding& known : report.findings) {
    if (!same_occurrence(known, finding)) continue;
    known.count += finding.count;
    return;
  }
  report.findings.push_back(std::move(finding));
}

int State::finish(const char* function, const Outcome& outcome) {
  const int code = static_cast<int>(outcome.code);
  if (outcome.code == abi::Error::success || outcome.code == abi::Error::not_ready) return code;
  last_error = outcome.code;
  for (ApiError& known : report.api_errors) {
    if (known.error != code || known.function != function) continue;
    ++known.count;
    return code;
  }
  report.api_errors.push_back({function, code, outcome.message, 1});
  return code;
}

}  // namespace warpcheck::cudart

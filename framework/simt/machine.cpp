#include "framework/simt/machine.hpp"

#include <stdexcept>
#include <string>

#include "framework/simt/decode.hpp"
#include "framework/simt/engine.hpp"

namespace warpcheck::simt {

DeviceModel DeviceModel::for_sm(std::uint32_t sm) {
  DeviceModel model;
  model.sm = sm;
  switch (sm) {
    case 75:
      model.shared_per_block_optin = 64 * 1024;
      model.max_blocks_per_sm = 16;
      model.max_threads_per_sm = 1024;
      return model;
    case 80:
      return model;
    case 90:
      model.shared_per_block_optin = 227 * 1024;
      return model;
    default:
      throw std::invalid_argument("no device model for sm_" + std::to_string(sm) +
                                  "; there are 75, 80 and 90");
  }
}

struct Machine::Impl {
  DeviceMemory& memory;
  DeviceModel model;
  Engine engine;

  Impl(DeviceMemory& of, const DeviceModel& as) : memory(of), model(as), engine(of, as) {}
};

Machine::Machine(DeviceMemory& memory, const DeviceModel& model)
    : impl_(std::make_unique<Impl>(memory, model)) {}
Machine::~Machine() = default;

std::shared_ptr<const Program> Machine::load(ptx::Module module) {
  return decode(std::move(module), impl_->memory, impl_->model, standard_table());
}

const std::vector<EntryInfo>& Machine::entries(const Program& program) {
  return program.entries;
}

const EntryInfo* Machine::entry(const Program& program, std::string_view mangled) {
  for (const EntryInfo& info : program.entries) {
    if (info.name == mangled) return &info;
  }
  return nullptr;
}

std::pair<DeviceAddress, std::uint64_t> Machine::variable(const Program& program, std::string_view mangled) {
  for (std::size_t i = 0; i < program.module.variables.size(); ++i) {
    if (program.module.variables[i].name == mangled && program.variable_addresses[i] != 0) {
      return {program.variable_addresses[i], program.module.variables[i].size};
    }
  }
  return {0, 0};
}

LaunchResult Machine::launch(const Program& program, std::string_view entry_name, const LaunchConfig& config,
                             std::span<const std::byte> parameters) {
  const auto refuse = [&](FindingKind kind, const std::string& kernel, std::string message,
                          std::string advice) {
    LaunchResult result;
    result.status = LaunchStatus::stopped;
    Finding finding;
    finding.kind = kind;
    finding.kernel = kernel;
    finding.message = std::move(message);
    finding.advice = std::move(advice);
    result.findings.push_back(std::move(finding));
    return result;
  };
  const EntryInfo* const info = entry(program, entry_name);
  if (info == nullptr) {
    return refuse(FindingKind::invalid_program, std::string(entry_name),
                  "the program has no kernel named '" + std::string(entry_name) + "'",
                  "use the mangled name of a __global__ function");
  }
  if (!info->unsupported.empty()) {
    return refuse(FindingKind::unsupported, info->demangled, info->unsupported,
                  "the machine cannot run this kernel; run it on a device");
  }
  const std::uint64_t threads = config.block.count();
  if (threads == 0 || threads > 1024 || config.grid.count() == 0 || config.block.z == 0) {
    return refuse(FindingKind::invalid_program, info->demangled,
                  "a launch of " + std::to_string(config.grid.count()) + " blocks of " +
                      std::to_string(threads) +
                      " threads; there must be blocks, and 1 to 1024 threads in each",
                  "launch a valid geometry");
  }
  if (parameters.size() != info->parameter_bytes) {
    return refuse(FindingKind::invalid_program, info->demangled,
                  "the kernel's parameters take " + std::to_string(info->parameter_bytes) +
                      " bytes, the launch gives " + std::to_string(parameters.size()),
                  "pass the arguments that the kernel declares");
  }
  if (config.dynamic_shared_bytes > (std::uint64_t{1} << 20)) {
    return refuse(FindingKind::invalid_program, info->demangled,
                  std::to_string(config.dynamic_shared_bytes) +
                      " bytes of dynamic shared memory are more than any device has",
                  "ask for less");
  }
  return impl_->engine.run(program, program.function_index.at(info->name), config, parameters);
}

void Machine::set_observer(Observer* observer) {
  impl_->engine.set_observer(observer);
}
void Machine::set_output(OutputSink* sink) {
  impl_->engine.set_output(sink);
}
DeviceMemory& Machine::memory() {
  return impl_->memory;
}
const DeviceModel& Machine::model() const {
  return impl_->model;
}
Party Machine::party(const WarpPlace& place, std::uint32_t lane) const {
  return impl_->engine.party_at(place, lane);
}

}  // namespace warpcheck::simt

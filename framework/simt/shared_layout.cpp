#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "framework/simt/decode_builder.hpp"

namespace warpcheck::simt {
namespace {

constexpr std::uint32_t kReservedBytes = 1024;  ///< what %reserved_smem_offset_* describes
constexpr std::uint32_t kGap = 64 * 1024;
constexpr std::uint32_t kSmallGap = 1024;
constexpr std::size_t kManyVariables = 64;
constexpr std::uint32_t kDynamicAlignment = 1024;
constexpr std::uint64_t kLargestShared = std::uint64_t{16} << 20;

std::uint32_t round_up(std::uint64_t value, std::uint64_t alignment) {
  const std::uint64_t rounded = (value + alignment - 1) / alignment * alignment;
  if (rounded > 0xffffffffu - kGap) {
    throw std::runtime_error("shared variables do not fit into a 32-bit window");
  }
  return static_cast<std::uint32_t>(rounded);
}

}  // namespace

Placement::Placement(Program& program, DeviceMemory& memory) : program_(program) {
  place_globals(memory);
  lay_out_shared();
  initialise(memory);
}

void Placement::place_globals(DeviceMemory& memory) {
  program_.variable_addresses.assign(program_.module.variables.size(), 0);
  for (std::uint32_t i = 0; i < program_.module.variables.size(); ++i) {
    const ptx::Variable& variable = program_.module.variables[i];
    variable_index_.try_emplace(variable.name, i);
    if (variable.space != ptx::Space::global && variable.space != ptx::Space::constant) continue;
    if (variable.is_extern && variable.size == 0) continue;
    const std::uint64_t size = std::max<std::uint64_t>(variable.size, 1);
    const DeviceAddress address =
        memory.allocate(size, AllocationKind::variable, unscoped(ptx::demangle(variable.name)));
    if (address == 0) {
      throw std::runtime_error("variable '" + variable.name + "' of " + std::to_string(size) +
                               " bytes does not fit into device memory");
    }
    program_.variable_addresses[i] = address;
    // What has no initialiser is zero at the start of a program.
    std::memset(memory.host(address), 0, size);
    if (variable.space == ptx::Space::constant) {
      memory.set_read_only(address, true);
      program_.constant_ranges.push_back({address, address + size});
    }
  }
}

void Placement::lay_out_shared() {
  const ptx::Module& module = program_.module;
  std::size_t count = 0;
  for (const ptx::Function& function : module.functions) {
    for (const ptx::Variable& variable : function.variables) count += variable.space == ptx::Space::shared;
  }
  const std::uint32_t gap = count <= kManyVariables ? kGap : kSmallGap;

  // Offset 0 is nobody's; the reserved part is what cooperative groups use for their own scratch.
  std::vector<SharedObject> common{{"reserved shared memory", kReservedBytes, kReservedBytes, false}};
  std::uint32_t at = 2 * kReservedBytes + gap;
  const auto place = [&](std::vector<SharedObject>& list, const ptx::Variable& variable) {
    at = round_up(at, std::max<std::uint32_t>(variable.alignment, 1));
    const std::uint32_t begin = at;
    if (variable.size > kLargestShared) {
      throw std::runtime_error("shared variable '" + variable.name + "' has " +
                               std::to_string(variable.size) + " bytes, more than any device has");
    }
    list.push_back(
        {unscoped(ptx::demangle(variable.name)), begin, static_cast<std::uint32_t>(variable.size), false});
    at = round_up(begin + variable.size + gap, 16);
    return begin;
  };

  std::string dynamic_name;
  std::vector<std::uint32_t> dynamic_variables;
  for (std::uint32_t i = 0; i < module.variables.size(); ++i) {
    const ptx::Variable& variable = module.variables[i];
    if (variable.space != ptx::Space::shared) continue;
    if (variable.is_extern && variable.size == 0) {
      dynamic_variables.push_back(i);
      if (!dynamic_name.empty()) dynamic_name += ", ";
      dynamic_name += unscoped(ptx::demangle(variable.name));
    } else {
      module_shared_[i] = place(common, variable);
    }
  }
  std::vector<std::pair<std::uint32_t, std::uint32_t>> dynamic_in_functions;
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& function = module.functions[f];
    if (function.is_entry) continue;
    for (std::uint32_t v = 0; v < function.variables.size(); ++v) {
      if (function.variables[v].space != ptx::Space::shared) continue;
      if (function.variables[v].is_extern && function.variables[v].size == 0) {
        dynamic_in_functions.emplace_back(f, v);
      } else {
        function_shared_[{f, v}] = place(common, function.variables[v]);
      }
    }
  }

  // Entries never run together: what they declare themselves may overlap.
  const std::uint32_t entries_begin = at;
  std::uint32_t end = at;
  std::vector<std::vector<SharedObject>> own(module.functions.size());
  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    const ptx::Function& function = module.functions[f];
    if (!function.is_entry) continue;
    at = entries_begin;
    for (std::uint32_t v = 0; v < function.variables.size(); ++v) {
      const ptx::Variable& variable = function.variables[v];
      if (variable.space != ptx::Space::shared) continue;
      if (variable.is_extern && variable.size == 0) {
        dynamic_in_functions.emplace_back(f, v);
      } else {
        function_shared_[{f, v}] = place(own[f], variable);
      }
    }
    end = std::max(end, at);
  }
  program_.dynamic_shared_begin = round_up(end, kDynamicAlignment);
  for (const std::uint32_t i : dynamic_variables) module_shared_[i] = program_.dynamic_shared_begin;
  for (const auto& key : dynamic_in_functions) function_shared_[key] = program_.dynamic_shared_begin;
  if (dynamic_name.empty()) dynamic_name = "dynamic shared memory";

  for (std::uint32_t f = 0; f < module.functions.size(); ++f) {
    if (!module.functions[f].is_entry || !module.functions[f].is_defined) continue;
    std::vector<SharedObject> objects = common;
    objects.insert(objects.end(), own[f].begin(), own[f].end());
    objects.push_back({dynamic_name, program_.dynamic_shared_begin, 0, true});
    program_.entry_shared.resize(std::max<std::size_t>(program_.entry_shared.size(), f + 1));
    program_.entry_shared[f] = std::move(objects);
  }
}

std::uint64_t Placement::module_variable(std::uint32_t variable) const {
  if (const auto found = module_shared_.find(variable); found != module_shared_.end()) return found->second;
  if (variable < program_.variable_addresses.size() && program_.variable_addresses[variable] != 0) {
    return program_.variable_addresses[variable];
  }
  throw std::runtime_error("undefined symbol '" + program_.module.variables.at(variable).name +
                           "': the module declares it extern and nothing defines it");
}

std::uint32_t Placement::shared_variable(std::uint32_t source_function, std::uint32_t variable) const {
  return function_shared_.at({source_function, variable});
}

void Placement::initialise(DeviceMemory& memory) {
  for (std::uint32_t i = 0; i < program_.module.variables.size(); ++i) {
    const ptx::Variable& variable = program_.module.variables[i];
    if (program_.variable_addresses[i] == 0) continue;
    std::byte* const bytes = memory.host(program_.variable_addresses[i]);
    if (!variable.initial_bytes.empty()) {
      std::memcpy(bytes, variable.initial_bytes.data(),
                  std::min<std::size_t>(variable.initial_bytes.size(), variable.size));
    }
    for (const ptx::Variable::Relocation& relocation : variable.relocations) {
      std::uint64_t value = 0;
      if (const auto found = variable_index_.find(relocation.symbol); found != variable_index_.end()) {
        value = module_variable(found->second);
      } else if (const auto function = program_.function_index.find(relocation.symbol);
                 function != program_.function_index.end()) {
        value = function_address(function->second);
      } else {
        throw std::runtime_error("undefined symbol '" + relocation.symbol + "' in the initialiser of '" +
                                 variable.name + "'");
      }
      value += static_cast<std::uint64_t>(relocation.addend);
      if (relocation.offset + sizeof value > variable.size) {
        throw std::runtime_error("initialiser of '" + variable.name + "' lies outside the variable");
      }
      std::memcpy(bytes + relocation.offset, &value, sizeof value);
    }
  }
}

}  // namespace warpcheck::simt

// What compiled programs call before and after main, and when they first use a managed variable:
//   __cudaRegisterFatBinary  __cudaRegisterFatBinaryEnd  __cudaUnregisterFatBinary  __cudaRegisterFunction
//   __cudaRegisterVar  __cudaRegisterManagedVar  __cudaRegisterHostVar  __cudaRegisterUnifiedTable
//   __cudaRegisterTexture  __cudaRegisterSurface  __cudaInitModule  __cudaGetKernel
// Registration only takes notes; PTX is parsed when something of the module is first used.

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstring>
#include <stdexcept>

#include "framework/cudart/api_call.hpp"
#include "framework/cudart/fatbin.hpp"
#include "framework/cudart/managed_alias.hpp"
#include "framework/ptx/module.hpp"

namespace warpcheck::cudart {
namespace {

/// Name of the file that holds an address, without its folder; "a plug-in" if that is not known.
std::string file_of(const void* address) {
  Dl_info info;
  if (::dladdr(address, &info) == 0 || info.dli_fname == nullptr) return "a plug-in";
  const char* const slash = std::strrchr(info.dli_fname, '/');
  return slash != nullptr ? slash + 1 : info.dli_fname;
}

/// The version in ".version 9.0" as 90; 0 if there is none.
int version_of(const std::string& text) {
  std::size_t at = text.find(".version");
  if (at == std::string::npos) return 0;
  at += std::strlen(".version");
  int major = 0, minor = 0;
  return std::sscanf(text.c_str() + at, "%d.%d", &major, &minor) == 2 && major < 100 ? 10 * major + minor : 0;
}

/// The last PTX version whose text was tried with the parser.
constexpr int kKnownPtxVersion = 91;

std::vector<std::byte> initial_bytes(const std::byte* bytes, std::uint64_t size) {
  while (size > 0 && bytes[size - 1] == std::byte{0}) --size;
  return {bytes, bytes + size};
}

Module* module_of(void** handle) {
  return reinterpret_cast<Module*>(handle);
}

}  // namespace

Outcome State::load(Module& module) {
  if (module.program) return {};
  const auto failed = [&](abi::Error code, const std::string& why) {
    module.load_error = Outcome(code, file_of(module.wrapper) + ": " + why);
  };
  if (!module.load_error) {
    try {
      const std::vector<FatbinEntry> entries = read_fatbin(fatbin_image(module.wrapper));
      const FatbinEntry* const entry = choose_ptx(entries, model.sm);
      if (entry == nullptr) {
        failed(abi::Error::no_kernel_image_for_device, explain_no_ptx(entries, model.sm));
      } else {
        const std::string text = ptx_text(*entry);
        ptx::ParseResult parsed = ptx::parse(text);
        if (parsed.error) {
          const bool too_new = version_of(text) > kKnownPtxVersion;
          failed(too_new ? abi::Error::unsupported_ptx_version : abi::Error::invalid_ptx,
                 fmt::format("PTX line {}, column {}: {}", parsed.error->line, parsed.error->column,
                             parsed.error->message));
        } else {
          std::vector<std::string> names;
          for (const ptx::Variable& variable : parsed.module->variables) {
            if (variable.space == ptx::Space::global || variable.space == ptx::Space::constant) {
              names.push_back(variable.name);
            }
          }
          module.ptx_version = static_cast<int>(parsed.module->sm);
          module.program = machine->load(std::move(*parsed.module));
          for (const std::string& name : names) {
            const auto [address, size] = simt::Machine::variable(*module.program, name);
            if (size == 0) continue;
            module.variables.push_back({address, size, initial_bytes(memory->host(address), size)});
          }
        }
      }
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& error) {
      failed(abi::Error::invalid_ptx, error.what());
    }
  }
  if (module.load_error) return *module.load_error;
  for (auto& [host, symbol] : module.symbols) {
    if (symbol.managed_pointer == nullptr) continue;
    const auto [address, size] = simt::Machine::variable(*module.program, symbol.name);
    if (size == 0) continue;
    if (reinterpret_cast<simt::DeviceAddress>(memory->host(address)) != address) {
      share_with_host(address, memory->host(address), size);
      module.shared_with_host.emplace_back(address, size);
    }
    *symbol.managed_pointer = reinterpret_cast<void*>(address);
    module.host_uses_managed = true;
    module.dirty = true;
  }
  return {};
}

Outcome State::need(Module& module) {
  Outcome loaded = load(module);
  if (loaded.code != abi::Error::success) {
    Finding finding;
    finding.kind = FindingKind::invalid_program;
    finding.message = loaded.message;
    add_finding(std::move(finding));
  }
  return loaded;
}

void State::unload(Module& module) {
  if (memory && module.program) {
    for (const auto& [address, size] : module.shared_with_host) unshare(address, memory->host(address), size);
    module.program.reset();
    for (const Module::InitialBytes& variable : module.variables) memory->free(variable.address);
  }
  module.shared_with_host.clear();
  module.variables.clear();
  module.program.reset();
  module.load_error.reset();
  module.dirty = false;
}

void State::restore_variables(Module& module) {
  if (!module.program || !module.dirty) return;
  for (const Module::InitialBytes& variable : module.variables) {
    std::byte* const bytes = memory->host(variable.address);
    std::copy(variable.bytes.begin(), variable.bytes.end(), bytes);
    std::memset(bytes + variable.bytes.size(), 0, variable.size - variable.bytes.size());
  }
  // The host writes managed variables without asking, and kernels of other modules those whose address they
  // get.
  module.dirty = module.host_uses_managed || module.address_taken;
}

void State::unregister(Module& module) {
  unload(module);
  for (const auto& kernel : module.kernels) {
    kernel_handles.erase(kernel.get());
    const auto known = kernels_by_host.find(kernel->host_function);
    if (known != kernels_by_host.end() && known->second == kernel.get()) kernels_by_host.erase(known);
  }
  const auto place =
      std::find_if(modules.begin(), modules.end(), [&](const auto& m) { return m.get() == &module; });
  if (place != modules.end()) modules.erase(place);
}

Kernel* State::find_kernel(const void* function) {
  const auto known = kernels_by_host.find(function);
  if (known != kernels_by_host.end()) return known->second;
  if (kernel_handles.count(function) == 0) return nullptr;
  return const_cast<Kernel*>(static_cast<const Kernel*>(function));
}

Symbol* State::find_symbol(const void* host_variable) {
  for (const auto& module : modules) {
    const auto known = module->symbols.find(host_variable);
    if (known != module->symbols.end()) return &known->second;
  }
  // A managed variable's name stands for the variable itself, not for the pointer that was registered.
  for (const auto& module : modules) {
    for (auto& [host, symbol] : module->symbols) {
      if (symbol.managed_pointer != nullptr && host_variable != nullptr &&
          *symbol.managed_pointer == host_variable) {
        return &symbol;
      }
    }
  }
  return nullptr;
}

Outcome State::entry_of(const void* function, Kernel*& kernel, const simt::EntryInfo*& entry) {
  kernel = find_kernel(function);
  if (kernel == nullptr) {
    return {abi::Error::invalid_device_function,
            fmt::format("{} is no __global__ function of a plug-in", fmt::ptr(function))};
  }
  if (const Outcome loaded = need(*kernel->module); loaded.code != abi::Error::success) return loaded;
  entry = simt::Machine::entry(*kernel->module->program, kernel->name);
  if (entry == nullptr) {
    return {abi::Error::invalid_device_function, ptx::demangle(kernel->name) + " is not in the binary's PTX"};
  }
  return {};
}

Outcome State::address_of(const void* host_variable, Symbol*& symbol, simt::DeviceAddress& address) {
  symbol = find_symbol(host_variable);
  if (symbol == nullptr) {
    return {
        abi::Error::invalid_symbol,
        fmt::format("{} is no __device__ or __constant__ variable of a plug-in", fmt::ptr(host_variable))};
  }
  if (const Outcome loaded = need(*symbol->module); loaded.code != abi::Error::success) return loaded;
  const auto [begin, size] = simt::Machine::variable(*symbol->module->program, symbol->name);
  if (begin == 0) {
    return {abi::Error::invalid_symbol, ptx::demangle(symbol->name) + " is not in the binary's PTX"};
  }
  address = begin;
  return {};
}

}  // namespace warpcheck::cudart

using namespace warpcheck::cudart;

extern "C" {

void** __cudaRegisterFatBinary(void* wrapper) {
  State& here = state();
  const std::lock_guard lock(here.mutex);
  here.modules.push_back(std::make_unique<Module>());
  here.modules.back()->wrapper = wrapper;
  return reinterpret_cast<void**>(here.modules.back().get());
}

void __cudaRegisterFatBinaryEnd(void**) {}

void __cudaUnregisterFatBinary(void** handle) {
  State& here = state();
  const std::lock_guard lock(here.mutex);
  Module* const module = module_of(handle);
  const auto known = std::find_if(here.modules.begin(), here.modules.end(),
                                  [&](const auto& m) { return m.get() == module; });
  if (known != here.modules.end()) here.unregister(*module);
}

void __cudaRegisterFunction(void** handle, const char* host_function, char*, const char* device_name, int,
                            void*, void*, void*, void*, int*) {
  State& here = state();
  const std::lock_guard lock(here.mutex);
  Module& module = *module_of(handle);
  auto kernel = std::make_unique<Kernel>();
  kernel->module = &module;
  kernel->name = device_name;
  kernel->host_function = host_function;
  here.kernels_by_host[host_function] = kernel.get();
  here.kernel_handles.insert(kernel.get());
  module.kernels.push_back(std::move(kernel));
}

void __cudaRegisterVar(void** handle, char* host_variable, char*, const char* device_name, int,
                       std::size_t size, int constant, int) {
  const std::lock_guard lock(state().mutex);
  Module& module = *module_of(handle);
  module.symbols[host_variable] = {&module, device_name, size, constant != 0, nullptr};
}

void __cudaRegisterManagedVar(void** handle, void** pointer, char*, const char* device_name, int,
                              std::size_t size, int constant, int) {
  const std::lock_guard lock(state().mutex);
  Module& module = *module_of(handle);
  module.symbols[pointer] = {&module, device_name, size, constant != 0, pointer};
}

// Nothing that the machine runs can refer to these; a kernel that uses a texture is reported when it is
// launched.
void __cudaRegisterHostVar(void**, const char*, char*, std::size_t) {}
void __cudaRegisterUnifiedTable(void**, void*) {}
void __cudaRegisterTexture(void**, const void*, const void**, const char*, int, int, int) {}
void __cudaRegisterSurface(void**, const void*, const void**, const char*, int, int) {}

// Generated code asks for both of these once and keeps the answer for the life of the process, so a pending
// fault must not get in their way.

/// 1 if the module's managed variables can be used by the host.
char __cudaInitModule(void** handle) {
  const int code =
      api_despite_fault("__cudaInitModule", [&](State& here) { return here.need(*module_of(handle)); });
  return code == 0 ? 1 : 0;
}

int __cudaGetKernel(void** kernel, const void* host_function) {
  return api_despite_fault("__cudaGetKernel", [&](State& here) -> Outcome {
    Kernel* const found = here.find_kernel(host_function);
    if (kernel == nullptr || found == nullptr) return abi::Error::invalid_device_function;
    *kernel = found;
    return {};
  });
}

}  // extern "C"

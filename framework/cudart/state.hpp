#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "framework/cudart/cuda_abi.hpp"
#include "framework/cudart/runtime.hpp"

/// What the runtime remembers. Only framework/cudart includes this.
namespace warpcheck::cudart {

/// The result of a call: CUDA's code and, for errors, one line that names the value and what would be right.
struct Outcome {
  abi::Error code{abi::Error::success};
  std::string message;

  Outcome() = default;
  Outcome(abi::Error error) : code(error) {}  // NOLINT: a code alone is an outcome
  Outcome(abi::Error error, std::string why) : code(error), message(std::move(why)) {}
};

struct Module;

/// A `__global__` function that a binary registered. Its address is the cudaKernel_t and cudaFunction_t.
struct Kernel {
  Module* module{};
  std::string name;  ///< mangled
  const void* host_function{};
  std::optional<std::uint64_t> max_dynamic_shared;  ///< set by cudaFuncSetAttribute
  int carveout{-1};
};

/// A module variable that a binary registered.
struct Symbol {
  Module* module{};
  std::string name;  ///< mangled
  std::uint64_t size{};
  bool constant{};
  void** managed_pointer{};  ///< where the host code expects the address of a managed variable; nullptr for
                             ///< others
};

/// A registered fat binary. Its PTX is parsed when one of its functions or variables is first used.
struct Module {
  struct InitialBytes {
    simt::DeviceAddress address{};
    std::uint64_t size{};
    std::vector<std::byte> bytes;  ///< the rest is zero
  };

  const void* wrapper{};
  std::vector<std::unique_ptr<Kernel>> kernels;
  std::unordered_map<const void*, Symbol> symbols;  ///< by host variable
  std::shared_ptr<const simt::Program> program;     ///< set once it is loaded
  std::vector<InitialBytes> variables;              ///< all module variables
  std::vector<std::pair<simt::DeviceAddress, std::uint64_t>> shared_with_host;
  int ptx_version{};         ///< 10 * major + minor of the architecture
  bool dirty{};              ///< variables may differ from their initial values
  bool host_uses_managed{};  ///< host code has been given addresses of managed variables
  bool address_taken{};      ///< cudaGetSymbolAddress has given one away
  std::optional<Outcome> load_error;
};

struct Event {
  bool recorded{};
};

struct Stream {
  unsigned flags{};
  int priority{};
  std::uint64_t id{};
};

/// Host allocations and their flags, device allocations and their origin: what a plug-in may free.
struct OwnedAllocation {
  bool host{};
  unsigned flags{};
};

struct State {
  std::recursive_mutex mutex;
  simt::DeviceModel model;
  std::uint64_t capacity{std::uint64_t{8} << 30};
  std::unique_ptr<simt::DeviceMemory> memory;
  std::unique_ptr<simt::Machine> machine;
  simt::OutputSink* output{};
  simt::Observer* observer{};

  std::deque<std::unique_ptr<Module>> modules;  ///< in the order of registration
  std::unordered_map<const void*, Kernel*> kernels_by_host;
  std::unordered_set<const void*> kernel_handles;

  std::unordered_map<const void*, std::unique_ptr<Stream>> streams;
  std::unordered_map<const void*, std::unique_ptr<Event>> events;
  std::uint64_t next_stream_id{3};
  std::unordered_map<simt::DeviceAddress, OwnedAllocation> owned;
  std::uint64_t next_allocation{1};
  std::unordered_map<int, std::uint64_t> pool_attributes;

  CaseSettings settings;
  CaseReport report;
  abi::Error last_error{};
  abi::Error sticky_error{};

  /// Makes the device if there is none yet.
  void need_device();

  /// Loads a module's PTX if that has not been tried; its error if that failed.
  Outcome load(Module& module);

  /// The same for a module that the case uses: its error is a finding of the case.
  Outcome need(Module& module);

  void unload(Module& module);
  void unregister(Module& module);
  void restore_variables(Module& module);

  /// A kernel by host function or handle; nullptr if neither is registered.
  Kernel* find_kernel(const void* function);
  Symbol* find_symbol(const void* host_variable);

  /// The entry of a registered kernel, its module loaded; the error if there is none.
  Outcome entry_of(const void* function, Kernel*& kernel, const simt::EntryInfo*& entry);

  /// Address and size of a registered variable, its module loaded.
  Outcome address_of(const void* host_variable, Symbol*& symbol, simt::DeviceAddress& address);

  bool is_stream(const void* stream) const;

  /// Adds a finding to the record, or its count to an equal one's.
  void add_finding(Finding finding);

  /// Notes a call's result: last error and record. Returns the code.
  int finish(const char* function, const Outcome& outcome);
};

State& state();

const char* error_name(int code);  ///< nullptr if the code is not CUDA's
const char* error_text(int code);  ///< likewise

/// Bytes of shared memory on one multiprocessor, and those that the system keeps for itself in every block.
std::uint64_t shared_per_multiprocessor(const simt::DeviceModel& model);
std::uint64_t reserved_shared_per_block(const simt::DeviceModel& model);

/// Blocks of a kernel that one multiprocessor can hold at once, by threads, blocks and shared memory.
/// Registers do not limit it: PTX does not say how many a kernel will take.
std::uint64_t resident_blocks(const simt::DeviceModel& model, const simt::EntryInfo& entry,
                              std::uint64_t threads, std::uint64_t dynamic_shared_bytes);

}  // namespace warpcheck::cudart

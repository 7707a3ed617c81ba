#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "framework/contract/finding.hpp"
#include "framework/ptx/module.hpp"
#include "framework/simt/device_memory.hpp"

/// A SIMT machine on the CPU: runs PTX functions for a grid of threads under the CUDA rules.
namespace warpcheck::simt {

struct Dim3 {
  std::uint32_t x{1}, y{1}, z{1};
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

/// The virtual device: what a kernel may ask for.
struct DeviceModel {
  std::uint32_t sm{80};
  std::uint32_t max_threads_per_block{1024};
  Dim3 max_block{1024, 1024, 64};
  Dim3 max_grid{2147483647u, 65535u, 65535u};
  std::uint64_t shared_per_block{48 * 1024};
  std::uint64_t shared_per_block_optin{163 * 1024};
  std::uint32_t multiprocessors{16};
  std::uint32_t max_blocks_per_sm{32};
  std::uint32_t max_threads_per_sm{2048};
  std::uint32_t registers_per_sm{65536};

  /// 75, 80 (default) or 90; throws std::invalid_argument naming another number.
  static DeviceModel for_sm(std::uint32_t sm);
};

/// Which warp, group of lanes or block goes next.
struct Schedule {
  enum class Order : std::uint8_t { lowest_first, highest_first, random };
  Order order{Order::lowest_first};
  std::uint64_t seed{};
  bool operator==(const Schedule&) const = default;
};

/// A decoded module whose variables have been placed in device memory. Immutable and shareable once loaded.
class Program;

/// A function of a program that can be launched.
struct EntryInfo {
  std::string name;  ///< mangled
  std::string demangled;
  std::uint64_t static_shared_bytes{};  ///< as nvcc counts them, without the machine's gaps
  std::uint64_t local_bytes{};
  std::uint64_t constant_bytes{};
  std::uint32_t registers{};                     ///< a stand-in: virtual registers, at most 255
  std::uint32_t max_threads{};                   ///< from .maxntid or .reqntid, else 1024
  std::vector<std::uint64_t> parameter_offsets;  ///< in the parameter block
  std::vector<std::uint64_t> parameter_sizes;
  std::uint64_t parameter_bytes{};
  /// Set if the function, or one that it may call, holds an instruction that the machine does not implement.
  /// One line that names the instruction, its PTX line and the source line.
  std::string unsupported;
};

struct LaunchConfig {
  Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes{};
  bool cooperative{};
  Schedule schedule;
  /// Threads may exit while others of their block go on to a barrier: no finding then.
  bool early_exit_allowed{};
  /// Warp instructions that the launch may execute before it is called endless; 0: no limit.
  std::uint64_t step_budget{};
};

enum class LaunchStatus : std::uint8_t {
  completed,  ///< every thread exited; there may be warnings among the findings
  stopped,    ///< an error finding ended the launch
};

struct LaunchResult {
  LaunchStatus status{LaunchStatus::completed};
  std::vector<Finding> findings;
  std::uint64_t warp_instructions{};
};

/// What an observer is told of a memory access: one call a warp instruction.
struct Access {
  enum class Operation : std::uint8_t { load, store, atomic, reduction };
  Operation operation{};
  ptx::Space space{};     ///< global, shared, local, constant, param: where it went, never generic
  std::uint32_t bytes{};  ///< a lane, all vector elements together
  std::uint32_t mask{};   ///< lanes that access
  const std::uint64_t*
      addresses{};  ///< 32 of them: device addresses; for shared, offsets in the block's window
  bool is_volatile{};
  std::uint8_t semantics{};  ///< 0 weak, 1 relaxed, 2 acquire, 3 release, 4 acq_rel, 5 sc
  std::uint8_t scope{};      ///< 0 none, 1 cta, 2 cluster, 3 gpu, 4 sys
  /// Bytes of a widened load that the code uses at all, bit 0 the first; the others must not be judged.
  std::uint32_t used_bytes{0xffffffffu};
};

/// Where a warp instruction stands and who executes it.
struct WarpPlace {
  const Program* program{};
  std::uint32_t function{};
  std::uint32_t instruction{};
  std::uint64_t block{};  ///< linear block index
  std::uint32_t warp{};   ///< in the block
  std::uint32_t mask{};   ///< lanes that execute
};

/// Watches a launch. Every call comes before its effect and must not change the machine; a finding that an
/// observer returns ends up in the launch's result. The default bodies do nothing.
class Observer {
 public:
  virtual ~Observer() = default;
  virtual void launch_begins(const LaunchConfig&) {}
  virtual void block_begins(std::uint64_t /*block*/) {}
  virtual void block_ends(std::uint64_t /*block*/) {}
  virtual void access(const WarpPlace&, const Access&) {}
  /// A block barrier has completed for the threads of `participants` warps (masks, one a warp of the block).
  virtual void barrier_completed(std::uint64_t /*block*/, std::uint32_t /*barrier*/,
                                 std::span<const std::uint32_t> /*participants*/) {}
  virtual void warp_barrier_completed(const WarpPlace&, std::uint32_t /*mask*/) {}
  virtual void fence(const WarpPlace&, std::uint8_t /*semantics*/, std::uint8_t /*scope*/) {}
  virtual void launch_ends() {}
  /// Findings so far; moved out by the machine when the launch ends.
  virtual std::vector<Finding> take_findings() { return {}; }
};

/// Text that kernels print (printf, assert) goes here.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  virtual void write(std::string_view text) = 0;
};

class Machine {
 public:
  explicit Machine(DeviceMemory& memory, const DeviceModel& model = {});
  ~Machine();

  /// Decodes a module and places its variables. Never fails on unsupported instructions (see
  /// EntryInfo::unsupported); throws std::runtime_error with one line if the module is inconsistent (an
  /// undefined symbol, a wrong operand). The program must not outlive the memory that holds its variables.
  std::shared_ptr<const Program> load(ptx::Module module);

  /// Entries in the module's order.
  static const std::vector<EntryInfo>& entries(const Program& program);
  static const EntryInfo* entry(const Program& program, std::string_view mangled);

  /// Address and size of a module-scope variable by mangled name; {0, 0} if there is none.
  static std::pair<DeviceAddress, std::uint64_t> variable(const Program& program, std::string_view mangled);

  /// Runs a kernel to its end. `parameters` is the parameter block laid out as EntryInfo says.
  /// Preconditions (the runtime checks them and gives CUDA's error codes): the geometry is within the model's
  /// limits, the parameter block has the right size. An entry that is unsupported ends at once with that
  /// finding.
  LaunchResult launch(const Program& program, std::string_view entry, const LaunchConfig& config,
                      std::span<const std::byte> parameters);

  void set_observer(Observer* observer);  ///< nullptr: none. Not owned.
  void set_output(OutputSink* sink);      ///< nullptr: dropped. Not owned.

  /// A lane of the warp that an observer is being told of, with its call stack. Only inside an observer's
  /// callback that got `place`.
  Party party(const WarpPlace& place, std::uint32_t lane) const;

  DeviceMemory& memory();
  const DeviceModel& model() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpcheck::simt

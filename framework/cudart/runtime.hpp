#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "framework/contract/finding.hpp"
#include "framework/simt/device_memory.hpp"
#include "framework/simt/machine.hpp"

/// The CUDA runtime on the CPU: the functions that a plug-in built with `nvcc -cudart none` expects, on a
/// checking SIMT machine. A process that links this with exported symbols is such a plug-in's runtime.
namespace warpcheck::cudart {

struct State;

/// What holds for one case: everything between begin_case and end_case.
struct CaseSettings {
  simt::Schedule schedule;
  std::uint64_t step_budget{};  ///< warp instructions a launch; 0: no limit
  bool early_exit_allowed{};    ///< threads may exit before a barrier of their block
  simt::FillPolicy fill;        ///< for allocations of this case
  /// true: blocks that the case before left behind may be handed out with their content (needs fill.recycle).
  bool keep_content{};
};

/// A launch that returned an error: its kernel did not run.
struct FailedLaunch {
  std::string kernel;  ///< demangled; empty if the function is not known
  simt::Dim3 grid, block;
  std::uint64_t dynamic_shared_bytes{};
  int error{};          ///< cudaError_t
  std::string message;  ///< one line: the value and the limit
};

/// Calls of one function that returned the same error.
struct ApiError {
  std::string function;
  int error{};          ///< cudaError_t
  std::string message;  ///< the first call's reason, one line; may be empty
  std::uint64_t count{1};
};

/// An allocation that a plug-in made in the case and did not free.
struct Leak {
  std::string name;  ///< "cudaMalloc #2"
  std::uint64_t bytes{};
};

/// What happened in one case.
struct CaseReport {
  std::vector<Finding> findings;  ///< of all launches; equal ones are merged
  std::uint64_t launches{};       ///< attempted, those that failed included
  std::vector<FailedLaunch> failed_launches;
  int sticky_error{};  ///< cudaError_t of the first fault of a kernel; 0 if there was none
  std::vector<ApiError> api_errors;
  std::vector<Leak> leaks;
  std::uint64_t warp_instructions{};
};

/// The one runtime of this process. Calls of the CUDA functions are serialised by a lock; the functions of
/// this class must not run at the same time as a plug-in's code.
class Runtime {
 public:
  static Runtime& instance();

  /// Makes a device anew. Everything allocated is gone, plug-ins stay registered. The default device is an
  /// sm_80 with 8 GiB, made at the first use.
  void configure(const simt::DeviceModel& model, std::uint64_t memory_capacity);

  simt::DeviceMemory& memory();
  simt::Machine& machine();
  const simt::DeviceModel& model();

  /// Where printf and assert of kernels go, and who watches launches; nullptr: nobody. Not owned. Both
  /// survive configure.
  void set_output(simt::OutputSink* sink);
  void set_observer(simt::Observer* observer);

  /// Starts a case on a device in its first state: frees what the case before left, clears errors and
  /// records, gives module variables their initial values. Attributes of functions, streams and events stay,
  /// as plug-ins keep them in static variables.
  void begin_case(const CaseSettings& settings);

  /// The record since begin_case. What was allocated stays until the next begin_case, so that results can be
  /// read.
  CaseReport end_case();

  /// Mangled names of all registered kernels, in the order of registration.
  std::vector<std::string> kernels();

  /// One line for every registered binary whose PTX cannot be loaded. Loads all of them.
  std::vector<std::string> unloadable();

  /// One line for every registered kernel that the machine cannot run, and for every registered binary whose
  /// PTX cannot be loaded. Loads all of them.
  std::vector<std::string> unsupported();

 private:
  friend State& state();
  Runtime();
  ~Runtime() = delete;  // lives as long as the process: plug-ins unregister while it ends
  State* state_;
};

}  // namespace warpcheck::cudart

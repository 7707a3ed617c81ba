#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "framework/contract/case.hpp"
#include "framework/contract/finding.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck {

/// One launch of a kernel's host function: a case, and what memory holds before it.
struct Run {
  const Case* test_case{};
  /// Every byte of outputs and fresh allocations, as a 32-bit pattern. The default is a NaN in every format.
  std::uint32_t poison{0xffffffffu};
  /// true: allocations may be blocks that the run before it in the same batch has freed, with their old
  /// content.
  bool recycle{false};
};

/// How a run ended.
enum class RunStatus : std::uint8_t {
  completed,     ///< the host function returned success, and nothing below happened
  launch_error,  ///< the host function or a launch returned a CUDA error
  violation,     ///< a rule was broken while a kernel ran: see findings
  crash,         ///< the process died in host code or in a device's driver
  time_out,      ///< the step budget or, in host code, the clock ran out
};

/// Everything that a run left behind.
struct Outcome {
  RunStatus status{RunStatus::completed};
  numeric::Value output;  ///< the bits at the output
  bool output_written{};  ///< false if the output still holds the poison
  bool input_changed{};
  std::vector<Finding> findings;
  std::string detail;  ///< one line for launch_error, crash and time_out; empty otherwise
  std::uint64_t warp_instructions{};
};

/// Where kernels run.
class Executor {
 public:
  virtual ~Executor() = default;

  virtual std::string_view name() const = 0;  ///< "cpu" or "cuda"

  /// Outcomes in the order of the runs. The runs of one call happen one after another in one process; a crash
  /// ends only the run that caused it. Never throws for what a kernel does; throws std::runtime_error when no
  /// worker can be had.
  virtual std::vector<Outcome> run(const KernelInfo& kernel, std::span<const Run> runs) = 0;

  Outcome run_once(const KernelInfo& kernel, const Run& run) { return this->run(kernel, {&run, 1}).front(); }
};

}  // namespace warpcheck

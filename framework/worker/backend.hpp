#pragma once

#include <warpcheck/abi.h>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "framework/contract/executor.hpp"
#include "framework/worker/protocol.hpp"

namespace warpcheck::worker {

/// The CUDA runtime that this process runs kernels on. There are two programs from one source: the one that
/// links a checking runtime on the CPU, and the one that opens NVIDIA's.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;

  /// Makes the runtime's symbols available; called once, before any plug-in is opened. Returns why it cannot
  /// run kernels ("no CUDA device"), or an empty string.
  virtual std::string open() = 0;

  /// Called after a plug-in was opened. Returns one line (without the path) if its kernels cannot run here:
  /// no PTX, a runtime of its own.
  virtual std::string check_plugin() = 0;

  /// Runs a kernel once. Returns, whatever the kernel does short of ending the process.
  virtual Outcome run(const RunRequest& request, std::span<const std::byte> input,
                      warpcheck_launch launch) = 0;

  /// true once this process cannot run anything more; a new one must take over.
  virtual bool retired() const { return false; }

  /// What is known of an address that could not be accessed; called from a signal handler of a dying process.
  virtual void describe_address(std::uint64_t address, CrashRecord& record) const = 0;
};

/// The backend of this program.
Backend& backend();

}  // namespace warpcheck::worker

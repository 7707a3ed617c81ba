#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "framework/contract/kernel_info.hpp"
#include "framework/engine/session.hpp"

namespace warpcheck::cli {

/// The executors that there are: cpu, cuda.
std::span<const std::string> executor_names();

/// A session whose kernels are known, whether or not its executor can run them.
struct OpenSession {
  std::unique_ptr<engine::Session> session;
  std::string executor;     ///< as it was asked for
  std::string unavailable;  ///< why that executor cannot run anything; empty if it can

  const std::vector<KernelInfo>& kernels() const { return session->kernels(); }
};

/// Opens the plug-ins, or the one with the built-in kernels if none is given. Where the executor is not
/// available the kernels are read through `cpu`, so that what was not run has a name. Throws UsageError for
/// an unknown executor and a bad plug-in, CannotRun when no worker can be had at all.
OpenSession open_session(const std::string& executor, std::span<const std::string> plugins);

/// Why the executor cannot run kernels; empty if it can. Throws UsageError for an unknown one.
std::string why_not_available(const std::string& executor);

}  // namespace warpcheck::cli

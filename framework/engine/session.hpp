#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/contract/executor.hpp"
#include "framework/contract/kernel_info.hpp"

namespace warpcheck::engine {

/// The plug-ins of a run and the executors that can run them.
class Session {
 public:
  /// `executor`: "cpu" or "cuda". Throws std::invalid_argument for another name.
  explicit Session(std::string_view executor);
  ~Session();

  /// Reads the kernels of a plug-in through the worker. Throws std::invalid_argument with one line when the
  /// file is missing, is no plug-in, was built with a CUDA runtime linked in, has no PTX, holds a bad
  /// contract, or holds a kernel whose name is taken.
  void add_plugin(const std::filesystem::path& path);

  /// In the order of plug-ins and registrations.
  const std::vector<KernelInfo>& kernels() const;

  Executor& executor();

  /// Why the executor cannot run ("no CUDA device"); empty if it can.
  std::string not_available() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The plug-in with the built-in kernels that belongs to this program, and the one with planted faults.
std::filesystem::path builtin_kernels_plugin();
std::filesystem::path demonstration_plugin();

}  // namespace warpcheck::engine

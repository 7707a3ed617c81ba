#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "framework/contract/executor.hpp"

namespace warpcheck::worker {

/// Runs kernels in a worker process of its own, and starts another when one dies.
///
/// A kernel that crashes, exits or never ends costs one process; every other run of a batch keeps its
/// outcome.
class WorkerExecutor : public Executor {
 public:
  /// `name` is "cpu" or "cuda"; no process is started yet.
  explicit WorkerExecutor(std::string_view name);
  ~WorkerExecutor() override;

  std::string_view name() const override;

  /// Why this executor cannot run kernels; empty if it can. Starts the worker.
  std::string not_available();

  /// Opens a plug-in in the worker and reads its kernels. Throws std::invalid_argument with one line that
  /// names the path, what is wrong with it and what would be right.
  std::vector<KernelInfo> load(const std::filesystem::path& plugin);

  std::vector<Outcome> run(const KernelInfo& kernel, std::span<const Run> runs) override;

  /// Wall-clock time that the host code of one run may take beyond its kernels' step budget; 10 s unless set.
  void set_host_limit(std::chrono::milliseconds limit);

  /// How many worker processes have been started.
  std::uint64_t processes_started() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

/// The worker program of that executor: beside this program, or where it was installed or built. Throws
/// std::runtime_error naming the places that were looked at.
std::filesystem::path worker_program(std::string_view executor);

}  // namespace warpcheck::worker

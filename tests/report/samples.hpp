#pragma once

#include <string>
#include <vector>

#include "framework/contract/executor.hpp"
#include "framework/engine/check.hpp"

/// A kernel of fp32 elements whose contract declares the tree `tree` (any order if it is empty).
warpcheck::KernelInfo sample_kernel(
    const std::string& name, const std::string& tree,
    warpcheck::numeric::Format accumulation = warpcheck::numeric::Format::fp32);

/// A check that holds over 200 cases.
warpcheck::engine::CheckResult holding_check(const std::string& kernel, const std::string& property);

/// Kernels and checks with every kind of verdict.
std::vector<warpcheck::KernelInfo> sample_kernels();
std::vector<warpcheck::engine::CheckResult> sample_checks();

/// Runs every case on the host with a function of its values.
class HostExecutor : public warpcheck::Executor {
 public:
  using Function = warpcheck::Outcome (*)(const warpcheck::Case&);
  explicit HostExecutor(Function function) : function_(function) {}
  std::string_view name() const override { return "host"; }
  std::vector<warpcheck::Outcome> run(const warpcheck::KernelInfo&,
                                      std::span<const warpcheck::Run> runs) override;

 private:
  Function function_;
};

/// A completed run with this result.
warpcheck::Outcome completed(float result);

#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "framework/contract/executor.hpp"
#include "framework/contract/property.hpp"

namespace warpcheck::properties {

/// What a host function sees of one run: the case, and memory as the executor leaves it.
struct Launch {
  const KernelInfo& kernel;
  const Case& test_case;
  std::uint32_t poison;
  /// Memory for partial sums: poisoned, or what the run before it left.
  std::vector<std::byte>& scratch;
  /// How many runs this executor has served before.
  std::uint64_t serial_number;

  std::uint64_t n() const { return test_case.n(); }
  const Geometry& geometry() const { return test_case.geometry; }
  /// What `format` data in poisoned memory reads as.
  numeric::Value poison_value(numeric::Format format) const {
    const std::uint64_t both = std::uint64_t{poison} << 32 | poison;
    return {format, format == numeric::Format::fp32 ? poison : both};
  }
};

inline Outcome completed(numeric::Value output) {
  Outcome outcome;
  outcome.output = output;
  outcome.output_written = true;
  return outcome;
}

/// Runs a function of the host in place of a kernel.
class FakeExecutor : public Executor {
 public:
  using Function = std::function<Outcome(const Launch&)>;

  explicit FakeExecutor(Function function) : function_(std::move(function)) {}

  std::string_view name() const override { return "fake"; }

  std::vector<Outcome> run(const KernelInfo& kernel, std::span<const Run> runs) override {
    std::vector<Outcome> outcomes;
    std::vector<std::byte> scratch;
    for (const Run& run : runs) {
      const std::size_t bytes = std::size_t{run.test_case->geometry.grid} * 8;
      if (!run.recycle) scratch.clear();
      while (scratch.size() < bytes) {
        const std::size_t at = scratch.size();
        scratch.resize(at + 4);
        std::memcpy(scratch.data() + at, &run.poison, 4);
      }
      outcomes.push_back(function_({kernel, *run.test_case, run.poison, scratch, runs_++}));
    }
    ++calls_;
    return outcomes;
  }

  std::uint64_t runs() const { return runs_; }
  std::uint64_t calls() const { return calls_; }

 private:
  Function function_;
  std::uint64_t runs_ = 0;
  std::uint64_t calls_ = 0;
};

}  // namespace warpcheck::properties

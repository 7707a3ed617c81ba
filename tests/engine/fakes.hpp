#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "framework/contract/executor.hpp"
#include "framework/contract/property.hpp"
#include "generators/generator.hpp"

namespace warpcheck::engine::testing {

/// Runs a host function in place of a kernel.
class HostExecutor : public Executor {
 public:
  using Kernel = std::function<Outcome(const Case&)>;

  explicit HostExecutor(Kernel kernel, std::string name = "cpu")
      : kernel_(std::move(kernel)), name_(std::move(name)) {}

  std::string_view name() const override { return name_; }
  std::vector<Outcome> run(const KernelInfo&, std::span<const Run> runs) override;

  std::uint64_t runs() const { return runs_; }

 private:
  Kernel kernel_;
  std::string name_;
  std::uint64_t runs_ = 0;
};

/// Adds the elements that are left after `dropped` from the end, in order.
HostExecutor::Kernel serial_sum(std::size_t dropped = 0);

/// The result must be the exact sum, rounded once: true of any right kernel for the small integers of these
/// tests.
class ExactSumProperty : public Property {
 public:
  std::string_view name() const override { return "test_exact_sum"; }
  std::string_view claim() const override { return "The result is the exact sum."; }
  Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const override;
};

/// A property that says what it is told to.
class ScriptedProperty : public Property {
 public:
  using Script = std::function<Verdict(const Case&)>;
  explicit ScriptedProperty(Script script, std::string reason = {})
      : script_(std::move(script)), inapplicable_(std::move(reason)) {}

  std::string_view name() const override { return "scripted"; }
  std::string_view claim() const override { return "Whatever the test says."; }
  std::string inapplicable_to(const KernelInfo&) const override { return inapplicable_; }
  Verdict judge(const KernelInfo&, const Case& test_case, Executor&) const override {
    return script_(test_case);
  }

 private:
  Script script_;
  std::string inapplicable_;
};

/// Small integers; `required` arrays of 1, 2, … elements come first.
class IntegerGenerator : public Generator {
 public:
  IntegerGenerator(std::string name, std::uint64_t required) : name_(std::move(name)), required_(required) {}

  std::string_view name() const override { return name_; }
  std::string_view description() const override { return "Small integers."; }
  std::vector<Case> required(const KernelInfo& kernel) const override;

 protected:
  Case make(const KernelInfo& kernel, generators::Draw& draw) const override;

 private:
  std::string name_;
  std::uint64_t required_;
};

}  // namespace warpcheck::engine::testing

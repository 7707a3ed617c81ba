#pragma once

#include <functional>
#include <span>
#include <string>

#include "framework/contract/kernel_info.hpp"
#include "framework/contract/property.hpp"
#include "framework/engine/check.hpp"

namespace warpcheck::cli {

/// Judges one property on one kernel; called while the GoogleTest test of that check runs.
using Judge = std::function<engine::CheckResult(const KernelInfo&, const Property&)>;

/// Registers one GoogleTest test for each kernel and property: the kernel is the test suite, the property the
/// test, the kernel's registration the source line. Preconditions: kernels and properties outlive
/// RUN_ALL_TESTS; called before it.
void register_checks(std::span<const KernelInfo* const> kernels, std::span<const Property* const> properties,
                     const Judge& judge);

/// Turns a check into the result of the GoogleTest test that runs: falsified is a failure at the kernel's
/// registration, with the counterexample's whole text; no power, inapplicable and not run are skips with the
/// reason, never passes. The numbers of the check are recorded as properties of the test.
void report_to_googletest(const engine::CheckResult& check, const KernelInfo& kernel);

/// What people read about a check that was falsified: the counterexample's text.
std::string failure_text(const engine::CheckResult& check);

/// A check that could not be run.
engine::CheckResult not_run_check(const KernelInfo& kernel, const Property& property, std::string executor,
                                  std::string reason);

}  // namespace warpcheck::cli

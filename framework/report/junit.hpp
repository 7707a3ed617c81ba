#pragma once

#include <functional>
#include <span>
#include <string>

#include "framework/engine/check.hpp"

namespace warpcheck::report {

/// The result of a run as JUnit XML: a test suite for each kernel, a test case for each property.
///
/// Falsified is a <failure> of type "class", with `describe` of the check as its text; inapplicable, not run
/// and no power are <skipped> with the reason; only what holds is a bare test case. Text is escaped, and
/// characters that XML cannot hold are replaced.
std::string junit_xml(std::span<const engine::CheckResult> checks,
                      const std::function<std::string(const engine::CheckResult&)>& describe);

}  // namespace warpcheck::report

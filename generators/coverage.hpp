#pragma once

#include <span>
#include <string_view>

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"

namespace warpcheck::generators {

/// A set of cases that a search must not miss.
struct CoverageClass {
  std::string_view name;
  bool (*contains)(const KernelInfo& kernel, const Case& test_case);
  /// false where the contract's geometries leave the class empty, or reach it with very large launches only.
  bool (*possible)(const KernelInfo& kernel);
};

/// Every class. The required() cases of all generators together contain each one that is possible.
std::span<const CoverageClass> coverage_classes();

}  // namespace warpcheck::generators

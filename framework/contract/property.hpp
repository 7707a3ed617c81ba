#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/contract/case.hpp"
#include "framework/contract/executor.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/contract/verdict.hpp"

namespace warpcheck {

/// A named statement about a kernel and a case, judged by running the kernel.
///
/// judge() is a function of its arguments alone: same kernel, case and executor, same verdict. It runs the
/// kernel as often as the statement needs and asserts nothing.
class Property {
 public:
  virtual ~Property() = default;

  virtual std::string_view name() const = 0;   ///< "within_proved_bound"
  virtual std::string_view claim() const = 0;  ///< one sentence

  /// Names of the generators whose cases say something here; empty: all of them.
  virtual std::vector<std::string> generators() const { return {}; }

  /// Why the property says nothing about this kernel; empty if it does.
  virtual std::string inapplicable_to(const KernelInfo& /*kernel*/) const { return {}; }

  virtual Verdict judge(const KernelInfo& kernel, const Case& test_case, Executor& executor) const = 0;
};

/// All registered properties, sorted by name.
std::vector<const Property*> all_properties();
const Property* find_property(std::string_view name);

/// Registers a property for the life of the program: one static object in the property's file. A second
/// property of the same name ends the program with a message.
class PropertyRegistration {
 public:
  explicit PropertyRegistration(std::unique_ptr<Property> property);
};

#define WARPCHECK_PROPERTY(Type)                                                                     \
  namespace {                                                                                        \
  const ::warpcheck::PropertyRegistration warpcheck_property_registration{std::make_unique<Type>()}; \
  }                                                                                                  \
  static_assert(true, "")

}  // namespace warpcheck

#pragma once

#include <gtest/gtest.h>

#include <string>

#include "framework/cudart/runtime.hpp"

namespace warpcheck::cudart {

/// A function that a plug-in exports; the file is opened on first use, against the runtime that this program
/// exports. Throws std::runtime_error with the loader's message if the file or the function cannot be had.
void* plugin_symbol(const std::string& file, const char* name);

/// One case a test, on the default device, in plug-ins that nvcc made.
class PluginTest : public testing::Test {
 protected:
  void SetUp() override {
#ifndef CUDART_HAS_NVCC
    GTEST_SKIP() << "nvcc was not found when this was built";
#endif
    runtime().begin_case(settings());
  }

  static Runtime& runtime() {
    return Runtime::instance();
  }

  static CaseSettings settings() {
    CaseSettings values;
    values.step_budget = 2'000'000;
    return values;
  }
};

/// basics<int(int)>("fault", 3): calls a function of basics.so.
template <class Signature, class... Arguments>
auto basics(const char* name, Arguments... arguments) {
  auto* const function = reinterpret_cast<Signature*>(plugin_symbol("basics.so", name));
  return function(arguments...);
}

}  // namespace warpcheck::cudart

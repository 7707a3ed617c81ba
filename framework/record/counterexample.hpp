#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "framework/contract/case.hpp"
#include "framework/contract/verdict.hpp"

namespace warpcheck::record {

/// The reduced case that falsifies a property, and everything needed to run it again bit for bit.
struct Counterexample {
  std::string kernel;
  std::string plugin;  ///< path as it was given
  std::string property;
  std::string executor;
  std::string contract_hash;  ///< KernelContract::hash() of the kernel that failed
  std::string built_with;
  std::uint64_t seed{};  ///< of the run that found it
  Case reduced;
  Verdict verdict;  ///< of the reduced case
  Case original;
  Verdict original_verdict;
  std::uint64_t reduction_runs{};
  bool flaky{};      ///< running the same case again did not always fail
  std::string text;  ///< the message shown when it was found
};

/// The file format: JSON, version 1; elements as exact bits (hex floats and NaN payloads), runs of equal
/// elements with a length. Reading what was written gives the same counterexample.
std::string to_json(const Counterexample& counterexample);

/// Throws std::invalid_argument with one line (no file name) that says what is wrong: not JSON, truncated,
/// another program's file, a version this program does not know, a missing or ill-typed field, a value
/// outside its range.
Counterexample counterexample_from_json(std::string_view text);

}  // namespace warpcheck::record

#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/contract/verdict.hpp"
#include "framework/record/counterexample.hpp"

namespace warpcheck::engine::testing {

using record::Counterexample;

/// Random numbers that are the same everywhere: xorshift64*.
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : state_(seed * 2 + 1) {}
  std::uint64_t bits();
  std::uint64_t below(std::uint64_t limit) { return bits() % limit; }
  /// A positive or negative float of any magnitude between 2^-20 and 2^20.
  float real();

 private:
  std::uint64_t state_;
};

std::vector<float> random_floats(std::uint64_t n, std::uint64_t seed);

Case case_of(std::vector<float> values, Geometry geometry = {1, 32});

/// A contract that takes fp32 in any order and every geometry that a device does.
KernelInfo any_kernel(std::string name = "my_sum");

/// A counterexample in which no field has its default value: fp32, NaN payloads, −0, runs of equal elements,
/// two findings with stacks, measures that are not finite.
Counterexample full_counterexample();

/// The smallest one that a search would make.
Counterexample plain_counterexample();

/// Equal in every field and bit.
::testing::AssertionResult same(const Counterexample& a, const Counterexample& b);

}  // namespace warpcheck::engine::testing

#pragma once

#include <cstdint>
#include <vector>

#include "framework/contract/case.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::record {

/// Neighbouring elements with the same bits.
struct EqualRun {
  numeric::Value value;
  std::uint64_t count{};
};

/// The array as its longest runs of equal elements, in order; their counts add up to its length.
inline std::vector<EqualRun> equal_runs(const InputArray& array) {
  std::vector<EqualRun> runs;
  const std::uint64_t n = array.size();
  for (std::uint64_t i = 0; i < n; ++i) {
    const numeric::Value value = array[i];
    if (runs.empty() || runs.back().value != value) runs.push_back({value, 0});
    ++runs.back().count;
  }
  return runs;
}

}  // namespace warpcheck::record

#pragma once

#include <cstdint>
#include <vector>

#include "framework/contract/case.hpp"
#include "tests/properties/fake_executor.hpp"

namespace warpcheck::properties {

/// The elements, converted to the type of the additions.
template <class T>
std::vector<T> elements_of(const Case& test_case) {
  std::vector<T> elements;
  for (const numeric::Value value : test_case.input->values()) {
    // to_double is exact; a narrower T gets back what it was.
    elements.push_back(static_cast<T>(numeric::to_double(value)));
  }
  return elements;
}

template <class T>
T serial_sum(const std::vector<T>& x) {
  T total = 0;
  for (const T element : x) total += element;
  return total;
}

/// Sums of the threads of one block that add every (grid·block)-th element.
template <class T>
std::vector<T> thread_sums(const std::vector<T>& x, std::uint32_t grid, std::uint32_t block,
                           std::uint32_t index) {
  std::vector<T> sums(block, T{0});
  for (std::uint32_t thread = 0; thread < block; ++thread) {
    for (std::size_t i = std::size_t{index} * block + thread; i < x.size(); i += std::size_t{grid} * block) {
      sums[thread] += x[i];
    }
  }
  return sums;
}

/// Blocks that halve, in passes of min(grid, ⌈k/block⌉) blocks until one value is left.
template <class T>
T tree_sum(std::vector<T> x, const Geometry& geometry) {
  for (;;) {
    const std::size_t needed = (x.size() + geometry.block - 1) / geometry.block;
    const auto blocks = static_cast<std::uint32_t>(needed < 1               ? 1
                                                   : needed > geometry.grid ? geometry.grid
                                                                            : needed);
    std::vector<T> partials;
    for (std::uint32_t index = 0; index < blocks; ++index) {
      std::vector<T> values = thread_sums(x, blocks, geometry.block, index);
      for (std::uint32_t count = geometry.block; count > 1;) {
        const std::uint32_t kept = (count + 1) / 2;
        for (std::uint32_t thread = 0; thread < count / 2; ++thread) values[thread] += values[thread + kept];
        count = kept;
      }
      partials.push_back(values[0]);
    }
    if (blocks == 1) return partials[0];
    x = std::move(partials);
  }
}

/// Lane 0 of a warp that shuffles down.
template <class T>
T warp_sum(std::vector<T> lanes) {
  lanes.resize(32, T{0});
  for (std::size_t offset = 16; offset > 0; offset /= 2) {
    for (std::size_t lane = 0; lane < offset; ++lane) lanes[lane] += lanes[lane + offset];
  }
  return lanes[0];
}

template <class T>
T block_sum(const std::vector<T>& threads) {
  std::vector<T> warps;
  for (std::size_t first = 0; first < threads.size(); first += 32) {
    warps.push_back(
        warp_sum<T>({threads.begin() + static_cast<std::ptrdiff_t>(first),
                     threads.begin() + static_cast<std::ptrdiff_t>(std::min(first + 32, threads.size()))}));
  }
  return warp_sum(warps);
}

/// Warps that shuffle, one partial a block, then one block over the partials.
template <class T>
T shuffle_sum(const std::vector<T>& x, const Geometry& geometry) {
  std::vector<T> partials;
  for (std::uint32_t index = 0; index < geometry.grid; ++index) {
    partials.push_back(block_sum(thread_sums(x, geometry.grid, geometry.block, index)));
  }
  return block_sum(thread_sums(partials, 1, geometry.block, 0));
}

/// A host function for FakeExecutor from sum(elements, launch) → T, rounded to the output's format.
template <class T, class Sum>
FakeExecutor::Function host_function(Sum sum) {
  return [sum](const Launch& launch) {
    const T result = sum(elements_of<T>(launch.test_case), launch);
    return completed(numeric::convert(numeric::value_of(result), launch.kernel.contract.output));
  };
}

template <class T>
FakeExecutor::Function correct_serial() {
  return host_function<T>([](const std::vector<T>& x, const Launch&) { return serial_sum(x); });
}
template <class T>
FakeExecutor::Function correct_tree() {
  return host_function<T>([](const std::vector<T>& x, const Launch& l) { return tree_sum(x, l.geometry()); });
}
template <class T>
FakeExecutor::Function correct_shuffle() {
  return host_function<T>(
      [](const std::vector<T>& x, const Launch& l) { return shuffle_sum(x, l.geometry()); });
}

}  // namespace warpcheck::properties

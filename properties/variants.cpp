#include "properties/variants.hpp"

#include <algorithm>

#include "framework/numeric/bound.hpp"

namespace warpcheck::properties {

using numeric::Value;

Case with_input(const Case& test_case, std::shared_ptr<const InputArray> input) {
  Case result = test_case;
  result.input = std::move(input);
  return result;
}

Case prefix(const Case& test_case, std::uint64_t n) {
  const InputArray& input = *test_case.input;
  const auto bytes = input.bytes().first(n * numeric::size_in_bytes(input.format()));
  return with_input(test_case, std::make_shared<const InputArray>(
                                   input.format(), std::vector<std::byte>(bytes.begin(), bytes.end())));
}

Case negated(const Case& test_case) {
  std::vector<Value> values = test_case.input->values();
  for (Value& value : values) value = numeric::negate(value);
  return with_input(test_case, make_input(test_case.input->format(), values));
}

std::optional<Case> scaled(const Case& test_case, int k) {
  std::vector<Value> values = test_case.input->values();
  for (Value& value : values) {
    const std::optional<Value> exact = numeric::scale_exactly(value, k);
    if (!exact) return std::nullopt;
    value = *exact;
  }
  return with_input(test_case, make_input(test_case.input->format(), values));
}

std::vector<Geometry> several_geometries(const KernelContract& contract, const Case& test_case,
                                         std::size_t others) {
  const std::uint64_t n = test_case.n();
  const std::uint64_t threads = std::max<std::uint64_t>(2 * n, 4096);
  std::vector<Geometry> geometries{test_case.geometry};
  const auto consider = [&](std::uint64_t grid, std::uint32_t block) {
    const std::uint32_t accepted = contract.nearest({1, block}).block;
    const std::uint64_t most = std::max<std::uint64_t>(1, threads / accepted);
    const Geometry geometry = contract.nearest({static_cast<std::uint32_t>(std::min(grid, most)), accepted});
    if (geometries.size() <= others &&
        std::find(geometries.begin(), geometries.end(), geometry) == geometries.end()) {
      geometries.push_back(geometry);
    }
  };
  consider(3, 96);
  consider(1, 128);
  consider(numeric::ceil_div(std::max<std::uint64_t>(n, 1), contract.smallest_block()),
           contract.smallest_block());
  consider(1, contract.smallest_block());
  consider(5, 33);
  return geometries;
}

std::uint64_t seed_from(const InputArray& input) {
  // FNV-1a.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::byte byte : input.bytes()) {
    hash ^= static_cast<std::uint64_t>(byte);
    hash *= 0x100000001b3u;
  }
  return hash;
}

std::vector<Outcome> run_each(const KernelInfo& kernel, std::span<const Case> cases, Executor& executor) {
  std::vector<Run> runs;
  for (const Case& test_case : cases) runs.push_back({&test_case});
  return executor.run(kernel, runs);
}

}  // namespace warpcheck::properties

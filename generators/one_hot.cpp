#include "framework/numeric/text.hpp"
#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

/// A nonzero value that all three formats of the contract hold.
numeric::Value draw_hot(Draw& draw, const KernelContract& contract) {
  numeric::Value value = draw_finite(draw, narrowest(contract));
  while (numeric::is_zero(value)) value = draw_finite(draw, narrowest(contract));
  return numeric::convert(value, contract.input);
}

std::shared_ptr<const InputArray> hot_at(numeric::Value value, std::uint64_t n, std::uint64_t position) {
  ArrayBuilder array(value.format, n);
  array.set(position, value);
  return std::move(array).finish();
}

Parameters parameters(numeric::Value value, std::uint64_t position) {
  return {{"value", numeric::to_hex(value)}, {"position", std::to_string(position)}};
}

class OneHot : public Generator {
 public:
  std::string_view name() const override { return "one_hot"; }
  std::string_view description() const override {
    return "one element that is not zero, anywhere among zeros";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    const numeric::Format format = kernel.contract.input;
    const numeric::Format narrow = narrowest(kernel.contract);
    const std::vector<numeric::Value> values{nearest_value(format, 1.0),
                                             numeric::convert(numeric::largest_finite(narrow, true), format),
                                             numeric::convert(numeric::smallest_subnormal(narrow), format)};
    std::vector<Case> cases;
    const auto add = [&](std::uint64_t n, std::uint64_t position, const Geometry& geometry) {
      const numeric::Value value = values[cases.size() % values.size()];
      cases.push_back(
          fixed_case(kernel, name(), hot_at(value, n, position), geometry, parameters(value, position)));
    };
    for (const std::uint64_t n : {2u, 33u, 64u}) {
      for (const Geometry& geometry : typical_geometries(kernel.contract, n)) add(n, n - 1, geometry);
    }
    for (const std::uint64_t position : {0u, 499u, 998u, 999u}) add(1000, position, {3, 64});
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const std::uint64_t n = draw_length(draw);
    // The ends are where elements get lost.
    const std::uint64_t position = draw.chance(1, 4) ? n - 1 : draw.below(n);
    const numeric::Value value = draw_hot(draw, kernel.contract);
    return random_case(draw, kernel, hot_at(value, n, position), parameters(value, position));
  }
};

}  // namespace

WARPCHECK_GENERATOR(OneHot);

}  // namespace warpcheck::generators

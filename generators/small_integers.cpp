#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

std::shared_ptr<const InputArray> integers(Draw& draw, numeric::Format format, std::uint64_t n,
                                           std::int64_t largest) {
  ArrayBuilder array(format, n);
  for (std::uint64_t i = 0; i < n; ++i) {
    array.set(i, nearest_value(format, static_cast<double>(draw.between(-largest, largest))));
  }
  return std::move(array).finish();
}

class SmallIntegers : public Generator {
 public:
  std::string_view name() const override { return "small_integers"; }
  std::string_view description() const override {
    return "integers of at most 100 in magnitude, zeros among them: rounding cannot be the cause of a "
           "difference";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    const auto add = [&](std::uint64_t n, std::int64_t largest, const Geometry& geometry) {
      Draw draw(n);
      cases.push_back(fixed_case(kernel, name(), integers(draw, kernel.contract.input, n, largest), geometry,
                                 {{"largest", std::to_string(largest)}}));
    };
    // Lengths that halving without care mistreats.
    for (const std::uint64_t n : {4u, 7u, 9u}) {
      for (const Geometry& geometry : typical_geometries(kernel.contract, n)) add(n, 9, geometry);
    }
    add(180, 3, {1, 180});
    add(1000, 100, {4, 64});
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const std::uint64_t n = draw_length(draw);
    const std::int64_t largest = draw.pick({1, 2, 9, 100});
    auto input = integers(draw, kernel.contract.input, n, largest);
    return random_case(draw, kernel, std::move(input), {{"largest", std::to_string(largest)}});
  }
};

}  // namespace

WARPCHECK_GENERATOR(SmallIntegers);

}  // namespace warpcheck::generators

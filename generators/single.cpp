#include "framework/numeric/text.hpp"
#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

std::shared_ptr<const InputArray> one_element(numeric::Value value) {
  return make_input(value.format, {&value, 1});
}

class Single : public Generator {
 public:
  std::string_view name() const override { return "single"; }
  std::string_view description() const override {
    return "one finite element: any value, zeros and subnormals included";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    const numeric::Format format = kernel.contract.input;
    const numeric::FormatTraits& traits = numeric::traits(format);
    const numeric::Value smallest_normal = normal_value(format, false, traits.min_exponent, 0);
    const std::vector<numeric::Value> values{
        nearest_value(format, 1.0),
        numeric::zero(format, true),
        numeric::zero(format),
        nearest_value(format, -0.1),
        numeric::largest_finite(format),
        numeric::largest_finite(format, true),
        numeric::smallest_subnormal(format),
        numeric::smallest_subnormal(format, true),
        smallest_normal,
        numeric::next_down(smallest_normal),
    };
    const std::vector<Geometry> geometries = typical_geometries(kernel.contract, 1);
    std::vector<Case> cases;
    for (std::size_t i = 0; i < values.size(); ++i) {
      cases.push_back(fixed_case(kernel, name(), one_element(values[i]), geometries[i % geometries.size()],
                                 {{"value", numeric::to_hex(values[i])}}));
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const numeric::Value value = draw_finite(draw, kernel.contract.input);
    return random_case(draw, kernel, one_element(value), {{"value", numeric::to_hex(value)}});
  }
};

}  // namespace

WARPCHECK_GENERATOR(Single);

}  // namespace warpcheck::generators

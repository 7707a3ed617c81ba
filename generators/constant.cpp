#include "framework/numeric/text.hpp"
#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

std::shared_ptr<const InputArray> copies(numeric::Value value, std::uint64_t n) {
  ArrayBuilder array(value.format, n);
  for (std::uint64_t i = 0; i < n; ++i) array.set(i, value);
  return std::move(array).finish();
}

class Constant : public Generator {
 public:
  std::string_view name() const override { return "constant"; }
  std::string_view description() const override {
    return "equal elements: ones, other numbers of either sign, subnormals, zeros of either sign";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    const numeric::Format format = kernel.contract.input;
    std::vector<Case> cases;
    const auto add = [&](numeric::Value value, std::uint64_t n, const Geometry& geometry) {
      cases.push_back(
          fixed_case(kernel, name(), copies(value, n), geometry, {{"value", numeric::to_hex(value)}}));
    };
    const Geometry small = kernel.contract.nearest({2, 64});
    const std::uint64_t block = small.block;
    for (const std::uint64_t n : {block - 1, block, block + 1, small.threads() + 1}) {
      add(nearest_value(format, 1.0), n, small);
    }
    add(nearest_value(format, 0.1), 1000, small);
    add(nearest_value(format, -3.7), 300, small);
    for (const std::uint64_t n : {std::uint64_t{1}, std::uint64_t{2}, block, block + 1}) {
      add(numeric::zero(format, true), n, small);
    }
    add(numeric::zero(format), 100, small);
    add(numeric::smallest_subnormal(format), 100, small);
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const std::uint64_t n = draw_length(draw);
    numeric::Value value = draw_finite(draw, kernel.contract.input);
    if (draw.chance(1, 4)) value = nearest_value(kernel.contract.input, 1.0);
    return random_case(draw, kernel, copies(value, n), {{"value", numeric::to_hex(value)}});
  }
};

}  // namespace

WARPCHECK_GENERATOR(Constant);

}  // namespace warpcheck::generators

#include <algorithm>

#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

std::shared_ptr<const InputArray> in_order(Draw& draw, numeric::Format format, std::uint64_t n,
                                           bool falling) {
  // Doubles hold either format exactly, and sort ten times as quickly as data of a format.
  std::vector<double> values(n);
  for (double& value : values) value = numeric::to_double(draw_normal(draw, format, -10, 10));
  std::sort(values.begin(), values.end());
  if (falling) std::reverse(values.begin(), values.end());
  ArrayBuilder array(format, n);
  for (std::uint64_t i = 0; i < n; ++i) array.set(i, nearest_value(format, values[i]));
  return std::move(array).finish();
}

class Sorted : public Generator {
 public:
  std::string_view name() const override { return "sorted"; }
  std::string_view description() const override { return "elements of both signs, rising or falling"; }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    for (const bool falling : {false, true}) {
      for (const std::uint64_t n : {50u, 257u}) {
        Draw draw(n);
        cases.push_back(fixed_case(kernel, name(), in_order(draw, kernel.contract.input, n, falling),
                                   {falling ? 2u : 1u, 64}, parameters(falling)));
      }
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const std::uint64_t n = draw_length(draw, 2);
    const bool falling = draw.chance(1, 2);
    return random_case(draw, kernel, in_order(draw, kernel.contract.input, n, falling), parameters(falling));
  }

 private:
  static Parameters parameters(bool falling) { return {{"direction", falling ? "falling" : "rising"}}; }
};

}  // namespace

WARPCHECK_GENERATOR(Sorted);

}  // namespace warpcheck::generators

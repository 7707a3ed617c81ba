#include <algorithm>

#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

std::shared_ptr<const InputArray> spread_values(Draw& draw, numeric::Format format, std::uint64_t n,
                                                int lowest, int highest) {
  const numeric::FormatTraits& traits = numeric::traits(format);
  ArrayBuilder array(format, n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const int exponent = static_cast<int>(draw.between(lowest, highest));
    const std::uint64_t random = draw.bits();
    const bool negative = (random >> 63) != 0;
    if (exponent >= traits.min_exponent) {
      array.set(i, normal_value(format, negative, exponent, random));
    } else {
      // A subnormal whose leading bit is at this exponent.
      const int width = exponent - traits.smallest_exponent;
      const std::uint64_t leading = std::uint64_t{1} << width;
      const numeric::Value magnitude{format, leading | (random & (leading - 1))};
      array.set(i, negative ? numeric::negate(magnitude) : magnitude);
    }
  }
  return std::move(array).finish();
}

class WideExponents : public Generator {
 public:
  std::string_view name() const override { return "wide_exponents"; }
  std::string_view description() const override {
    return "exponents spread evenly over a range, up to all that the format has without overflow";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    const numeric::FormatTraits& traits = numeric::traits(kernel.contract.input);
    std::vector<Case> cases;
    for (const std::uint64_t n : {2u, 7u, 45u, 257u, 1000u}) {
      const std::vector<Geometry> geometries = typical_geometries(kernel.contract, n);
      Draw draw(n);
      const int highest = safe_exponent(kernel.contract, n);
      const int lowest = cases.size() % 2 == 0 ? traits.smallest_exponent : -40;
      cases.push_back(fixed_case(kernel, name(),
                                 spread_values(draw, kernel.contract.input, n, lowest, highest),
                                 geometries[cases.size() % geometries.size()], parameters(lowest, highest)));
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const numeric::FormatTraits& traits = numeric::traits(kernel.contract.input);
    const std::uint64_t n = draw_length(draw);
    int lowest = traits.smallest_exponent;
    int highest = safe_exponent(kernel.contract, n);
    if (draw.chance(2, 3)) {
      const std::int64_t width = draw.between(0, 2 * traits.precision + 12);
      lowest = static_cast<int>(draw.between(lowest, highest - width));
      highest = static_cast<int>(lowest + width);
    }
    auto input = spread_values(draw, kernel.contract.input, n, lowest, highest);
    return random_case(draw, kernel, std::move(input), parameters(lowest, highest));
  }

 private:
  static Parameters parameters(int lowest, int highest) {
    return {{"lowest exponent", std::to_string(lowest)}, {"highest exponent", std::to_string(highest)}};
  }
};

}  // namespace

WARPCHECK_GENERATOR(WideExponents);

}  // namespace warpcheck::generators

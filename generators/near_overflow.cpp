#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

/// Elements whose sum of magnitudes is beyond, or just below, what the narrowest format can hold.
std::shared_ptr<const InputArray> large_values(Draw& draw, const KernelContract& contract, std::uint64_t n,
                                               bool beyond) {
  const numeric::Format format = contract.input;
  const int top = beyond ? numeric::traits(narrowest(contract)).max_exponent : safe_exponent(contract, n);
  ArrayBuilder array(format, n);
  for (std::uint64_t i = 0; i < n; ++i) array.set(i, draw_normal(draw, format, top - 1, top));
  return std::move(array).finish();
}

class NearOverflow : public Generator {
 public:
  std::string_view name() const override { return "near_overflow"; }
  std::string_view description() const override {
    return "elements so large that their sum overflows in some order, or just does not in any";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    for (const bool beyond : {false, true}) {
      for (const std::uint64_t n : {2u, 45u, 300u}) {
        Draw draw(n);
        cases.push_back(fixed_case(kernel, name(), large_values(draw, kernel.contract, n, beyond),
                                   {n > 100 ? 3u : 1u, 64}, parameters(beyond)));
      }
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const std::uint64_t n = draw_length(draw, 2);
    const bool beyond = draw.chance(1, 4);
    auto input = large_values(draw, kernel.contract, n, beyond);
    return random_case(draw, kernel, std::move(input), parameters(beyond));
  }

 private:
  static Parameters parameters(bool beyond) { return {{"sum of magnitudes", beyond ? "overflows" : "fits"}}; }
};

}  // namespace

WARPCHECK_GENERATOR(NearOverflow);

}  // namespace warpcheck::generators

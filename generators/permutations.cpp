#include <span>
#include <vector>

#include "framework/numeric/text.hpp"
#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

using numeric::Value;

// Small multisets whose sum in working precision depends on the order; exact in fp32.
const std::vector<std::vector<double>> kMultisets{
    {1e8, 1, -1e8, 1},
    {0x1p24, 1, 1},
    {0x1p24, 1, 1, -0x1p24},
    {0x1p24, 0x1p24, 1, 1, -0x1p25},
    {1e8, 1, -1e8, 1, 1e8, -1e8},
    {0x1p53, 1, -0x1p53, 1},
    {0x1p53, 0x1p24, 1, -0x1p53, -0x1p24},
    {3, 0x1p-24, 0x1p-24, -3},
    {1, 0x1p-24, 0x1p-25, 0x1p-26},
    {1, 2, 3, 4, 5, 6},
    {0x1p60, 0x1p30, 1, -0x1p30, -0x1p60, 0x1p-20},
};

std::string set_text(std::span<const Value> values) {
  std::string text;
  for (const Value value : values) {
    if (!text.empty()) text.push_back(' ');
    text.append(numeric::to_decimal(value));
  }
  return text;
}

std::vector<Value> in_format(const std::vector<double>& numbers, numeric::Format format) {
  std::vector<Value> values;
  for (const double x : numbers) values.push_back(nearest_value(format, x));
  return values;
}

/// 2 to 8 values that cancel in part: pairs ±M and small ones, from a few magnitudes.
std::vector<Value> draw_multiset(Draw& draw, numeric::Format format) {
  std::vector<Value> values;
  const int spread = static_cast<int>(draw.between(0, 2 * numeric::traits(format).precision));
  const std::uint64_t pairs = draw.below(3);
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const Value large = draw_normal(draw, format, spread / 2, spread);
    values.push_back(large);
    values.push_back(numeric::negate(large));
  }
  const std::uint64_t singles = (pairs == 0 ? 2 : 1) + draw.below(3);
  const Value repeated = draw_normal(draw, format, -2, 2);
  for (std::uint64_t i = 0; i < singles; ++i) {
    values.push_back(draw.chance(1, 2) ? repeated : draw_normal(draw, format, -2, 2));
  }
  return values;
}

class Permutations : public Generator {
 public:
  std::string_view name() const override { return "permutations"; }
  std::string_view description() const override {
    return "orders of small multisets whose rounded sum depends on the order, such as 1e8, 1, -1e8, 1";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    for (const std::vector<double>& multiset : kMultisets) {
      const std::vector<Value> values = in_format(multiset, kernel.contract.input);
      const std::vector<Geometry> geometries = typical_geometries(kernel.contract, values.size());
      cases.push_back(fixed_case(kernel, name(), make_input(kernel.contract.input, values),
                                 geometries[cases.size() % geometries.size()],
                                 {{"values", set_text(values)}}));
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const numeric::Format format = kernel.contract.input;
    const std::vector<Value> values =
        draw.chance(1, 2) ? in_format(draw.pick(std::span<const std::vector<double>>(kMultisets)), format)
                          : draw_multiset(draw, format);
    ArrayBuilder array(format, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) array.set(i, values[i]);
    array.shuffle(draw);
    return random_case(draw, kernel, std::move(array).finish(), {{"values", set_text(values)}});
  }
};

}  // namespace

WARPCHECK_GENERATOR(Permutations);

}  // namespace warpcheck::generators

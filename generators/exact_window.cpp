#include <algorithm>
#include <array>

#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

enum class Signs : std::uint8_t { positive, negative, mixed };
enum class Sizes : std::uint8_t { small, spread, brim };

constexpr std::array<std::string_view, 3> kSigns{"positive", "negative", "mixed"};
constexpr std::array<std::string_view, 3> kSizes{"small", "spread", "brim"};

/// n integers m ≠ 0 times 2^exponent, such that the positive and the negative ones each sum to at most 2^p −
/// max|m|, p being the precision of the contract's narrowest format: every partial sum of every order is
/// exact, and still is when any one element is counted twice. With `brim` the larger of the two sums comes as
/// near to the limit as equal elements allow. Precondition: n < 2^p.
std::shared_ptr<const InputArray> window(Draw& draw, const KernelContract& contract, std::uint64_t n,
                                         Signs signs, Sizes sizes, int exponent) {
  const std::uint64_t limit = std::uint64_t{1} << numeric::traits(narrowest(contract)).precision;
  std::vector<bool> negative(n, signs == Signs::negative);
  if (signs == Signs::mixed) {
    for (std::uint64_t i = 0; i < n; ++i) negative[i] = draw.chance(1, 2);
  }
  const auto negatives = static_cast<std::uint64_t>(std::count(negative.begin(), negative.end(), true));
  // c elements of at most m each, and one more m: (c + 1)·m ≤ 2^p.
  std::uint64_t largest = limit / (std::max(negatives, n - negatives) + 1);
  if (sizes == Sizes::small) largest = std::min<std::uint64_t>(largest, 8);

  ArrayBuilder array(contract.input, n);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t m = sizes == Sizes::brim ? largest : 1 + draw.below(largest);
    array.set(i, *numeric::make_exact(contract.input, {negative[i], m, exponent}));
  }
  return std::move(array).finish();
}

class ExactWindow : public Generator {
 public:
  std::string_view name() const override { return "exact_window"; }
  std::string_view description() const override {
    return "multiples of one power of two, none of them 0, small enough that every order of additions is "
           "exact";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    for (const std::uint64_t n : {1u, 2u, 3u, 9u, 31u, 33u, 64u, 97u, 257u, 1000u}) {
      const std::vector<Geometry> geometries = typical_geometries(kernel.contract, n);
      const std::size_t i = cases.size();
      const auto signs = static_cast<Signs>(i % 3);
      const auto sizes = static_cast<Sizes>(i / 3 % 3);
      Draw draw(n);
      cases.push_back(fixed_case(kernel, name(), window(draw, kernel.contract, n, signs, sizes, 0),
                                 geometries[i % geometries.size()], parameters(signs, sizes, 0)));
      // These cases have an answer that no launch may change: the place to vary alignment and schedule.
      cases.back().pointer_offset = static_cast<std::uint32_t>(i % 4);
      if (i % 3 == 1) cases.back().schedule = {Schedule::Order::random, n};
      if (i % 3 == 2) cases.back().schedule = {Schedule::Order::highest_first, 0};
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const numeric::FormatTraits& narrow = numeric::traits(narrowest(kernel.contract));
    const std::uint64_t n = draw_length(draw);
    const auto signs = static_cast<Signs>(draw.below(3));
    const auto sizes = static_cast<Sizes>(draw.below(3));
    // Exact down to the smallest subnormal, and up to 2^p·2^e below the largest finite value.
    const int exponent = draw.chance(3, 4)
                             ? static_cast<int>(draw.between(-narrow.precision, 0))
                             : static_cast<int>(draw.between(narrow.smallest_exponent,
                                                             narrow.max_exponent - narrow.precision));
    auto input = window(draw, kernel.contract, n, signs, sizes, exponent);
    return random_case(draw, kernel, std::move(input), parameters(signs, sizes, exponent));
  }

 private:
  static Parameters parameters(Signs signs, Sizes sizes, int exponent) {
    return {{"signs", std::string(kSigns.at(static_cast<std::size_t>(signs)))},
            {"sizes", std::string(kSizes.at(static_cast<std::size_t>(sizes)))},
            {"exponent", std::to_string(exponent)}};
  }
};

}  // namespace

WARPCHECK_GENERATOR(ExactWindow);

}  // namespace warpcheck::generators

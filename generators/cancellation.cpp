#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/running_sum.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

using numeric::Value;

/// An array whose cancellation ratio was aimed at.
struct Cancelling {
  std::shared_ptr<const InputArray> input;
  double aimed_at;  ///< the target, as far as n elements can reach it
  double reached;   ///< A/|S| of the array; +inf for S = 0
};

/// n ≥ 2 elements whose A/|S| is near 2^log2_target, after algorithm GenSum of Ogita, Rump & Oishi ("Accurate
/// sum and dot product", 2005, §6, with all factors 1): the first half has exponents spread up to that of the
/// target; then each element cancels the exact sum so far but for a remainder whose exponent falls to the
/// lowest; the last one leaves A/κ. The order is random.
Cancelling cancelling_array(Draw& draw, const KernelContract& contract, std::uint64_t n, double log2_target) {
  const numeric::Format format = contract.input;
  const numeric::FormatTraits& traits = numeric::traits(format);
  const std::uint64_t spread = n / 2;
  // A rounded element can cancel about p bits of the sum before it, and no more.
  const double reachable =
      static_cast<double>((traits.precision - 2) * static_cast<std::int64_t>(n - spread));
  const double bits = std::min(log2_target, reachable);
  const int top = static_cast<int>(std::ceil(bits));

  const int highest_base = std::min(20, safe_exponent(contract, n) - top - 1);
  const int lowest_base = std::max(traits.min_exponent + traits.precision, highest_base - 60);
  const int base = static_cast<int>(draw.between(lowest_base, highest_base));

  ArrayBuilder array(format, n);
  // The last element may lie below the lowest exponent, but not below the last place of its predecessor's
  // remainder.
  RunningSum sum(base - 2 * traits.precision);
  double magnitudes = 0;
  const auto append = [&](std::uint64_t index, Value value) {
    array.set(index, value);
    sum.add(value);
    magnitudes += std::abs(numeric::to_double(value));
  };

  for (std::uint64_t i = 0; i < spread; ++i) {
    const int exponent = i == 0 ? top : static_cast<int>(draw.between(0, top));
    append(i, draw_normal(draw, format, base + exponent, base + exponent));
  }
  for (std::uint64_t i = spread; i + 1 < n; ++i) {
    const double left = static_cast<double>(n - 1 - i) / static_cast<double>(n - spread);
    const int exponent = base + static_cast<int>(std::lround(bits * left));
    // goal − sum, rounded once.
    RunningSum wanted = sum;
    wanted.add(draw_normal(draw, format, exponent, exponent));
    append(i, numeric::negate(wanted.nearest(format)));
  }
  const double before = std::abs(numeric::to_double(sum.nearest(format)));
  const double remainder = std::ldexp(magnitudes + before, static_cast<int>(-std::floor(bits))) *
                           std::exp2(std::floor(bits) - bits);
  RunningSum wanted = sum;
  // On the grid of the fixed-point number.
  const int grid = base - 2 * traits.precision + 2;
  const double on_grid = std::ldexp(std::nearbyint(std::ldexp(remainder, -grid)), grid);
  wanted.add(nearest_value(format, draw.chance(1, 2) ? on_grid : -on_grid));
  append(n - 1, numeric::negate(wanted.nearest(format)));

  const double rest = std::abs(numeric::to_double(sum.nearest(numeric::Format::fp64)));
  array.shuffle(draw);
  return {std::move(array).finish(), std::exp2(bits), magnitudes / rest};
}

std::string three_digits(double x) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g", x);
  return text.data();
}

class Cancellation : public Generator {
 public:
  std::string_view name() const override { return "cancellation"; }
  std::string_view description() const override {
    return "elements that cancel, with a chosen ratio of the sum of magnitudes to the sum, from 1 to 1e30";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    const std::vector<Geometry> geometries = typical_geometries(kernel.contract, 64);
    std::vector<Case> cases;
    for (const double target : {1e0, 1e3, 1e7, 1e10, 1e13, 1e16, 1e20, 1e30}) {
      Draw draw(cases.size());
      const std::uint64_t n = 40 + 13 * cases.size();
      cases.push_back(with_ratio(draw, kernel, n, std::log2(target)));
      Case& last = cases.back();
      last.geometry = geometries[cases.size() % geometries.size()];
      last.family = name();
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const std::uint64_t n = draw_length(draw, 2);
    // Decimal exponents up to 20, one in eight from 20 to 30.
    const double highest = draw.chance(1, 8) ? 30.0 : 20.0;
    const double lowest = highest > 20.0 ? 20.0 : 0.0;
    const double decades = lowest + (highest - lowest) * static_cast<double>(draw.below(1 << 20)) * 0x1p-20;
    Case result = with_ratio(draw, kernel, n, decades * std::log2(10.0));
    draw_launch(draw, kernel.contract, result);
    return result;
  }

 private:
  static Case with_ratio(Draw& draw, const KernelInfo& kernel, std::uint64_t n, double log2_target) {
    Cancelling array = cancelling_array(draw, kernel.contract, n, log2_target);
    Case result;
    result.input = std::move(array.input);
    result.parameters = {{"target condition", three_digits(std::exp2(log2_target))},
                         {"aimed at", three_digits(array.aimed_at)},
                         {"condition", three_digits(array.reached)}};
    return result;
  }
};

}  // namespace

WARPCHECK_GENERATOR(Cancellation);

}  // namespace warpcheck::generators

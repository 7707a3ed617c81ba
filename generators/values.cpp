#include "generators/values.hpp"

#include <algorithm>

#include "framework/numeric/bound.hpp"
#include "generators/geometry.hpp"

namespace warpcheck::generators {

using numeric::Format;
using numeric::Value;

void ArrayBuilder::shuffle(Draw& draw) {
  for (std::uint64_t left = size(); left > 1; --left) {
    const std::uint64_t other = draw.below(left);
    const Value last = get(left - 1);
    set(left - 1, get(other));
    set(other, last);
  }
}

Format narrowest(const KernelContract& contract) {
  Format result = contract.input;
  for (const Format format : {contract.accumulation, contract.output}) {
    if (numeric::traits(format).precision < numeric::traits(result).precision) result = format;
  }
  return result;
}

int safe_exponent(const KernelContract& contract, std::uint64_t n) {
  return numeric::traits(narrowest(contract)).max_exponent - numeric::ceil_log2(n) - 2;
}

Value normal_value(Format format, bool negative, int exponent, std::uint64_t fraction) {
  const numeric::FormatTraits& traits = numeric::traits(format);
  const int fraction_bits = traits.precision - 1;
  const auto biased = static_cast<std::uint64_t>(exponent + traits.max_exponent);
  return {format, (negative ? std::uint64_t{1} << (traits.bits - 1) : 0) | biased << fraction_bits |
                      (fraction & ((std::uint64_t{1} << fraction_bits) - 1))};
}

Value draw_normal(Draw& draw, Format format, int lowest, int highest) {
  const int exponent = static_cast<int>(draw.between(lowest, highest));
  const std::uint64_t random = draw.bits();
  return normal_value(format, (random >> 63) != 0, exponent, random);
}

Value draw_finite(Draw& draw, Format format) {
  const numeric::FormatTraits& traits = numeric::traits(format);
  const std::uint64_t kind = draw.below(32);
  const bool negative = draw.chance(1, 2);
  if (kind < 14) return draw_normal(draw, format, -4, 4);
  if (kind < 20) return draw_normal(draw, format, traits.min_exponent, traits.max_exponent);
  if (kind < 24) {
    const auto integer = static_cast<double>(1 + draw.below(100));
    return nearest_value(format, negative ? -integer : integer);
  }
  if (kind < 27) {
    return normal_value(format, negative,
                        static_cast<int>(draw.between(traits.min_exponent, traits.max_exponent)), 0);
  }
  if (kind < 29) {
    const std::uint64_t subnormals = (std::uint64_t{1} << (traits.precision - 1)) - 1;
    const Value magnitude{format, 1 + draw.below(subnormals)};
    return negative ? numeric::negate(magnitude) : magnitude;
  }
  if (kind == 29) return numeric::largest_finite(format, negative);
  if (kind == 30) return numeric::smallest_subnormal(format, negative);
  return numeric::zero(format, negative);
}

Value nearest_value(Format format, double x) {
  return numeric::convert(numeric::value_of(x), format);
}

Case fixed_case(const KernelInfo& kernel, std::string_view family, std::shared_ptr<const InputArray> input,
                const Geometry& geometry, Parameters parameters) {
  Case result;
  result.input = std::move(input);
  result.geometry = kernel.contract.nearest(geometry);
  result.family = family;
  result.parameters = std::move(parameters);
  return result;
}

Case random_case(Draw& draw, const KernelInfo& kernel, std::shared_ptr<const InputArray> input,
                 Parameters parameters) {
  Case result;
  result.input = std::move(input);
  result.parameters = std::move(parameters);
  draw_launch(draw, kernel.contract, result);
  return result;
}

}  // namespace warpcheck::generators

#include "framework/numeric/bound.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "framework/numeric/natural.hpp"
#include "framework/numeric/text.hpp"

namespace warpcheck::numeric {
namespace {

constexpr double infinity_d = std::numeric_limits<double>::infinity();

// Coefficients are computed as integers over 2^256 (77 digits), every step rounded up.
constexpr int scale_bits = 256;

Natural scale() {
  return Natural(1) <<= scale_bits;
}

/// v = u/(1+u) = 1/(2^p + 1); so this is 1/v, an integer.
std::uint64_t reciprocal_of_v(Format format) {
  return (std::uint64_t{1} << traits(format).precision) + 1;
}

Natural divided_up(Natural a, std::uint64_t b) {
  if (a.divide(b) != 0) a += Natural(1);
  return a;
}

Natural scaled_product_up(const Natural& a, const Natural& b) {
  Natural product = a * b;
  const bool inexact = product.any_bit_below(scale_bits);
  product >>= scale_bits;
  if (inexact) product += Natural(1);
  return product;
}

/// The smallest double that is not below n/2^256. Precondition: n < 2^1200, and n is 0 or above 2^-700.
double double_up(const Natural& n) {
  const int surplus = std::max(n.bit_length() - 53, 0);
  const std::uint64_t kept = n.word_at_bit(surplus) + (n.any_bit_below(surplus) ? 1 : 0);
  return std::ldexp(static_cast<double>(kept), surplus - scale_bits);
}

/// (1+v)^h over 2^256, rounded up; nullopt when it is beyond e^700.
std::optional<Natural> power_up(Format format, std::uint64_t h) {
  const std::uint64_t inverse = reciprocal_of_v(format);
  if (h / inverse >= 700) return std::nullopt;
  Natural result = scale();
  Natural square = scale() += divided_up(scale(), inverse);
  for (; h != 0; h >>= 1) {
    if ((h & 1) != 0) result = scaled_product_up(result, square);
    if (h > 1) square = scaled_product_up(square, square);
  }
  return result;
}

/// (1+v)^h − 1, rounded up.
double height_coefficient(Format format, std::uint64_t h) {
  std::optional<Natural> power = power_up(format, h);
  return power ? double_up(*power -= scale()) : infinity_d;
}

/// (n − 1)·v, rounded up.
double any_order_coefficient(Format format, std::uint64_t n) {
  return n < 2 ? 0 : double_up(divided_up(scale() * Natural(n - 1), reciprocal_of_v(format)));
}

/// a + b rounded up. Precondition: a ≥ 0, b ≥ 0.
double add_up(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return infinity_d;
  const double s = a + b;
  const double b_part = s - a;
  const double error = (a - (s - b_part)) + (b - b_part);
  return error > 0 ? std::nextafter(s, infinity_d) : s;
}

/// a·b rounded up. Precondition: a ≥ 0, b ≥ 0, and the product is not below 2^-900.
double product_up(double a, double b) {
  const double p = a * b;
  return std::isfinite(p) && std::fma(a, b, -p) > 0 ? std::nextafter(p, infinity_d) : p;
}

std::string power_of_two(int k) {
  return "2^" + std::to_string(k);
}

const Decimal& largest(Format format) {
  static const Decimal fp32(largest_finite(Format::fp32));
  static const Decimal fp64(largest_finite(Format::fp64));
  return format == Format::fp32 ? fp32 : fp64;
}

bool has_no_bound(const SumModel& model) {
  return (!model.height && !model.any_order) ||
         traits(model.accumulation).precision < traits(model.input).precision;
}

std::string no_bound_reason(const SumModel& model) {
  if (!model.height && !model.any_order) {
    return "no a-priori bound: the contract declares neither a tree, nor a height, nor any order";
  }
  if (has_no_bound(model)) {
    return "no a-priori bound: " + std::string(name(model.accumulation)) + " accumulation of " +
           std::string(name(model.input)) + " rounds the elements themselves";
  }
  return "no a-priori bound: with flush-to-zero the bound for this many additions exceeds every double";
}

std::string special_text(SpecialSum special) {
  switch (special) {
    case SpecialSum::nan:
      return "NaN";
    case SpecialSum::positive_infinity:
      return "+inf";
    case SpecialSum::negative_infinity:
      return "-inf";
  }
  return {};
}

/// Sets `special` and the reason for an array with non-finite elements.
void judge_nonfinite(Tolerance& t, const SumReference& reference) {
  t.applicability = Applicability::nonfinite_input;
  const SpecialSum forced = *reference.special();
  const std::string count = std::to_string(reference.nonfinite_count) +
                            (reference.nonfinite_count == 1 ? " element is" : " elements are") +
                            " not finite";
  if (forced != SpecialSum::nan) {
    // The finite elements of the other sign alone, N = (A ∓ S)/2, must stay finite in any order: with
    // monotone rounding no partial sum lies beyond that of the elements of one sign.
    const Decimal twice = forced == SpecialSum::positive_infinity ? reference.sum_abs - reference.sum
                                                                  : reference.sum_abs + reference.sum;
    const Decimal& limit = largest(t.terms.model.accumulation);
    if (!std::isfinite(t.terms.growth) ||
        multiply_up(Decimal::of_double(t.terms.growth), twice) > limit + limit) {
      t.reason = count + ", and the finite ones may overflow to the opposite infinity first";
      return;
    }
  }
  t.special = forced;
  t.reason = count + ": the result must be " + special_text(forced);
}

}  // namespace

std::optional<BoundTerms> bound_terms(const SumModel& model, std::uint64_t n) {
  if (has_no_bound(model)) return std::nullopt;
  const Format accumulation = model.accumulation;

  BoundTerms terms;
  terms.model = model;
  terms.n = n;

  double coefficient = any_order_coefficient(accumulation, n);
  std::string numbers = "; n=" + std::to_string(n);
  terms.formula = "(n-1)*v*A";
  terms.source = "Jeannerod & Rump 2018, Thm 4.1";
  if (model.height) {
    const double of_height = height_coefficient(accumulation, *model.height);
    if (of_height < coefficient) {
      coefficient = of_height;
      numbers = "; h=" + std::to_string(*model.height);
      terms.formula = "((1+v)^h-1)*A";
      terms.source = "standard model with |delta| <= v at each node";
    }
  }
  numbers += ", v=u/(1+u), u=" + power_of_two(traits(accumulation).unit_roundoff_log2);
  terms.growth = add_up(1, coefficient);

  if (model.flushes_subnormals && n != 0) {
    const std::uint64_t depth = std::min(model.height.value_or(n - 1), n - 1);
    const std::optional<Natural> power = power_up(accumulation, depth);
    if (!power) return std::nullopt;
    const double losses = double_up((Natural(n) += Natural(n - 1)) <<= scale_bits);
    terms.absolute = product_up(losses, std::ldexp(double_up(*power), traits(accumulation).min_exponent));
    terms.formula += " + (2n-1)*" + power_of_two(traits(accumulation).min_exponent) + "*(1+v)^min(h,n-1)";
    terms.source += "; flush-to-zero: each element and each addition loses at most the smallest normal";
  }

  const FormatTraits& output = traits(model.output);
  if (output.precision < traits(accumulation).precision) {
    const double u = std::ldexp(1.0, output.unit_roundoff_log2);
    terms.sum_coefficient = u;
    terms.sum_abs_coefficient = add_up(coefficient, coefficient * u);
    terms.absolute = add_up(terms.absolute, terms.absolute * u);
    terms.formula = "E + u_out*(|S|+E), E = " + terms.formula;
    numbers += ", u_out=" + power_of_two(output.unit_roundoff_log2);
    terms.source += "; one rounding to the output";
    if (output.smallest_exponent > traits(model.input).smallest_exponent) {
      terms.absolute = add_up(terms.absolute, std::ldexp(1.0, output.smallest_exponent - 1));
      terms.formula += " + " + power_of_two(output.smallest_exponent - 1);
    }
  } else {
    terms.sum_abs_coefficient = coefficient;
  }
  terms.formula += numbers;
  terms.vacuous = terms.sum_abs_coefficient >= 1;
  return terms;
}

Tolerance tolerance(const SumModel& model, const SumReference& reference) {
  if (const std::optional<BoundTerms> terms = bound_terms(model, reference.n)) {
    return tolerance(*terms, reference);
  }
  Tolerance t;
  t.terms.model = model;
  t.terms.n = reference.n;
  t.applicability = Applicability::no_bound;
  t.reason = no_bound_reason(model);
  return t;
}

Tolerance tolerance(const BoundTerms& terms, const SumReference& reference) {
  if (terms.model.input != reference.format || terms.n != reference.n) {
    throw std::invalid_argument("a bound for " + std::to_string(terms.n) + " elements of " +
                                std::string(name(terms.model.input)) + " was applied to " +
                                std::to_string(reference.n) + " elements of " +
                                std::string(name(reference.format)));
  }
  Tolerance t;
  t.terms = terms;
  if (reference.special()) {
    judge_nonfinite(t, reference);
    return t;
  }

  const Decimal& a = reference.sum_abs;
  const Decimal s = reference.sum.abs();
  const Format accumulation = terms.model.accumulation;
  const Format output = terms.model.output;
  if (!std::isfinite(terms.sum_abs_coefficient) || !std::isfinite(terms.absolute)) {
    t.applicability = Applicability::no_bound;
    t.reason = "no a-priori bound: the coefficient exceeds every double";
    t.no_power = !a.is_zero();
    return t;
  }
  t.value = multiply_up(Decimal::of_double(terms.sum_abs_coefficient), a);
  if (terms.sum_coefficient != 0) t.value += multiply_up(Decimal::of_double(terms.sum_coefficient), s);
  if (terms.absolute != 0) t.value += Decimal::of_double(terms.absolute);
  t.value = t.value.rounded_up();

  t.no_power = !a.is_zero() && t.value >= a;
  t.zero_blind = s <= t.value && t.value < a;
  t.over_sum_abs = error_ratio(t.value, a);

  const Decimal reach = multiply_up(Decimal::of_double(terms.growth), a);
  if (reach > largest(accumulation)) {
    t.applicability = Applicability::overflow_possible;
    t.reason = "a partial sum can reach " + reach.to_string(8) + ", above the largest finite " +
               std::string(name(accumulation)) + ", " + to_decimal(largest_finite(accumulation));
  } else if (traits(output).max_exponent < traits(accumulation).max_exponent &&
             s + t.value > largest(output)) {
    t.applicability = Applicability::overflow_possible;
    t.reason = "the result can reach " + (s + t.value).to_string(8) + ", above the largest finite " +
               std::string(name(output)) + ", " + to_decimal(largest_finite(output));
  }
  return t;
}

}  // namespace warpcheck::numeric

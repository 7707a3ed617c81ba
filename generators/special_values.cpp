#include <array>

#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

using numeric::Format;
using numeric::Value;

enum class Kind : std::uint8_t {
  nan,
  positive_infinity,
  negative_infinity,
  both_infinities,
  zeros,
  subnormals
};

constexpr std::array<std::string_view, 6> kNames{
    "NaN", "+inf", "-inf", "+inf and -inf", "zeros of both signs", "subnormals"};

class SpecialValues : public Generator {
 public:
  std::string_view name() const override { return "special_values"; }
  std::string_view description() const override {
    return "NaN or infinities among moderate numbers; zeros of both signs; subnormals";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    for (std::size_t kind = 0; kind < kNames.size(); ++kind) {
      for (const std::uint64_t n : {2u, 45u, 130u}) {
        Draw draw(kind * 1000 + n);
        const auto which = static_cast<Kind>(kind);
        cases.push_back(fixed_case(kernel, name(), elements(draw, kernel.contract.input, n, which),
                                   {n > 100 ? 3u : 1u, 32}, parameters(which)));
      }
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const std::uint64_t n = draw_length(draw, 2);
    const auto kind = static_cast<Kind>(draw.below(kNames.size()));
    return random_case(draw, kernel, elements(draw, kernel.contract.input, n, kind), parameters(kind));
  }

 private:
  static Parameters parameters(Kind kind) {
    return {{"kind", std::string(kNames.at(static_cast<std::size_t>(kind)))}};
  }

  static Value draw_nan(Draw& draw, Format format) {
    // Any payload, of a quiet NaN.
    const std::uint64_t payload =
        draw.bits() & ((std::uint64_t{1} << (numeric::traits(format).precision - 2)) - 1);
    return {format, numeric::quiet_nan(format, draw.chance(1, 2)).bits | payload};
  }

  static Value draw_subnormal(Draw& draw, Format format) {
    const std::uint64_t count = (std::uint64_t{1} << (numeric::traits(format).precision - 1)) - 1;
    const Value magnitude{format, 1 + draw.below(count)};
    return draw.chance(1, 2) ? numeric::negate(magnitude) : magnitude;
  }

  static std::shared_ptr<const InputArray> elements(Draw& draw, Format format, std::uint64_t n, Kind kind) {
    ArrayBuilder array(format, n);
    for (std::uint64_t i = 0; i < n; ++i) {
      if (kind == Kind::zeros) {
        array.set(i, numeric::zero(format, draw.chance(1, 2)));
      } else if (kind == Kind::subnormals) {
        array.set(i, draw_subnormal(draw, format));
      } else {
        array.set(i, draw_normal(draw, format, -3, 3));
      }
    }
    // One special element at least, at the end as often as anywhere else.
    const std::uint64_t count = kind == Kind::zeros || kind == Kind::subnormals ? 0 : 1 + draw.below(2);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t position = draw.chance(1, 2) ? n - 1 - i : draw.below(n);
      array.set(position, kind == Kind::nan ? draw_nan(draw, format)
                                            : numeric::infinity(format, kind == Kind::negative_infinity));
    }
    if (kind == Kind::both_infinities) {
      const std::uint64_t first = draw.below(n);
      const std::uint64_t second = (first + 1 + draw.below(n - 1)) % n;
      array.set(first, numeric::infinity(format));
      array.set(second, numeric::infinity(format, true));
    }
    return std::move(array).finish();
  }
};

}  // namespace

WARPCHECK_GENERATOR(SpecialValues);

}  // namespace warpcheck::generators

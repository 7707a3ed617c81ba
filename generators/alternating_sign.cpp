#include <array>

#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

enum class Magnitudes : std::uint8_t { uniform, equal, falling };

constexpr std::array<std::string_view, 3> kNames{"uniform", "equal", "falling"};

class AlternatingSign : public Generator {
 public:
  std::string_view name() const override { return "alternating_sign"; }
  std::string_view description() const override {
    return "signs that alternate, so that an even stride gives each thread elements of one sign";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    const auto add = [&](std::uint64_t n, Magnitudes magnitudes, const Geometry& geometry) {
      Draw draw(n);
      cases.push_back(fixed_case(kernel, name(), elements(draw, kernel, n, magnitudes, false), geometry,
                                 parameters(magnitudes, false)));
    };
    for (const Magnitudes magnitudes : {Magnitudes::uniform, Magnitudes::equal, Magnitudes::falling}) {
      add(4, magnitudes, {1, 32});
      add(257, magnitudes, {1, 64});
    }
    // Strides of either parity, where the contract has both.
    for (const Geometry& geometry : {Geometry{1, 31}, Geometry{1, 32}, Geometry{2, 32}, Geometry{3, 33}}) {
      add(1000, Magnitudes::uniform, geometry);
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const std::uint64_t n = draw_length(draw, 2);
    const auto magnitudes = static_cast<Magnitudes>(draw.below(3));
    const bool first_negative = draw.chance(1, 2);
    auto input = elements(draw, kernel, n, magnitudes, first_negative);
    return random_case(draw, kernel, std::move(input), parameters(magnitudes, first_negative));
  }

 private:
  static Parameters parameters(Magnitudes magnitudes, bool first_negative) {
    return {{"magnitudes", std::string(kNames.at(static_cast<std::size_t>(magnitudes)))},
            {"first", first_negative ? "-" : "+"}};
  }

  static std::shared_ptr<const InputArray> elements(Draw& draw, const KernelInfo& kernel, std::uint64_t n,
                                                    Magnitudes magnitudes, bool first_negative) {
    const numeric::Format format = kernel.contract.input;
    const numeric::Value common = numeric::absolute(draw_normal(draw, format, -10, 10));
    ArrayBuilder array(format, n);
    for (std::uint64_t i = 0; i < n; ++i) {
      const bool negative = (i % 2 != 0) != first_negative;
      numeric::Value magnitude = common;
      if (magnitudes == Magnitudes::uniform) {
        // U(0, 1) on a grid of 2^-24, without 0.
        magnitude = nearest_value(format, static_cast<double>(1 + draw.below(1 << 24)) * 0x1p-24);
      } else if (magnitudes == Magnitudes::falling) {
        magnitude = nearest_value(format, 1.0 / static_cast<double>(i + 1));
      }
      array.set(i, negative ? numeric::negate(magnitude) : magnitude);
    }
    return std::move(array).finish();
  }
};

}  // namespace

WARPCHECK_GENERATOR(AlternatingSign);

}  // namespace warpcheck::generators

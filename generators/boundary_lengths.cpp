#include <algorithm>

#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/lengths.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

std::shared_ptr<const InputArray> moderate_values(Draw& draw, numeric::Format format, std::uint64_t n) {
  ArrayBuilder array(format, n);
  for (std::uint64_t i = 0; i < n; ++i) array.set(i, draw_normal(draw, format, -3, 3));
  return std::move(array).finish();
}

class BoundaryLengths : public Generator {
 public:
  std::string_view name() const override { return "boundary_lengths"; }
  std::string_view description() const override {
    return "lengths at and beside 0, a warp, a block, a pass of the grid, their multiples, powers of two, "
           "and primes";
  }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    const auto add = [&](const Geometry& geometry, std::uint64_t n) {
      Draw draw(n);
      cases.push_back(fixed_case(kernel, name(), moderate_values(draw, kernel.contract.input, n), geometry));
    };
    // Every boundary of a small geometry; the block's and the grid's of an odd one; more blocks than a block
    // has threads; and lengths that belong to no geometry.
    const Geometry small = kernel.contract.nearest({3, kernel.contract.min_block});
    for (const std::uint64_t n : boundary_lengths(small, 3 * small.threads() + 1)) add(small, n);
    const Geometry odd = kernel.contract.nearest({2, 96});
    for (const std::uint64_t unit : {std::uint64_t{odd.block}, odd.threads()}) {
      for (const std::uint64_t n : {unit - 1, unit, unit + 1}) add(odd, n);
    }
    const Geometry tall = kernel.contract.nearest({small.block + 1, small.block});
    if (tall.threads() <= common_threads(0)) {
      add(tall, tall.threads());
      add(tall, 2 * tall.threads() + 1);
    }
    const Geometry common = kernel.contract.nearest({4, 64});
    for (const std::uint64_t n :
         {31u, 32u, 33u, 255u, 256u, 257u, 509u, 512u, 513u, 1021u, 1023u, 1024u, 1025u, 4099u}) {
      add(common, n);
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    const Geometry geometry = draw_geometry(draw, kernel.contract, draw_length(draw));
    // A grid's boundaries only where they are within reach; long arrays rarely.
    const std::uint64_t longest =
        draw.chance(1, 32) ? 5000 : std::max<std::uint64_t>(300, geometry.block + 1);
    const std::vector<std::uint64_t> lengths = boundary_lengths(geometry, longest);
    const std::uint64_t n = draw.pick(std::span<const std::uint64_t>(lengths));
    Case result = random_case(draw, kernel, moderate_values(draw, kernel.contract.input, n));
    // The length was chosen for this geometry.
    result.geometry = geometry;
    return result;
  }
};

}  // namespace

WARPCHECK_GENERATOR(BoundaryLengths);

}  // namespace warpcheck::generators

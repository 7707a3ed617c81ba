#include "generators/generator.hpp"
#include "generators/geometry.hpp"
#include "generators/values.hpp"

namespace warpcheck::generators {
namespace {

std::shared_ptr<const InputArray> no_elements(const KernelInfo& kernel) {
  return ArrayBuilder(kernel.contract.input, 0).finish();
}

class Empty : public Generator {
 public:
  std::string_view name() const override { return "empty"; }
  std::string_view description() const override { return "no elements, in any geometry"; }

  std::vector<Case> required(const KernelInfo& kernel) const override {
    std::vector<Case> cases;
    for (const Geometry& geometry : typical_geometries(kernel.contract, 0)) {
      cases.push_back(fixed_case(kernel, name(), no_elements(kernel), geometry));
    }
    return cases;
  }

 protected:
  Case make(const KernelInfo& kernel, Draw& draw) const override {
    return random_case(draw, kernel, no_elements(kernel));
  }
};

}  // namespace

WARPCHECK_GENERATOR(Empty);

}  // namespace warpcheck::generators

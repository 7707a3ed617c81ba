#include "properties/sameness.hpp"

#include "properties/window.hpp"

namespace warpcheck::properties {

bool equal_results(numeric::Value a, numeric::Value b) {
  return a == b || (a.format == b.format && numeric::is_nan(a) && numeric::is_nan(b));
}

bool equal_up_to_zero_sign(numeric::Value a, numeric::Value b) {
  return equal_results(a, b) || (a.format == b.format && numeric::is_zero(a) && numeric::is_zero(b));
}

bool order_is_immaterial(const KernelInfo& kernel, const Case& test_case) {
  const auto sum = window_sum(kernel.contract, *test_case.input);
  // An exact zero takes its sign from the order.
  return sum && !numeric::is_zero(*sum);
}

bool repeatable(const KernelInfo& kernel, const Case& test_case) {
  return kernel.contract.determinism >= Determinism::runs || order_is_immaterial(kernel, test_case);
}

}  // namespace warpcheck::properties

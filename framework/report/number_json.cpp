#include "framework/report/number_json.hpp"

#include <cmath>
#include <cstdint>

#include "framework/numeric/text.hpp"

namespace warpcheck::report {

nlohmann::ordered_json number_json(double x) {
  if (std::isnan(x)) return std::signbit(x) ? "-nan" : "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  const bool whole = std::fabs(x) <= 0x1p53 && x == std::trunc(x) && !(x == 0 && std::signbit(x));
  if (whole) return static_cast<std::int64_t>(x);
  return x;
}

nlohmann::ordered_json number_json(numeric::Value value) {
  return number_json(numeric::to_double(value));
}

nlohmann::ordered_json number_json(const numeric::Decimal& number) {
  const double nearest = number.to_double_nearest();
  if (std::isfinite(nearest) && numeric::Decimal::of_double(nearest, number.width()) == number) {
    return number_json(nearest);
  }
  return number.exact_string();
}

}  // namespace warpcheck::report

#pragma once

#include <cmath>
#include <cstdint>
#include <string_view>

/// Rounding modifiers of conversions to integers and to integral values.
namespace warpcheck::simt::alu {

enum class IntegralRounding : std::uint8_t { nearest, zero, down, up };

constexpr std::string_view name_of(IntegralRounding rounding) {
  constexpr std::string_view names[] = {"rni", "rzi", "rmi", "rpi"};
  return names[static_cast<int>(rounding)];
}

/// The integral value next to x; ties go to the even one. Assumes the processor's default rounding mode.
template <IntegralRounding kRounding, class F>
F to_integral(F x) {
  switch (kRounding) {
    case IntegralRounding::nearest:
      return std::rint(x);
    case IntegralRounding::zero:
      return std::trunc(x);
    case IntegralRounding::down:
      return std::floor(x);
    case IntegralRounding::up:
      return std::ceil(x);
  }
  return x;
}

/// Calls visit.template operator()<rounding>() for the four of them.
template <class Visitor>
void for_each_integral_rounding(Visitor visit) {
  visit.template operator()<IntegralRounding::nearest>();
  visit.template operator()<IntegralRounding::zero>();
  visit.template operator()<IntegralRounding::down>();
  visit.template operator()<IntegralRounding::up>();
}

}  // namespace warpcheck::simt::alu

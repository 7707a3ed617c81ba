#include "framework/numeric/fp_environment.hpp"

#include <algorithm>
#include <array>
#include <cfloat>
#include <cstring>
#include <limits>

namespace warpcheck::numeric {
namespace {

// volatile: the arithmetic has to happen here and now, not in the compiler.
template <class Float>
std::optional<std::string> fault_of(const char* type) {
  using Limits = std::numeric_limits<Float>;
  const std::string prefix = std::string(type) + " arithmetic ";

  const volatile Float smallest_normal = Limits::min();
  const volatile Float half = Float{0.5};
  const volatile Float subnormal_result = smallest_normal * half;
  const volatile Float smallest_subnormal = Limits::denorm_min();
  const volatile Float scale = Float{1} / Limits::epsilon();
  const volatile Float subnormal_operand = smallest_subnormal * scale;
  // By its bits: a comparison would read the operand as zero where only operands are at fault.
  const Float result = subnormal_result;
  std::array<unsigned char, sizeof(Float)> bytes;
  std::memcpy(bytes.data(), &result, sizeof result);
  if (std::all_of(bytes.begin(), bytes.end(), [](unsigned char byte) { return byte == 0; })) {
    return prefix + "flushes subnormal results to zero; clear flush-to-zero (FTZ) in this thread";
  }
  if (!(subnormal_operand > Float{0})) {
    return prefix + "reads subnormal operands as zero; clear denormals-are-zero (DAZ) in this thread";
  }

  const volatile Float one = Float{1};
  const volatile Float ulp = Limits::epsilon();
  const volatile Float half_ulp = Limits::epsilon() / 2;
  const volatile Float tie_to_even_below = one + half_ulp;  // 1
  const volatile Float odd = one + ulp;
  const volatile Float tie_to_even_above = odd + half_ulp;  // 1 + 2 ulp
  const volatile Float expected_above = one + ulp + ulp;
  if (tie_to_even_below != one || tie_to_even_above != expected_above) {
    return prefix + "does not round to nearest even; call fesetround(FE_TONEAREST) in this thread";
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::string> floating_point_fault() {
  static_assert(std::numeric_limits<float>::is_iec559 && std::numeric_limits<float>::digits == 24);
  static_assert(std::numeric_limits<double>::is_iec559 && std::numeric_limits<double>::digits == 53);
#if FLT_EVAL_METHOD != 0
  return "float expressions are evaluated in a wider format; build with SSE arithmetic (FLT_EVAL_METHOD 0)";
#else
  if (auto fault = fault_of<float>("float")) return fault;
  return fault_of<double>("double");
#endif
}

}  // namespace warpcheck::numeric

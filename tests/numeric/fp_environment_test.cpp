#include "framework/numeric/fp_environment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cfenv>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace warpcheck::numeric {
namespace {

using testing::HasSubstr;

/// The fault seen while the environment is changed, with the environment restored afterwards.
template <class Change>
std::string fault_after(Change change) {
  std::fenv_t saved;
  std::fegetenv(&saved);
  change();
  const auto fault = floating_point_fault();
  std::fesetenv(&saved);
  return fault.value_or("none");
}

TEST(FpEnvironment, of_this_process_is_sound) {
  EXPECT_EQ(floating_point_fault(), std::nullopt);
}

TEST(FpEnvironment, every_directed_rounding_is_noticed) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    EXPECT_THAT(fault_after([mode] { std::fesetround(mode); }), HasSubstr("fesetround")) << mode;
  }
  EXPECT_EQ(floating_point_fault(), std::nullopt);
}

#if defined(__SSE2__)
TEST(FpEnvironment, flush_to_zero_and_denormals_are_zero_are_noticed_and_told_apart) {
  EXPECT_THAT(fault_after([] { _mm_setcsr(_mm_getcsr() | 0x8000u); }), HasSubstr("FTZ"));
  EXPECT_THAT(fault_after([] { _mm_setcsr(_mm_getcsr() | 0x0040u); }), HasSubstr("DAZ"));
  EXPECT_EQ(floating_point_fault(), std::nullopt);
}
#endif

}  // namespace
}  // namespace warpcheck::numeric

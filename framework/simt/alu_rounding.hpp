#pragma once

#include <cfenv>
#include <cstdint>
#include <string_view>

/// Rounding modifiers of floating-point instructions.
namespace warpcheck::simt::alu {

enum class Rounding : std::uint8_t { nearest, zero, down, up };

constexpr std::string_view name_of(Rounding rounding) {
  constexpr std::string_view names[] = {"rn", "rz", "rm", "rp"};
  return names[static_cast<int>(rounding)];
}

/// The processor rounds as asked while one of these lives, and to nearest afterwards.
///
/// Assumes that it rounded to nearest before and does not flush subnormals, as every host program starts. The
/// memory clobbers keep loads of operands and stores of results, and so the arithmetic between them, on the
/// inside.
class RoundingScope {
 public:
  explicit RoundingScope(Rounding rounding) {
    std::fesetround(rounding == Rounding::zero   ? FE_TOWARDZERO
                    : rounding == Rounding::down ? FE_DOWNWARD
                    : rounding == Rounding::up   ? FE_UPWARD
                                                 : FE_TONEAREST);
    asm volatile("" ::: "memory");
  }
  ~RoundingScope() {
    asm volatile("" ::: "memory");
    std::fesetround(FE_TONEAREST);
  }
  RoundingScope(const RoundingScope&) = delete;
  RoundingScope& operator=(const RoundingScope&) = delete;
};

}  // namespace warpcheck::simt::alu

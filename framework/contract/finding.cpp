#include "framework/contract/finding.hpp"

#include <array>
#include <stdexcept>

namespace warpcheck {
namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 17> kNames{
    "out of bounds",
    "misaligned",
    "use after free",
    "host pointer",
    "null pointer",
    "write to const",
    "mask without caller",
    "collective participation",
    "barrier divergence",
    "exited before barrier",
    "deadlock",
    "time out",
    "trap",
    "assertion failed",
    "shuffle delta",
    "unsupported",
    "invalid program",
};
static_assert(static_cast<std::size_t>(FindingKind::invalid_program) + 1 == kNames.size());

}  // namespace

std::string_view name_of(FindingKind kind) {
  return kNames.at(static_cast<std::size_t>(kind));
}

FindingKind finding_kind_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == name) return static_cast<FindingKind>(i);
  }
  throw std::invalid_argument("\"" + std::string(name) + "\" is no kind of finding; one is \"" +
                              std::string(kNames.front()) + "\"");
}

bool is_warning(FindingKind kind) {
  return kind == FindingKind::shuffle_delta;
}

}  // namespace warpcheck

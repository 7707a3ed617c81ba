#include "framework/simt/alu_approximation.hpp"

#include <cmath>
#include <limits>

namespace warpcheck::simt {
namespace {

using Measure = ErrorBound::Measure;

struct Entry {
  std::string_view function;  ///< opcode and .approx or .full
  std::string_view type;
  ApproximationError error;
};

const Entry* find_entry(std::string_view function, std::string_view type) {
  constexpr double unknown = std::numeric_limits<double>::infinity();
  static const Entry entries[] = {
      {"div.approx", "f32", {{{{Measure::ulp, 2, "2^-126 <= |b| <= 2^126"}, {}}}, 1}},
      {"div.full", "f32", {{{{Measure::ulp, 2, ""}, {}}}, 1}},
      {"rcp.approx", "f32", {{{{Measure::ulp, 1, ""}, {}}}, 1}},
      {"rcp.approx", "f64", {{{{Measure::undocumented, unknown, ""}, {}}}, 1}},
      {"sqrt.approx", "f32", {{{{Measure::relative, 0x1p-23, ""}, {}}}, 1}},
      {"rsqrt.approx", "f32", {{{{Measure::relative, std::exp2(-22.9), ""}, {}}}, 1}},
      {"rsqrt.approx", "f64", {{{{Measure::undocumented, unknown, ""}, {}}}, 1}},
      {"sin.approx",
       "f32",
       {{{{Measure::absolute, std::exp2(-20.5), "|a| <= 2 pi"},
          {Measure::absolute, std::exp2(-14.7), "|a| <= 100 pi"}}},
        2}},
      {"cos.approx",
       "f32",
       {{{{Measure::absolute, std::exp2(-20.5), "|a| <= 2 pi"},
          {Measure::absolute, std::exp2(-14.7), "|a| <= 100 pi"}}},
        2}},
      {"lg2.approx",
       "f32",
       {{{{Measure::absolute, 0x1p-22, "0.5 < a < 2"}, {Measure::relative, 0x1p-22, "a > 0"}}}, 2}},
      {"ex2.approx", "f32", {{{{Measure::ulp, 2, ""}, {}}}, 1}},
      {"tanh.approx", "f32", {{{{Measure::relative, 0x1p-11, ""}, {}}}, 1}},
  };
  for (const Entry& entry : entries)
    if (entry.function == function && entry.type == type) return &entry;
  return nullptr;
}

}  // namespace

std::optional<ApproximationError> documented_error(std::string_view variant) {
  // opcode.approx{.ftz}.type
  const std::size_t first = variant.find('.');
  if (first == std::string_view::npos) return std::nullopt;
  const std::size_t second = variant.find('.', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  std::string_view type = variant.substr(second + 1);
  if (type.starts_with("ftz.")) type.remove_prefix(4);
  const Entry* entry = find_entry(variant.substr(0, second), type);
  if (entry == nullptr) return std::nullopt;
  return entry->error;
}

}  // namespace warpcheck::simt

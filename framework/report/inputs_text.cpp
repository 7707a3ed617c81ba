#include "framework/report/inputs_text.hpp"

#include <fmt/format.h>

#include "framework/numeric/text.hpp"

namespace warpcheck::report {

std::string inputs_text(const InputArray& input, std::size_t most) {
  std::string text = "[";
  std::size_t groups = 0;
  for (std::uint64_t i = 0; i < input.size(); ++groups) {
    if (i > 0) text += ", ";
    if (groups == most) {
      text += fmt::format("and {} more", input.size() - i);
      break;
    }
    const numeric::Value value = input[i];
    std::uint64_t end = i + 1;
    while (end < input.size() && input[end] == value) ++end;
    text += numeric::to_exact_text(value);
    if (end - i > 1) text += fmt::format(" ×{}", end - i);
    i = end;
  }
  return text + "]";
}

}  // namespace warpcheck::report

#include "properties/messages.hpp"

#include <algorithm>

#include "framework/numeric/text.hpp"

namespace warpcheck::properties {
namespace {

std::string count_text(std::uint64_t count, std::string_view noun) {
  std::string text = std::to_string(count);
  text.append(" ").append(noun);
  if (count != 1) text.push_back('s');
  return text;
}

std::string with_distance(numeric::Value result, numeric::Value from, std::string_view from_what) {
  std::string text = numeric::to_exact_text(result);
  const auto distance = numeric::ulp_distance(result, from);
  if (distance && numeric::is_finite(result)) {
    text.append(", ").append(std::to_string(*distance)).append(" ulp from ").append(from_what);
  }
  return text;
}

}  // namespace

std::string number_text(const numeric::Decimal& number) {
  constexpr std::size_t longest = 40;
  std::string exact = number.exact_string();
  if (exact.size() <= longest) return exact;
  return number.to_string(17) + "...";
}

std::string exact_sum_text(const numeric::SumReference& reference, numeric::Format output) {
  if (const auto special = reference.special()) {
    switch (*special) {
      case numeric::SpecialSum::nan:
        return "NaN";
      case numeric::SpecialSum::positive_infinity:
        return "inf";
      case numeric::SpecialSum::negative_infinity:
        return "-inf";
    }
  }
  std::string text = number_text(reference.sum);
  const numeric::Value rounded = reference.rounded(output);
  if (!numeric::is_finite(rounded) || numeric::Decimal(rounded) != reference.sum) {
    text.append(" exactly, ")
        .append(numeric::to_exact_text(rounded))
        .append(" rounded to ")
        .append(numeric::name(output));
  }
  return text;
}

std::string result_text(numeric::Value result, const numeric::SumReference& reference) {
  if (reference.special()) return numeric::to_exact_text(result);
  return with_distance(result, reference.rounded(result.format), "the exact sum rounded");
}

std::string result_text(numeric::Value result, numeric::Value demanded) {
  return with_distance(result, demanded, "it");
}

std::string bound_text(const numeric::Tolerance& tolerance, const numeric::SumReference& reference) {
  if (tolerance.applicability == numeric::Applicability::nonfinite_input) return tolerance.reason;
  std::string text = tolerance.value.to_string(9);
  text.append(" = ")
      .append(tolerance.terms.formula)
      .append("; A=")
      .append(reference.sum_abs.to_string(9))
      .append(" (")
      .append(tolerance.terms.source)
      .append(")");
  return text;
}

std::string geometry_text(const Geometry& geometry) {
  return count_text(geometry.grid, "block") + " of " + count_text(geometry.block, "thread");
}

std::string schedule_text(const Schedule& schedule) {
  switch (schedule.order) {
    case Schedule::Order::lowest_first:
      return "schedule lowest first";
    case Schedule::Order::highest_first:
      return "schedule highest first";
    case Schedule::Order::random:
      break;
  }
  return "schedule random " + std::to_string(schedule.seed);
}

std::string poison_text(std::uint32_t poison) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text(8, '0');
  for (std::size_t i = 8; i-- > 0; poison >>= 4) text[i] = digits[poison & 15u];
  return "memory filled with 0x" + text;
}

std::string elements_text(const InputArray& input) {
  constexpr std::uint64_t most = 12;
  std::string text(1, '[');
  for (std::uint64_t i = 0; i < std::min(input.size(), most); ++i) {
    if (i > 0) text.append(", ");
    text.append(numeric::to_decimal(input[i]));
  }
  if (input.size() > most) text.append(", ...");
  text.push_back(']');
  return text;
}

}  // namespace warpcheck::properties

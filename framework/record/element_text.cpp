#include "framework/record/element_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <vector>

#include "framework/record/equal_run.hpp"

namespace warpcheck::record {
namespace {

constexpr std::string_view nan_prefix = "nan:0x";

std::string nan_text(numeric::Value value) {
  return fmt::format("{}{:0{}x}", nan_prefix, value.bits, numeric::traits(value.format).bits / 4);
}

numeric::Parsed<numeric::Value> read_nan(std::string_view text, numeric::Format format) {
  const std::string_view digits = text.substr(nan_prefix.size());
  const auto width = static_cast<std::size_t>(numeric::traits(format).bits) / 4;
  numeric::Value value{format, 0};
  const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), value.bits, 16);
  if (digits.size() != width || status != std::errc{} || end != digits.data() + digits.size()) {
    return {std::nullopt, fmt::format("'{}' should hold the {} hex digits of a NaN of {}", text.substr(0, 40),
                                      width, numeric::name(format))};
  }
  if (!numeric::is_nan(value)) {
    return {std::nullopt, fmt::format("'{}' holds bits that are no NaN of {}; write a number as a hex float",
                                      text, numeric::name(format))};
  }
  return {value, {}};
}

}  // namespace

std::string element_bits_text(numeric::Value value) {
  return numeric::is_nan(value) ? nan_text(value) : numeric::to_hex(value);
}

numeric::Parsed<numeric::Value> read_element_bits(std::string_view text, numeric::Format format) {
  if (text.starts_with(nan_prefix)) return read_nan(text, format);
  const auto parsed = numeric::parse_value(text, format);
  if (parsed && numeric::is_nan(*parsed.value)) {
    return {std::nullopt, fmt::format("'{}' lacks the bits of the NaN; write {}", text,
                                      nan_text(numeric::quiet_nan(format)))};
  }
  return parsed;
}

std::string element_text(numeric::Value value) {
  if (numeric::is_nan(value)) {
    return value == numeric::quiet_nan(value.format) ? "nan" : nan_text(value);
  }
  std::string text = numeric::to_exact_text(value);
  // The decimal alone is not exact when the hex float stands beside it.
  return text.find('(') == std::string::npos ? text : numeric::to_hex(value);
}

std::string array_text(const InputArray& array, std::uint64_t most_runs) {
  const std::vector<EqualRun> runs = equal_runs(array);
  // Most of what explains a failure stands at the beginning; the end shows how the array stops.
  const bool shortened = runs.size() > most_runs;
  const std::uint64_t tail = shortened ? most_runs / 4 : 0;
  const std::uint64_t head = shortened ? most_runs - tail : runs.size();
  std::string text = "[";
  std::uint64_t left_out = 0;
  for (std::uint64_t i = 0; i < runs.size(); ++i) {
    if (i >= head && i + tail < runs.size()) {
      left_out += runs[i].count;
      if (i + tail + 1 == runs.size()) text += ", … " + std::to_string(left_out) + " elements …";
      continue;
    }
    if (text.size() > 1) text += ", ";
    text += element_text(runs[i].value);
    if (runs[i].count > 1) text += " ×" + std::to_string(runs[i].count);
  }
  return text + "]";
}

}  // namespace warpcheck::record

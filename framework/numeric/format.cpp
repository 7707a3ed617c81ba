#include "framework/numeric/format.hpp"

namespace warpcheck::numeric {
namespace {

constexpr std::array<Format, 2> formats{Format::fp32, Format::fp64};

static_assert(formats.size() == detail::format_table.size());

}  // namespace

std::span<const Format> all_formats() {
  return formats;
}

std::optional<Format> format_from_name(std::string_view name) {
  for (const Format format : formats) {
    if (traits(format).name == name) return format;
  }
  return std::nullopt;
}

}  // namespace warpcheck::numeric

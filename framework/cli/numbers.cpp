#include "framework/cli/numbers.hpp"

#include <charconv>
#include <limits>
#include <random>

#include <fmt/format.h>

#include "framework/cli/usage_error.hpp"

namespace warpcheck::cli {

std::uint64_t parse_whole(std::string_view option, std::string_view text, std::uint64_t least,
                          std::uint64_t most) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < least || number > most) {
    throw UsageError(fmt::format("{}: '{}' is not a whole number from {} to {}", option, text, least, most));
  }
  return number;
}

std::chrono::milliseconds parse_duration(std::string_view option, std::string_view text) {
  const auto refuse = [&] {
    throw UsageError(
        fmt::format("{}: '{}' is not a length of time above 0 and up to 1000h, such as 500ms, 30s, 2m or 1h",
                    option, text));
  };
  double number = 0;
  const auto [end, error] =
      std::from_chars(text.data(), text.data() + text.size(), number, std::chars_format::fixed);
  if (error != std::errc{} || text.front() == '-') refuse();
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double milliseconds = number * (unit == "ms"  ? 1
                                        : unit == "s" ? 1e3
                                        : unit == "m" ? 6e4
                                        : unit == "h" ? 3.6e6
                                                      : 0);
  if (!(milliseconds >= 1 && milliseconds <= 3.6e9)) refuse();
  return std::chrono::milliseconds(static_cast<std::int64_t>(milliseconds));
}

std::uint64_t parse_seed(std::string_view option, std::string_view text) {
  if (text == "random") {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
  }
  try {
    return parse_whole(option, text, 0, std::numeric_limits<std::uint64_t>::max());
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}, nor 'random'", error.what()));
  }
}

}  // namespace warpcheck::cli

#include "framework/cli/progress.hpp"

#include <chrono>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "framework/report/look.hpp"

namespace warpcheck::cli {

namespace {

constexpr std::size_t width = 79;
constexpr std::int64_t pause_ms = 100;

std::int64_t now_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void write(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

Progress::Progress() : terminal_(isatty(STDERR_FILENO) == 1) {}

Progress::~Progress() {
  clear();
}

void Progress::show(std::string_view line) {
  if (!terminal_ || (last_ms_ != 0 && now_ms() - last_ms_ < pause_ms)) return;
  const std::string text = report::shortened(line, width, report::Look{});
  write(fmt::format("\r{:<{}}", text, shown_));
  shown_ = text.size();
  last_ms_ = now_ms();
}

void Progress::clear() {
  if (!terminal_ || shown_ == 0) return;
  write(fmt::format("\r{:{}}\r", "", shown_));
  shown_ = 0;
}

}  // namespace warpcheck::cli

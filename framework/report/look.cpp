#include "framework/report/look.hpp"

#include <clocale>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>
#include <langinfo.h>
#include <unistd.h>

namespace warpcheck::report {

namespace {

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xc0u) == 0x80u;
}

/// The byte offset of code point `index`, or the size of the text.
std::size_t offset_of(std::string_view text, std::size_t index) {
  std::size_t offset = 0;
  while (offset < text.size()) {
    if (!is_continuation(text[offset]) && index-- == 0) break;
    ++offset;
  }
  return offset;
}

}  // namespace

Look look_of(int file_descriptor) {
  Look look;
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  look.colour = isatty(file_descriptor) == 1 && (no_colour == nullptr || *no_colour == '\0') &&
                terminal != nullptr && std::strcmp(terminal, "dumb") != 0;
  // Only the character set: numbers must not start to follow the user's locale.
  std::setlocale(LC_CTYPE, "");
  look.unicode = std::strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
  return look;
}

std::string toned(std::string_view text, Tone tone, const Look& look) {
  if (!look.colour || tone == Tone::plain || text.empty()) return std::string(text);
  const char* code = tone == Tone::good       ? "\x1b[32m"
                     : tone == Tone::bad      ? "\x1b[1;31m"
                     : tone == Tone::doubtful ? "\x1b[33m"
                                              : "\x1b[1m";
  return fmt::format("{}{}\x1b[0m", code, text);
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += is_continuation(c) ? 0 : 1;
  return width;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::size_t at = std::min(text.find_first_not_of(' '), text.size());
  std::string result(text.substr(0, at));
  std::size_t column = at;
  bool line_empty = true;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    const std::size_t word_width = display_width(word);
    if (!line_empty && column + 1 + word_width > width) {
      result += '\n';
      result += indent;
      column = display_width(indent);
      line_empty = true;
    }
    if (!line_empty) {
      result += ' ';
      ++column;
    }
    result += word;
    column += word_width;
    line_empty = false;
  }
  return result;
}

std::string shortened(std::string_view text, std::size_t width, const Look& look) {
  const std::size_t full = display_width(text);
  if (full <= width) return std::string(text);
  const std::string_view gap = look.unicode ? "…" : "..";
  const std::size_t kept = width - display_width(gap);
  const std::size_t head = kept / 2;
  const std::size_t tail = kept - head;
  return fmt::format("{}{}{}", text.substr(0, offset_of(text, head)), gap,
                     text.substr(offset_of(text, full - tail)));
}

std::string short_number(double x) {
  return fmt::format("{:.3g}", x);
}

std::string grouped(unsigned long long n) {
  return grouped_digits(fmt::format("{}", n));
}

std::string grouped_digits(std::string_view digits) {
  if (digits.size() > 21) {
    return fmt::format("about {}.{}e+{}", digits.substr(0, 1), digits.substr(1, 2), digits.size() - 1);
  }
  std::string text;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    if (i > 0 && (digits.size() - i) % 3 == 0) text += ',';
    text += digits[i];
  }
  return text;
}

}  // namespace warpcheck::report

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpcheck::report {

/// How text may look where it is going: no escape codes and no signs beyond ASCII unless these say so.
struct Look {
  bool colour = false;
  bool unicode = false;
  std::size_t width = 80;  ///< columns that no line should exceed
};

/// What a piece of text says about its subject; it decides the colour and nothing else.
enum class Tone { plain, good, bad, doubtful, heading };

/// The look for a file descriptor: colour on a terminal unless NO_COLOR is set or TERM is "dumb", signs
/// beyond ASCII where the locale's character set is UTF-8.
Look look_of(int file_descriptor);

/// `text` in the tone's colour, or as it is where the look has none.
std::string toned(std::string_view text, Tone tone, const Look& look);

/// Columns that `text` takes: one for each code point of UTF-8.
std::size_t display_width(std::string_view text);

/// `text` broken at spaces into lines of at most `width` columns, each after the first begun with `indent`;
/// the first keeps the spaces it begins with. A word longer than a line stays whole. No line end after the
/// last line.
std::string wrapped(std::string_view text, std::size_t width, std::string_view indent = "");

/// `text` in at most `width` columns: the middle of a longer one gives way to an ellipsis. Precondition:
/// width ≥ 5.
std::string shortened(std::string_view text, std::size_t width, const Look& look);

/// Three significant digits, for tables: "0.0312", "1.2e-08", "inf".
std::string short_number(double x);

/// The digits in groups of three: "1,048,576".
std::string grouped(unsigned long long n);

/// The same for decimal digits of any length; beyond 21 of them "about 3.04e+64".
std::string grouped_digits(std::string_view digits);

}  // namespace warpcheck::report

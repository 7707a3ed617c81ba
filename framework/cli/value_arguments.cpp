#include "framework/cli/value_arguments.hpp"

#include <algorithm>
#include <cctype>

namespace warpcheck::cli {

namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// True for what follows the sign of a number, or would, were it spelt right.
bool begins_number(std::string_view text) {
  if (text.empty()) return false;
  if (is_digit(text[0])) return true;
  if (text[0] == '.') return text.size() > 1 && is_digit(text[1]);
  std::string word(text);
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return word == "inf" || word == "infinity" || word.starts_with("nan");
}

bool is_value(std::string_view argument) {
  if (!argument.starts_with('-')) return true;
  return begins_number(argument.substr(1));
}

}  // namespace

ValueArguments take_values(std::span<const std::string> arguments,
                           std::span<const std::string> options_with_value) {
  ValueArguments result;
  bool only_values = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (only_values) {
      result.values.push_back(argument);
    } else if (argument == "--") {
      only_values = true;
    } else if (is_value(argument)) {
      result.values.push_back(argument);
    } else {
      result.others.push_back(argument);
      const bool takes_next = std::find(options_with_value.begin(), options_with_value.end(), argument) !=
                              options_with_value.end();
      if (takes_next && i + 1 < arguments.size()) result.others.push_back(arguments[++i]);
    }
  }
  return result;
}

}  // namespace warpcheck::cli

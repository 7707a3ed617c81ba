#include "framework/ptx/failure.hpp"

#include <utility>

namespace warpcheck::ptx {

void fail(const Token& at, std::string message) {
  throw Failure{ParseError{at.line, at.column, std::move(message)}};
}

void fail_expected(const Token& found, std::string_view expected) {
  fail(found, "expected " + std::string(expected) + ", found " + quoted(found));
}

std::string quoted(std::string_view text) {
  constexpr std::size_t limit = 60;
  constexpr std::string_view hex = "0123456789abcdef";
  std::string result = "'";
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == limit) {
      result += "…";
      break;
    }
    const auto c = static_cast<unsigned char>(text[i]);
    if (c >= 0x20 && c < 0x7f) {
      result += static_cast<char>(c);
    } else {
      result += "\\x";
      result += hex[c >> 4];
      result += hex[c & 15];
    }
  }
  return result + "'";
}

std::string quoted(const Token& token) {
  return token.kind == TokenKind::end ? "the end of the text" : quoted(token.text);
}

}  // namespace warpcheck::ptx

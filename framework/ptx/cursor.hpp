#pragma once

#include <cstdint>
#include <string_view>

#include "framework/ptx/failure.hpp"
#include "framework/ptx/lexer.hpp"

namespace warpcheck::ptx {

/// The parser's view of the text: the current token, the one after it, and what to do when it isn't the
/// expected one. All members throw Failure at text that does not lex; the `expect` ones at other tokens too.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : lexer_(text) { current_ = lexer_.next(); }

  const Token& peek() const { return current_; }
  const Token& peek_second();

  /// Returns the current token and moves on.
  Token take();

  bool at(std::uint16_t wanted) const { return current_.is(wanted); }
  bool accept(std::uint16_t wanted);
  bool accept_word(std::string_view wanted);
  void expect(std::uint16_t wanted, std::string_view description);
  Token expect_identifier(std::string_view description);

  /// A non-negative integer literal of at most `limit`.
  std::uint64_t expect_integer(std::string_view description, std::uint64_t limit);
  Token expect_string(std::string_view description);

 private:
  Lexer lexer_;
  Token current_;
  Token second_;
  bool has_second_{};
};

}  // namespace warpcheck::ptx

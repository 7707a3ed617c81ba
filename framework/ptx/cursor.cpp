#include "framework/ptx/cursor.hpp"

#include <string>

namespace warpcheck::ptx {

const Token& Cursor::peek_second() {
  if (!has_second_) {
    second_ = lexer_.next();
    has_second_ = true;
  }
  return second_;
}

Token Cursor::take() {
  const Token taken = current_;
  if (has_second_) {
    current_ = second_;
    has_second_ = false;
  } else {
    current_ = lexer_.next();
  }
  return taken;
}

bool Cursor::accept(std::uint16_t wanted) {
  if (!at(wanted)) return false;
  take();
  return true;
}

bool Cursor::accept_word(std::string_view wanted) {
  if (!current_.is_word(wanted)) return false;
  take();
  return true;
}

void Cursor::expect(std::uint16_t wanted, std::string_view description) {
  if (!accept(wanted)) fail_expected(current_, description);
}

Token Cursor::expect_identifier(std::string_view description) {
  if (current_.kind != TokenKind::identifier) fail_expected(current_, description);
  return take();
}

std::uint64_t Cursor::expect_integer(std::string_view description, std::uint64_t limit) {
  if (current_.kind != TokenKind::integer) fail_expected(current_, description);
  if (current_.bits > limit)
    fail(current_, "expected " + std::string(description) + " of at most " + std::to_string(limit) +
                       ", found " + quoted(current_));
  return take().bits;
}

Token Cursor::expect_string(std::string_view description) {
  if (current_.kind != TokenKind::string) fail_expected(current_, description);
  return take();
}

}  // namespace warpcheck::ptx

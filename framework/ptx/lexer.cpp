#include "framework/ptx/lexer.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <string>
#include <system_error>

#include "framework/ptx/failure.hpp"

namespace warpcheck::ptx {
namespace {

enum : std::uint8_t { letter = 1, digit = 2, hex_letter = 4, follow = 8, start = 16 };

constexpr std::array<std::uint8_t, 256> classes = [] {
  std::array<std::uint8_t, 256> table{};
  for (int c = 'a'; c <= 'z'; ++c) table[c] = letter | follow | start;
  for (int c = 'A'; c <= 'Z'; ++c) table[c] = letter | follow | start;
  for (int c = '0'; c <= '9'; ++c) table[c] = digit | follow;
  for (int c = 'a'; c <= 'f'; ++c) table[c] |= hex_letter;
  for (int c = 'A'; c <= 'F'; ++c) table[c] |= hex_letter;
  table['_'] = table['$'] = follow | start;
  table['%'] = start;
  return table;
}();

bool is_a(char c, unsigned wanted) {
  return (classes[static_cast<unsigned char>(c)] & wanted) != 0;
}

unsigned value_of(char c) {
  if (is_a(c, digit)) return static_cast<unsigned>(c - '0');
  return static_cast<unsigned>((c | 0x20) - 'a') + 10;
}

}  // namespace

Lexer::Lexer(std::string_view text) : text_(text) {
  while (!text_.empty() && text_.back() == '\0') text_.remove_suffix(1);
}

Token Lexer::next() {
  skip_blanks();
  if (position_ >= text_.size()) return begin(TokenKind::end);
  const char c = text_[position_];
  if (is_a(c, start)) {
    // A percent sign on its own is the remainder operator.
    if (c == '%' && !is_a(at(1), follow)) return punctuation();
    return identifier();
  }
  if (c == '.') return begins_fraction() ? decimal() : word();
  if (is_a(c, digit)) return number();
  if (c == '"') return string();
  return punctuation();
}

void Lexer::skip_blanks() {
  while (position_ < text_.size()) {
    const char c = text_[position_];
    if (c == '\n') {
      ++position_;
      ++line_;
      line_start_ = position_;
    } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v') {
      ++position_;
    } else if (c == '/' && at(1) == '/') {
      const std::size_t stop = text_.find('\n', position_);
      position_ = stop == std::string_view::npos ? text_.size() : stop;
    } else if (c == '/' && at(1) == '*') {
      Token opening = begin(TokenKind::mark);
      const std::size_t stop = text_.find("*/", position_ + 2);
      if (stop == std::string_view::npos) fail(opening, "the comment that begins here has no '*/'");
      for (std::size_t i = position_; i < stop; ++i) {
        if (text_[i] != '\n') continue;
        ++line_;
        line_start_ = i + 1;
      }
      position_ = stop + 2;
    } else {
      return;
    }
  }
}

Token Lexer::begin(TokenKind kind) const {
  Token token;
  token.kind = kind;
  token.line = line_;
  token.column = static_cast<std::uint32_t>(position_ - line_start_ + 1);
  return token;
}

void Lexer::finish(Token& token, std::size_t length) {
  token.text = text_.substr(position_, length);
  position_ += length;
}

Token Lexer::identifier() {
  Token token = begin(TokenKind::identifier);
  std::size_t length = 1;
  while (is_a(at(length), follow)) ++length;
  finish(token, length);
  return token;
}

bool Lexer::begins_fraction() const {
  std::size_t i = 1;
  if (!is_a(at(i), digit)) return false;
  while (is_a(at(i), digit)) ++i;
  if ((at(i) | 0x20) == 'e') {
    std::size_t exponent = i + 1;
    if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
    if (is_a(at(exponent), digit)) {
      i = exponent;
      while (is_a(at(i), digit)) ++i;
    }
  }
  return !is_a(at(i), follow);  // ".1d" is a modifier, ".1" and ".1e5" are numbers
}

Token Lexer::word() {
  Token token = begin(TokenKind::word);
  std::size_t length = 1;
  while (is_a(at(length), follow)) ++length;
  while (length > 1 && at(length) == ':' && at(length + 1) == ':' && is_a(at(length + 2), follow)) {
    length += 3;
    while (is_a(at(length), follow)) ++length;
  }
  finish(token, length);
  if (length == 1) fail_expected(token, "a directive or modifier after '.'");
  return token;
}

Token Lexer::number() {
  const char second = at(1);
  if (at(0) == '0') {
    if (second == 'f' || second == 'F') return exact(TokenKind::exact_f32, 8);
    if (second == 'd' || second == 'D') return exact(TokenKind::exact_f64, 16);
    if (second == 'x' || second == 'X') return integer(16, 2);
    if (second == 'b' || second == 'B') return integer(2, 2);
  }
  std::size_t i = 1;
  while (is_a(at(i), digit)) ++i;
  if (at(i) == '.' || (at(i) | 0x20) == 'e') return decimal();
  return at(0) == '0' && i > 1 ? integer(8, 1) : integer(10, 0);
}

Token Lexer::exact(TokenKind kind, std::size_t digits) {
  Token token = begin(kind);
  std::size_t length = 2;
  while (is_a(at(length), follow)) {
    if (is_a(at(length), digit | hex_letter)) token.bits = token.bits << 4 | value_of(at(length));
    ++length;
  }
  finish(token, length);
  bool all_hex = true;
  for (const char c : token.text.substr(2)) all_hex = all_hex && is_a(c, digit | hex_letter);
  if (length != digits + 2 || !all_hex)
    fail(token, "expected " + std::string(digits == 8 ? "0f and 8" : "0d and 16") +
                    " hexadecimal digits, found " + quoted(token));
  return token;
}

Token Lexer::integer(unsigned base, std::size_t prefix) {
  Token token = begin(TokenKind::integer);
  std::size_t length = prefix;
  bool overflow = false;
  while (is_a(at(length), digit | hex_letter) && value_of(at(length)) < base) {
    overflow = overflow || token.bits > (~std::uint64_t{0} - value_of(at(length))) / base;
    token.bits = token.bits * base + value_of(at(length));
    ++length;
  }
  const bool empty = length == prefix;
  token.is_unsigned = token.bits >> 63 != 0;
  if (at(length) == 'U') {
    token.is_unsigned = true;
    ++length;
  }
  const std::size_t well_formed = length;
  while (is_a(at(length), follow)) ++length;
  finish(token, length);
  if (empty || length != well_formed) fail(token, "malformed integer " + quoted(token));
  if (overflow) fail(token, "integer " + quoted(token) + " does not fit 64 bits");
  return token;
}

Token Lexer::decimal() {
  Token token = begin(TokenKind::decimal);
  std::size_t length = 0;
  while (is_a(at(length), digit)) ++length;
  if (at(length) == '.') ++length;
  while (is_a(at(length), digit)) ++length;
  if ((at(length) | 0x20) == 'e') {
    ++length;
    if (at(length) == '+' || at(length) == '-') ++length;
    while (is_a(at(length), digit)) ++length;
  }
  while (is_a(at(length), follow)) ++length;
  finish(token, length);
  double value = 0;
  const char* const stop = token.text.data() + token.text.size();
  const auto [end, error] = std::from_chars(token.text.data(), stop, value);
  if (error == std::errc::result_out_of_range)
    fail(token, "number " + quoted(token) + " is outside double's range");
  if (error != std::errc{} || end != stop) fail(token, "malformed number " + quoted(token));
  token.bits = std::bit_cast<std::uint64_t>(value);
  return token;
}

Token Lexer::string() {
  Token token = begin(TokenKind::string);
  std::size_t length = 1;
  while (position_ + length < text_.size() && at(length) != '"' && at(length) != '\n')
    length += at(length) == '\\' && at(length + 1) != '\n' ? 2 : 1;
  if (position_ + length >= text_.size() || at(length) != '"')
    fail(token, "the string that begins here has no closing '\"'");
  finish(token, length + 1);
  token.text = token.text.substr(1, length - 1);
  return token;
}

Token Lexer::punctuation() {
  Token token = begin(TokenKind::mark);
  const char c = at(0), d = at(1);
  const bool two = (c == '<' && (d == '<' || d == '=')) || (c == '>' && (d == '>' || d == '=')) ||
                   (c == '=' && d == '=') || (c == '!' && d == '=') || (c == '&' && d == '&') ||
                   (c == '|' && d == '|');
  finish(token, two ? 2 : 1);
  if (!two && std::string_view("{}[]()<>,;:=+-*/%&|^~!?@").find(c) == std::string_view::npos)
    fail(token, "unexpected character " + quoted(token));
  token.code = static_cast<std::uint16_t>(two ? static_cast<unsigned>(c) << 8 | static_cast<unsigned>(d)
                                              : static_cast<unsigned>(c));
  return token;
}

}  // namespace warpcheck::ptx

#pragma once

#include <cstdint>
#include <string_view>

namespace warpcheck::ptx {

enum class TokenKind : std::uint8_t {
  end,
  identifier,  ///< also "_" and registers; "%tid" without its component
  word,        ///< begins with a dot: directives, types, modifiers; ".L1::evict_first" is one word
  integer,     ///< `bits`, `is_unsigned`
  decimal,     ///< 1.5, 1e3: `bits` of the double
  exact_f32,   ///< 0fXXXXXXXX: `bits`
  exact_f64,   ///< 0dXXXXXXXXXXXXXXXX: `bits`
  string,      ///< text without the quotes, escapes as written
  mark,        ///< punctuation and operators: `code`
};

/// Code of a mark of one or two characters, as in mark("<<").
consteval std::uint16_t mark(std::string_view text) {
  return text.size() == 1 ? static_cast<std::uint16_t>(text[0])
                          : static_cast<std::uint16_t>(static_cast<unsigned>(text[0]) << 8 |
                                                       static_cast<unsigned>(text[1]));
}

struct Token {
  TokenKind kind{TokenKind::end};
  bool is_unsigned{};     ///< integers: U suffix, or too large for 64 signed bits
  std::uint16_t code{};   ///< marks
  std::uint32_t line{1};  ///< 1-based
  std::uint32_t column{1};
  std::string_view text;  ///< a piece of the text
  std::uint64_t bits{};

  bool is(std::uint16_t wanted) const { return kind == TokenKind::mark && code == wanted; }
  bool is_word(std::string_view wanted) const { return kind == TokenKind::word && text == wanted; }
};

/// Cuts PTX text into tokens; comments and white space are skipped (PTX ISA §4.1–4.5).
///
/// Zero bytes at the end of the text, which fat binaries pad with, are ignored.
class Lexer {
 public:
  explicit Lexer(std::string_view text);

  /// The next token, again and again `end` after the last. Throws Failure at what is no token.
  Token next();

 private:
  char at(std::size_t ahead) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }
  void skip_blanks();
  Token begin(TokenKind kind) const;
  void finish(Token& token, std::size_t length);
  Token identifier();
  Token word();
  Token number();
  Token exact(TokenKind kind, std::size_t digits);
  Token integer(unsigned base, std::size_t prefix);
  Token decimal();
  Token string();
  Token punctuation();
  bool begins_fraction() const;

  std::string_view text_;
  std::size_t position_{};
  std::size_t line_start_{};
  std::uint32_t line_{1};
};

}  // namespace warpcheck::ptx

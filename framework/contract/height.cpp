#include "framework/contract/height.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "framework/numeric/bound.hpp"

namespace warpcheck {
namespace {

using Number = std::uint64_t;

constexpr Number kLargest = std::numeric_limits<Number>::max();

Number add(Number a, Number b) {
  return a > kLargest - b ? kLargest : a + b;
}
Number subtract(Number a, Number b) {
  return a > b ? a - b : 0;
}
Number multiply(Number a, Number b) {
  return b != 0 && a > kLargest / b ? kLargest : a * b;
}
Number divide(Number a, Number b) {
  return b == 0 ? 0 : a / b;
}

Number smaller(Number a, Number b) {
  return std::min(a, b);
}
Number larger(Number a, Number b) {
  return std::max(a, b);
}
Number divide_up(Number a, Number b) {
  return b == 0 ? 0 : numeric::ceil_div(a, b);
}
Number logarithm_up(Number a, Number) {
  return static_cast<Number>(numeric::ceil_log2(a));
}

struct Function {
  std::string_view name;
  int arguments;
  Number (*apply)(Number, Number);
};

constexpr std::array<Function, 4> kFunctions{{
    {"min", 2, smaller},
    {"max", 2, larger},
    {"ceil_div", 2, divide_up},
    {"ceil_log2", 1, logarithm_up},
}};

constexpr std::string_view kOperand = "a number, n, grid, block, min, max, ceil_div, ceil_log2 or (";

/// Recursive descent over
///     sum     = product { ("+" | "-") product }
///     product = operand { ("*" | "/") operand }
///     operand = number | variable | function "(" sum { "," sum } ")" | "(" sum ")"
class Formula {
 public:
  Formula(std::string_view text, Number n, Number grid, Number block)
      : text_(text), n_(n), grid_(grid), block_(block) {}

  Number evaluate() {
    const Number value = sum();
    if (position_ != text_.size()) fail("an operator or the end of the formula");
    return value;
  }

 private:
  // Deep enough for any formula that a person writes, shallow enough for the stack.
  static constexpr int kDeepest = 100;

  Number sum() {
    Number value = product();
    for (;;) {
      if (accept('+')) {
        value = add(value, product());
      } else if (accept('-')) {
        value = subtract(value, product());
      } else {
        return value;
      }
    }
  }

  Number product() {
    Number value = operand();
    for (;;) {
      if (accept('*')) {
        value = multiply(value, operand());
      } else if (accept('/')) {
        value = divide(value, operand());
      } else {
        return value;
      }
    }
  }

  Number operand() {
    skip_space();
    if (depth_ > kDeepest) fail("at most 100 levels of parentheses");
    if (position_ == text_.size()) fail(kOperand);
    if (accept('(')) {
      ++depth_;
      const Number value = sum();
      --depth_;
      expect(')', "an operator or )");
      return value;
    }
    if (is_digit(text_[position_])) return number();
    return named();
  }

  Number number() {
    Number value = 0;
    while (position_ < text_.size() && is_digit(text_[position_])) {
      value = add(multiply(value, 10), static_cast<Number>(text_[position_] - '0'));
      ++position_;
    }
    return value;
  }

  Number named() {
    std::size_t end = position_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    const std::string_view name = text_.substr(position_, end - position_);
    if (name == "n" || name == "grid" || name == "block") {
      position_ = end;
      return name == "n" ? n_ : name == "grid" ? grid_ : block_;
    }
    for (const Function& function : kFunctions) {
      if (function.name == name) {
        position_ = end;
        return call(function);
      }
    }
    fail(kOperand);
  }

  Number call(const Function& function) {
    expect('(', "( after the name of a function");
    ++depth_;
    const Number first = sum();
    Number second = 0;
    if (function.arguments == 2) {
      expect(',', "an operator, or a comma and a second argument");
      second = sum();
    }
    --depth_;
    expect(')', "an operator or )");
    return function.apply(first, second);
  }

  bool accept(char wanted) {
    skip_space();
    if (position_ == text_.size() || text_[position_] != wanted) return false;
    ++position_;
    skip_space();
    return true;
  }

  void expect(char wanted, std::string_view right) {
    if (!accept(wanted)) fail(right);
  }

  void skip_space() {
    while (position_ < text_.size() && (text_[position_] == ' ' || text_[position_] == '\t')) ++position_;
  }

  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_name(char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  /// The word or sign at the current position.
  std::string here() const {
    if (position_ >= text_.size()) return "the end of the formula";
    std::size_t end = position_;
    while (end < text_.size() && is_name(text_[end])) ++end;
    if (end > position_) return "\"" + std::string(text_.substr(position_, end - position_)) + "\"";
    const auto byte = static_cast<unsigned char>(text_[position_]);
    if (byte > 0x20 && byte < 0x7f) return "\"" + std::string(1, text_[position_]) + "\"";
    return "byte " + std::to_string(byte);
  }

  [[noreturn]] void fail(std::string_view right) const {
    throw std::invalid_argument("height formula, position " + std::to_string(position_ + 1) + ": found " +
                                here() + ", expected " + std::string(right));
  }

  std::string_view text_;
  Number n_, grid_, block_;
  std::size_t position_ = 0;
  int depth_ = 0;
};

}  // namespace

std::uint64_t evaluate_height(std::string_view formula, std::uint64_t n, std::uint32_t grid,
                              std::uint32_t block) {
  return Formula(formula, n, grid, block).evaluate();
}

}  // namespace warpcheck

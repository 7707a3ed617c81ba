#include "framework/ptx/constant.hpp"

#include <bit>
#include <limits>
#include <string>

namespace warpcheck::ptx {
namespace {

using Kind = Constant::Kind;

/// A pair of parentheses takes three levels; nobody writes expressions nearly this deep.
constexpr int deepest = 300;

constexpr int product_level = 10;

/// Binding strength of a binary operator, 0 if the token is none (PTX ISA table 4).
int strength(const Token& token) {
  if (token.kind != TokenKind::mark) return 0;
  switch (token.code) {
    case mark("*"):
    case mark("/"):
    case mark("%"):
      return product_level;
    case mark("+"):
    case mark("-"):
      return 9;
    case mark("<<"):
    case mark(">>"):
      return 8;
    case mark("<"):
    case mark(">"):
    case mark("<="):
    case mark(">="):
      return 7;
    case mark("=="):
    case mark("!="):
      return 6;
    case mark("&"):
      return 5;
    case mark("^"):
      return 4;
    case mark("|"):
      return 3;
    case mark("&&"):
      return 2;
    case mark("||"):
      return 1;
    default:
      return 0;
  }
}

Constant truth(bool value) {
  return {Kind::s64, value ? 1u : 0u};
}

[[noreturn]] void fail_types(const Token& op) {
  fail(op, "operator " + quoted(op) +
               " mixes or takes types that it cannot; an expression is all integer or all "
               "double, and 0f literals stand alone");
}

Constant real_binary(const Token& op, double a, double b) {
  const auto real = [](double value) { return Constant{Kind::f64, std::bit_cast<std::uint64_t>(value)}; };
  switch (op.code) {
    case mark("+"):
      return real(a + b);
    case mark("-"):
      return real(a - b);
    case mark("*"):
      return real(a * b);
    case mark("/"):
      return real(a / b);
    case mark("<"):
      return truth(a < b);
    case mark(">"):
      return truth(a > b);
    case mark("<="):
      return truth(a <= b);
    case mark(">="):
      return truth(a >= b);
    case mark("=="):
      return truth(a == b);
    case mark("!="):
      return truth(a != b);
    default:
      fail_types(op);
  }
}

std::uint64_t quotient(const Token& op, bool is_unsigned, std::uint64_t a, std::uint64_t b) {
  if (b == 0) fail(op, "division by zero in a constant expression");
  if (is_unsigned) return a / b;
  if (static_cast<std::int64_t>(b) == -1) return std::uint64_t{0} - a;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(a) / static_cast<std::int64_t>(b));
}

Constant integer_binary(const Token& op, Constant left, Constant right) {
  const std::uint64_t a = left.bits, b = right.bits;
  const bool is_unsigned = left.kind == Kind::u64 || right.kind == Kind::u64;
  const Kind converted = is_unsigned ? Kind::u64 : Kind::s64;
  const bool below = is_unsigned ? a < b : static_cast<std::int64_t>(a) < static_cast<std::int64_t>(b);
  switch (op.code) {
    case mark("+"):
      return {converted, a + b};
    case mark("-"):
      return {converted, a - b};
    case mark("*"):
      return {converted, a * b};
    case mark("/"):
      return {converted, quotient(op, is_unsigned, a, b)};
    case mark("%"):
      if (b == 0) fail(op, "division by zero in a constant expression");
      return {Kind::s64, a % b};
    case mark("<<"):
      return {left.kind, a << (b & 63)};
    case mark(">>"):
      if (left.kind == Kind::u64) return {left.kind, a >> (b & 63)};
      return {left.kind, static_cast<std::uint64_t>(static_cast<std::int64_t>(a) >> (b & 63))};
    case mark("<"):
      return truth(below);
    case mark(">"):
      return truth(!below && a != b);
    case mark("<="):
      return truth(below || a == b);
    case mark(">="):
      return truth(!below);
    case mark("=="):
      return truth(a == b);
    case mark("!="):
      return truth(a != b);
    case mark("&"):
      return {converted, a & b};
    case mark("^"):
      return {converted, a ^ b};
    case mark("|"):
      return {converted, a | b};
    case mark("&&"):
      return truth(a != 0 && b != 0);
    case mark("||"):
      return truth(a != 0 || b != 0);
    default:
      fail_types(op);
  }
}

Constant binary(const Token& op, Constant left, Constant right) {
  if (left.is_integer() && right.is_integer()) return integer_binary(op, left, right);
  if (left.kind != Kind::f64 || right.kind != Kind::f64) fail_types(op);
  return real_binary(op, std::bit_cast<double>(left.bits), std::bit_cast<double>(right.bits));
}

Constant unary(const Token& op, Constant value) {
  if (op.is(mark("+")) && value.kind != Kind::f32) return value;
  if (op.is(mark("-"))) {
    switch (value.kind) {
      case Kind::s64:
      case Kind::u64:
        return {value.kind, std::uint64_t{0} - value.bits};
      case Kind::f64:
        return {value.kind, value.bits ^ std::uint64_t{1} << 63};
      case Kind::f32:
        break;
    }
  }
  if (!value.is_integer()) fail_types(op);
  return op.is(mark("!")) ? truth(value.bits == 0) : Constant{Kind::u64, ~value.bits};
}

class Expression {
 public:
  explicit Expression(Cursor& cursor) : cursor_(cursor) {}

  Constant conditional() {
    const Level level(*this);
    const Constant condition = sum_of(1);
    if (!cursor_.at(mark("?"))) return condition;
    const Token op = cursor_.take();
    if (!condition.is_integer()) fail(op, "the condition before '?' must be an integer");
    Constant first = conditional();
    cursor_.expect(mark(":"), "':' of the conditional expression");
    Constant second = conditional();
    if (first.is_integer() && second.is_integer()) {
      if (first.kind != second.kind) first.kind = second.kind = Kind::u64;
    } else if (first.kind != Kind::f64 || second.kind != Kind::f64) {
      fail_types(op);
    }
    return condition.bits != 0 ? first : second;
  }

  /// Everything whose operators bind at least as strongly as `weakest`.
  Constant sum_of(int weakest) {
    const Level level(*this);
    Constant left = operand();
    while (true) {
      const int strength_here = strength(cursor_.peek());
      if (strength_here == 0 || strength_here < weakest) return left;
      const Token op = cursor_.take();
      left = binary(op, left, sum_of(strength_here + 1));
    }
  }

 private:
  struct Level {
    explicit Level(Expression& expression) : depth(expression.depth_) {
      if (++depth > deepest) fail(expression.cursor_.peek(), "the constant expression is nested too deeply");
    }
    ~Level() { --depth; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;
    int& depth;
  };

  Constant operand() {
    const Level level(*this);
    const Token token = cursor_.take();
    switch (token.kind) {
      case TokenKind::integer:
        return {token.is_unsigned ? Kind::u64 : Kind::s64, token.bits};
      case TokenKind::decimal:
      case TokenKind::exact_f64:
        return {Kind::f64, token.bits};
      case TokenKind::exact_f32:
        return {Kind::f32, token.bits};
      case TokenKind::identifier:
        if (token.text == "WARP_SZ") return {Kind::s64, 32};
        break;
      case TokenKind::mark:
        if (token.is(mark("("))) return in_parentheses();
        if (token.is(mark("+")) || token.is(mark("-")) || token.is(mark("!")) || token.is(mark("~")))
          return unary(token, operand());
        break;
      default:
        break;
    }
    fail_expected(token, "a constant");
  }

  Constant in_parentheses() {
    if (cursor_.peek().is_word(".s64") || cursor_.peek().is_word(".u64")) {
      const Token type = cursor_.take();
      cursor_.expect(mark(")"), "')' after the type of a cast");
      const Constant value = operand();
      if (!value.is_integer()) fail(type, "only integers can be cast, to .s64 or .u64");
      return {type.text == ".u64" ? Kind::u64 : Kind::s64, value.bits};
    }
    const Constant value = conditional();
    cursor_.expect(mark(")"), "')' of the constant expression");
    return value;
  }

  Cursor& cursor_;
  int depth_{};
};

std::uint64_t integer_or_fail(const Token& at, Constant value) {
  if (!value.is_integer()) fail(at, "expected an integer constant, found a floating-point one");
  return value.bits;
}

}  // namespace

Constant parse_constant(Cursor& cursor) {
  return Expression(cursor).conditional();
}

Constant parse_constant_term(Cursor& cursor) {
  return Expression(cursor).sum_of(product_level);
}

std::uint64_t parse_integer_constant(Cursor& cursor) {
  const Token at = cursor.peek();
  return integer_or_fail(at, parse_constant(cursor));
}

std::int64_t parse_offset(Cursor& cursor) {
  std::uint64_t sum = 0;
  while (cursor.at(mark("+")) || cursor.at(mark("-"))) {
    const bool minus = cursor.take().is(mark("-"));
    const Token at = cursor.peek();
    const std::uint64_t term = integer_or_fail(at, parse_constant_term(cursor));
    sum = minus ? sum - term : sum + term;
  }
  return static_cast<std::int64_t>(sum);
}

}  // namespace warpcheck::ptx

#include "framework/ptx/declaration.hpp"

#include <bit>
#include <limits>
#include <string>

#include "framework/ptx/constant.hpp"

namespace warpcheck::ptx {
namespace {

constexpr std::uint64_t largest_variable = std::uint64_t{1} << 40;
constexpr std::uint64_t largest_alignment = std::uint64_t{1} << 30;
constexpr std::size_t most_dimensions = 64;

std::uint32_t parse_alignment(Cursor& cursor) {
  const Token at = cursor.peek();
  const std::uint64_t value = cursor.expect_integer("an alignment", largest_alignment);
  if (!std::has_single_bit(value)) fail(at, "alignment " + quoted(at) + " is not a power of two");
  return static_cast<std::uint32_t>(value);
}

/// `.ptr.global.align 16`: what a pointer parameter points to, which nothing here needs.
void skip_pointee(Cursor& cursor) {
  while (cursor.peek().kind == TokenKind::word) {
    if (cursor.accept_word(".align"))
      parse_alignment(cursor);
    else if (space_from_word(cursor.peek().text))
      cursor.take();
    else
      return;
  }
}

std::uint32_t vector_width(std::string_view word) {
  if (word == ".v2") return 2;
  if (word == ".v4") return 4;
  return word == ".v8" ? 8 : 0;
}

std::uint64_t product_or_fail(const Token& name, std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > largest_variable / b)
    fail(name, "variable " + quoted(name) + " is larger than 2^40 bytes, the largest that is accepted");
  return a * b;
}

}  // namespace

std::optional<Space> space_from_word(std::string_view word) {
  if (word == ".reg") return Space::reg;
  if (word == ".global") return Space::global;
  if (word == ".shared") return Space::shared;
  if (word == ".local") return Space::local;
  if (word == ".const") return Space::constant;
  if (word == ".param") return Space::param;
  return std::nullopt;
}

DeclarationHead parse_declaration_head(Cursor& cursor) {
  DeclarationHead head;
  const auto space = space_from_word(cursor.peek().text);
  if (cursor.peek().kind != TokenKind::word || !space)
    fail_expected(cursor.peek(), "a state space such as .reg");
  cursor.take();
  head.space = *space;
  while (cursor.peek().kind == TokenKind::word) {
    const Token word = cursor.take();
    if (word.text == ".align") {
      head.alignment = parse_alignment(cursor);
    } else if (word.text == ".attribute") {
      skip_attribute(cursor);
    } else if (word.text == ".ptr") {
      skip_pointee(cursor);
    } else if (const std::uint32_t width = vector_width(word.text); width != 0) {
      head.width = width;
    } else if (const auto type = type_from_name(word.text.substr(1)); type && head.type == Type::none) {
      head.type = *type;
    } else {
      fail_expected(word, "one type, an alignment or an attribute of the declaration");
    }
  }
  if (head.type == Type::none) fail_expected(cursor.peek(), "the declaration's type");
  return head;
}

Declarator parse_declarator(Cursor& cursor) {
  Declarator declarator;
  declarator.name = cursor.expect_identifier("a name to declare");
  if (cursor.accept(mark("<"))) {
    declarator.count = static_cast<std::uint32_t>(
        cursor.expect_integer("a number of names", std::numeric_limits<std::uint32_t>::max()));
    cursor.expect(mark(">"), "'>' after the number of names");
    if (cursor.at(mark("[")))
      fail(cursor.peek(), "arrays cannot be declared by number, as " + quoted(declarator.name) + " is");
  }
  while (cursor.accept(mark("["))) {
    const Token at = cursor.peek();
    if (declarator.extents.size() == most_dimensions) fail(at, "more than 64 array dimensions");
    if (declarator.extents.empty() && cursor.at(mark("]"))) {
      declarator.extents.push_back(0);
    } else {
      const std::uint64_t extent = parse_integer_constant(cursor);
      if (extent > largest_variable)
        fail(at,
             "array extent " + std::to_string(static_cast<std::int64_t>(extent)) + " is outside 0 … 2^40");
      if (extent == 0 && !declarator.extents.empty())
        fail(at, "only the first array extent may be zero or left out");
      declarator.extents.push_back(extent);
    }
    cursor.expect(mark("]"), "']' after the array extent");
  }
  return declarator;
}

Variable make_variable(const DeclarationHead& head, const Declarator& declarator) {
  const std::uint32_t element = size_of(head.type) * head.width;
  const bool is_opaque =
      head.type == Type::texref || head.type == Type::samplerref || head.type == Type::surfref;
  if (element == 0 && !is_opaque && head.space != Space::reg)
    fail(declarator.name, "only registers can have type .pred");
  Variable variable;
  variable.name = declarator.name.text;
  variable.space = head.space;
  variable.type = head.type;
  variable.vector_width = head.width;
  variable.alignment = head.alignment != 0 ? head.alignment : element != 0 ? element : 8;
  variable.is_extern = head.is_extern;
  variable.is_array = !declarator.extents.empty();
  variable.size = element;
  // From the last extent on: a first one that was left out must not hide the others' product.
  for (auto extent = declarator.extents.rbegin(); extent != declarator.extents.rend(); ++extent)
    variable.size = product_or_fail(declarator.name, variable.size, *extent);
  variable.source_line = declarator.name.line;
  return variable;
}

std::vector<Parameter> parse_parameters(Cursor& cursor) {
  std::vector<Parameter> parameters;
  cursor.expect(mark("("), "'(' of a parameter list");
  if (cursor.accept(mark(")"))) return parameters;
  while (true) {
    const Token at = cursor.peek();
    Parameter parameter;
    parameter.head = parse_declaration_head(cursor);
    if (parameter.head.space != Space::param && parameter.head.space != Space::reg)
      fail(at, "a parameter must be in .param or .reg space, not " + quoted(at));
    parameter.declarator = parse_declarator(cursor);
    if (parameter.declarator.count)
      fail(parameter.declarator.name, "parameters cannot be declared by number");
    parameters.push_back(std::move(parameter));
    if (cursor.accept(mark(")"))) return parameters;
    cursor.expect(mark(","), "',' or ')' after the parameter");
  }
}

void skip_attribute(Cursor& cursor) {
  cursor.expect(mark("("), "'(' after .attribute");
  int open = 1;
  while (open > 0) {
    const Token token = cursor.take();
    if (token.kind == TokenKind::end) fail_expected(token, "')' after the attributes");
    if (token.is(mark("("))) ++open;
    if (token.is(mark(")"))) --open;
  }
}

}  // namespace warpcheck::ptx

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "framework/ptx/cursor.hpp"
#include "framework/ptx/module.hpp"

namespace warpcheck::ptx {

/// What stands before the names of a declaration: `.shared .align 16 .v4 .f32`.
struct DeclarationHead {
  Space space{};
  Type type{};
  std::uint32_t width{1};
  std::uint32_t alignment{};  ///< 0 if not given
  bool is_extern{};
};

/// One name of a declaration.
struct Declarator {
  Token name;                          ///< "_" in prototypes
  std::optional<std::uint32_t> count;  ///< `name<count>`
  std::vector<std::uint64_t> extents;  ///< `[3][4]`; the first is 0 in `[]`
};

/// The state space that a directive names; none if it is no state space.
std::optional<Space> space_from_word(std::string_view word);

/// Parses from the state space up to the first name.
DeclarationHead parse_declaration_head(Cursor& cursor);

/// Parses a name with its count or extents.
Declarator parse_declarator(Cursor& cursor);

/// The variable that is declared; its size is an array's with that first extent. Fails if it is larger than
/// 2^40 bytes, which no device has, or of a type that variables cannot have.
Variable make_variable(const DeclarationHead& head, const Declarator& declarator);

/// A formal parameter in a list, up to its comma or parenthesis.
struct Parameter {
  DeclarationHead head;
  Declarator declarator;
};

/// Parses `(.param .b32 a, .reg .f32 b)`, from the opening parenthesis on.
std::vector<Parameter> parse_parameters(Cursor& cursor);

/// Parses the parenthesised list of .attribute, whose content has no effect here.
void skip_attribute(Cursor& cursor);

}  // namespace warpcheck::ptx

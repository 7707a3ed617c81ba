#pragma once

#include <cstdint>

#include "framework/ptx/cursor.hpp"

namespace warpcheck::ptx {

/// Value of a constant expression. f32 is only ever a literal 0fXXXXXXXX: it takes part in no arithmetic.
struct Constant {
  enum class Kind : std::uint8_t { s64, u64, f64, f32 };
  Kind kind{};
  std::uint64_t bits{};

  bool is_integer() const { return kind == Kind::s64 || kind == Kind::u64; }
};

/// Parses and evaluates a constant expression by the rules of PTX ISA §4.5.
///
/// Where the text contradicts itself, ptxas decides: `&`, `|`, `^` follow the usual conversions (§4.5.5) and
/// are not always unsigned (table 5). Shift counts count modulo 64; the quotient of the most negative number
/// by -1 wraps; a division by zero is an error.
Constant parse_constant(Cursor& cursor);

/// As parse_constant, but stops before `+`, `-` and every weaker operator: a term of a sum.
Constant parse_constant_term(Cursor& cursor);

/// parse_constant, which must be an integer.
std::uint64_t parse_integer_constant(Cursor& cursor);

/// Parses the offset in `name + 4 - (2 * 8)` after the name, possibly none, and returns its value.
std::int64_t parse_offset(Cursor& cursor);

}  // namespace warpcheck::ptx

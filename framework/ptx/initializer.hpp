#pragma once

#include <cstdint>
#include <vector>

#include "framework/ptx/cursor.hpp"
#include "framework/ptx/declaration.hpp"
#include "framework/ptx/module.hpp"

namespace warpcheck::ptx {

/// Parses what follows the '=' of a declaration into the variable's bytes and relocations, and sets the size
/// of an array whose first extent was left out (PTX ISA §5.4.4).
///
/// Names of symbols go to `used`: whether they exist is the caller's business. `zeros` is the number of bytes
/// that initialisers of this module may still skip over, and is lowered.
void parse_initializer(Cursor& cursor, const Declarator& declarator, Variable& variable,
                       std::vector<Token>& used, std::uint64_t& zeros);

}  // namespace warpcheck::ptx

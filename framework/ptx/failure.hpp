#pragma once

#include <string>
#include <string_view>

#include "framework/ptx/lexer.hpp"
#include "framework/ptx/module.hpp"

namespace warpcheck::ptx {

/// What the parser's parts throw at text that is not PTX; `parse` turns it into its result's error.
struct Failure {
  ParseError error;
};

/// Throws a Failure at that token's place.
[[noreturn]] void fail(const Token& at, std::string message);

/// Throws "expected `expected`, found …" at that token's place.
[[noreturn]] void fail_expected(const Token& found, std::string_view expected);

/// The text in single quotes, on one line and short: other bytes than printable ASCII are shown as \xNN, and
/// what exceeds 60 characters as "…".
std::string quoted(std::string_view text);

/// quoted, or "the end of the text".
std::string quoted(const Token& token);

}  // namespace warpcheck::ptx

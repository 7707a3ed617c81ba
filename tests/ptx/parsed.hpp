#pragma once

#include <string>
#include <string_view>

#include "framework/ptx/module.hpp"

namespace warpcheck::ptx {

/// The module with that text after a header of .version, .target and .address_size on one line, so that line
/// and column of errors are those of the text plus one line. A text that does not parse fails the test.
Module parsed(std::string_view text);

/// The module's only function, after a kernel's head, registers %r0–%r9, %rd0–%rd9, %f0–%f9, %p0–%p9 and the
/// 64-bit parameter `in`, with that body.
Module parsed_body(std::string_view body);

/// "line:column: message" of the error that the text gives after the header's line; "none" if it parses.
std::string error_of(std::string_view text);

/// error_of a text that is complete itself.
std::string error_of_module(std::string_view text);

/// error_of the body in the function of parsed_body, of which it is line 2.
std::string error_of_body(std::string_view body);

/// Empty if every index in the module points at something; else the first that does not.
std::string dangling(const Module& module);

/// PTX, written by hand, that uses every part of the grammar.
std::string_view sample();

}  // namespace warpcheck::ptx

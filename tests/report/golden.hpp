#pragma once

#include <string>
#include <string_view>

/// Expects `text` to be the content of tests/report/golden/NAME, byte for byte. With WARPCHECK_WRITE_GOLDEN
/// set in the environment the file is written instead and the test fails, so that a rewritten file never
/// passes unread.
void expect_golden(std::string_view name, const std::string& text);

/// Expects no line of `text` to be wider than `width` columns, no escape codes, and no trailing spaces.
void expect_plain_lines(const std::string& text, std::size_t width = 80);

#include <gtest/gtest.h>

#include <string>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

TEST(Errors, say_where_what_and_what_would_be_right) {
  EXPECT_EQ(
      error_of_body("mov.b32 %r10, 1;"),
      "3:9: undefined name '%r10': expected a register, variable or function declared before this place");
  EXPECT_EQ(error_of_body("mov.b32 %r1, 1"), "4:1: expected ',' or ';' after an operand, found '}'");
  EXPECT_EQ(error_of_body("@%r1 ret;"), "3:2: expected a predicate register, found '%r1'");
  EXPECT_EQ(error_of_body("@nowhere ret;"), "3:2: undefined register 'nowhere': expected a predicate");
  EXPECT_EQ(error_of_body(".reg .b32 %r1;"), "3:11: name '%r1' is declared twice in one scope");
  EXPECT_EQ(error_of_body(".reg .b32 %r<3>;"),
            "3:11: names '%r' with numbers are declared twice in one scope");
  EXPECT_EQ(error_of_body("L: ret; L: ret;"), "3:9: name 'L' is declared twice in one scope");
  EXPECT_EQ(error_of_body("bra.uni nowhere;"), "3:9: undefined label 'nowhere' in function 'k'");
  EXPECT_EQ(error_of_body("L: mov.u32 %r1, L;"),
            "3:17: 'L' is a label: expected a register, variable, constant or function");
  EXPECT_EQ(error_of_body("mov.b32 %r1, %r2.x;"),
            "3:17: register '%r2' is no vector: expected ',' or ';', found '.x'");
  EXPECT_EQ(error_of_body("mov.b32 %r1, %tid.q;"), "3:18: expected component .x, .y, .z or .w, found '.q'");
  EXPECT_EQ(error_of_body("mov.b32 %r1, -%r2;"), "3:15: expected a constant, found '%r2'");
  EXPECT_EQ(error_of_body("not.pred %p1, !%r2;"),
            "3:16: expected a predicate register after '!', found '%r2'");
  EXPECT_EQ(error_of_body("ld.global.u32 %r1, [%rd1+%r2];"), "3:26: expected a constant, found '%r2'");
  EXPECT_EQ(error_of_body("ld.global.u32 %r1, [k];"),
            "3:21: expected a register, variable or constant as an address, found 'k'");
  EXPECT_EQ(error_of_body("ld.global.u32 %r1, [];"), "3:21: expected an operand, found ']'");
  EXPECT_EQ(error_of_body("ret;;"), "3:5: expected an instruction, directive, label or '}', found ';'");
  EXPECT_EQ(error_of_body("@%p1 { ret; }"), "3:6: expected an instruction, found '{'");
  EXPECT_EQ(error_of_body("{ ret;"), "4:2: the text ends inside function 'k': expected '}'");
  EXPECT_EQ(error_of_body("} }"), "3:3: expected a directive such as .entry, .func or .global, found '}'");
  EXPECT_EQ(error_of_body("add . s32 %r1, %r1, 1;"),
            "3:5: expected a directive or modifier after '.', found '.'");
  EXPECT_EQ(error_of_body(".entry x"),
            "3:1: expected a declaration, .loc or .pragma inside a function, found '.entry'");
  EXPECT_EQ(error_of_body("/* no end"), "3:1: the comment that begins here has no '*/'");
  EXPECT_EQ(error_of_body(".pragma \"no end"), "3:9: the string that begins here has no closing '\"'");
  EXPECT_EQ(error_of_body("# 1"), "3:1: unexpected character '#'");
  EXPECT_EQ(error_of(".func f() { ret; } .func f() { ret; }"), "2:26: function 'f' is defined twice");
  EXPECT_EQ(error_of(".func f(); .global .u32 f;"), "2:25: variable 'f' has a function's name");
  EXPECT_EQ(error_of(".global .u32 f; .func f();"), "2:23: function 'f' has a variable's name");
  EXPECT_EQ(error_of(".func f(.global .u32 x);"),
            "2:9: a parameter must be in .param or .reg space, not '.global'");
  EXPECT_EQ(error_of("nonsense"),
            "2:1: expected a directive such as .entry, .func or .global, found 'nonsense'");
  EXPECT_EQ(error_of(".section .debug_str { .b24 }"),
            "2:23: expected a label, .b8, .b16, .b32, .b64 or '}' in a section, found '.b24'");
}

TEST(Errors, columns_count_from_the_line_after_comments_and_strings) {
  EXPECT_TRUE(error_of("/* a\n b */ ?").starts_with("3:7: "));
  EXPECT_EQ(error_of("/* a\n b */ .file 1 \"x\" \n\n   ?"),
            "5:4: expected a directive such as .entry, .func or .global, found '?'");
}

TEST(Errors, show_strange_tokens_on_one_short_line) {
  EXPECT_EQ(error_of("\x01"), "2:1: unexpected character '\\x01'");
  EXPECT_EQ(error_of("\xc3\xa9"), "2:1: unexpected character '\\xc3'");
  const std::string error = error_of(std::string(100000, 'a'));
  EXPECT_LT(error.size(), 200u);
  EXPECT_NE(error.find("…"), std::string::npos);
}

TEST(Errors, registers_are_limited) {
  EXPECT_EQ(error_of_body(".reg .b32 %x<1048577>;"),
            "3:11: with '%x' the function declares more than 2^20 registers");
  EXPECT_EQ(error_of_body(".reg .v4 .b32 %x<4294967295>;"),
            "3:15: with '%x' the function declares more than 2^20 registers");
  EXPECT_EQ(error_of_body(".reg .b32 %x<4294967296>;"),
            "3:14: expected a number of names of at most 4294967295, found '4294967296'");
  std::string functions;
  for (int i = 0; i < 5; ++i)
    functions += ".func f" + std::to_string(i) + "() { .reg .pred p<1048576>; ret; }\n";
  EXPECT_EQ(error_of(functions), "6:25: with 'p' the module declares too many registers (more than 2^22)");
  EXPECT_EQ(error_of_body(".reg .v4 .f64 x;"), "3:15: vector register 'x' is wider than 128 bits");
}

TEST(Errors, scopes_are_limited) {
  EXPECT_EQ(error_of_body(std::string(100000, '{')), "3:256: scopes are nested more than 256 deep");
}

TEST(Errors, branch_targets_are_limited) {
  EXPECT_EQ(
      error_of_body("t: .branchtargets L<4000000000>;"),
      "3:19: with 'L' the module declares too many numbered variables and branch targets (more than 2^20)");
  std::string body = "t: .branchtargets L<1000>; ";
  for (int i = 0; i < 2000; ++i) body += "brx.idx %r1, t; ";
  EXPECT_NE(error_of_body(body).find("too many numbered variables and branch targets"), std::string::npos);
}

}  // namespace
}  // namespace warpcheck::ptx

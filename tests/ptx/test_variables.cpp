#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

Variable only(const std::string& text) {
  const Module module = parsed(text);
  EXPECT_FALSE(module.variables.empty());
  return module.variables.empty() ? Variable{} : module.variables.back();
}

std::vector<std::int32_t> words(const Variable& variable) {
  std::vector<std::int32_t> result(variable.initial_bytes.size() / 4);
  std::memcpy(result.data(), variable.initial_bytes.data(), result.size() * 4);
  return result;
}

TEST(Variables, have_natural_alignment_unless_told) {
  EXPECT_EQ(only(".global .f64 x;").alignment, 8u);
  EXPECT_EQ(only(".global .b8 x[100];").alignment, 1u);
  EXPECT_EQ(only(".global .v4 .f32 x;").alignment, 16u);
  EXPECT_EQ(only(".global .align 64 .b8 x[100];").alignment, 64u);
  EXPECT_EQ(only(".shared .b128 x;").alignment, 16u);
}

TEST(Variables, have_the_size_of_all_their_elements) {
  EXPECT_EQ(only(".global .u16 x;").size, 2u);
  EXPECT_EQ(only(".global .u16 x[19][19];").size, 722u);
  EXPECT_EQ(only(".global .v2 .u16 x[3];").size, 12u);
  EXPECT_EQ(only(".global .s32 x[][2] = {{1, 2}, {3, 4}, {5, 6}};").size, 24u);
  EXPECT_EQ(only(".extern .shared .align 16 .b8 x[];").size, 0u);
  EXPECT_EQ(only(".global .b8 x[2 * (3 + 1)];").size, 8u);
}

TEST(Variables, keep_what_was_declared) {
  const Variable x = only(".extern .shared .align 16 .b8 x[];");
  EXPECT_EQ(x.space, Space::shared);
  EXPECT_EQ(x.type, Type::b8);
  EXPECT_TRUE(x.is_extern);
  EXPECT_TRUE(x.is_array);
  EXPECT_EQ(x.source_line, 2u);
  const Variable y = only(".const .v2 .f32 y = {1.0, 2.0};");
  EXPECT_EQ(y.space, Space::constant);
  EXPECT_EQ(y.vector_width, 2u);
  EXPECT_FALSE(y.is_array);
}

TEST(Variables, several_in_one_declaration_and_by_number) {
  const Module module = parsed(".global .u32 a, b[2] = {1, 2}, c = 3; .global .u8 n<3>;");
  std::vector<std::string> names;
  for (const Variable& variable : module.variables) names.push_back(variable.name);
  EXPECT_EQ(names, (std::vector<std::string>{"a", "b", "c", "n0", "n1", "n2"}));
}

TEST(Variables, initial_rows_may_be_incomplete) {
  EXPECT_EQ(words(only(".global .s32 x[3][2] = { {1, 2}, {3} };")), (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(words(only(".global .s32 x[3][2] = { {1}, {2}, {3} };")),
            (std::vector<std::int32_t>{1, 0, 2, 0, 3}));
  EXPECT_EQ(words(only(".global .s32 x[4] = {-1};")), (std::vector<std::int32_t>{-1}));
}

TEST(Variables, initial_values_of_128_bits_extend_the_sign) {
  const Variable x = only(".global .b128 x[2] = {-2, 0xffffffffffffffff};");
  std::vector<std::uint8_t> expected(32, 0xff);
  expected[0] = 0xfe;
  std::fill(expected.begin() + 24, expected.end(), std::uint8_t{0});
  EXPECT_EQ(x.initial_bytes, expected);
}

TEST(Variables, pointers_in_initialisers_are_relocations) {
  const Variable x = only(
      ".func f() { ret; } .global .s32 y[4];"
      ".global .u64 x[5] = {5, generic(y)+4, y, f, y+4*2+4};");
  ASSERT_EQ(x.relocations.size(), 4u);
  EXPECT_EQ(x.initial_bytes.size(), 40u);
  EXPECT_EQ(x.initial_bytes[0], 5);
  const auto& [offset, symbol, addend, generic, size, first] = x.relocations[0];
  EXPECT_EQ(offset, 8u);
  EXPECT_EQ(symbol, "y");
  EXPECT_EQ(addend, 4);
  EXPECT_TRUE(generic);
  EXPECT_EQ(size, 8);
  EXPECT_EQ(first, 0);
  EXPECT_FALSE(x.relocations[1].generic);
  EXPECT_EQ(x.relocations[2].symbol, "f");
  EXPECT_EQ(x.relocations[3].addend, 12);
}

TEST(Variables, pointers_written_byte_by_byte_are_one_relocation) {
  const auto bytes = [](const std::string& operand, int count) {
    std::string text, mask = "0xFF";
    for (int i = 0; i < count; ++i, mask += "00") text += ", " + mask + "(" + operand + ")";
    return text;
  };
  const Variable x = only(".global .s32 y[4]; .global .align 8 .b8 x[24] = {1" + bytes("generic(y)+8", 8) +
                          bytes("y", 3) + bytes("y+4", 2) + ", 9, 0xFF00(131187)};");
  ASSERT_EQ(x.relocations.size(), 3u);
  EXPECT_EQ(x.relocations[0].offset, 1u);
  EXPECT_EQ(x.relocations[0].size, 8);
  EXPECT_EQ(x.relocations[0].addend, 8);
  EXPECT_TRUE(x.relocations[0].generic);
  EXPECT_EQ(x.relocations[1].offset, 9u);
  EXPECT_EQ(x.relocations[1].size, 3);
  EXPECT_EQ(x.relocations[2].offset, 12u);
  EXPECT_EQ(x.relocations[2].size, 2);
  ASSERT_EQ(x.initial_bytes.size(), 16u);
  EXPECT_EQ(x.initial_bytes[14], 9);
  EXPECT_EQ(x.initial_bytes[15], 131187 >> 8 & 0xff);
}

TEST(Variables, bytes_of_a_pointer_that_do_not_follow_one_another_stay_apart) {
  const Variable x = only(
      ".global .s32 y[4]; .global .b8 x[6] = {0xFF(y), 0xFF(y), 0xFF00(y), 7, 0xFF0000(y), "
      "0xFF000000(y+4)};");
  ASSERT_EQ(x.relocations.size(), 4u);
  const std::uint64_t offsets[] = {0, 1, 4, 5};
  const int sizes[] = {1, 2, 1, 1}, bytes[] = {0, 0, 2, 3};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(x.relocations[i].offset, offsets[i]);
    EXPECT_EQ(x.relocations[i].size, sizes[i]);
    EXPECT_EQ(x.relocations[i].first_byte, bytes[i]);
  }
}

TEST(Variables, definition_completes_an_external_declaration) {
  const Module module = parsed(".extern .global .u32 x; .global .u32 y; .visible .global .u32 x = 4;");
  ASSERT_EQ(module.variables.size(), 2u);
  EXPECT_EQ(module.variables[0].name, "x");
  EXPECT_FALSE(module.variables[0].is_extern);
  EXPECT_EQ(module.variables[0].initial_bytes.size(), 4u);
}

TEST(Variables, of_a_function_may_hide_those_of_the_module) {
  const Module module = parsed(
      ".global .u32 x; .func f() { .shared .u16 x; .reg .b32 r; mov.u32 r, x; { .global .b8 x; mov.u32 r, x; "
      "} ret; }");
  const Function& f = module.functions[0];
  EXPECT_EQ(f.body[0].operands[1].scope, VariableScope::function);
  EXPECT_EQ(f.variables[f.body[0].operands[1].variable].type, Type::u16);
  EXPECT_EQ(f.body[1].operands[1].scope, VariableScope::module);
  EXPECT_EQ(module.variables[f.body[1].operands[1].variable].type, Type::b8);
}

TEST(Variables, errors_name_what_is_wrong) {
  EXPECT_EQ(error_of(".global .align 3 .u32 y[2];"), "2:16: alignment '3' is not a power of two");
  EXPECT_EQ(error_of(".global .u32 x[2] = {1,2,3};"),
            "2:26: more than the 2 initial values that 'x' has room for");
  EXPECT_EQ(error_of(".global .v4 .f32 x = {1.0, 2.0};"), "2:31: expected 4 values for a vector, found 2");
  EXPECT_EQ(error_of(".global .u64 x = y;"),
            "2:18: undefined name 'y': expected a variable or function of the module");
  EXPECT_EQ(error_of(".global .u32 x; .global .u32 x;"), "2:30: variable 'x' is defined twice");
  EXPECT_EQ(error_of(".global .u32 x[];"), "2:14: array 'x' needs an extent, an initialiser or .extern");
  EXPECT_EQ(error_of(".shared .u32 x = 1;"),
            "2:16: only .global and .const variables can have initial values");
  EXPECT_EQ(error_of(".global .pred x;"), "2:15: only registers can have type .pred");
  EXPECT_EQ(error_of(".reg .b32 x;"), "2:1: '.reg' declarations belong inside a function");
  EXPECT_EQ(error_of(".global .u8 x = 0xFF0(3);"),
            "2:17: expected a mask of one whole byte such as 0xFF00, found '0xFF0'");
  EXPECT_EQ(error_of(".global x;"), "2:9: expected the declaration's type, found 'x'");
  EXPECT_EQ(error_of(".global .u32 .u16 x;"),
            "2:14: expected one type, an alignment or an attribute of the declaration, found '.u16'");
}

TEST(Variables, sizes_that_overflow_are_errors) {
  EXPECT_EQ(error_of(".global .b8 x[4294967296][4294967296];"),
            "2:13: variable 'x' is larger than 2^40 bytes, the largest that is accepted");
  EXPECT_EQ(error_of(".global .b64 x[][1099511627776] = {{1}};"),
            "2:14: variable 'x' is larger than 2^40 bytes, the largest that is accepted");
  EXPECT_EQ(error_of(".global .b8 x[-1];"), "2:15: array extent -1 is outside 0 … 2^40");
  EXPECT_EQ(error_of(".global .b8 x[2][134217728] = {{1}, {2}};"),
            "2:38: the module's initialisers skip over more than 2^26 bytes");
  EXPECT_EQ(
      error_of(".global .b8 x<1048577>;"),
      "2:13: with 'x' the module declares too many numbered variables and branch targets (more than 2^20)");
}

}  // namespace
}  // namespace warpcheck::ptx

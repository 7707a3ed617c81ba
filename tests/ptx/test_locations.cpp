#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

constexpr std::string_view names =
    "\n.section .debug_str { name_f: .b8 102, 0 name_g: .b8 103, 0, 95, 104 .b8 0 }";

/// Places from the instruction outwards: "1:9:3 in g < 1:14:5 in f < 1:30:1".
std::string chain(const Function& function, const Instruction& instruction) {
  std::string text;
  for (std::int32_t i = instruction.location; i >= 0; i = function.locations[i].inlined_at) {
    const Location& location = function.locations[i];
    if (!text.empty()) text += " < ";
    text += std::to_string(location.file) + ":" + std::to_string(location.line) + ":" +
            std::to_string(location.column);
    if (!location.function.empty()) text += " in " + location.function;
  }
  return text;
}

Module located(const std::string& body) {
  return parsed(".func k() { " + body + " }" + std::string(names));
}

TEST(Locations, hold_until_the_next) {
  const Module module = located("ret; .loc 1 5 3\n ret; ret; .loc 2 0 1\n ret; .loc 1 5 3\n ret;");
  const Function& k = module.functions[0];
  EXPECT_EQ(k.body[0].location, -1);
  EXPECT_EQ(chain(k, k.body[1]), "1:5:3");
  EXPECT_EQ(chain(k, k.body[2]), "1:5:3");
  EXPECT_EQ(chain(k, k.body[3]), "2:0:1");
  EXPECT_EQ(k.body[4].location, k.body[1].location) << "equal locations are one";
}

TEST(Locations, begin_anew_in_every_function) {
  const Module module = parsed(".func a() { .loc 1 5 3\n ret; } .func b() { ret; }");
  EXPECT_EQ(module.functions[1].body[0].location, -1);
}

TEST(Locations, of_inlined_functions_have_names_and_parents) {
  const Module module = located(
      ".loc 1 30 1\n .loc 1 14 5, function_name name_f, inlined_at 1 30 1\n"
      ".loc 1 9 3, function_name name_g, inlined_at 1 14 5\n ret;"
      ".loc 1 10 3, function_name name_g+2, inlined_at 1 14 5\n ret;"
      ".loc 1 11 3, function_name .debug_str+2, inlined_at 1 10 3\n ret;");
  const Function& k = module.functions[0];
  EXPECT_EQ(chain(k, k.body[0]), "1:9:3 in g < 1:14:5 in f < 1:30:1");
  EXPECT_EQ(chain(k, k.body[1]), "1:10:3 in _h < 1:14:5 in f < 1:30:1");
  EXPECT_EQ(chain(k, k.body[2]), "1:11:3 in g < 1:10:3 in _h < 1:14:5 in f < 1:30:1");
}

TEST(Locations, distinguish_two_inlinings_of_one_line) {
  const Module module = located(
      ".loc 1 30 1\n .loc 1 14 5, function_name name_f, inlined_at 1 30 1\n"
      ".loc 1 9 3, function_name name_g, inlined_at 1 14 5\n ret;"
      ".loc 1 31 1\n .loc 1 14 5, function_name name_f, inlined_at 1 31 1\n"
      ".loc 1 9 3, function_name name_g, inlined_at 1 14 5\n ret;");
  const Function& k = module.functions[0];
  EXPECT_EQ(chain(k, k.body[0]), "1:9:3 in g < 1:14:5 in f < 1:30:1");
  EXPECT_EQ(chain(k, k.body[1]), "1:9:3 in g < 1:14:5 in f < 1:31:1");
}

TEST(Locations, stay_on_the_chain_that_they_are_on) {
  // f stands at 1:14:5 twice: inlined at line 30, where g is inlined into it at 1:50:1, and then at line 31.
  // What follows something inlined into the first is of the first, although the second stands nearer.
  const Module module = located(
      ".loc 1 14 5, function_name name_f, inlined_at 1 30 1\n .loc 1 50 1, function_name name_g, inlined_at "
      "1 14 5\n"
      ".loc 1 14 5, function_name name_f, inlined_at 1 31 1\n ret;"
      ".loc 1 60 2, function_name name_g+2, inlined_at 1 50 1\n ret;"
      ".loc 1 51 1, function_name name_g, inlined_at 1 14 5\n ret;");
  const Function& k = module.functions[0];
  EXPECT_EQ(chain(k, k.body[0]), "1:14:5 in f < 1:31:1");
  EXPECT_EQ(chain(k, k.body[1]), "1:60:2 in _h < 1:50:1 in g < 1:14:5 in f < 1:30:1");
  EXPECT_EQ(chain(k, k.body[2]), "1:51:1 in g < 1:14:5 in f < 1:30:1");
}

TEST(Locations, of_a_parent_that_stands_nowhere_are_added) {
  const Module module = located(".loc 1 9 3, function_name name_g, inlined_at 1 14 5\n ret;");
  EXPECT_EQ(chain(module.functions[0], module.functions[0].body[0]), "1:9:3 in g < 1:14:5");
}

TEST(Locations, inlined_into_their_own_place_end) {
  const Module module = located(
      ".loc 1 9 3, function_name name_f, inlined_at 1 9 3\n .loc 1 9 3, function_name name_f, inlined_at 1 9 "
      "3\n ret;");
  EXPECT_EQ(chain(module.functions[0], module.functions[0].body[0]), "1:9:3 in f < 1:9:3 in f < 1:9:3");
}

TEST(Locations, need_the_strings_that_they_name) {
  const auto error = [](const std::string& label) {
    return error_of(".func k() {\n.loc 1 9 3, function_name " + label + ", inlined_at 1 9 3\n}" +
                    std::string(names));
  };
  EXPECT_EQ(error("nothing"), "3:27: no string at 'nothing' + 0 in section .debug_str");
  EXPECT_EQ(error("name_g+9"), "3:27: no string at 'name_g' + 9 in section .debug_str");
  EXPECT_EQ(error("name_g + x"), "3:36: expected an offset, found 'x'");
}

}  // namespace
}  // namespace warpcheck::ptx

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

TEST(ModuleHead, names_version_target_and_address_size) {
  const auto result = parse(".version 8.13\n.target sm_90a, debug\n.address_size 64\n");
  ASSERT_TRUE(result.module);
  EXPECT_EQ(result.module->version_major, 8u);
  EXPECT_EQ(result.module->version_minor, 13u);
  EXPECT_EQ(result.module->target, "sm_90a");
  EXPECT_EQ(result.module->sm, 90u);
  EXPECT_TRUE(result.module->has_debug);
  EXPECT_EQ(result.module->address_size, 64u);
}

TEST(ModuleHead, addresses_have_32_bits_unless_said) {
  const auto result = parse(".version 7.0 .target compute_80");
  ASSERT_TRUE(result.module);
  EXPECT_EQ(result.module->address_size, 32u);
  EXPECT_EQ(result.module->sm, 80u);
  EXPECT_FALSE(result.module->has_debug);
}

TEST(ModuleHead, highest_of_several_targets_counts) {
  const Module module = parsed(".target sm_90 .target sm_75");
  EXPECT_EQ(module.target, "sm_90");
}

TEST(ModuleHead, zero_bytes_after_the_text_are_ignored) {
  const std::string text = ".version 7.0 .target sm_80";
  EXPECT_EQ(error_of_module(text + std::string(5, '\0')), "none");
  EXPECT_EQ(error_of_module(text + std::string(1, '\0') + "x"), "1:27: unexpected character '\\x00'");
}

TEST(ModuleHead, is_required) {
  EXPECT_EQ(error_of_module(""), "1:1: expected .version at the beginning of PTX, found the end of the text");
  EXPECT_EQ(error_of_module("\x7f"
                            "ELF"),
            "1:1: unexpected character '\\x7f'");
  EXPECT_EQ(error_of_module(".target sm_80"),
            "1:1: expected .version at the beginning of PTX, found '.target'");
  EXPECT_EQ(error_of_module(".version 8 .target sm_80"),
            "1:10: expected a version number such as 8.0, found '8'");
  EXPECT_EQ(error_of_module(".version 8.0 .entry"), "1:14: expected .target after .version, found '.entry'");
  EXPECT_EQ(error_of_module(".version 8.0 .target sm_x"),
            "1:22: expected a target such as sm_80, found 'sm_x'");
  EXPECT_EQ(error_of_module(".version 8.0 .target debug"),
            "1:27: expected an architecture such as sm_80 in .target, found the end of the text");
  EXPECT_EQ(error_of_module(".version 8.0 .target sm_80 .address_size 16"),
            "1:42: expected an address size of 32 or 64, found '16'");
}

TEST(Files, are_listed_by_number) {
  const Module module = parsed(".file 3 \"b.cu\", 12, 18446744073709551615 .file 1 \"a \\\"x\\\".cu\"");
  EXPECT_THAT(module.files, testing::ElementsAre("", "a \"x\".cu", "", "b.cu"));
}

TEST(Types, have_names_and_sizes) {
  EXPECT_EQ(name_of(Type::bf16x2), "bf16x2");
  EXPECT_EQ(size_of(Type::b128), 16u);
  EXPECT_EQ(size_of(Type::pred), 0u);
  EXPECT_EQ(type_from_name("f64"), Type::f64);
  EXPECT_EQ(type_from_name(""), std::nullopt);
  EXPECT_EQ(type_from_name("v4"), std::nullopt);
  for (int i = 1; i <= static_cast<int>(Type::surfref); ++i) {
    const auto type = static_cast<Type>(i);
    EXPECT_EQ(type_from_name(name_of(type)), type);
    // The digits in a name are its bits, twice for packed pairs.
    const std::string name(name_of(type));
    const auto digits = name.find_first_of("0123456789");
    if (digits == std::string::npos || type == Type::tf32) continue;
    EXPECT_EQ(size_of(type), std::stoul(name.substr(digits)) / 8 * (name.ends_with("x2") ? 2 : 1)) << name;
  }
}

TEST(Names, are_demangled_if_they_are_mangled) {
  EXPECT_EQ(demangle("_ZZ4treePKfPfiE1s"), "tree(float const*, float*, int)::s");
  EXPECT_EQ(demangle("_Z4treePKfPfi"), "tree(float const*, float*, int)");
  EXPECT_EQ(demangle("f"), "f");
  EXPECT_EQ(demangle("_Znonsense!"), "_Znonsense!");
  EXPECT_EQ(demangle(""), "");
}

TEST(Sample, parses_and_points_at_nothing_missing) {
  const auto result = parse(sample());
  ASSERT_FALSE(result.error) << result.error->line << ": " << result.error->message;
  EXPECT_EQ(dangling(*result.module), "");
}

}  // namespace
}  // namespace warpcheck::ptx

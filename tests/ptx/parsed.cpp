#include "tests/ptx/parsed.hpp"

#include <gtest/gtest.h>

namespace warpcheck::ptx {
namespace {

std::string with_header(std::string_view text) {
  return ".version 8.0 .target sm_80 .address_size 64\n" + std::string(text);
}

std::string with_function(std::string_view body) {
  return ".visible .entry k(.param .u64 in) { .reg .b32 %r<10>; .reg .b64 %rd<10>; .reg .f32 %f<10>; "
         ".reg .pred %p<10>;\n" +
         std::string(body) + "\n}";
}

std::string described(const ParseResult& result) {
  EXPECT_NE(result.module.has_value(), result.error.has_value());
  if (!result.error) return "none";
  return std::to_string(result.error->line) + ":" + std::to_string(result.error->column) + ": " +
         result.error->message;
}

}  // namespace

Module parsed(std::string_view text) {
  ParseResult result = parse(with_header(text));
  EXPECT_EQ(described(result), "none");
  return result.module.value_or(Module{});
}

Module parsed_body(std::string_view body) {
  Module module = parsed(with_function(body));
  if (module.functions.empty()) module.functions.emplace_back();
  return module;
}

std::string error_of(std::string_view text) {
  return described(parse(with_header(text)));
}

std::string error_of_module(std::string_view text) {
  return described(parse(text));
}

std::string error_of_body(std::string_view body) {
  std::string error = error_of(with_function(body));
  return error;
}

}  // namespace warpcheck::ptx

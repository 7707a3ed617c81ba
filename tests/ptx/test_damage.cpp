#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

/// Checks what must hold for every text: a consistent module, or an error that lies in the text and is one
/// line. Returns whether it parsed.
bool check(const std::string& text) {
  const ParseResult result = parse(text);
  EXPECT_NE(result.module.has_value(), result.error.has_value());
  if (result.module) {
    EXPECT_EQ(dangling(*result.module), "") << text;
    return true;
  }
  const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
  EXPECT_GE(result.error->line, 1u);
  EXPECT_LE(result.error->line, lines);
  EXPECT_GE(result.error->column, 1u);
  EXPECT_LE(result.error->column, text.size() + 1);
  EXPECT_FALSE(result.error->message.empty());
  EXPECT_EQ(result.error->message.find('\n'), std::string::npos);
  return false;
}

std::string real_ptx(const std::string& name) {
  std::ifstream file(std::string(WARPCHECK_PTX_FOLDER) + "/" + name);
  std::stringstream content;
  content << file.rdbuf();
  return content.str();
}

/// The hand-written module, and real ones where there is a compiler.
std::vector<std::string> originals() {
  std::vector<std::string> texts = {std::string(sample())};
  if (std::string(WARPCHECK_PTX_FOLDER).empty()) return texts;
  for (const char* name : {"data.ptx", "calls.ptx", "inline_assembly.ptx"}) texts.push_back(real_ptx(name));
  return texts;
}

/// Words, numbers and single characters, with the blanks between them.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> result;
  const auto is_word = [](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || c == '%' || c == '.';
  };
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i + 1;
    while (is_word(text[i]) && end < text.size() && is_word(text[end])) ++end;
    result.push_back(text.substr(i, end - i));
    i = end;
  }
  return result;
}

std::string joined(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += part;
  return text;
}

TEST(DamagedText, truncated_anywhere_is_a_module_or_an_error) {
  auto texts = originals();
  texts.resize(std::min<std::size_t>(texts.size(), 2));
  for (const std::string& text : texts) {
    std::size_t modules = 0;
    for (std::size_t length = 0; length <= text.size(); ++length) modules += check(text.substr(0, length));
    EXPECT_GT(modules, 0u);
    EXPECT_LT(modules, text.size() / 2);
  }
}

TEST(DamagedText, with_other_bytes_is_a_module_or_an_error) {
  std::mt19937 random(20240901);
  std::size_t modules = 0, errors = 0;
  for (const std::string& original : originals()) {
    for (int i = 0; i < 2000; ++i) {
      std::string text = original;
      for (auto flips = random() % 3 + 1; flips > 0; --flips) {
        char& c = text[random() % text.size()];
        // Half of the time a character that means something to PTX, which goes further than a random byte.
        c = random() % 2 == 0 ? static_cast<char>(random())
                              : "{}[]()<>,;:.@!|%$0123456789abcdefUrx_\"/*+-"[random() % 43];
      }
      ++(check(text) ? modules : errors);
    }
  }
  EXPECT_GT(modules, 100u);
  EXPECT_GT(errors, 100u);
}

TEST(DamagedText, with_other_tokens_is_a_module_or_an_error) {
  std::mt19937 random(20240902);
  std::size_t modules = 0, errors = 0;
  for (const std::string& original : originals()) {
    const std::vector<std::string> parts = pieces(original);
    for (int i = 0; i < 2000; ++i) {
      std::vector<std::string> damaged = parts;
      for (auto edits = random() % 3 + 1; edits > 0; --edits) {
        const std::size_t a = random() % damaged.size(), b = random() % damaged.size();
        switch (random() % 4) {
          case 0:
            damaged.erase(damaged.begin() + static_cast<std::ptrdiff_t>(a));
            break;
          case 1:
            damaged.insert(damaged.begin() + static_cast<std::ptrdiff_t>(a), damaged[b]);
            break;
          case 2:
            std::swap(damaged[a], damaged[b]);
            break;
          default:
            damaged[a] = damaged[b];
        }
      }
      ++(check(joined(damaged)) ? modules : errors);
    }
  }
  EXPECT_GT(modules, 100u);
  EXPECT_GT(errors, 100u);
}

/// Processor time, which other programs on the machine don't lengthen much.
double seconds_for(const std::string& text) {
  double best = 1e9;
  for (int i = 0; i < 3; ++i) {
    const std::clock_t begin = std::clock();
    parse(text);
    best = std::min(best, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  return best;
}

std::string repeated(std::string_view part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

TEST(LongText, takes_time_in_proportion) {
  struct Shape {
    const char* name;
    std::string before, part, after;
  };
  const std::string head = ".version 8.0 .target sm_80 .address_size 64 ";
  const std::string body = head + ".func f() { .reg .b32 %r<100>; .reg .pred p; L: M: ret; ";
  const Shape shapes[] = {
      {"instructions", body, "add.s32 %r1, %r2, 3;\n", "}"},
      {"forward branches in nested scopes", body + repeated("{", 200), "bra N; ",
       repeated("}", 200) + " N: }"},
      {"scopes in a row", body, "{ .reg .b32 x; mov.b32 x, %r1; X: bra X; }", "}"},
      {"declarations", body, ".reg .b32 a<1>, b<1>; { .param .b32 c; } {", repeated("}", 1)},
      {"braces", body, "{", "}"},
      {"initial values", head + ".global .b8 x[] = {1", ", 1", "};"},
      {"one expression", head + ".global .s64 x = 1", " + 1", ";"},
      {"parentheses", head + ".global .s64 x = ", "(", ";"},
      {"chain of inlining", body, ".loc 1 2 3, function_name .debug_str, inlined_at 1 2 3 ret; ",
       "} .section .debug_str { .b8 97, 0 }"},
      {"long names", body + "mov.b32 %r1, ", "abcdefgh", ";"},
      {"digits", body + "mov.b32 %r1, %r", "9", ";"},
      {"comments", head, "/* / * */ // x\n", ""},
      {"names in initialisers", head + ".global .u32 y; .global .u64 x[] = {y", ", generic(y)+4", "};"},
      {"strings", head, ".file 1 \"name\"\n", ""},
  };
  for (const Shape& shape : shapes) {
    constexpr int count = 4000;
    const double small = seconds_for(shape.before + repeated(shape.part, count) + shape.after);
    const double large = seconds_for(shape.before + repeated(shape.part, 8 * count) + shape.after);
    // Quadratic time would be a factor of 64; the machine may be busy.
    EXPECT_LT(large, 30 * small + 2e-3) << shape.name;
  }
}

}  // namespace
}  // namespace warpcheck::ptx

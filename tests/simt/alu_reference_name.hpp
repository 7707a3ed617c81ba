#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "framework/simt/instr.hpp"

/// A variant's name taken apart.
namespace warpcheck::simt::alu_test {

/// A type as the name has it: "s32" is {'s', 32}.
struct NamedType {
  char kind{};  ///< 'u', 's', 'b', 'f', or 'p' for a predicate
  int bits{};

  bool is_float() const { return kind == 'f'; }
  bool is_signed() const { return kind == 's'; }
  Lane lane() const {
    if (kind == 'p') return Lane::pred;
    if (is_float()) return bits == 64 ? Lane::f64 : Lane::f32;
    return bits == 64 ? Lane::w64 : bits == 32 ? Lane::w32 : Lane::w16;
  }
  bool operator==(const NamedType&) const = default;
};

/// The parts of "setp.lt.and.ftz.f32": opcode setp, modifiers {lt, and, ftz}, types {f32}.
struct VariantName {
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<NamedType> types;

  bool has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
  }
  void drop(std::string_view modifier) { std::erase(modifiers, modifier); }
  void replace(std::string_view from, std::string_view to) {
    for (std::string& modifier : modifiers)
      if (modifier == from) modifier = to;
  }
};

inline VariantName take_apart(std::string_view variant) {
  static constexpr std::array types = {"u8",  "u16", "u32", "u64", "s8",  "s16", "s32",
                                       "s64", "b16", "b32", "b64", "f32", "f64", "pred"};
  VariantName name;
  while (!variant.empty()) {
    const std::size_t dot = variant.find('.');
    const std::string part(variant.substr(0, dot));
    variant.remove_prefix(dot == std::string_view::npos ? variant.size() : dot + 1);
    if (name.opcode.empty())
      name.opcode = part;
    else if (part == "pred")
      name.types.push_back({'p', 1});
    else if (std::find(types.begin(), types.end(), part) != types.end())
      name.types.push_back({part[0], std::stoi(part.substr(1))});
    else
      name.modifiers.push_back(part);
  }
  return name;
}

inline bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

inline std::string put_together(const VariantName& name) {
  std::string text = name.opcode;
  for (const std::string& modifier : name.modifiers) {
    text += '.';
    text += modifier;
  }
  for (const NamedType& type : name.types) {
    text += '.';
    if (type.kind == 'p') {
      text += "pred";
    } else {
      text += type.kind;
      text += std::to_string(type.bits);
    }
  }
  return text;
}

}  // namespace warpcheck::simt::alu_test

#include "framework/ptx/module.hpp"

#include <cxxabi.h>

#include <array>
#include <cstdlib>
#include <memory>
#include <utility>

namespace warpcheck::ptx {
namespace {

struct Description {
  std::string_view name;
  std::uint32_t size;
};

/// In the order of Type.
constexpr std::array<Description, 25> types = {{
    {"", 0},    {"pred", 0},   {"b8", 1},         {"b16", 2},     {"b32", 4},    {"b64", 8},  {"b128", 16},
    {"u8", 1},  {"u16", 2},    {"u32", 4},        {"u64", 8},     {"s8", 1},     {"s16", 2},  {"s32", 4},
    {"s64", 8}, {"f16", 2},    {"f16x2", 4},      {"bf16", 2},    {"bf16x2", 4}, {"tf32", 4}, {"f32", 4},
    {"f64", 8}, {"texref", 0}, {"samplerref", 0}, {"surfref", 0},
}};
static_assert(types.size() == static_cast<std::size_t>(Type::surfref) + 1);

const Function* definition(const Module& module, std::string_view name) {
  for (const Function& function : module.functions)
    if (function.is_defined && function.name == name) return &function;
  return nullptr;
}

}  // namespace

std::uint32_t size_of(Type type) {
  return types[static_cast<std::size_t>(type)].size;
}

std::string_view name_of(Type type) {
  return types[static_cast<std::size_t>(type)].name;
}

std::optional<Type> type_from_name(std::string_view name) {
  for (std::size_t i = 1; i < types.size(); ++i)
    if (types[i].name == name) return static_cast<Type>(i);
  return std::nullopt;
}

std::string Instruction::full_name() const {
  std::string result = opcode;
  for (const std::string& modifier : modifiers) result.append(1, '.').append(modifier);
  return result;
}

const Function* Module::find(std::string_view name) const {
  if (const Function* found = definition(*this, name)) return found;
  for (const Alias& alias : aliases)
    if (alias.name == name)
      if (const Function* found = definition(*this, alias.target)) return found;
  for (const Function& function : functions)
    if (function.name == name) return &function;
  return nullptr;
}

std::string demangle(const std::string& name) {
  // The demangler takes other words for types ("f" is float), so only what begins as a mangled name goes
  // there.
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && text ? std::string(text.get()) : name;
}

}  // namespace warpcheck::ptx

#include "framework/ptx/module_symbols.hpp"

#include <utility>

#include "framework/ptx/initializer.hpp"

namespace warpcheck::ptx {
namespace {

void count(const Token& at, std::uint64_t& left, std::uint64_t number, std::string_view what) {
  if (number > left) fail(at, "with " + quoted(at) + " the module declares too many " + std::string(what));
  left -= number;
}

}  // namespace

std::optional<ModuleSymbols::Entry> ModuleSymbols::find(std::string_view name) const {
  const auto found = entries_.find(name);
  return found == entries_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t ModuleSymbols::add_variable(const Token& name, Variable variable) {
  const auto next = static_cast<std::uint32_t>(module_.variables.size());
  const auto [found, is_new] = entries_.emplace(name.text, Entry{false, next});
  if (is_new) {
    module_.variables.push_back(std::move(variable));
    return next;
  }
  if (found->second.is_function) fail(name, "variable " + quoted(name) + " has a function's name");
  Variable& known = module_.variables[found->second.index];
  if (!known.is_extern && !variable.is_extern) fail(name, "variable " + quoted(name) + " is defined twice");
  if (known.space != variable.space)
    fail(name, "variable " + quoted(name) + " was declared in another state space");
  if (!variable.is_extern) known = std::move(variable);
  return found->second.index;
}

std::uint32_t ModuleSymbols::add_unnamed_variable(Variable variable) {
  module_.variables.push_back(std::move(variable));
  return static_cast<std::uint32_t>(module_.variables.size() - 1);
}

std::uint32_t ModuleSymbols::add_function(const Token& name, Function function) {
  const auto next = static_cast<std::uint32_t>(module_.functions.size());
  const auto [found, is_new] = entries_.emplace(name.text, Entry{true, next});
  if (!is_new) {
    if (!found->second.is_function) fail(name, "function " + quoted(name) + " has a variable's name");
    const Function& known = module_.functions[found->second.index];
    if (known.is_defined && function.is_defined) fail(name, "function " + quoted(name) + " is defined twice");
    if (known.is_entry != function.is_entry)
      fail(name, "function " + quoted(name) + " is declared both as .entry and as .func");
    if (!known.is_defined) found->second.index = next;
  }
  module_.functions.push_back(std::move(function));
  return next;
}

Token ModuleSymbols::numbered(const Token& prefix, std::uint32_t number) {
  Token token = prefix;
  token.text = numbered_.emplace_back(std::string(prefix.text) + std::to_string(number));
  return token;
}

void ModuleSymbols::check_used() const {
  for (const Token& name : used_)
    if (!find(name.text))
      fail(name, "undefined name " + quoted(name) + ": expected a variable or function of the module");
}

void ModuleSymbols::count_registers(const Token& at, std::uint64_t number) {
  count(at, registers_, number, "registers (more than 2^22)");
}

void ModuleSymbols::count_names(const Token& at, std::uint64_t number) {
  count(at, names_, number, "numbered variables and branch targets (more than 2^20)");
}

std::vector<DeclaredVariable> parse_variables(Cursor& cursor, ModuleSymbols& symbols,
                                              const DeclarationHead& head) {
  std::vector<DeclaredVariable> declared;
  do {
    Declarator declarator = parse_declarator(cursor);
    Variable variable = make_variable(head, declarator);
    if (cursor.at(mark("="))) {
      const Token at = cursor.take();
      if (head.space != Space::global && head.space != Space::constant)
        fail(at, "only .global and .const variables can have initial values");
      if (head.is_extern) fail(at, "external variables cannot have initial values");
      if (declarator.count) fail(at, "variables declared by number cannot have initial values");
      parse_initializer(cursor, declarator, variable, symbols.used(), symbols.zeros());
    } else if (variable.is_array && variable.size == 0 && !head.is_extern) {
      fail(declarator.name,
           "array " + quoted(declarator.name) + " needs an extent, an initialiser or .extern");
    }
    if (declarator.count) symbols.count_names(declarator.name, *declarator.count);
    declared.push_back({std::move(declarator), std::move(variable)});
  } while (cursor.accept(mark(",")));
  cursor.expect(mark(";"), "',' or ';' after the declaration");
  return declared;
}

}  // namespace warpcheck::ptx

#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/ptx/cursor.hpp"
#include "framework/ptx/declaration.hpp"
#include "framework/ptx/module.hpp"

namespace warpcheck::ptx {

/// Names of module scope, and the limits that hold for a whole module.
class ModuleSymbols {
 public:
  struct Entry {
    bool is_function{};
    std::uint32_t index{};  ///< into Module::variables or Module::functions (the definition if there is one)
  };

  explicit ModuleSymbols(Module& module) : module_(module) {}

  std::optional<Entry> find(std::string_view name) const;

  /// Adds a variable, or completes or repeats its external declaration; returns its index. Fails if the name
  /// is taken otherwise.
  std::uint32_t add_variable(const Token& name, Variable variable);

  /// Adds a variable that no other part of the module can name; returns its index.
  std::uint32_t add_unnamed_variable(Variable variable);

  /// Adds a function and returns its index. Fails if the name is a variable's, or if both are definitions.
  std::uint32_t add_function(const Token& name, Function function);

  /// The token with the name "prefix12", which lives as long as these symbols.
  Token numbered(const Token& prefix, std::uint32_t number);

  /// Remembers a name that must be a variable or function by the end of the module.
  std::vector<Token>& used() { return used_; }

  /// Fails at the first used name that does not exist.
  void check_used() const;

  /// Bytes that initialisers may still skip over.
  std::uint64_t& zeros() { return zeros_; }

  /// Counts what a short text declares many of; fails at `at` when the module has more than its limit of
  /// them.
  void count_registers(const Token& at, std::uint64_t number);
  void count_names(const Token& at, std::uint64_t number);

 private:
  Module& module_;
  std::unordered_map<std::string_view, Entry> entries_;
  std::deque<std::string> numbered_;
  std::vector<Token> used_;
  std::uint64_t zeros_{std::uint64_t{1} << 26};
  std::uint64_t registers_{std::uint64_t{1} << 22};
  std::uint64_t names_{std::uint64_t{1} << 20};
};

/// A variable with the token that names it; for `name<N>` a variable that stands for each of the N.
struct DeclaredVariable {
  Declarator declarator;
  Variable variable;
};

/// Parses the names, extents and initialisers of a declaration of variables, up to its semicolon.
///
/// Fails if an array that is not external has no extent, or if a variable has an initialiser that its space
/// or its linkage doesn't allow.
std::vector<DeclaredVariable> parse_variables(Cursor& cursor, ModuleSymbols& symbols,
                                              const DeclarationHead& head);

}  // namespace warpcheck::ptx

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "framework/ptx/lexer.hpp"

namespace warpcheck::ptx {

/// What a name inside a function stands for, and its index in the table of its kind.
struct Symbol {
  enum class Kind : std::uint8_t { reg, variable, module_variable, label, branch_targets, prototype };
  Kind kind{};
  std::uint8_t width{1};  ///< vector registers: this many consecutive ones
  std::uint32_t index{};
};

/// A label named before its place may be known.
struct LabelUse {
  Token name;
  std::uint32_t owner{};  ///< the function parser's number for who waits
  std::uint32_t entry{};
};

/// The nested scopes of a function: an inner declaration hides outer ones, `name<N>` declares N names at
/// once.
///
/// Names are views of the text. A lookup costs a few hash probes a scope, whatever N.
class Scopes {
 public:
  Scopes() : scopes_(1) {}

  std::size_t depth() const { return scopes_.size(); }
  void push() { scopes_.emplace_back(); }

  /// Closes the innermost scope. Uses of labels that it declares go to `resolved(use, index)`; the others
  /// become the enclosing scope's. Returns those that are left when the outermost scope is closed.
  template <class Resolved>
  std::vector<LabelUse> pop(Resolved resolved);

  /// False if the innermost scope has that name already.
  bool declare(std::string_view name, Symbol symbol);

  /// Declares prefix0 … prefix(count-1), with indices from symbol.index on in steps of symbol.width. False if
  /// the innermost scope has that prefix already, or the first or last of the names.
  bool declare_range(std::string_view prefix, std::uint32_t count, Symbol symbol);

  /// The innermost declaration of a name.
  std::optional<Symbol> find(std::string_view name) const;

  void use_label(LabelUse use) { scopes_.back().uses.push_back(use); }

 private:
  struct Range {
    std::uint32_t count;
    Symbol first;
  };
  struct Scope {
    std::unordered_map<std::string_view, Symbol> names;
    std::unordered_map<std::string_view, Range> ranges;
    std::vector<LabelUse> uses;
  };
  static std::optional<Symbol> find_in(const Scope& scope, std::string_view name);

  std::vector<Scope> scopes_;
};

template <class Resolved>
std::vector<LabelUse> Scopes::pop(Resolved resolved) {
  const Scope closed = std::move(scopes_.back());
  scopes_.pop_back();
  std::vector<LabelUse> left;
  for (const LabelUse& use : closed.uses) {
    const auto found = closed.names.find(use.name.text);
    if (found != closed.names.end() && found->second.kind == Symbol::Kind::label)
      resolved(use, found->second.index);
    else
      (scopes_.empty() ? left : scopes_.back().uses).push_back(use);
  }
  return left;
}

}  // namespace warpcheck::ptx

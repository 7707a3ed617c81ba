#include "framework/ptx/scopes.hpp"

#include <string>

namespace warpcheck::ptx {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

}  // namespace

bool Scopes::declare(std::string_view name, Symbol symbol) {
  Scope& scope = scopes_.back();
  if (find_in(scope, name)) return false;
  scope.names.emplace(name, symbol);
  return true;
}

bool Scopes::declare_range(std::string_view prefix, std::uint32_t count, Symbol symbol) {
  Scope& scope = scopes_.back();
  for (const std::uint32_t i : {std::uint32_t{0}, count - 1}) {
    if (count == 0) break;
    if (find_in(scope, std::string(prefix) + std::to_string(i))) return false;
  }
  return scope.ranges.emplace(prefix, Range{count, symbol}).second;
}

std::optional<Symbol> Scopes::find(std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = find_in(*scope, name)) return found;
  return std::nullopt;
}

std::optional<Symbol> Scopes::find_in(const Scope& scope, std::string_view name) {
  if (!scope.names.empty()) {
    const auto found = scope.names.find(name);
    if (found != scope.names.end()) return found->second;
  }
  if (scope.ranges.empty()) return std::nullopt;
  // The number at the end is every run of digits that it may be: in "%r12", 2 of "%r1" or 12 of "%r".
  std::uint64_t number = 0;
  std::uint64_t power = 1;
  for (std::size_t begin = name.size(); begin > 1 && name.size() - begin < 8 && is_digit(name[begin - 1]);) {
    --begin;
    number += power * static_cast<std::uint64_t>(name[begin] - '0');
    power *= 10;
    if (begin + 1 < name.size() && name[begin] == '0') continue;
    const auto found = scope.ranges.find(name.substr(0, begin));
    if (found == scope.ranges.end() || number >= found->second.count) continue;
    Symbol symbol = found->second.first;
    symbol.index += static_cast<std::uint32_t>(number) * symbol.width;
    return symbol;
  }
  return std::nullopt;
}

}  // namespace warpcheck::ptx

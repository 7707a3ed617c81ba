#pragma once

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "framework/ptx/cursor.hpp"
#include "framework/ptx/declaration.hpp"
#include "framework/ptx/locations.hpp"
#include "framework/ptx/module.hpp"
#include "framework/ptx/module_symbols.hpp"
#include "framework/ptx/scopes.hpp"

namespace warpcheck::ptx {

/// Parses the parameters and the body of one function, every name of which it resolves.
class FunctionParser {
 public:
  FunctionParser(Cursor& cursor, ModuleSymbols& symbols, Module& module, Function& function)
      : cursor_(cursor),
        symbols_(symbols),
        module_(module),
        function_(function),
        locations_(function.locations) {}

  void declare_returns(const std::vector<Parameter>& parameters);
  void declare_parameters(const std::vector<Parameter>& parameters);

  /// Parses from '{' to the '}' that ends the function.
  void parse_body();

  /// Locations whose function names are still labels of .debug_str.
  const std::vector<LocationTable::Unnamed>& unnamed_locations() const { return locations_.unnamed(); }

 private:
  // Statements
  void statement();
  void directive();
  void open_scope();
  void close_scope();
  void location();
  void pragma();
  void registers();
  void variables(const DeclarationHead& head);
  void label();
  void branch_target_list(const Token& label);
  void call_target_list(const Token& label);
  void call_prototype(const Token& label);
  void instruction();

  // Declarations
  void declare(const Token& name, Symbol symbol);
  void declare_parameter(const Parameter& parameter, std::vector<std::uint32_t>& indices,
                         std::vector<bool>& is_reg);
  std::uint32_t add_registers(const Token& name, Type type, std::uint32_t width, std::uint32_t count,
                              bool numbered);
  void add_prototype(const Token& label, Prototype prototype);

  // Operands
  Guard guard();
  void operands(Instruction& instruction);
  void branch_operands(Instruction& instruction);
  void indexed_branch_operands(Instruction& instruction);
  void call_operands(Instruction& instruction);
  Operand call_list();
  Operand operand(const Instruction& instruction);
  Operand simple_operand();
  Operand constant_operand();
  Operand name_operand();
  Operand named(const Token& name);
  Operand negated_operand();
  Operand vector_operand();
  Operand address_operand();
  void address_suffix(Instruction& instruction);
  void component(const Token& name, const Symbol& symbol, Operand& operand);
  Operand whole_register(const Symbol& symbol) const;
  void array_index(const Instruction& instruction, Operand& operand);
  const Variable& variable_of(const Operand& operand) const;
  Symbol symbol_of_label(const Token& name, Symbol::Kind kind, std::string_view description) const;
  void resolve(const LabelUse& use, std::uint32_t target);
  void finish();

  Cursor& cursor_;
  ModuleSymbols& symbols_;
  Module& module_;
  Function& function_;
  LocationTable locations_;
  Scopes scopes_;
  std::int32_t location_{-1};
  std::optional<std::uint32_t> used_bytes_mask_;
  std::vector<std::vector<std::uint32_t>> target_lists_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> indexed_branches_;  ///< instruction, target list
};

}  // namespace warpcheck::ptx

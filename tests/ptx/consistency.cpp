#include <string>
#include <vector>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

bool points_somewhere(const Operand& operand, const Module& module, const Function& function) {
  const auto variables =
      operand.scope == VariableScope::module ? module.variables.size() : function.variables.size();
  for (const Operand& element : operand.elements)
    if (!points_somewhere(element, module, function)) return false;
  switch (operand.kind) {
    case OperandKind::reg:
      return operand.reg < function.registers.size();
    case OperandKind::variable:
      return operand.variable < variables;
    case OperandKind::label:
      return operand.target <= function.body.size();
    case OperandKind::function:
      return module.find(operand.name) != nullptr;
    case OperandKind::special:
      return !operand.name.empty();
    case OperandKind::address:
    case OperandKind::vector:
      return !operand.elements.empty();
    case OperandKind::pair:
      return operand.elements.size() == 2;
    default:
      return true;
  }
}

std::string dangling_in(const Function& function, const Module& module) {
  const auto in_range = [&](const std::vector<std::uint32_t>& indices, const std::vector<bool>& is_reg) {
    if (indices.size() != is_reg.size()) return false;
    for (std::size_t i = 0; i < indices.size(); ++i)
      if (indices[i] >= (is_reg[i] ? function.registers.size() : function.variables.size())) return false;
    return true;
  };
  if (!in_range(function.parameters, function.parameter_is_reg)) return "a parameter of " + function.name;
  if (!in_range(function.returns, function.return_is_reg)) return "a returned value of " + function.name;
  for (std::size_t i = 0; i < function.locations.size(); ++i)
    if (function.locations[i].inlined_at >= static_cast<std::int32_t>(i))
      return "the chain of a location of " + function.name;
  for (const Instruction& instruction : function.body) {
    const std::string here = "line " + std::to_string(instruction.source_line) + ": ";
    if (instruction.opcode.empty()) return here + "the opcode";
    if (instruction.guard && instruction.guard->reg >= function.registers.size()) return here + "the guard";
    if (instruction.location >= static_cast<std::int32_t>(function.locations.size()))
      return here + "the location";
    if (instruction.prototype >= static_cast<std::int32_t>(function.prototypes.size()))
      return here + "the prototype";
    for (const std::uint32_t target : instruction.branch_targets)
      if (target > function.body.size()) return here + "a branch target";
    for (const Operand& operand : instruction.operands)
      if (!points_somewhere(operand, module, function)) return here + "an operand";
  }
  return {};
}

std::string dangling_in(const Variable& variable, const Module& module) {
  if (variable.alignment == 0 || (variable.alignment & (variable.alignment - 1)) != 0)
    return "alignment of " + variable.name;
  if (variable.initial_bytes.size() > variable.size) return "initial bytes of " + variable.name;
  for (const auto& relocation : variable.relocations) {
    bool exists = module.find(relocation.symbol) != nullptr;
    for (const Variable& other : module.variables) exists = exists || other.name == relocation.symbol;
    if (!exists || relocation.offset + relocation.size > variable.size)
      return "a pointer in " + variable.name;
  }
  return {};
}

}  // namespace

std::string dangling(const Module& module) {
  for (const Variable& variable : module.variables)
    if (auto text = dangling_in(variable, module); !text.empty()) return text;
  for (const Function& function : module.functions) {
    for (const Variable& variable : function.variables)
      if (auto text = dangling_in(variable, module); !text.empty()) return text;
    if (auto text = dangling_in(function, module); !text.empty()) return text;
  }
  return {};
}

}  // namespace warpcheck::ptx

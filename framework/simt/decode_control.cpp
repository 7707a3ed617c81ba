#include <algorithm>

#include "framework/simt/decode_builder.hpp"

namespace warpcheck::simt {

void FunctionDecoder::control(const ptx::Instruction& text, const MachineRow& row) {
  switch (row.kind) {
    case Kind::branch: {
      const ptx::Operand& label = operand(0);
      if (label.kind != ptx::OperandKind::label)
        throw NotSupported{"a branch to something other than a label"};
      Instr instr;
      instr.kind = static_cast<std::uint8_t>(Kind::branch);
      instr.flags = row.flags;
      instr.target = label.target;  // resolve_targets turns it into an index of the code
      if (text.guard) {
        instr.guard = registers_.at(text.guard->reg);
        instr.guard_negated = text.guard->negated;
      }
      emit(instr);
      return;
    }
    case Kind::branch_table: {
      Instr instr;
      instr.kind = static_cast<std::uint8_t>(Kind::branch_table);
      instr.flags = row.flags;
      instr.a = source(operand(0), Lane::w32);
      instr.aux = static_cast<std::uint32_t>(code_.branch_tables.size());
      code_.branch_tables.push_back(text.branch_targets);
      if (text.guard) {
        instr.guard = registers_.at(text.guard->reg);
        instr.guard_negated = text.guard->negated;
      }
      emit(instr);
      return;
    }
    case Kind::call:
      return call(text);
    default:
      return simple(text, row);
  }
}

void FunctionDecoder::simple(const ptx::Instruction& text, const MachineRow& row) {
  Instr instr;
  instr.kind = static_cast<std::uint8_t>(row.kind);
  instr.flags = row.flags;
  if (text.guard) {
    instr.guard = registers_.at(text.guard->reg);
    instr.guard_negated = text.guard->negated;
  }
  // d or d|p
  const auto destinations = [&](Lane lane) {
    const ptx::Operand& to = operand(0);
    if (to.kind != ptx::OperandKind::pair) {
      instr.d = destination(to, lane, ptx::Type::b32);
      return;
    }
    instr.d = destination(to.elements.at(0), lane, ptx::Type::b32);
    instr.d2 = destination(to.elements.at(1), Lane::pred, ptx::Type::pred);
  };
  const Lane word = ptx::size_of(row.type) == 8 ? Lane::w64 : Lane::w32;
  switch (row.kind) {
    case Kind::shuffle:
      destinations(Lane::w32);
      instr.a = source(operand(1), Lane::w32);
      instr.b = source(operand(2), Lane::w32);
      instr.c = source(operand(3), Lane::w32);
      instr.e = source(operand(4), Lane::w32);
      break;
    case Kind::vote:
      destinations(static_cast<VoteMode>(row.flags) == VoteMode::ballot ? Lane::w32 : Lane::pred);
      instr.a = source(operand(1), Lane::pred);
      instr.e = source(operand(2), Lane::w32);
      break;
    case Kind::match:
      destinations(Lane::w32);
      instr.a = source(operand(1), word);
      instr.e = source(operand(2), Lane::w32);
      break;
    case Kind::redux:
      destinations(Lane::w32);
      instr.a = source(operand(1), Lane::w32);
      instr.e = source(operand(2), Lane::w32);
      break;
    case Kind::elect:
      destinations(Lane::w32);
      instr.e = source(operand(1), Lane::w32);
      break;
    case Kind::active_mask:
      destinations(Lane::w32);
      break;
    case Kind::warp_barrier:
      instr.e = source(operand(0), Lane::w32);
      break;
    case Kind::block_barrier: {
      const auto action = static_cast<BarrierAction>(row.flags & kBarrierActionMask);
      std::size_t next = 0;
      const std::size_t count = text.operands.size();
      const bool reduces = action != BarrierAction::sync && action != BarrierAction::arrive;
      if (reduces) {
        instr.d = destination(operand(next++), action == BarrierAction::red_popc ? Lane::w32 : Lane::pred,
                              ptx::Type::u32);
      }
      instr.a = source(operand(next++), Lane::w32);
      if (reduces) {
        if (count == 4) instr.b = source(operand(next++), Lane::w32);
        instr.c = source(operand(next++), Lane::pred);
      } else if (next < count) {
        instr.b = source(operand(next++), Lane::w32);
      } else if (action == BarrierAction::arrive) {
        throw std::runtime_error("'" + text.full_name() + "' in line " + std::to_string(text.source_line) +
                                 " of the PTX text needs a thread count");
      }
      break;
    }
    case Kind::fence: {
      std::uint8_t scope = 4;
      for (const std::string& part : text.modifiers) {
        if (part == "cta") scope = 1;
        if (part == "cluster") scope = 2;
        if (part == "gpu" || part == "gl") scope = 3;
      }
      // membar.cta, .gl and .sys are rows of their own: the row decides.
      if (row.variant.ends_with(".cta")) scope = 1;
      if (row.variant.ends_with(".gl")) scope = 3;
      if (row.variant.ends_with(".sys")) scope = 4;
      instr.width = scope;
      break;
    }
    case Kind::lane: {  // cvta and isspacep; flags number them as in the table
      const std::uint8_t form = row.flags;
      const bool test = form >= 10;
      instr.flags = 0;
      if (text.guard) instr.kind = static_cast<std::uint8_t>(Kind::lane_guarded);
      instr.d = destination(operand(0), test ? Lane::pred : Lane::w64, ptx::Type::u64);
      instr.a = source(operand(1), Lane::w64);
      const auto window = [&]() -> std::uint64_t {
        if (form == 3 || form == 8 || form == 11) return kSharedWindow;
        if (form == 4 || form == 9 || form == 12) return kLocalWindow;
        return kParameterWindow;
      }();
      if (form == 3 || form == 4) {
        instr.op = moves::add_constant();
        instr.b = constants_.intern(window, 8);
      } else if (form == 8 || form == 9) {
        instr.op = moves::add_constant();
        instr.b = constants_.intern(0 - window, 8);
      } else if (form == 10) {
        instr.op = moves::outside_shared_and_local();
      } else if (test) {
        instr.op = moves::in_window();
        instr.b = constants_.intern(window, 8);
      } else {
        // Global, constant and parameter addresses are the same in their own space and generically.
        instr.op = moves::copy64();
      }
      break;
    }
    case Kind::in_const_space:
      instr.d = destination(operand(0), Lane::pred, ptx::Type::pred);
      instr.a = source(operand(1), Lane::w64);
      break;
    case Kind::stack_allocate:
      instr.d = destination(operand(0), word, row.type);
      instr.a = source(operand(1), word);
      instr.width = word == Lane::w64 ? 8 : 4;
      instr.target = 8;
      if (text.operands.size() > 2) {
        if (operand(2).kind != ptx::OperandKind::integer)
          throw NotSupported{"an alignment must be a constant"};
        instr.target = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(operand(2).bits, 8, 1u << 23));
      }
      break;
    case Kind::stack_save:
      instr.d = destination(operand(0), word, row.type);
      instr.width = word == Lane::w64 ? 8 : 4;
      break;
    case Kind::stack_restore:
      instr.a = source(operand(0), word);
      instr.width = word == Lane::w64 ? 8 : 4;
      break;
    default:  // ret, exit, trap, sleep and hints: their operands have no effect
      break;
  }
  emit(instr);
}

std::vector<CallValue> FunctionDecoder::formal(const std::vector<std::uint32_t>& indices,
                                               const std::vector<bool>& is_reg) const {
  std::vector<CallValue> values;
  for (std::size_t i = 0; i < indices.size(); ++i) {
    CallValue value;
    if (is_reg[i]) {
      value.is_register = true;
      value.ref = registers_.at(indices[i]);
      value.element_bytes = element_bytes(indices[i]);
      if (value.element_bytes == 1) throw NotSupported{"a predicate parameter is not implemented"};
      value.bytes = ptx::size_of(text_.registers[indices[i]].type);
    } else {
      value.local_offset = variable_offsets_.at(indices[i]);
      value.bytes = static_cast<std::uint32_t>(text_.variables[indices[i]].size);
    }
    values.push_back(value);
  }
  return values;
}

CallValue FunctionDecoder::call_value(const ptx::Operand& operand, std::uint32_t bytes, bool is_result) {
  CallValue value;
  if (operand.kind == ptx::OperandKind::variable && variable(operand).space == ptx::Space::param) {
    if (constant_address(operand)) throw NotSupported{"a kernel parameter as an argument is not implemented"};
    value.local_offset = local_offset(operand);
    value.bytes = static_cast<std::uint32_t>(variable(operand).size);
    return value;
  }
  value.is_register = true;
  if (operand.kind == ptx::OperandKind::reg) {
    value.ref = register_ref(operand);
    value.element_bytes = element_bytes(operand.reg);
    if (value.element_bytes == 1) throw NotSupported{"a predicate argument is not implemented"};
    value.bytes = std::max<std::uint32_t>(ptx::size_of(text_.registers[operand.reg].type), 1);
    return value;
  }
  if (is_result) {
    if (operand.kind != ptx::OperandKind::sink)
      throw NotSupported{"a result of this form is not implemented"};
    value.element_bytes = 8;
    value.ref = temporary(Lane::w64);
    value.bytes = 8;
    return value;
  }
  value.element_bytes = bytes == 8 ? 8 : 4;
  value.ref = source(operand, bytes == 8 ? Lane::w64 : Lane::w32);
  value.bytes = bytes;
  return value;
}

void FunctionDecoder::call(const ptx::Instruction& text) {
  std::size_t next = 0;
  const ptx::Operand* results = nullptr;
  if (operand(0).kind == ptx::OperandKind::list) results = &operand(next++);
  const ptx::Operand& target = operand(next++);
  const ptx::Operand* arguments = nullptr;
  if (next < text.operands.size() && text.operands[next].kind == ptx::OperandKind::list)
    arguments = &operand(next++);

  CallSite site;
  Instr instr;
  instr.kind = static_cast<std::uint8_t>(Kind::call);
  std::vector<std::uint32_t> sizes;  // of the callee's parameters, for immediate arguments
  if (target.kind == ptx::OperandKind::function) {
    const ptx::Function* const callee = program_.module.find(target.name);
    if (callee == nullptr) {
      throw std::runtime_error("undefined function '" + target.name + "' in line " +
                               std::to_string(text.source_line) + " of the PTX text");
    }
    for (std::size_t i = 0; i < callee->parameters.size(); ++i) {
      sizes.push_back(callee->parameter_is_reg[i]
                          ? ptx::size_of(callee->registers[callee->parameters[i]].type)
                          : static_cast<std::uint32_t>(callee->variables[callee->parameters[i]].size));
    }
    if (callee->is_defined) {
      if (callee->is_entry) throw NotSupported{"a kernel cannot be called"};
      site.function = program_.function_index.at(target.name);
      code_.callees.push_back(site.function);
    } else {
      instr.kind = static_cast<std::uint8_t>(Kind::call_builtin);
      static const std::unordered_map<std::string, Builtin> builtins{{"vprintf", Builtin::vprintf},
                                                                     {"__assertfail", Builtin::assert_fail},
                                                                     {"malloc", Builtin::malloc},
                                                                     {"free", Builtin::free}};
      const auto found = builtins.find(target.name);
      if (found == builtins.end())
        throw NotSupported{"function '" + target.name + "' is not defined in the module"};
      site.builtin = found->second;
      static const std::unordered_map<Builtin, std::pair<std::size_t, std::size_t>> shapes{
          {Builtin::vprintf, {2, 1}},
          {Builtin::assert_fail, {5, 0}},
          {Builtin::malloc, {1, 1}},
          {Builtin::free, {1, 0}}};
      const auto [wanted_arguments, wanted_results] = shapes.at(site.builtin);
      if ((arguments ? arguments->elements.size() : 0) != wanted_arguments ||
          (results ? results->elements.size() : 0) > wanted_results) {
        throw NotSupported{"'" + target.name + "' is called with other arguments than CUDA's"};
      }
    }
    if (site.builtin == Builtin::none && (arguments ? arguments->elements.size() : 0) != sizes.size()) {
      throw std::runtime_error("call of '" + target.name + "' in line " + std::to_string(text.source_line) +
                               " of the PTX text has " +
                               std::to_string(arguments ? arguments->elements.size() : 0) +
                               " arguments, the function takes " + std::to_string(sizes.size()));
    }
  } else if (target.kind == ptx::OperandKind::reg) {
    instr.kind = static_cast<std::uint8_t>(Kind::call_indirect);
    instr.a = source(target, Lane::w64);
    code_.calls_indirectly = true;
    if (text.prototype >= 0) {
      for (const ptx::Variable& parameter :
           text_.prototypes.at(static_cast<std::size_t>(text.prototype)).parameters) {
        sizes.push_back(static_cast<std::uint32_t>(parameter.size));
      }
    }
  } else {
    throw NotSupported{"a call of this form is not implemented"};
  }
  if (arguments != nullptr) {
    for (std::size_t i = 0; i < arguments->elements.size(); ++i) {
      site.arguments.push_back(call_value(arguments->elements[i], i < sizes.size() ? sizes[i] : 8, false));
    }
  }
  if (results != nullptr) {
    for (const ptx::Operand& element : results->elements)
      site.results.push_back(call_value(element, 8, true));
  }
  if (text.guard) {
    instr.guard = registers_.at(text.guard->reg);
    instr.guard_negated = text.guard->negated;
  }
  instr.aux = static_cast<std::uint32_t>(code_.calls.size());
  code_.calls.push_back(std::move(site));
  emit(instr);
}

}  // namespace warpcheck::simt

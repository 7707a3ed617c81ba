#include <algorithm>

#include "framework/simt/decode_builder.hpp"

namespace warpcheck::simt {
namespace {

/// Access::semantics and Access::scope.
std::uint8_t semantics_named(const std::string& name) {
  if (name == "relaxed") return 1;
  if (name == "acquire") return 2;
  if (name == "release") return 3;
  if (name == "acq_rel") return 4;
  return 0;
}

std::uint8_t scope_named(const std::string& name) {
  if (name == "cta") return 1;
  if (name == "cluster") return 2;
  if (name == "gpu") return 3;
  if (name == "sys") return 4;
  return 0;
}

Lane lane_of(ptx::Type type) {
  switch (type) {
    case ptx::Type::f32:
      return Lane::f32;
    case ptx::Type::f64:
      return Lane::f64;
    default:
      return ptx::size_of(type) == 8 ? Lane::w64 : ptx::size_of(type) == 4 ? Lane::w32 : Lane::w16;
  }
}

/// The operands of a scalar, or the elements of a vector.
std::vector<const ptx::Operand*> elements(const ptx::Operand& operand) {
  std::vector<const ptx::Operand*> list;
  if (operand.kind == ptx::OperandKind::vector) {
    for (const ptx::Operand& element : operand.elements) list.push_back(&element);
  } else {
    list.push_back(&operand);
  }
  return list;
}

}  // namespace

void FunctionDecoder::address(MemoryOp& op, const ptx::Operand& operand) {
  const ptx::Operand* base = &operand;
  op.offset = 0;
  if (operand.kind == ptx::OperandKind::address) {
    base = &operand.elements.at(0);
    op.offset = static_cast<std::int64_t>(operand.bits);
  }
  switch (base->kind) {
    case ptx::OperandKind::reg: {
      op.form = element_bytes(base->reg) == 8 ? AddressForm::reg64 : AddressForm::reg32;
      if (element_bytes(base->reg) == 1) throw NotSupported{"a predicate is no address"};
      op.address = register_ref(*base);
      return;
    }
    case ptx::OperandKind::integer:
      op.form = AddressForm::constant;
      op.offset += static_cast<std::int64_t>(base->bits);
      return;
    case ptx::OperandKind::variable: {
      if (base != &operand) op.offset += static_cast<std::int64_t>(base->bits);
      if (const auto address = constant_address(*base)) {
        op.form = AddressForm::constant;
        op.offset += static_cast<std::int64_t>(*address);
      } else {
        op.form = AddressForm::frame;
        op.offset += local_offset(*base);
      }
      // A variable's name says which space it is in, also where the instruction leaves it out.
      const ptx::Space space = variable(*base).space;
      if (op.space == ptx::Space::none && space != ptx::Space::param) op.space = space;
      return;
    }
    default:
      throw NotSupported{"an address of this form is not implemented"};
  }
}

void FunctionDecoder::memory(const ptx::Instruction& text, const MachineRow& row,
                             const std::vector<std::string>& qualifiers) {
  MemoryOp op;
  op.type = row.type;
  op.op = row.op;
  op.element_bytes = static_cast<std::uint8_t>(ptx::size_of(row.type));
  op.is_reduction = text.opcode == "red";
  for (const std::string& part : qualifiers) {
    if (part == "global") op.space = ptx::Space::global;
    if (part == "shared") op.space = ptx::Space::shared;
    if (part == "local") op.space = ptx::Space::local;
    if (part == "const") op.space = ptx::Space::constant;
    if (part == "param" || part == "param::func") op.space = ptx::Space::param;
    if (part == "volatile") op.is_volatile = true;
    if (part == "v2" || part == "v4" || part == "v8") op.count = static_cast<std::uint8_t>(part[1] - '0');
    if (const std::uint8_t semantics = semantics_named(part)) op.semantics = semantics;
    if (const std::uint8_t scope = scope_named(part)) op.scope = scope;
  }
  if (text.opcode == "ldu" && op.space == ptx::Space::none) op.space = ptx::Space::global;
  const Kind kind = row.kind;
  if (kind == Kind::atomic) {
    // Without a word an atomic is relaxed at the scope of the device.
    if (op.semantics == 0) op.semantics = 1;
    if (op.scope == 0) op.scope = 3;
  }
  if (text.used_bytes_mask && kind == Kind::load) op.used_bytes = *text.used_bytes_mask;
  if (op.bytes() > 32) throw NotSupported{"an access of more than 32 bytes is not implemented"};
  const Lane lane = lane_of(row.type);
  op.wide = op.element_bytes == 8;
  op.sign = row.type == ptx::Type::s8 || row.type == ptx::Type::s16 || row.type == ptx::Type::s32;

  const std::size_t address_at = kind == Kind::load || (kind == Kind::atomic && !op.is_reduction) ? 1 : 0;
  address(op, operand(address_at));
  op.data.fill(kNoOperand);
  op.operand.fill(kNoOperand);
  const auto check_count = [&](std::size_t has) {
    if (has != op.count) {
      throw std::runtime_error("'" + text.full_name() + "' in line " + std::to_string(text.source_line) +
                               " of the PTX text has " + std::to_string(has) + " elements, its name says " +
                               std::to_string(op.count));
    }
  };
  const auto destinations = [&](const ptx::Operand& operand) {
    const auto list = elements(operand);
    check_count(list.size());
    // All elements go to registers of one width; a wider register among them makes all of them wide.
    bool all_wide = true, any_register = false;
    for (const ptx::Operand* element : list) {
      if (element->kind != ptx::OperandKind::reg) continue;
      any_register = true;
      all_wide = all_wide && element_bytes(element->reg) == 8;
    }
    if (any_register && all_wide) op.wide = 1;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (list[i]->kind == ptx::OperandKind::sink) continue;
      if (list[i]->kind != ptx::OperandKind::reg)
        throw NotSupported{"a destination of this form is not implemented"};
      const std::uint8_t has = element_bytes(list[i]->reg);
      if (has == 1 || (has == 4 && op.element_bytes == 8)) {
        throw std::runtime_error("register '" + text_.registers[list[i]->reg].name + "' in line " +
                                 std::to_string(text.source_line) +
                                 " of the PTX text does not hold the result of '" + text.full_name() + "'");
      }
      if ((has == 8) == (op.wide != 0)) {
        op.data[i] = register_ref(*list[i]);
      } else {
        op.data[i] = temporary(Lane::w32);
        emit_move(moves::extend(op.sign ? ptx::Type::s32 : ptx::Type::u32, 8), register_ref(*list[i]),
                  op.data[i], true);
      }
    }
  };
  const auto sources = [&](const ptx::Operand& operand, std::array<OperandRef, 8>& refs) {
    const auto list = elements(operand);
    check_count(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) refs[i] = source(*list[i], lane);
  };
  switch (kind) {
    case Kind::load:
      destinations(operand(0));
      break;
    case Kind::store:
      sources(operand(1), op.data);
      break;
    default:
      if (!op.is_reduction) destinations(operand(0));
      sources(operand(address_at + 1), op.operand);
      if (op.op == AtomicOp::cas) op.swap = source(operand(address_at + 2), lane);
      break;
  }
  Instr instr;
  instr.kind = static_cast<std::uint8_t>(kind);
  instr.flags = op.is_volatile || op.semantics != 0 ? kCommunicates : 0;
  if (text.guard) {
    instr.guard = registers_.at(text.guard->reg);
    instr.guard_negated = text.guard->negated;
  }
  instr.aux = static_cast<std::uint32_t>(code_.memory.size());
  code_.memory.push_back(op);
  emit(instr);
}

void FunctionDecoder::moves(const ptx::Instruction& text) {
  const ptx::Operand& to = operand(0);
  const ptx::Operand& from = operand(1);
  const bool unpack = to.kind == ptx::OperandKind::vector;
  const std::size_t parts = unpack ? to.elements.size() : from.elements.size();
  if (parts == 0 || text.modifiers.size() != 1 || (unpack && from.kind == ptx::OperandKind::vector)) {
    throw NotSupported{"a move of this form is not implemented"};
  }
  const auto type = ptx::type_from_name(text.modifiers[0]);
  const std::uint32_t bits = type ? ptx::size_of(*type) * 8 : 0;
  std::string width = "b", shape = unpack ? "unpack" : "pack";
  width += std::to_string(bits);
  shape.append(std::to_string(parts)).append("x").append(std::to_string(bits / parts));
  const std::vector<std::string> modifiers{width, shape};
  const Row* const row = rows_.lane(canonical_variant("mov", modifiers));
  if (row == nullptr) throw NotSupported{"a move of this form is not implemented"};
  lane_wise(text, *row);
}

}  // namespace warpcheck::simt

#include <bit>
#include <cstring>

#include "framework/simt/decode_builder.hpp"

namespace warpcheck::simt {
namespace {

constexpr std::uint32_t kPredicateBlock = 64;
constexpr std::uint8_t kPredicate = 1;

std::uint8_t bytes_of(Lane lane) {
  switch (lane) {
    case Lane::pred:
      return kPredicate;
    case Lane::w64:
    case Lane::f64:
      return 8;
    default:
      return 4;
  }
}

const std::unordered_map<std::string, Special>& special_names() {
  static const std::unordered_map<std::string, Special> names{
      {"%tid.x", Special::tid_x},
      {"%tid.y", Special::tid_y},
      {"%tid.z", Special::tid_z},
      {"%tid", Special::tid_x},
      {"%ntid.x", Special::ntid_x},
      {"%ntid.y", Special::ntid_y},
      {"%ntid.z", Special::ntid_z},
      {"%ntid", Special::ntid_x},
      {"%ctaid.x", Special::ctaid_x},
      {"%ctaid.y", Special::ctaid_y},
      {"%ctaid.z", Special::ctaid_z},
      {"%ctaid", Special::ctaid_x},
      {"%nctaid.x", Special::nctaid_x},
      {"%nctaid.y", Special::nctaid_y},
      {"%nctaid.z", Special::nctaid_z},
      {"%nctaid", Special::nctaid_x},
      {"%laneid", Special::laneid},
      {"%warpid", Special::warpid},
      {"%nwarpid", Special::nwarpid},
      {"%smid", Special::smid},
      {"%nsmid", Special::nsmid},
      {"%gridid", Special::gridid},
      {"%lanemask_eq", Special::lanemask_eq},
      {"%lanemask_le", Special::lanemask_le},
      {"%lanemask_lt", Special::lanemask_lt},
      {"%lanemask_ge", Special::lanemask_ge},
      {"%lanemask_gt", Special::lanemask_gt},
      {"%dynamic_smem_size", Special::dynamic_smem_size},
      {"%total_smem_size", Special::total_smem_size},
      {"%aggr_smem_size", Special::aggr_smem_size},
      {"%envreg1", Special::envreg1},
      {"%envreg2", Special::envreg2},
      {"%envreg0", Special::zero},
      {"%current_graph_exec", Special::zero},
      // A block is a cluster of its own.
      {"%is_explicit_cluster", Special::zero},
      {"%clusterid.x", Special::ctaid_x},
      {"%clusterid.y", Special::ctaid_y},
      {"%clusterid.z", Special::ctaid_z},
      {"%nclusterid.x", Special::nctaid_x},
      {"%nclusterid.y", Special::nctaid_y},
      {"%nclusterid.z", Special::nctaid_z},
      {"%cluster_ctaid.x", Special::zero},
      {"%cluster_ctaid.y", Special::zero},
      {"%cluster_ctaid.z", Special::zero},
      {"%cluster_nctaid.x", Special::one},
      {"%cluster_nctaid.y", Special::one},
      {"%cluster_nctaid.z", Special::one},
      {"%cluster_ctarank", Special::zero},
      {"%cluster_nctarank", Special::one},
      {"%reserved_smem_offset_begin", Special::reserved_smem_begin},
      {"%reserved_smem_offset_end", Special::reserved_smem_end},
      {"%reserved_smem_offset_cap", Special::reserved_smem_size},
      {"%reserved_smem_offset_0", Special::reserved_smem_begin},
      {"%reserved_smem_offset_1", Special::reserved_smem_1},
      {"%clock", Special::clock},
      {"%clock_hi", Special::clock_hi},
      {"%clock64", Special::clock64},
      {"%globaltimer", Special::globaltimer},
      {"%globaltimer_lo", Special::globaltimer_lo},
      {"%globaltimer_hi", Special::globaltimer_hi},
  };
  return names;
}

bool is_clock(Special special) {
  return special >= Special::clock;
}

bool is_wide(Special special) {
  return special == Special::gridid || special == Special::clock64 || special == Special::globaltimer;
}

bool changes_with_block(Special special) {
  return special == Special::ctaid_x || special == Special::ctaid_y || special == Special::ctaid_z ||
         special == Special::smid;
}

}  // namespace

OperandRef ConstantPool::intern(std::uint64_t bits, std::uint8_t element_bytes) {
  const auto [found, is_new] = known_.try_emplace({bits, element_bytes}, kNoOperand);
  if (!is_new) return found->second;
  const std::size_t at = bytes_.size();
  if (element_bytes == kPredicate) {
    bytes_.resize(at + kPredicateBlock);
    const LaneMask mask = bits != 0 ? kAllLanes : 0;
    std::memcpy(bytes_.data() + at, &mask, sizeof mask);
  } else {
    bytes_.resize(at + std::size_t{element_bytes} * kWarpSize);
    for (int lane = 0; lane < kWarpSize; ++lane) {
      std::memcpy(bytes_.data() + at + static_cast<std::size_t>(lane) * element_bytes, &bits, element_bytes);
    }
  }
  found->second = static_cast<OperandRef>(at) | 1u;
  return found->second;
}

OperandRef FunctionDecoder::slot(std::uint32_t bytes) {
  next_slot_ = (next_slot_ + 63) / 64 * 64;
  const OperandRef ref = next_slot_;
  next_slot_ += bytes;
  return ref;
}

OperandRef FunctionDecoder::temporary(Lane lane) {
  const std::uint8_t bytes = bytes_of(lane);
  if (bytes != kPredicate) return slot(std::uint32_t{bytes} * kWarpSize);
  if (predicates_left_ == 0) {
    predicate_slot_ = slot(kPredicateBlock);
    predicates_left_ = kPredicateBlock / sizeof(LaneMask);
  }
  --predicates_left_;
  const OperandRef ref = predicate_slot_;
  predicate_slot_ += sizeof(LaneMask);
  return ref;
}

std::uint8_t FunctionDecoder::element_bytes(std::uint32_t reg) const {
  const ptx::Type type = text_.registers.at(reg).type;
  if (type == ptx::Type::pred) return kPredicate;
  if (type == ptx::Type::b128) throw NotSupported{"128-bit registers are not implemented"};
  const std::uint32_t size = ptx::size_of(type);
  if (size == 0) throw NotSupported{"register '" + text_.registers[reg].name + "' has an opaque type"};
  return size == 8 ? 8 : 4;
}

const ptx::Operand& FunctionDecoder::operand(std::size_t index) const {
  if (index >= current_->operands.size()) {
    throw std::runtime_error("'" + current_->full_name() + "' in line " +
                             std::to_string(current_->source_line) + " of the PTX text has " +
                             std::to_string(current_->operands.size()) + " operands, fewer than it needs");
  }
  return current_->operands[index];
}

OperandRef FunctionDecoder::register_ref(const ptx::Operand& operand) const {
  if (operand.component != 0xff) throw NotSupported{"vector registers are not implemented"};
  return registers_.at(operand.reg);
}

const ptx::Variable& FunctionDecoder::variable(const ptx::Operand& operand) const {
  return operand.scope == ptx::VariableScope::module ? program_.module.variables.at(operand.variable)
                                                     : text_.variables.at(operand.variable);
}

std::uint32_t FunctionDecoder::local_offset(const ptx::Operand& operand) const {
  return variable_offsets_.at(operand.variable);
}

std::optional<std::uint64_t> FunctionDecoder::constant_address(const ptx::Operand& operand) const {
  const ptx::Variable& named = variable(operand);
  if (operand.scope == ptx::VariableScope::module) return placement_.module_variable(operand.variable);
  if (named.space == ptx::Space::shared) return placement_.shared_variable(source_index_, operand.variable);
  if (named.space == ptx::Space::param && text_.is_entry) {
    for (std::size_t i = 0; i < text_.parameters.size(); ++i) {
      if (!text_.parameter_is_reg[i] && text_.parameters[i] == operand.variable) {
        return kParameterWindow + variable_offsets_.at(operand.variable);
      }
    }
  }
  return std::nullopt;  // in the frame's local area
}

void FunctionDecoder::emit(const Instr& instr) {
  Instr placed = instr;
  placed.location = current_->location;
  code_.code.push_back(placed);
  code_.origin.push_back(current_index_);
}

void FunctionDecoder::emit_move(LaneOp op, OperandRef to, OperandRef from, bool guarded) {
  Instr move;
  move.op = op;
  move.d = to;
  move.a = from;
  if (guarded && current_->guard) {
    move.guard = registers_.at(current_->guard->reg);
    move.guard_negated = current_->guard->negated;
    move.kind = static_cast<std::uint8_t>(Kind::lane_guarded);
    after_.push_back(move);
  } else if (guarded) {
    after_.push_back(move);
  } else {
    emit(move);
  }
}

void FunctionDecoder::finish() {
  for (const Instr& move : after_) emit(move);
  after_.clear();
}

OperandRef FunctionDecoder::special(const std::string& name, Lane lane) {
  if (name == "WARP_SZ") return constants_.intern(kWarpSize, bytes_of(lane));
  Special which = Special::none;
  if (const auto found = special_names().find(name); found != special_names().end()) {
    which = found->second;
  } else if (name.starts_with("%envreg")) {
    which = Special::zero;
  } else {
    throw NotSupported{"special register " + name + " is not implemented"};
  }
  if (lane == Lane::pred) {
    if (which == Special::zero) return constants_.intern(0, kPredicate);
    throw NotSupported{"special register " + name + " is not a predicate"};
  }
  const bool wide = is_wide(which);
  OperandRef ref = kNoOperand;
  if (is_clock(which)) {
    ref = temporary(wide ? Lane::w64 : Lane::w32);
    Instr read;
    read.kind = static_cast<std::uint8_t>(Kind::clock);
    read.flags = static_cast<std::uint8_t>(which);
    read.d = ref;
    emit(read);
  } else {
    auto& known = special_slots_[{which, wide}];
    if (known == 0) {
      known = temporary(wide ? Lane::w64 : Lane::w32);
      auto& list = changes_with_block(which) ? code_.block_specials : code_.specials;
      list.push_back({which, known});
    }
    ref = known;
  }
  const bool want_wide = bytes_of(lane) == 8;
  if (want_wide == wide) return ref;
  const OperandRef converted = temporary(lane);
  emit_move(want_wide ? moves::extend(ptx::Type::u32, 8) : moves::low_half(), converted, ref, false);
  return converted;
}

OperandRef FunctionDecoder::source(const ptx::Operand& operand, Lane lane) {
  const std::uint8_t wanted = bytes_of(lane);
  switch (operand.kind) {
    case ptx::OperandKind::reg: {
      const std::uint8_t has = element_bytes(operand.reg);
      OperandRef ref = register_ref(operand);
      if ((has == kPredicate) != (wanted == kPredicate)) {
        throw std::runtime_error("register '" + text_.registers[operand.reg].name + "' in line " +
                                 std::to_string(current_->source_line) + " of the PTX text " +
                                 (has == kPredicate ? "is a predicate" : "is no predicate") + ", '" +
                                 current_->full_name() + "' needs the other");
      }
      if (operand.negated) {
        const OperandRef inverted = temporary(Lane::pred);
        emit_move(moves::invert(), inverted, ref, false);
        return inverted;
      }
      if (has == wanted) return ref;
      const OperandRef converted = temporary(lane);
      emit_move(wanted == 8 ? moves::extend(ptx::Type::u32, 8) : moves::low_half(), converted, ref, false);
      return converted;
    }
    case ptx::OperandKind::integer: {
      if (wanted == kPredicate) return constants_.intern((operand.bits != 0) != operand.negated, kPredicate);
      if (lane == Lane::f32) {
        const float value = static_cast<float>(static_cast<std::int64_t>(operand.bits));
        return constants_.intern(std::bit_cast<std::uint32_t>(value), 4);
      }
      if (lane == Lane::f64) {
        const double value = static_cast<double>(static_cast<std::int64_t>(operand.bits));
        return constants_.intern(std::bit_cast<std::uint64_t>(value), 8);
      }
      return constants_.intern(wanted == 8 ? operand.bits : operand.bits & 0xffffffffu, wanted);
    }
    case ptx::OperandKind::f32: {
      if (wanted == 8) {
        const double value = std::bit_cast<float>(static_cast<std::uint32_t>(operand.bits));
        return constants_.intern(std::bit_cast<std::uint64_t>(value), 8);
      }
      return constants_.intern(operand.bits & 0xffffffffu, 4);
    }
    case ptx::OperandKind::f64: {
      if (wanted == 8) return constants_.intern(operand.bits, 8);
      const float value = static_cast<float>(std::bit_cast<double>(operand.bits));
      return constants_.intern(std::bit_cast<std::uint32_t>(value), 4);
    }
    case ptx::OperandKind::special:
      return special(operand.name, lane);
    case ptx::OperandKind::variable: {
      if (const auto address = constant_address(operand)) {
        const std::uint64_t value = *address + operand.bits;
        return constants_.intern(wanted == 8 ? value : value & 0xffffffffu, wanted);
      }
      const OperandRef ref = temporary(lane);
      Instr take;
      take.kind = static_cast<std::uint8_t>(Kind::local_address);
      take.d = ref;
      take.width = wanted;
      take.target = local_offset(operand) + static_cast<std::uint32_t>(operand.bits);
      emit(take);
      return ref;
    }
    case ptx::OperandKind::function: {
      const auto found = program_.function_index.find(operand.name);
      if (found == program_.function_index.end()) {
        throw std::runtime_error("undefined function '" + operand.name + "' in line " +
                                 std::to_string(current_->source_line) + " of the PTX text");
      }
      code_.takes_function_address = true;
      const std::uint64_t address = Placement::function_address(found->second);
      return constants_.intern(wanted == 8 ? address : address & 0xffffffffu, wanted);
    }
    default:
      throw NotSupported{"an operand of this form is not implemented"};
  }
}

OperandRef FunctionDecoder::destination(const ptx::Operand& operand, Lane lane, ptx::Type type) {
  if (operand.kind == ptx::OperandKind::sink) return temporary(lane);
  if (operand.kind != ptx::OperandKind::reg)
    throw NotSupported{"a destination of this form is not implemented"};
  const std::uint8_t has = element_bytes(operand.reg);
  const std::uint8_t result = bytes_of(lane);
  const OperandRef ref = register_ref(operand);
  if ((has == kPredicate) != (result == kPredicate) || has < result) {
    throw std::runtime_error("register '" + text_.registers[operand.reg].name + "' in line " +
                             std::to_string(current_->source_line) +
                             " of the PTX text does not hold the result of '" + current_->full_name() + "'");
  }
  // A register wider than the value gets it extended, by sign for signed types.
  const std::uint32_t register_size = ptx::size_of(text_.registers[operand.reg].type);
  const std::uint32_t value_size = lane == Lane::w16 ? ptx::size_of(type) : result;
  if (has == kPredicate || register_size <= value_size || (lane != Lane::w16 && has == result)) return ref;
  const OperandRef narrow = temporary(lane);
  const bool is_signed =
      type == ptx::Type::s8 || type == ptx::Type::s16 || type == ptx::Type::s32 || type == ptx::Type::s64;
  const ptx::Type from = lane == Lane::w16 ? type : is_signed ? ptx::Type::s32 : ptx::Type::u32;
  emit_move(moves::extend(from, has), ref, narrow, true);
  return narrow;
}

}  // namespace warpcheck::simt

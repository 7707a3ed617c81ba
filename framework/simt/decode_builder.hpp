#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "framework/simt/decode.hpp"

/// Inside the decoder: what is common to a module, and one function at a time.
namespace warpcheck::simt {

/// An instruction that the machine does not run; the text names it and says why.
struct NotSupported {
  std::string reason;
};

/// Rows by canonical name.
class RowIndex {
 public:
  explicit RowIndex(const InstructionTable& table);
  const Row* lane(const std::string& canonical) const;
  const MachineRow* machine(const std::string& canonical) const;

 private:
  std::unordered_map<std::string, const Row*> lane_;
  std::unordered_map<std::string, const MachineRow*> machine_;
};

/// Constants, broadcast to 32 lanes, each once.
class ConstantPool {
 public:
  /// `element_bytes`: 4 or 8, or 1 for a predicate (bits 0 or 1).
  OperandRef intern(std::uint64_t bits, std::uint8_t element_bytes);
  std::size_t size() const { return bytes_.size(); }
  const std::vector<std::byte>& bytes() const { return bytes_; }

 private:
  std::map<std::pair<std::uint64_t, std::uint8_t>, OperandRef> known_;
  std::vector<std::byte> bytes_;
};

/// Where the variables of a module stand.
class Placement {
 public:
  /// Allocates the module's global and constant variables, lays the shared ones out and writes initial
  /// values.
  Placement(Program& program, DeviceMemory& memory);

  /// Address of a module variable in its own space.
  std::uint64_t module_variable(std::uint32_t variable) const;
  /// Offset of a function's .shared variable in the block's window.
  std::uint32_t shared_variable(std::uint32_t source_function, std::uint32_t variable) const;
  static std::uint64_t function_address(std::uint32_t function) {
    return kFunctionWindow + kFunctionStep * (function + 1);
  }

 private:
  void place_globals(DeviceMemory& memory);
  void lay_out_shared();
  void initialise(DeviceMemory& memory);

  Program& program_;
  std::unordered_map<std::string, std::uint32_t> variable_index_;
  std::unordered_map<std::uint32_t, std::uint32_t> module_shared_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> function_shared_;
};

/// Decodes one function.
class FunctionDecoder {
 public:
  FunctionDecoder(Program& program, const Placement& placement, const RowIndex& rows, ConstantPool& constants,
                  std::uint32_t source_function);
  FunctionCode decode();

 private:
  // decode.cpp
  void lay_out_frame();
  void instruction(const ptx::Instruction& text);
  void control(const ptx::Instruction& text, const MachineRow& row);
  void lane_wise(const ptx::Instruction& text, const Row& row);
  void simple(const ptx::Instruction& text, const MachineRow& row);
  void resolve_targets();

  // decode_operands.cpp
  OperandRef slot(std::uint32_t bytes);
  OperandRef temporary(Lane lane);
  std::uint8_t element_bytes(std::uint32_t reg) const;  ///< 1 for a predicate
  OperandRef source(const ptx::Operand& operand, Lane lane);
  OperandRef destination(const ptx::Operand& operand, Lane lane, ptx::Type type);
  OperandRef register_ref(const ptx::Operand& operand) const;
  OperandRef special(const std::string& name, Lane lane);
  std::optional<std::uint64_t> constant_address(const ptx::Operand& operand) const;
  const ptx::Variable& variable(const ptx::Operand& operand) const;
  std::uint32_t local_offset(const ptx::Operand& operand) const;
  const ptx::Operand& operand(std::size_t index) const;
  void emit(const Instr& instr);
  void emit_move(LaneOp op, OperandRef to, OperandRef from, bool guarded);
  void finish();  ///< emits the moves that must follow the instruction

  // decode_memory.cpp
  void memory(const ptx::Instruction& text, const MachineRow& row,
              const std::vector<std::string>& qualifiers);
  void address(MemoryOp& op, const ptx::Operand& operand);
  void moves(const ptx::Instruction& text);

  // decode_control.cpp, calls
  void call(const ptx::Instruction& text);
  CallValue call_value(const ptx::Operand& operand, std::uint32_t bytes, bool is_result);
  std::vector<CallValue> formal(const std::vector<std::uint32_t>& indices,
                                const std::vector<bool>& is_reg) const;

  Program& program_;
  const Placement& placement_;
  const RowIndex& rows_;
  ConstantPool& constants_;
  std::uint32_t source_index_;
  const ptx::Function& text_;
  FunctionCode code_;

  std::vector<OperandRef> registers_;
  std::vector<std::uint32_t> variable_offsets_;  ///< of .local and .param variables
  std::uint32_t next_slot_{};
  std::uint32_t predicate_slot_{}, predicates_left_{};
  std::map<std::pair<Special, bool>, OperandRef> special_slots_;
  OperandRef carry_{kNoOperand};

  const ptx::Instruction* current_{};
  std::uint32_t current_index_{};
  std::vector<Instr> after_;
  std::vector<std::uint32_t> first_of_;  ///< for each PTX instruction, the first decoded one
};

/// The lane-wise moves that the decoder puts between registers of different width.
namespace moves {
LaneOp low_half();  ///< 64 to 32 bits
LaneOp extend(ptx::Type type,
              std::uint8_t to_bytes);  ///< from the low bits of a 32-bit element to 4 or 8 bytes
LaneOp invert();                       ///< of a predicate
LaneOp add_constant();                 ///< 64 bits: d = a + b
LaneOp copy64();
LaneOp in_window();  ///< predicate: a - b < window size
LaneOp outside_shared_and_local();
}  // namespace moves

}  // namespace warpcheck::simt

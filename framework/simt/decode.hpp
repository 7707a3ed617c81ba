#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/simt/program.hpp"

/// From PTX to the machine's form.
namespace warpcheck::simt {

/// One row of the machine's own instructions: everything that is not lane-wise.
///
/// State space, cache operator, eviction hint, semantics, scope, vector width and `volatile` are no part of
/// the name: they may stand with any row whose instruction takes them.
struct MachineRow {
  std::string_view variant;  ///< "ld.u32", "shfl.sync.down.b32"
  Kind kind{};
  std::uint8_t flags{};    ///< becomes Instr::flags
  AtomicOp op{};           ///< of an atomic
  ptx::Type type{};        ///< of the data
  std::uint16_t min_sm{};  ///< lowest target that has it, 0: all
};

std::span<const MachineRow> machine_rows();

/// The table that a module is decoded with.
struct InstructionTable {
  std::span<const Row> lane;
  std::span<const MachineRow> machine;
};

/// lane_rows() and machine_rows().
InstructionTable standard_table();

/// One name a supported instruction, sorted, for the documentation. Qualifiers that a machine row leaves out
/// are listed in `orthogonal_qualifiers`.
std::vector<std::string> supported_variants();
std::vector<std::string> orthogonal_qualifiers();

/// The name under which a variant is looked up: modifiers that are no types in alphabetical order, then the
/// types in the text's order.
std::string canonical_variant(std::string_view opcode, std::span<const std::string> modifiers);

/// The canonical name of an instruction's row: without the qualifiers that machine rows leave out, which are
/// appended to `qualifiers` if that is given.
std::string row_name(std::string_view opcode, std::span<const std::string> modifiers,
                     std::vector<std::string>* qualifiers);

/// true if the standard table has a row for an instruction of that name.
bool is_in_table(std::string_view opcode, std::span<const std::string> modifiers);

/// Decodes a module and places its variables in `memory`. What cannot be run is noted in the functions and
/// entries. Throws std::runtime_error with one line if the module is inconsistent.
std::shared_ptr<const Program> decode(ptx::Module module, DeviceMemory& memory, const DeviceModel& model,
                                      const InstructionTable& table);

}  // namespace warpcheck::simt

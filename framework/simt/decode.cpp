#include "framework/simt/decode.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <new>

#include "framework/simt/decode_builder.hpp"

namespace warpcheck::simt {
namespace {

std::vector<std::string> split_variant(std::string_view variant) {
  std::vector<std::string> parts;
  while (!variant.empty()) {
    const std::size_t dot = std::min(variant.find('.'), variant.size());
    parts.emplace_back(variant.substr(0, dot));
    variant.remove_prefix(std::min(dot + 1, variant.size()));
  }
  return parts;
}

std::string canonical(std::string_view variant) {
  const std::vector<std::string> parts = split_variant(variant);
  return canonical_variant(parts.front(), std::span(parts).subspan(1));
}

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

bool accesses_memory(std::string_view opcode) {
  return is_one_of(opcode, {"ld", "ldu", "st", "atom", "red"});
}

/// Parts of a memory instruction's name that no row carries: handled by the decoder, or hints.
bool is_memory_qualifier(std::string_view part) {
  return is_one_of(part,
                   {"global",  "shared",  "local",   "const",   "param",  "param::func", "volatile", "weak",
                    "relaxed", "acquire", "release", "acq_rel", "mmio",   "cta",         "cluster",  "gpu",
                    "sys",     "v2",      "v4",      "v8",      "ca",     "cg",          "cs",       "cv",
                    "lu",      "wb",      "wt",      "nc",      "unified"}) ||
         part.starts_with("L1::") || part.starts_with("L2::");
}

/// The part as the rows spell it.
std::string plain_spelling(const std::string& part) {
  if (part == "shared::cta" || part == "shared::cluster") return "shared";  // a block is a cluster of its own
  if (part == "param::entry") return "param";
  return part;
}

}  // namespace

RowIndex::RowIndex(const InstructionTable& table) {
  for (const Row& row : table.lane) {
    if (!lane_.try_emplace(canonical(row.variant), &row).second) {
      throw std::logic_error("two lane-wise rows for '" + std::string(row.variant) + "'");
    }
  }
  for (const MachineRow& row : table.machine) {
    if (!machine_.try_emplace(canonical(row.variant), &row).second) {
      throw std::logic_error("two machine rows for '" + std::string(row.variant) + "'");
    }
  }
}

const Row* RowIndex::lane(const std::string& name) const {
  const auto found = lane_.find(name);
  return found == lane_.end() ? nullptr : found->second;
}

const MachineRow* RowIndex::machine(const std::string& name) const {
  const auto found = machine_.find(name);
  return found == machine_.end() ? nullptr : found->second;
}

FunctionDecoder::FunctionDecoder(Program& program, const Placement& placement, const RowIndex& rows,
                                 ConstantPool& constants, std::uint32_t source_function)
    : program_(program),
      placement_(placement),
      rows_(rows),
      constants_(constants),
      source_index_(source_function),
      text_(program.module.functions[source_function]) {}

void FunctionDecoder::lay_out_frame() {
  next_slot_ = 64;  // a reference of 0 is nobody's
  registers_.assign(text_.registers.size(), kNoOperand);
  for (std::uint32_t i = 0; i < text_.registers.size(); ++i) {
    const ptx::Type type = text_.registers[i].type;
    const std::uint32_t size = ptx::size_of(type);
    registers_[i] =
        type == ptx::Type::pred ? temporary(Lane::pred) : temporary(size >= 8 ? Lane::w64 : Lane::w32);
  }

  // Local variables, with room between them; then the parameters of calls, whose addresses are rarely taken.
  constexpr std::uint32_t kGap = 256;
  variable_offsets_.assign(text_.variables.size(), 0);
  std::uint64_t at = kGap;
  const auto place = [&](std::uint32_t index, std::uint32_t gap) {
    const ptx::Variable& variable = text_.variables[index];
    const std::uint64_t alignment = std::max<std::uint32_t>(variable.alignment, 8);
    at = (at + alignment - 1) / alignment * alignment;
    variable_offsets_[index] = static_cast<std::uint32_t>(at);
    code_.locals.push_back({unscoped(ptx::demangle(variable.name)), static_cast<std::uint32_t>(at),
                            static_cast<std::uint32_t>(variable.size)});
    at += variable.size + gap;
    if (at > (std::uint64_t{1} << 24)) {
      throw std::runtime_error("the local variables of '" + text_.name + "' exceed 16 MiB a thread");
    }
  };
  bool any = false;
  for (std::uint32_t i = 0; i < text_.variables.size(); ++i) {
    if (text_.variables[i].space == ptx::Space::local) place(i, kGap), any = true;
  }
  std::vector<bool> is_entry_parameter(text_.variables.size());
  if (text_.is_entry) {
    std::uint64_t offset = 0;
    for (std::size_t i = 0; i < text_.parameters.size(); ++i) {
      if (text_.parameter_is_reg[i]) continue;
      const ptx::Variable& variable = text_.variables[text_.parameters[i]];
      const std::uint64_t alignment = std::max<std::uint32_t>(variable.alignment, 1);
      offset = (offset + alignment - 1) / alignment * alignment;
      variable_offsets_[text_.parameters[i]] = static_cast<std::uint32_t>(offset);
      offset += variable.size;
      is_entry_parameter[text_.parameters[i]] = true;
    }
  }
  for (std::uint32_t i = 0; i < text_.variables.size(); ++i) {
    if (text_.variables[i].space == ptx::Space::param && !is_entry_parameter[i]) place(i, 0), any = true;
  }
  code_.local_bytes = any ? static_cast<std::uint32_t>((at + 15) / 16 * 16) : 0;
}

FunctionCode FunctionDecoder::decode() {
  code_.name = text_.name;
  code_.demangled = ptx::demangle(text_.name);
  code_.source = &text_;
  lay_out_frame();
  if (!text_.is_entry) {
    code_.parameters = formal(text_.parameters, text_.parameter_is_reg);
    code_.results = formal(text_.returns, text_.return_is_reg);
  }
  for (current_index_ = 0; current_index_ < text_.body.size(); ++current_index_) {
    first_of_.push_back(static_cast<std::uint32_t>(code_.code.size()));
    current_ = &text_.body[current_index_];
    try {
      instruction(*current_);
      finish();
    } catch (const NotSupported& problem) {
      after_.clear();
      if (code_.unsupported.empty()) {
        const auto lines = [&]() -> std::string {
          if (current_->location < 0) return {};
          const ptx::Location& place = text_.locations[static_cast<std::size_t>(current_->location)];
          if (place.line == 0 || place.file >= program_.module.files.size()) return {};
          return ", " + program_.module.files[place.file] + ":" + std::to_string(place.line);
        }();
        code_.unsupported = "'" + current_->full_name() + "' (line " + std::to_string(current_->source_line) +
                            " of the PTX text" + lines + "): " + problem.reason;
      }
    }
  }
  // A body that runs off its end returns.
  first_of_.push_back(static_cast<std::uint32_t>(code_.code.size()));
  const ptx::Instruction end{.opcode = "ret",
                             .modifiers = {},
                             .guard = {},
                             .operands = {},
                             .location = text_.body.empty() ? -1 : text_.body.back().location,
                             .source_line = 0,
                             .prototype = -1,
                             .branch_targets = {},
                             .used_bytes_mask = {}};
  current_ = &end;
  Instr last;
  last.kind = static_cast<std::uint8_t>(Kind::ret);
  emit(last);
  current_ = nullptr;
  resolve_targets();
  code_.frame_bytes = (next_slot_ + 63) / 64 * 64;
  return std::move(code_);
}

void FunctionDecoder::resolve_targets() {
  for (Instr& instr : code_.code) {
    if (static_cast<Kind>(instr.kind) == Kind::branch) instr.target = first_of_.at(instr.target);
  }
  for (auto& table : code_.branch_tables) {
    for (std::uint32_t& target : table) target = first_of_.at(target);
  }
}

std::string row_name(std::string_view opcode, std::span<const std::string> modifiers,
                     std::vector<std::string>* qualifiers) {
  std::vector<std::string> kept;
  for (const std::string& raw : modifiers) {
    const std::string part = plain_spelling(raw);
    const bool drop = accesses_memory(opcode)                 ? is_memory_qualifier(part)
                      : is_one_of(opcode, {"bar", "barrier"}) ? part == "cta"
                      : is_one_of(opcode, {"fence"})
                          ? is_one_of(part, {"cta", "cluster", "gpu", "sys"})
                          : is_one_of(opcode, {"prefetch", "prefetchu", "pmevent"});
    if (!drop) {
      kept.push_back(part);
    } else if (qualifiers != nullptr) {
      qualifiers->push_back(part);
    }
  }
  return canonical_variant(opcode, kept);
}

bool is_in_table(std::string_view opcode, std::span<const std::string> modifiers) {
  static const RowIndex rows(standard_table());
  const std::string name = row_name(opcode, modifiers, nullptr);
  return rows.machine(name) != nullptr || rows.lane(name) != nullptr;
}

void FunctionDecoder::instruction(const ptx::Instruction& text) {
  if (text.opcode == "mov") {
    for (std::size_t i = 0; i < text.operands.size() && i < 2; ++i) {
      if (text.operands[i].kind == ptx::OperandKind::vector) return moves(text);
    }
  }
  std::vector<std::string> qualifiers;
  const std::string name = row_name(text.opcode, text.modifiers, &qualifiers);
  const auto check_target = [&](std::uint16_t min_sm) {
    if (min_sm > program_.module.sm) {
      throw NotSupported{"needs .target sm_" + std::to_string(min_sm) + " or higher, the module says sm_" +
                         std::to_string(program_.module.sm)};
    }
  };
  if (const MachineRow* row = rows_.machine(name)) {
    check_target(row->min_sm);
    const bool in_memory = row->kind == Kind::load || row->kind == Kind::store || row->kind == Kind::atomic;
    if (in_memory != accesses_memory(text.opcode)) {
      throw std::runtime_error("the table's row for '" + name + "' is of another kind than the instruction");
    }
    if (in_memory) return memory(text, *row, qualifiers);
    return control(text, *row);
  }
  if (const Row* row = rows_.lane(name)) {
    check_target(row->min_sm);
    return lane_wise(text, *row);
  }
  throw NotSupported{"this instruction is not implemented"};
}

void FunctionDecoder::lane_wise(const ptx::Instruction& text, const Row& row) {
  Instr instr;
  instr.op = row.op;
  if (text.guard) {
    instr.kind = static_cast<std::uint8_t>(Kind::lane_guarded);
    instr.guard = registers_.at(text.guard->reg);
    instr.guard_negated = text.guard->negated;
  }
  OperandRef* const with_one[] = {&instr.d, &instr.a, &instr.b, &instr.c, &instr.e};
  OperandRef* const with_more[] = {&instr.d, &instr.d2, &instr.a, &instr.b, &instr.c, &instr.e};
  const std::span<OperandRef* const> slots = row.destinations <= 1 ? std::span<OperandRef* const>(with_one)
                                                                   : std::span<OperandRef* const>(with_more);

  // The text's operands in one row; a p|q pair and a vector take several places.
  std::vector<const ptx::Operand*> flat;
  for (const ptx::Operand& operand : text.operands) {
    if (operand.kind == ptx::OperandKind::pair || operand.kind == ptx::OperandKind::vector) {
      for (const ptx::Operand& element : operand.elements) flat.push_back(&element);
    } else {
      flat.push_back(&operand);
    }
  }
  std::size_t in_row = 0;
  for (const Lane lane : row.operands) in_row += lane != Lane::none && lane != Lane::carry;
  const bool second_left_out =
      row.destinations == 2 && row.operands[1] != Lane::carry && flat.size() + 1 == in_row;
  if (flat.size() + (second_left_out ? 1 : 0) != in_row) {
    throw std::runtime_error("'" + text.full_name() + "' in line " + std::to_string(text.source_line) +
                             " of the PTX text has " + std::to_string(flat.size()) + " operands, it takes " +
                             std::to_string(in_row));
  }
  // The type of the result stands first among the types.
  ptx::Type result_type = ptx::Type::none;
  for (const std::string& modifier : text.modifiers) {
    if (const auto type = ptx::type_from_name(modifier); type && result_type == ptx::Type::none)
      result_type = *type;
  }
  // mul.wide.s16 and mad.wide.s16 name the type of their factors.
  if (std::find(text.modifiers.begin(), text.modifiers.end(), "wide") != text.modifiers.end()) {
    result_type = result_type == ptx::Type::s16 ? ptx::Type::s32 : result_type;
  }
  std::size_t next = 0;
  for (std::size_t i = 0; i < std::size(row.operands) && row.operands[i] != Lane::none; ++i) {
    const Lane lane = row.operands[i];
    if (lane == Lane::carry) {
      if (carry_ == kNoOperand) carry_ = temporary(Lane::pred);
      *slots[i] = carry_;
    } else if (i == 1 && second_left_out) {
      *slots[i] = kNoOperand;
    } else if (i < row.destinations) {
      *slots[i] = destination(*flat[next++], lane, result_type);
    } else {
      *slots[i] = source(*flat[next++], lane);
    }
  }
  emit(instr);
}

namespace {

void decode_function(Program& program, const Placement& placement, const RowIndex& rows,
                     ConstantPool& constants, std::uint32_t index) {
  FunctionCode code = FunctionDecoder(program, placement, rows, constants, index).decode();
  for (MemoryOp& op : code.memory) op.site = program.memory_sites++;
  program.functions[index] = std::move(code);
}

/// The first unsupported instruction that a call of `start` may reach.
std::string reachable_problem(const Program& program, std::uint32_t start) {
  std::vector<bool> seen(program.functions.size());
  std::vector<std::uint32_t> open{start};
  seen[start] = true;
  const auto reach = [&](std::uint32_t function) {
    if (!seen[function]) seen[function] = true, open.push_back(function);
  };
  while (!open.empty()) {
    const FunctionCode& code = program.functions[open.back()];
    open.pop_back();
    if (!code.unsupported.empty()) {
      return code.unsupported +
             (code.name == program.functions[start].name ? "" : " (in " + code.demangled + ")");
    }
    for (const std::uint32_t callee : code.callees) reach(callee);
    if (code.calls_indirectly) {
      // A pointer may come from any place that takes an address: every function of the module that is no
      // kernel.
      for (std::uint32_t f = 0; f < program.functions.size(); ++f) {
        if (program.module.functions[f].is_defined && !program.module.functions[f].is_entry) reach(f);
      }
    }
  }
  return {};
}

EntryInfo describe(const Program& program, std::uint32_t index) {
  const ptx::Function& text = program.module.functions[index];
  const FunctionCode& code = program.functions[index];
  EntryInfo info;
  info.name = code.name;
  info.demangled = code.demangled;
  for (const SharedObject& object : program.entry_shared[index]) info.static_shared_bytes += object.size;
  info.static_shared_bytes -=
      program.entry_shared[index].front().size;  // the reserved part is not the kernel's
  for (const ptx::Variable& variable : text.variables) {
    if (variable.space == ptx::Space::local) info.local_bytes += variable.size;
  }
  for (const ptx::Variable& variable : program.module.variables) {
    if (variable.space == ptx::Space::constant) info.constant_bytes += variable.size;
  }
  info.registers = static_cast<std::uint32_t>(std::clamp<std::size_t>(text.registers.size(), 1, 255));
  info.max_threads = 1024;
  for (const auto& limit : {text.max_threads, text.required_threads}) {
    const std::uint64_t threads = std::uint64_t{limit[0]} * std::max(limit[1], 1u) * std::max(limit[2], 1u);
    if (threads != 0) info.max_threads = static_cast<std::uint32_t>(std::min<std::uint64_t>(threads, 1024));
  }
  std::uint64_t offset = 0;
  for (std::size_t i = 0; i < text.parameters.size(); ++i) {
    if (text.parameter_is_reg[i]) continue;
    const ptx::Variable& variable = text.variables[text.parameters[i]];
    const std::uint64_t alignment = std::max<std::uint32_t>(variable.alignment, 1);
    offset = (offset + alignment - 1) / alignment * alignment;
    info.parameter_offsets.push_back(offset);
    info.parameter_sizes.push_back(variable.size);
    offset += variable.size;
  }
  info.parameter_bytes = offset;
  info.unsupported = reachable_problem(program, index);
  return info;
}

}  // namespace

std::shared_ptr<const Program> decode(ptx::Module module, DeviceMemory& memory, const DeviceModel& model,
                                      const InstructionTable& table) {
  const auto program = std::make_shared<Program>();
  program->module = std::move(module);
  program->memory = &memory;
  static std::atomic<std::uint64_t> programs{0};
  program->id = ++programs;
  (void)model;
  const auto& functions = program->module.functions;
  program->functions.resize(functions.size());
  program->entry_shared.resize(functions.size());
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    const auto [known, is_new] = program->function_index.try_emplace(functions[f].name, f);
    if (!is_new && functions[f].is_defined) known->second = f;
    program->functions[f].name = functions[f].name;
  }
  const Placement placement(*program, memory);
  const RowIndex rows(table);
  ConstantPool constants;
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    if (functions[f].is_defined) decode_function(*program, placement, rows, constants, f);
  }
  constexpr std::size_t kAlignment = 64;
  program->constant_storage = std::make_unique<std::byte[]>(constants.size() + kAlignment);
  void* start = program->constant_storage.get();
  std::size_t room = constants.size() + kAlignment;
  program->constants = static_cast<std::byte*>(std::align(kAlignment, constants.size(), start, room));
  std::copy(constants.bytes().begin(), constants.bytes().end(), program->constants);
  for (std::uint32_t f = 0; f < functions.size(); ++f) {
    if (functions[f].is_defined && functions[f].is_entry) program->entries.push_back(describe(*program, f));
  }
  return program;
}

Program::~Program() {
  for (const DeviceAddress address : variable_addresses) {
    if (address != 0) memory->free(address);
  }
}

std::string unscoped(const std::string& demangled) {
  int depth = 0;
  for (std::size_t i = demangled.size(); i-- > 1;) {
    const char c = demangled[i];
    if (c == ')' || c == '>' || c == ']') ++depth;
    if (c == '(' || c == '<' || c == '[') --depth;
    if (depth == 0 && c == ':' && demangled[i - 1] == ':') return demangled.substr(i + 1);
  }
  return demangled;
}

std::vector<SourceLine> Program::source_lines(std::uint32_t function, std::uint32_t instruction) const {
  const FunctionCode& code = functions[function];
  std::vector<SourceLine> lines;
  std::int32_t at = code.code[instruction].location;
  // nvcc gives line 0 to code that belongs to no line; the closest earlier instruction with a line stands for
  // it.
  for (std::uint32_t i = instruction;
       at >= 0 && code.source->locations[static_cast<std::size_t>(at)].line == 0 && i > 0;) {
    at = code.code[--i].location;
  }
  while (at >= 0) {
    const ptx::Location& place = code.source->locations[static_cast<std::size_t>(at)];
    SourceLine line;
    if (place.file < module.files.size()) line.file = module.files[place.file];
    line.line = place.line;
    line.function = place.function.empty() ? code.demangled : ptx::demangle(place.function);
    lines.push_back(std::move(line));
    if (lines.size() > 64) break;
    at = place.inlined_at;
  }
  if (lines.empty()) lines.push_back({{}, 0, code.demangled});
  return lines;
}

}  // namespace warpcheck::simt

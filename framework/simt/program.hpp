#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "framework/contract/finding.hpp"
#include "framework/ptx/module.hpp"
#include "framework/simt/device_memory.hpp"
#include "framework/simt/instr.hpp"
#include "framework/simt/kind.hpp"
#include "framework/simt/machine.hpp"

/// What the decoder makes of a module and the machine executes.
namespace warpcheck::simt {

/// Windows of the generic address space. No host or device pointer lies there, since they are not canonical.
inline constexpr std::uint64_t kSharedWindow = std::uint64_t{0x0100} << 48;
inline constexpr std::uint64_t kLocalWindow = std::uint64_t{0x0200} << 48;
inline constexpr std::uint64_t kParameterWindow = std::uint64_t{0x0300} << 48;
inline constexpr std::uint64_t kFunctionWindow = std::uint64_t{0x0400} << 48;
inline constexpr std::uint64_t kWindowSize = std::uint64_t{1} << 32;
inline constexpr std::uint64_t kFunctionStep = 16;  ///< between the addresses of two functions

/// Where a memory instruction finds its address.
enum class AddressForm : std::uint8_t {
  reg32,     ///< 32-bit elements at `address`, plus offset
  reg64,     ///< 64-bit elements at `address`, plus offset
  constant,  ///< `offset` alone
  frame,     ///< the frame's local base plus `offset`
};

struct MemoryOp {
  ptx::Space space{};  ///< none: generic
  AddressForm form{};
  std::uint8_t element_bytes{};
  std::uint8_t count{1};  ///< vector elements
  std::uint8_t wide{};    ///< the data registers have 64-bit elements
  std::uint8_t sign{};    ///< a load sign-extends to the register
  bool is_volatile{};
  std::uint8_t semantics{};  ///< as in Access
  std::uint8_t scope{};
  bool is_reduction{};  ///< red: no result
  AtomicOp op{};
  ptx::Type type{};
  std::uint32_t used_bytes{0xffffffffu};  ///< bytes of a load that are used at all, bit 0 the first
  std::uint32_t site{};                   ///< one number for each memory instruction of the program
  OperandRef address{kNoOperand};
  std::int64_t offset{};
  std::array<OperandRef, 8>
      data{};  ///< destinations (kNoOperand: a sink) of a load or atomic, sources of a store
  std::array<OperandRef, 8> operand{};  ///< second operand of an atomic, one a vector element
  OperandRef swap{kNoOperand};          ///< third operand of cas

  std::uint32_t bytes() const { return std::uint32_t{element_bytes} * count; }
};

/// One argument or result of a call: a variable in the frame's local area, or a register.
struct CallValue {
  bool is_register{};
  OperandRef ref{kNoOperand};
  std::uint8_t element_bytes{};  ///< of the register: 4 or 8
  std::uint32_t local_offset{};
  std::uint32_t bytes{};
};

enum class Builtin : std::uint8_t { none, vprintf, assert_fail, malloc, free };

struct CallSite {
  std::uint32_t function{};  ///< index into Program::functions, of a direct call
  Builtin builtin{};
  std::vector<CallValue> arguments, results;
};

/// A variable in a frame's local area.
struct LocalObject {
  std::string name;
  std::uint32_t offset{};
  std::uint32_t size{};
};

struct SpecialSlot {
  Special special{};
  OperandRef ref{};
};

/// A variable, or the dynamic part, in the shared window of a block.
struct SharedObject {
  std::string name;
  std::uint32_t begin{};
  std::uint32_t size{};  ///< of the dynamic part: 0, the launch says how much
  bool dynamic{};
};

struct FunctionCode {
  std::string name, demangled;
  const ptx::Function* source{};
  std::vector<Instr> code;
  std::vector<std::uint32_t> origin;  ///< for each instruction, the index in source->body
  std::vector<MemoryOp> memory;
  std::vector<CallSite> calls;
  std::vector<std::vector<std::uint32_t>> branch_tables;
  std::vector<CallValue> parameters, results;  ///< of a device function, as its body sees them
  std::vector<SpecialSlot> block_specials;     ///< those that change from block to block
  std::vector<SpecialSlot> specials;           ///< the others
  std::uint32_t frame_bytes{};
  std::uint32_t local_bytes{};
  std::vector<LocalObject> locals;
  std::vector<std::uint32_t> callees;  ///< direct ones
  bool calls_indirectly{};
  bool takes_function_address{};
  std::string unsupported;  ///< first instruction of this function alone that cannot be run
};

class Program {
 public:
  std::uint64_t id{};  ///< no two programs of a process have the same
  ptx::Module module;
  std::vector<FunctionCode> functions;  ///< those with a body, in the module's order
  std::vector<EntryInfo> entries;
  std::unordered_map<std::string, std::uint32_t> function_index;
  std::vector<DeviceAddress> variable_addresses;  ///< parallel to module.variables; 0 for shared ones
  struct Range {
    DeviceAddress begin, end;
  };
  std::vector<Range> constant_ranges;  ///< .const variables
  std::byte* constants{};              ///< broadcast operands; 64-byte aligned
  std::unique_ptr<std::byte[]> constant_storage;
  /// For each function that is an entry, the shared variables that it and its callees may use, by address.
  /// Objects of different entries overlap.
  std::vector<std::vector<SharedObject>> entry_shared;
  std::uint32_t dynamic_shared_begin{};
  std::uint32_t memory_sites{};
  DeviceMemory* memory{};  ///< where the variables live

  Program() = default;
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// The source lines of an instruction: its own, then those of the functions it was inlined into.
  std::vector<SourceLine> source_lines(std::uint32_t function, std::uint32_t instruction) const;
};

/// "s" of "tree(float const*, float*, int)::s"; the name itself if it has no scope.
std::string unscoped(const std::string& demangled);

}  // namespace warpcheck::simt

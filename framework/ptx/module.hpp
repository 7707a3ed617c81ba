#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// PTX text as data: what a module declares and the instructions of its functions, with every name resolved.
///
/// Nothing here knows what an instruction does; that is framework/simt's business.
namespace warpcheck::ptx {

enum class Space : std::uint8_t { none, reg, global, shared, local, constant, param };

/// Fundamental types, plus the packed and opaque ones that registers and variables may have.
enum class Type : std::uint8_t {
  none,
  pred,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  tf32,
  f32,
  f64,
  texref,
  samplerref,
  surfref,
};

/// Size in bytes; 0 for pred, none and the opaque types.
std::uint32_t size_of(Type type);
std::string_view name_of(Type type);  ///< "f32"; empty for none
std::optional<Type> type_from_name(std::string_view name);

/// A place in the source, with the place its function was inlined at.
struct Location {
  std::uint32_t file{};  ///< index into Module::files
  std::uint32_t line{};  ///< 1-based
  std::uint32_t column{};
  std::string function;  ///< name of the inlined function as it stands in .debug_str; empty if not inlined
  std::int32_t inlined_at{-1};  ///< index into Function::locations of the call's place; -1 if not inlined
};

/// A variable: module scope (.global, .const, .shared extern), or function scope (.shared, .local, .param).
struct Variable {
  std::string name;
  Space space{};
  Type type{};                    ///< element type
  std::uint32_t vector_width{1};  ///< .v2, .v4
  std::uint32_t alignment{};      ///< bytes; never 0 after parsing (natural alignment if not given)
  std::uint64_t size{};           ///< bytes; 0 for an incomplete array (`extern .shared x[]`)
  bool is_extern{};
  bool is_array{};
  /// Initial bytes (shorter than size: the rest is zero); empty if there is no initialiser.
  std::vector<std::uint8_t> initial_bytes;
  /// Pointers in the initialiser: `size` bytes at `offset` become those of the address of `symbol` +
  /// `addend`, from byte `first_byte` of the address on. Whole pointers, also those written byte by byte with
  /// the mask operator (0xFF(p), 0xFF00(p), …), have size 8 and first_byte 0.
  struct Relocation {
    std::uint64_t offset;
    std::string symbol;
    std::int64_t addend;
    bool generic;
    std::uint8_t size{8};
    std::uint8_t first_byte{0};
  };
  std::vector<Relocation> relocations;
  std::uint32_t source_line{};  ///< line in the PTX text
};

/// A virtual register. Registers declared in nested scopes are distinct, whatever their names. A vector
/// register
/// (`.reg .v4 .f32 v`) is four registers in a row, "v.x" … "v.w".
struct Register {
  std::string name;  ///< as written, "%r10"
  Type type{};
};

/// What an instruction operand is. Registers and variables are indices: see Operand. `v.x` of a vector
/// register is that register (kind reg), and `v` the vector of them (kind vector).
enum class OperandKind : std::uint8_t {
  reg,       ///< `reg`
  integer,   ///< `bits` (two's complement, 64 bits); a literal or constant expression
  f32,       ///< `bits` holds the 32 bits of 0fXXXXXXXX
  f64,       ///< `bits` holds the 64 bits of 0dXXXXXXXXXXXXXXXX, or a decimal literal as a double
  special,   ///< special register; `name` is "%tid.x", "%laneid", "%clock64", "WARP_SZ" …
  variable,  ///< address of a variable (+ `bits` as offset); `variable`, `scope`
  function,  ///< address of a function; `name`
  label,     ///< branch target; `target` is an index into Function::body
  address,   ///< memory operand […]: elements[0] is reg, variable or integer; `bits` is the byte offset;
             ///< what follows a comma inside the brackets (texture, tensor coordinates) are elements[1] …
  vector,    ///< {a, b, …} in elements
  pair,      ///< a|b in elements (destination and predicate of shfl, setp, match …)
  list,      ///< (a, b, …) of a call, in elements
  sink,      ///< _
};

/// Where Operand::variable indexes.
enum class VariableScope : std::uint8_t { module, function };

struct Operand {
  OperandKind kind{};
  bool negated{};  ///< !p, for predicates (and -a of vmad); -x is folded into `bits` for literals
  VariableScope scope{};
  std::uint8_t component{0xff};  ///< 0xff, or 16..19 for .b0–.b3 and 20, 21 for .h0, .h1 (video instructions)
  std::uint32_t reg{};
  std::uint32_t variable{};
  std::uint32_t target{};
  std::uint64_t bits{};
  std::string name;
  std::vector<Operand> elements;
};

struct Guard {
  std::uint32_t reg{};
  bool negated{};
};

/// One instruction. `opcode` is the base ("add"), `modifiers` everything after it in the text's order
/// ({"rn", "ftz", "f32"}; "L1::evict_first" and "v4" count as modifiers too, and "unified" after an address).
///
/// Operands of a call: the list of returned values if there is one, the function or register, the list of
/// arguments if there is one. A label that names a prototype or a list of targets is no operand: see below.
struct Instruction {
  std::string opcode;
  std::vector<std::string> modifiers;
  std::optional<Guard> guard;
  std::vector<Operand> operands;
  std::int32_t location{-1};    ///< index into Function::locations; -1 if the text has no .loc before it
  std::uint32_t source_line{};  ///< line in the PTX text, 1-based
  std::int32_t prototype{
      -1};  ///< for indirect calls: index into Function::prototypes (also for .calltargets)
  std::vector<std::uint32_t> branch_targets;     ///< for brx.idx: the labels of its .branchtargets list
  std::optional<std::uint32_t> used_bytes_mask;  ///< from .pragma "used_bytes_mask 0x…" before it

  /// "add.rn.f32": opcode and modifiers joined as in the text.
  std::string full_name() const;
};

/// Parameter and return declarations of a .callprototype.
struct Prototype {
  std::string label;
  std::vector<Variable> returns;
  std::vector<Variable> parameters;
};

struct Function {
  std::string name;  ///< mangled
  bool is_entry{};
  bool is_defined{};  ///< false for a declaration (.extern .func vprintf)
  bool is_noreturn{};
  std::vector<std::uint32_t> parameters;  ///< indices into variables (space param) or registers, see next
  std::vector<std::uint32_t> returns;     ///< likewise
  std::vector<bool> parameter_is_reg;     ///< hand-written PTX may pass registers
  std::vector<bool> return_is_reg;
  std::vector<Variable>
      variables;  ///< parameters, returns, .shared, .local and call-scoped .param, all scopes
  std::vector<Register> registers;
  std::vector<Location> locations;
  std::vector<Prototype> prototypes;
  std::vector<Instruction> body;        ///< labels resolved to indices; a label at the end is body.size()
  std::uint32_t max_threads[3]{};       ///< .maxntid; 0 if not given
  std::uint32_t required_threads[3]{};  ///< .reqntid
  std::uint32_t min_blocks_per_sm{};    ///< .minnctapersm
  std::uint32_t source_line{};
};

/// A second name of a function.
struct Alias {
  std::string name;
  std::string target;
};

struct Module {
  std::uint32_t version_major{}, version_minor{};
  std::string target;  ///< "sm_80"
  std::uint32_t sm{};  ///< 80
  std::uint32_t address_size{64};
  bool has_debug{};  ///< .target …, debug
  std::vector<Variable> variables;
  std::vector<Function> functions;
  std::vector<std::string> files;  ///< by .file number; empty strings where a number is not used
  std::vector<Alias> aliases;

  /// The function with that mangled name, or nullptr. Definitions win over aliases, and those over
  /// declarations.
  const Function* find(std::string_view name) const;
};

/// Why text is not PTX that this parser takes: line and column are the text's, 1-based.
struct ParseError {
  std::uint32_t line{};
  std::uint32_t column{};
  std::string message;  ///< one line, names the offending token and what would be right
};

struct ParseResult {
  std::optional<Module> module;
  std::optional<ParseError> error;  ///< set if and only if module is not
};

/// Parses one PTX module. Never throws on bad text and never reads outside it; time and memory are linear in
/// its length up to declared register counts, which are limited to 2^20 a function and 2^22 a module.
///
/// Variables that a function body declares in .global or .const space are the module's. Without .address_size
/// addresses have 32 bits (PTX ISA §11.1.3). Numbers of source files are limited to 2^16.
ParseResult parse(std::string_view text);

/// C++ name of a mangled one, or the name itself if it is not mangled.
std::string demangle(const std::string& name);

}  // namespace warpcheck::ptx

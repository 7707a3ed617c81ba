#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

/// The decoded form of an instruction, and the table of lane-wise operations.
///
/// A register is an array over the 32 lanes of a warp: 32-bit elements for registers of up to 32 bits, 64-bit
/// elements for wider ones; a predicate is a 32-bit mask, bit i for lane i. A value narrower than its
/// register's element stands in the low bits; the bits above are unspecified and an operation must not depend
/// on them.
namespace warpcheck::simt {

inline constexpr int kWarpSize = 32;
using LaneMask = std::uint32_t;
inline constexpr LaneMask kAllLanes = 0xffffffffu;

/// Where an operand's lanes live: bit 0 chooses the base (0: the frame's registers, 1: the program's
/// constants), the rest is a byte offset from it. Constants are broadcast over 32 lanes when the program is
/// decoded, so that an operation never asks what its operand was.
using OperandRef = std::uint32_t;
inline constexpr OperandRef kNoOperand = 0xffffffffu;

/// What a lane-wise operation sees of the machine.
struct LaneContext {
  std::byte* base[2];  ///< [0] registers of the current frame, [1] constants; both 64-byte aligned

  template <class T>
  T* at(OperandRef ref) const {
    return reinterpret_cast<T*>(base[ref & 1u] + (ref & ~1u));
  }
};

struct Instr;

/// Executes one instruction for the lanes in `mask`; lanes outside it must not change. Must not trap,
/// whatever the values in lanes outside the mask are.
using LaneOp = void (*)(const LaneContext& context, const Instr& instr, LaneMask mask);

/// One decoded instruction. Lane-wise ones use `op` alone; the machine handles the others by `kind`.
struct Instr {
  LaneOp op{};
  OperandRef d{kNoOperand};   ///< first destination
  OperandRef d2{kNoOperand};  ///< second destination (predicate of setp p|q, shfl d|p, carry-out)
  OperandRef a{kNoOperand}, b{kNoOperand}, c{kNoOperand}, e{kNoOperand};  ///< sources in the text's order
  OperandRef guard{kNoOperand};                                           ///< predicate; kNoOperand: always
  std::uint8_t guard_negated{};
  std::uint8_t kind{};        ///< simt::Kind, see machine's decode.hpp; 0 is lane-wise
  std::uint8_t flags{};       ///< meaning depends on kind
  std::uint8_t width{};       ///< access size in bytes, vector width …: depends on kind
  std::uint32_t target{};     ///< branch target, symbol, immediate …: depends on kind
  std::int32_t location{-1};  ///< index into the function's locations
  std::uint32_t aux{};        ///< index into a side table of the program: depends on kind
};

/// Element classes of an operand, as the decoder needs them to choose registers and to broadcast immediates.
enum class Lane : std::uint8_t {
  none,
  pred,  ///< a mask
  w16,   ///< low 16 bits of a 32-bit element (an 8-bit value too)
  w32,
  w64,
  f32,    ///< like w32, and a literal integer or double operand is converted to f32 bits
  f64,    ///< like w64, likewise
  carry,  ///< the condition code register CC.CF, implicit: not in the text
};

/// One row of the decoder's table: a variant of PTX spelled as nvcc spells it, and what it does.
///
/// `operands` lists destinations first, then sources, in the order of the text, as they map to d, d2, a, b,
/// c, e; `destinations` says how many of them are destinations. Implicit carry operands are listed where they
/// belong (carry-out: d2; carry-in: the last source).
struct Row {
  std::string_view variant;  ///< "add.rn.ftz.f32": base opcode, then modifiers
  LaneOp op;
  std::uint8_t destinations;
  Lane operands[6];
  std::uint16_t min_sm;  ///< lowest target that has it, 0: all
};

/// The lane-wise rows: arithmetic, logic, comparison, selection, conversion, moves between registers. Order
/// is by family, and each variant stands once. Memory, control flow, collectives and atomics are the
/// machine's own rows.
std::span<const Row> lane_rows();

}  // namespace warpcheck::simt

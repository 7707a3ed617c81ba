#pragma once

#include <cstdint>

/// What the machine does itself, beside lane-wise operations: the meaning of Instr::kind and Instr::flags.
namespace warpcheck::simt {

/// How the machine handles an instruction: Instr::kind.
enum class Kind : std::uint8_t {
  lane,          ///< Instr::op, no guard
  lane_guarded,  ///< Instr::op for the lanes whose guard holds
  branch,        ///< target: index into the code
  branch_table,  ///< a: index register; aux: FunctionCode::branch_tables
  call,          ///< aux: FunctionCode::calls
  call_indirect,
  call_builtin,
  ret,
  exit,
  trap,  ///< flags: 1 for brkpt
  load,  ///< aux: FunctionCode::memory
  store,
  atomic,   ///< atom and red
  shuffle,  ///< flags: ShuffleMode; d, d2, a, b, c, e = member mask
  vote,     ///< flags: VoteMode; d, a, e
  match,    ///< flags: bit 0 all, bit 1 64-bit; d, d2, a, e
  redux,    ///< flags: ReduxOp; d, a, e
  elect,    ///< d, d2, e
  active_mask,
  warp_barrier,    ///< e
  block_barrier,   ///< flags: BarrierForm; a barrier, b count, c predicate, d result
  fence,           ///< flags: semantics, width: scope
  clock,           ///< flags: Special; d
  sleep,           ///< gives the turn to somebody else
  local_address,   ///< d = the frame's local base + target; width: 4 or 8
  stack_allocate,  ///< d, a bytes, target alignment, width 4 or 8
  stack_save,      ///< d, width
  stack_restore,   ///< a, width
  in_const_space,  ///< d = a points into constant memory
  nothing,
};

enum class ShuffleMode : std::uint8_t { up, down, bfly, idx };
enum class VoteMode : std::uint8_t { all, any, uni, ballot };
enum class ReduxOp : std::uint8_t { add, min_u32, max_u32, min_s32, max_s32, bit_and, bit_or, bit_xor };

/// Instr::flags of a block barrier: the action in the low bits, then kAligned.
enum class BarrierAction : std::uint8_t { sync, arrive, red_popc, red_and, red_or };
inline constexpr std::uint8_t kBarrierActionMask = 0x0f;
inline constexpr std::uint8_t kBarrierAligned = 0x10;
/// Instr::flags of `bra`: the text says .uni.
inline constexpr std::uint8_t kUniform = 1;
/// Instr::flags of a memory instruction: volatile, atomic or ordered, so that a loop around it may be
/// waiting.
inline constexpr std::uint8_t kCommunicates = 1;

enum class AtomicOp : std::uint8_t {
  add,
  min,
  max,
  inc,
  dec,
  bit_and,
  bit_or,
  bit_xor,
  exch,
  cas,
};

/// Registers that the machine fills in; they live in every frame that reads them.
enum class Special : std::uint8_t {
  none,
  tid_x,
  tid_y,
  tid_z,
  ntid_x,
  ntid_y,
  ntid_z,
  ctaid_x,
  ctaid_y,
  ctaid_z,
  nctaid_x,
  nctaid_y,
  nctaid_z,
  laneid,
  warpid,
  nwarpid,
  smid,
  nsmid,
  gridid,
  lanemask_eq,
  lanemask_le,
  lanemask_lt,
  lanemask_ge,
  lanemask_gt,
  dynamic_smem_size,
  total_smem_size,
  aggr_smem_size,
  envreg1,
  envreg2,
  zero,
  one,  ///< registers whose value never changes here (a cluster is one block)
  reserved_smem_begin,
  reserved_smem_end,
  reserved_smem_size,
  reserved_smem_1,
  clock,
  clock_hi,
  clock64,
  globaltimer,
  globaltimer_lo,
  globaltimer_hi,  ///< read by Kind::clock
};

}  // namespace warpcheck::simt

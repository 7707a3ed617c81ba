#include <algorithm>
#include <set>

#include "framework/simt/decode.hpp"

namespace warpcheck::simt {
namespace {

using T = ptx::Type;

constexpr std::uint8_t flag(ShuffleMode mode) {
  return static_cast<std::uint8_t>(mode);
}
constexpr std::uint8_t flag(VoteMode mode) {
  return static_cast<std::uint8_t>(mode);
}
constexpr std::uint8_t flag(ReduxOp op) {
  return static_cast<std::uint8_t>(op);
}
constexpr std::uint8_t loose(BarrierAction action) {
  return static_cast<std::uint8_t>(action);
}
constexpr std::uint8_t aligned(BarrierAction action) {
  return static_cast<std::uint8_t>(static_cast<std::uint8_t>(action) | kBarrierAligned);
}

/// Fence semantics as in Access::semantics.
constexpr std::uint8_t kAcqRel = 4;
constexpr std::uint8_t kSequential = 5;

constexpr MachineRow kRows[] = {
    // Loads and stores. A type says how many bytes and whether a wider register is sign-extended.
    {"ld.b8", Kind::load, 0, {}, T::b8},
    {"ld.b16", Kind::load, 0, {}, T::b16},
    {"ld.b32", Kind::load, 0, {}, T::b32},
    {"ld.b64", Kind::load, 0, {}, T::b64},
    {"ld.u8", Kind::load, 0, {}, T::u8},
    {"ld.u16", Kind::load, 0, {}, T::u16},
    {"ld.u32", Kind::load, 0, {}, T::u32},
    {"ld.u64", Kind::load, 0, {}, T::u64},
    {"ld.s8", Kind::load, 0, {}, T::s8},
    {"ld.s16", Kind::load, 0, {}, T::s16},
    {"ld.s32", Kind::load, 0, {}, T::s32},
    {"ld.s64", Kind::load, 0, {}, T::s64},
    {"ld.f32", Kind::load, 0, {}, T::f32},
    {"ld.f64", Kind::load, 0, {}, T::f64},
    {"ldu.b8", Kind::load, 0, {}, T::b8},
    {"ldu.b16", Kind::load, 0, {}, T::b16},
    {"ldu.b32", Kind::load, 0, {}, T::b32},
    {"ldu.b64", Kind::load, 0, {}, T::b64},
    {"ldu.u8", Kind::load, 0, {}, T::u8},
    {"ldu.u16", Kind::load, 0, {}, T::u16},
    {"ldu.u32", Kind::load, 0, {}, T::u32},
    {"ldu.u64", Kind::load, 0, {}, T::u64},
    {"ldu.s8", Kind::load, 0, {}, T::s8},
    {"ldu.s16", Kind::load, 0, {}, T::s16},
    {"ldu.s32", Kind::load, 0, {}, T::s32},
    {"ldu.s64", Kind::load, 0, {}, T::s64},
    {"ldu.f32", Kind::load, 0, {}, T::f32},
    {"ldu.f64", Kind::load, 0, {}, T::f64},
    {"st.b8", Kind::store, 0, {}, T::b8},
    {"st.b16", Kind::store, 0, {}, T::b16},
    {"st.b32", Kind::store, 0, {}, T::b32},
    {"st.b64", Kind::store, 0, {}, T::b64},
    {"st.u8", Kind::store, 0, {}, T::u8},
    {"st.u16", Kind::store, 0, {}, T::u16},
    {"st.u32", Kind::store, 0, {}, T::u32},
    {"st.u64", Kind::store, 0, {}, T::u64},
    {"st.s8", Kind::store, 0, {}, T::s8},
    {"st.s16", Kind::store, 0, {}, T::s16},
    {"st.s32", Kind::store, 0, {}, T::s32},
    {"st.s64", Kind::store, 0, {}, T::s64},
    {"st.f32", Kind::store, 0, {}, T::f32},
    {"st.f64", Kind::store, 0, {}, T::f64},

    // Atomics.
    {"atom.add.u32", Kind::atomic, 0, AtomicOp::add, T::u32},
    {"atom.add.s32", Kind::atomic, 0, AtomicOp::add, T::s32},
    {"atom.add.u64", Kind::atomic, 0, AtomicOp::add, T::u64},
    {"atom.add.s64", Kind::atomic, 0, AtomicOp::add, T::s64},
    {"atom.add.f32", Kind::atomic, 0, AtomicOp::add, T::f32},
    {"atom.add.f64", Kind::atomic, 0, AtomicOp::add, T::f64, 60},
    {"atom.min.u32", Kind::atomic, 0, AtomicOp::min, T::u32},
    {"atom.min.s32", Kind::atomic, 0, AtomicOp::min, T::s32},
    {"atom.min.u64", Kind::atomic, 0, AtomicOp::min, T::u64},
    {"atom.min.s64", Kind::atomic, 0, AtomicOp::min, T::s64},
    {"atom.max.u32", Kind::atomic, 0, AtomicOp::max, T::u32},
    {"atom.max.s32", Kind::atomic, 0, AtomicOp::max, T::s32},
    {"atom.max.u64", Kind::atomic, 0, AtomicOp::max, T::u64},
    {"atom.max.s64", Kind::atomic, 0, AtomicOp::max, T::s64},
    {"atom.inc.u32", Kind::atomic, 0, AtomicOp::inc, T::u32},
    {"atom.dec.u32", Kind::atomic, 0, AtomicOp::dec, T::u32},
    {"atom.and.b32", Kind::atomic, 0, AtomicOp::bit_and, T::b32},
    {"atom.and.b64", Kind::atomic, 0, AtomicOp::bit_and, T::b64},
    {"atom.or.b32", Kind::atomic, 0, AtomicOp::bit_or, T::b32},
    {"atom.or.b64", Kind::atomic, 0, AtomicOp::bit_or, T::b64},
    {"atom.xor.b32", Kind::atomic, 0, AtomicOp::bit_xor, T::b32},
    {"atom.xor.b64", Kind::atomic, 0, AtomicOp::bit_xor, T::b64},
    {"atom.exch.b32", Kind::atomic, 0, AtomicOp::exch, T::b32},
    {"atom.exch.b64", Kind::atomic, 0, AtomicOp::exch, T::b64},
    {"atom.cas.b16", Kind::atomic, 0, AtomicOp::cas, T::b16, 70},
    {"atom.cas.b32", Kind::atomic, 0, AtomicOp::cas, T::b32},
    {"atom.cas.b64", Kind::atomic, 0, AtomicOp::cas, T::b64},
    {"red.add.u32", Kind::atomic, 0, AtomicOp::add, T::u32},
    {"red.add.s32", Kind::atomic, 0, AtomicOp::add, T::s32},
    {"red.add.u64", Kind::atomic, 0, AtomicOp::add, T::u64},
    {"red.add.s64", Kind::atomic, 0, AtomicOp::add, T::s64},
    {"red.add.f32", Kind::atomic, 0, AtomicOp::add, T::f32},
    {"red.add.f64", Kind::atomic, 0, AtomicOp::add, T::f64, 60},
    {"red.min.u32", Kind::atomic, 0, AtomicOp::min, T::u32},
    {"red.min.s32", Kind::atomic, 0, AtomicOp::min, T::s32},
    {"red.min.u64", Kind::atomic, 0, AtomicOp::min, T::u64},
    {"red.min.s64", Kind::atomic, 0, AtomicOp::min, T::s64},
    {"red.max.u32", Kind::atomic, 0, AtomicOp::max, T::u32},
    {"red.max.s32", Kind::atomic, 0, AtomicOp::max, T::s32},
    {"red.max.u64", Kind::atomic, 0, AtomicOp::max, T::u64},
    {"red.max.s64", Kind::atomic, 0, AtomicOp::max, T::s64},
    {"red.inc.u32", Kind::atomic, 0, AtomicOp::inc, T::u32},
    {"red.dec.u32", Kind::atomic, 0, AtomicOp::dec, T::u32},
    {"red.and.b32", Kind::atomic, 0, AtomicOp::bit_and, T::b32},
    {"red.and.b64", Kind::atomic, 0, AtomicOp::bit_and, T::b64},
    {"red.or.b32", Kind::atomic, 0, AtomicOp::bit_or, T::b32},
    {"red.or.b64", Kind::atomic, 0, AtomicOp::bit_or, T::b64},
    {"red.xor.b32", Kind::atomic, 0, AtomicOp::bit_xor, T::b32},
    {"red.xor.b64", Kind::atomic, 0, AtomicOp::bit_xor, T::b64},

    // Within a warp.
    {"shfl.sync.up.b32", Kind::shuffle, flag(ShuffleMode::up)},
    {"shfl.sync.down.b32", Kind::shuffle, flag(ShuffleMode::down)},
    {"shfl.sync.bfly.b32", Kind::shuffle, flag(ShuffleMode::bfly)},
    {"shfl.sync.idx.b32", Kind::shuffle, flag(ShuffleMode::idx)},
    {"vote.sync.all.pred", Kind::vote, flag(VoteMode::all)},
    {"vote.sync.any.pred", Kind::vote, flag(VoteMode::any)},
    {"vote.sync.uni.pred", Kind::vote, flag(VoteMode::uni)},
    {"vote.sync.ballot.b32", Kind::vote, flag(VoteMode::ballot)},
    {"match.any.sync.b32", Kind::match, 0, {}, T::b32, 70},
    {"match.all.sync.b32", Kind::match, 1, {}, T::b32, 70},
    {"match.any.sync.b64", Kind::match, 2, {}, T::b64, 70},
    {"match.all.sync.b64", Kind::match, 3, {}, T::b64, 70},
    {"redux.sync.add.u32", Kind::redux, flag(ReduxOp::add), {}, T::u32, 80},
    {"redux.sync.add.s32", Kind::redux, flag(ReduxOp::add), {}, T::s32, 80},
    {"redux.sync.min.u32", Kind::redux, flag(ReduxOp::min_u32), {}, T::u32, 80},
    {"redux.sync.max.u32", Kind::redux, flag(ReduxOp::max_u32), {}, T::u32, 80},
    {"redux.sync.min.s32", Kind::redux, flag(ReduxOp::min_s32), {}, T::s32, 80},
    {"redux.sync.max.s32", Kind::redux, flag(ReduxOp::max_s32), {}, T::s32, 80},
    {"redux.sync.and.b32", Kind::redux, flag(ReduxOp::bit_and), {}, T::b32, 80},
    {"redux.sync.or.b32", Kind::redux, flag(ReduxOp::bit_or), {}, T::b32, 80},
    {"redux.sync.xor.b32", Kind::redux, flag(ReduxOp::bit_xor), {}, T::b32, 80},
    {"elect.sync", Kind::elect, 0, {}, T::none, 90},
    {"activemask.b32", Kind::active_mask},
    {"bar.warp.sync", Kind::warp_barrier},

    // Within a block.
    {"bar.sync", Kind::block_barrier, aligned(BarrierAction::sync)},
    {"bar.arrive", Kind::block_barrier, aligned(BarrierAction::arrive)},
    {"bar.red.popc.u32", Kind::block_barrier, aligned(BarrierAction::red_popc)},
    {"bar.red.and.pred", Kind::block_barrier, aligned(BarrierAction::red_and)},
    {"bar.red.or.pred", Kind::block_barrier, aligned(BarrierAction::red_or)},
    {"barrier.sync", Kind::block_barrier, loose(BarrierAction::sync)},
    {"barrier.arrive", Kind::block_barrier, loose(BarrierAction::arrive)},
    {"barrier.red.popc.u32", Kind::block_barrier, loose(BarrierAction::red_popc)},
    {"barrier.red.and.pred", Kind::block_barrier, loose(BarrierAction::red_and)},
    {"barrier.red.or.pred", Kind::block_barrier, loose(BarrierAction::red_or)},
    {"barrier.sync.aligned", Kind::block_barrier, aligned(BarrierAction::sync)},
    {"barrier.arrive.aligned", Kind::block_barrier, aligned(BarrierAction::arrive)},
    {"barrier.red.popc.aligned.u32", Kind::block_barrier, aligned(BarrierAction::red_popc)},
    {"barrier.red.and.aligned.pred", Kind::block_barrier, aligned(BarrierAction::red_and)},
    {"barrier.red.or.aligned.pred", Kind::block_barrier, aligned(BarrierAction::red_or)},

    // Fences. membar is a sequentially consistent fence in every respect.
    {"membar.cta", Kind::fence, kSequential},
    {"membar.gl", Kind::fence, kSequential},
    {"membar.sys", Kind::fence, kSequential},
    {"fence.sc", Kind::fence, kSequential},
    {"fence.acq_rel", Kind::fence, kAcqRel},

    // Control flow.
    {"bra", Kind::branch},
    {"bra.uni", Kind::branch, kUniform},
    {"brx.idx", Kind::branch_table},
    {"brx.idx.uni", Kind::branch_table, kUniform},
    {"call", Kind::call},
    {"call.uni", Kind::call, kUniform},
    {"ret", Kind::ret},
    {"ret.uni", Kind::ret, kUniform},
    {"exit", Kind::exit},
    {"trap", Kind::trap, 0},
    {"brkpt", Kind::trap, 1},

    // Addresses.
    {"cvta.global.u64", Kind::lane, 0, {}, T::u64},
    {"cvta.const.u64", Kind::lane, 1, {}, T::u64},
    {"cvta.param.u64", Kind::lane, 2, {}, T::u64},
    {"cvta.shared.u64", Kind::lane, 3, {}, T::u64},
    {"cvta.local.u64", Kind::lane, 4, {}, T::u64},
    {"cvta.to.global.u64", Kind::lane, 5, {}, T::u64},
    {"cvta.to.const.u64", Kind::lane, 6, {}, T::u64},
    {"cvta.to.param.u64", Kind::lane, 7, {}, T::u64},
    {"cvta.to.shared.u64", Kind::lane, 8, {}, T::u64},
    {"cvta.to.local.u64", Kind::lane, 9, {}, T::u64},
    {"isspacep.global", Kind::lane, 10, {}, T::u64},
    {"isspacep.shared", Kind::lane, 11, {}, T::u64},
    {"isspacep.local", Kind::lane, 12, {}, T::u64},
    {"isspacep.param", Kind::lane, 13, {}, T::u64},
    {"isspacep.const", Kind::in_const_space, 0, {}, T::u64},
    {"alloca.u32", Kind::stack_allocate, 0, {}, T::u32},
    {"alloca.u64", Kind::stack_allocate, 0, {}, T::u64},
    {"stacksave.u32", Kind::stack_save, 0, {}, T::u32},
    {"stacksave.u64", Kind::stack_save, 0, {}, T::u64},
    {"stackrestore.u32", Kind::stack_restore, 0, {}, T::u32},
    {"stackrestore.u64", Kind::stack_restore, 0, {}, T::u64},

    // Hints and pauses: no effect on what a program computes.
    {"nanosleep.u32", Kind::sleep},
    {"prefetch", Kind::nothing},
    {"prefetchu", Kind::nothing},
    {"pmevent", Kind::nothing},
    {"griddepcontrol.wait", Kind::nothing, 0, {}, T::none, 90},
    {"griddepcontrol.launch_dependents", Kind::nothing, 0, {}, T::none, 90},
};

}  // namespace

std::span<const MachineRow> machine_rows() {
  return kRows;
}

InstructionTable standard_table() {
  return {lane_rows(), machine_rows()};
}

std::string canonical_variant(std::string_view opcode, std::span<const std::string> modifiers) {
  std::vector<std::string_view> plain, types;
  for (const std::string& modifier : modifiers) {
    (ptx::type_from_name(modifier) ? types : plain).push_back(modifier);
  }
  std::sort(plain.begin(), plain.end());
  std::string name(opcode);
  for (const auto* list : {&plain, &types}) {
    for (const std::string_view part : *list) name.append(".").append(part);
  }
  return name;
}

std::vector<std::string> supported_variants() {
  std::set<std::string> names;
  for (const Row& row : lane_rows()) names.emplace(row.variant);
  for (const MachineRow& row : kRows) names.emplace(row.variant);
  return {names.begin(), names.end()};
}

std::vector<std::string> orthogonal_qualifiers() {
  return {
      "ld, ldu, st, atom, red: .global .shared .shared::cta .local .const .param .param::entry .param::func, "
      "or none "
      "for a generic address",
      "ld, st: .v2 .v4 .v8; .ca .cg .cs .cv .lu .wb .wt; .nc; .L1::… .L2::…; .volatile .weak",
      "ld, st, atom, red: .relaxed .acquire .release .acq_rel with .cta .cluster .gpu .sys",
      "fence: .cta .cluster .gpu .sys", "bar, barrier: .cta"};
}

}  // namespace warpcheck::simt

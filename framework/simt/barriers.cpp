#include <algorithm>
#include <bit>

#include "framework/simt/engine.hpp"

// bar and barrier. A warp has arrived when all its lanes that have not exited have; a barrier with a count
// completes when that many threads, in whole warps, have arrived, one without when all warps have.
namespace warpcheck::simt {
Engine::Step Engine::block_barrier(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  Block& block = *warp.block;
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  const std::uint32_t* const numbers = context.at<std::uint32_t>(instr.a);
  const int first = std::countr_zero(mask);
  const std::uint32_t number = numbers[first];
  const std::uint32_t count = instr.b == kNoOperand ? 0 : context.at<std::uint32_t>(instr.b)[first];
  LaneMask here = mask;
  if (!is_broadcast(instr.a) || !is_broadcast(instr.b)) {
    here = 0;
    for (int lane = 0; lane < kWarpSize; ++lane) {
      const bool same = numbers[lane] == number &&
                        (instr.b == kNoOperand || context.at<std::uint32_t>(instr.b)[lane] == count);
      here |= static_cast<LaneMask>(same) << lane;
    }
    here &= mask;
  }
  if (number >= kBarriers || (instr.b != kNoOperand && (count == 0 || count % kWarpSize != 0))) {
    report_barrier_operands(warp, group, number, count);
    return Step::stopped;
  }

  BarrierState& barrier = block.barriers[number];
  const auto action = static_cast<BarrierAction>(instr.flags & kBarrierActionMask);
  const bool reduces = action != BarrierAction::sync && action != BarrierAction::arrive;
  const bool aligned = instr.flags & kBarrierAligned;
  const Place place{group.frame->function, group.pc};
  const std::uint32_t bit = 1u << warp.index;
  const bool mixed = barrier.warps != 0 && (barrier.reduces != reduces || barrier.count != count);
  // An aligned barrier is one instruction for a whole warp; without a count it is one for the whole block.
  const bool diverged =
      aligned &&
      ((count == 0 && barrier.aligned_place.pc != kNowhere && barrier.aligned_place != place) ||
       ((barrier.warps & bit) != 0 && barrier.aligned[warp.index] && barrier.place[warp.index] != place));
  if ((barrier.arrived[warp.index] & here) != 0 || mixed || diverged) {
    report_barrier_misuse(warp, group, number, count, here);
    return Step::stopped;
  }

  if ((barrier.warps & bit) == 0) {
    barrier.place[warp.index] = place;
    barrier.aligned[warp.index] = aligned;
  }
  if (aligned && barrier.aligned_place.pc == kNowhere) barrier.aligned_place = place;
  barrier.warps |= bit;
  barrier.count = count;
  barrier.reduces = reduces;
  barrier.arrived[warp.index] |= here;
  if ((warp.alive() & ~barrier.arrived[warp.index]) == 0) barrier.whole |= bit;
  block.barriers_in_use |= 1u << number;
  barrier.threads += static_cast<std::uint32_t>(std::popcount(here));
  if (reduces) {
    barrier.popc += static_cast<std::uint32_t>(std::popcount(*context.at<LaneMask>(instr.c) & here));
  }

  const std::uint32_t pc = group.pc;
  if (const LaneMask others = mask & ~here; others != 0) split(warp, group, others, pc);
  if (action == BarrierAction::arrive) {
    // Lanes with another barrier number come back to the instruction; all the rest goes on.
    ++group.pc;
    return complete_if_due(block, number) ? Step::again : Step::stopped;
  }
  if (const LaneMask past = group.mask & ~here; past != 0) split(warp, group, past, pc + 1);
  group.state = GroupState::barrier;
  group.barrier = static_cast<std::uint8_t>(number);
  if (!complete_if_due(block, number)) return Step::stopped;
  return group.state == GroupState::ready ? Step::released : Step::again;
}

/// Completes a barrier whose threads have all arrived. False if that is an error.
bool Engine::complete_if_due(Block& block, std::uint32_t number) {
  BarrierState& barrier = block.barriers[number];
  if (barrier.warps == 0) return true;
  const std::uint32_t whole = barrier.whole;
  if (barrier.count == 0) {
    if ((block.live & ~whole) != 0) return true;
  } else if (static_cast<std::uint32_t>(std::popcount(whole)) * kWarpSize < barrier.count) {
    return true;
  }

  if (block.early_exits && !config_.early_exit_allowed) {
    // Who is missing? With a count only the warps that take part are asked.
    const std::uint32_t concerned = barrier.count == 0 ? kAllLanes : whole;
    for (const auto& warp : block.warps) {
      if ((concerned >> warp->index & 1u) != 0 && (warp->exited & ~barrier.arrived[warp->index]) != 0) {
        report_exits(block, barrier, number);
        return false;
      }
    }
  }

  std::uint32_t participants[kMaxWarps]{};
  for (std::uint32_t rest = barrier.warps; rest != 0; rest &= rest - 1) {
    const int w = std::countr_zero(rest);
    participants[w] = barrier.arrived[static_cast<std::size_t>(w)];
  }
  if (observer_ != nullptr) {
    observer_->barrier_completed(block.index, number, std::span(participants, block.warps.size()));
  }
  for (std::uint32_t rest = barrier.warps; rest != 0; rest &= rest - 1) {
    Warp& warp = *block.warps[static_cast<std::size_t>(std::countr_zero(rest))];
    for (int i = 0; i < warp.count; ++i) {
      Group& group = warp.groups[static_cast<std::size_t>(i)];
      if (group.state != GroupState::barrier || group.barrier != number) continue;
      if (barrier.reduces) {
        const Instr& instr = group.frame->code->code[group.pc];
        const LaneContext context{{group.frame->registers.data(), program_->constants}};
        switch (static_cast<BarrierAction>(instr.flags & kBarrierActionMask)) {
          case BarrierAction::red_popc:
            for (LaneMask lanes = group.mask; lanes != 0; lanes &= lanes - 1) {
              context.at<std::uint32_t>(instr.d)[std::countr_zero(lanes)] = barrier.popc;
            }
            break;
          case BarrierAction::red_and:
          case BarrierAction::red_or: {
            const bool all = barrier.popc == barrier.threads, any = barrier.popc != 0;
            const bool result =
                static_cast<BarrierAction>(instr.flags & kBarrierActionMask) == BarrierAction::red_and ? all
                                                                                                       : any;
            LaneMask& d = *context.at<LaneMask>(instr.d);
            d = result ? d | group.mask : d & ~group.mask;
            break;
          }
          default:
            break;
        }
      }
      group.state = GroupState::ready;
      ++group.pc;
      block.ready |= 1u << warp.index;
    }
  }
  barrier.clear();
  block.barriers_in_use &= ~(1u << number);
  return true;
}

/// Threads that have exited are waited for no longer.
bool Engine::barriers_after_exit(Block& block) {
  for (std::uint32_t rest = block.barriers_in_use; rest != 0; rest &= rest - 1) {
    const auto number = static_cast<std::uint32_t>(std::countr_zero(rest));
    BarrierState& barrier = block.barriers[number];
    for (std::uint32_t warps = barrier.warps; warps != 0; warps &= warps - 1) {
      const auto w = static_cast<std::uint32_t>(std::countr_zero(warps));
      if ((block.warps[w]->alive() & ~barrier.arrived[w]) == 0) barrier.whole |= 1u << w;
    }
    if (!complete_if_due(block, number)) return false;
  }
  return true;
}

}  // namespace warpcheck::simt

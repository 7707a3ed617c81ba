#include <bit>

#include "framework/simt/engine.hpp"

namespace warpcheck::simt {
namespace {

/// Turn units that an access costs when it looks like communication: a loop of such accesses is probably a
/// spin.
constexpr std::int32_t kCommunication = 32;

}  // namespace

// The loop that everything else exists for. A lane-wise instruction is one indirect call; the group's state
// lives in locals and is written back only where somebody looks at it.
Engine::Turn Engine::run_group(Warp& warp, int index) {
  Group& group = warp.groups[static_cast<std::size_t>(index)];
  Frame& frame = *group.frame;
  const FunctionCode& function = *frame.code;
  const Instr* const code = function.code.data();
  const LaneContext context{{frame.registers.data(), program_->constants}};
  const LaneMask active = group.mask;
  const std::uint32_t meeting = meeting_point(warp, group);
  // Control never passes the last instruction, which returns.
  const Instr* const stop = meeting == kNowhere ? code + function.code.size() : code + meeting;
  const bool reschedule_at_branches = highest_first_ && warp.count > 1;
  const Instr* at = code + group.pc;
  const Instr* counted = at;  // instructions before this one are in steps_
  current_warp_ = &warp;
  current_group_ = &group;

  const auto pc_of = [code](const Instr* instr) { return static_cast<std::uint32_t>(instr - code); };
  const auto count_to = [this](const Instr* from, const Instr* to) {
    steps_ += static_cast<std::uint64_t>(to - from);
  };
  for (;;) {
    const Instr& instr = *at;
    const Kind kind = static_cast<Kind>(instr.kind);
    if (kind == Kind::lane) {
      instr.op(context, instr, active);
      if (++at >= stop) break;
      continue;
    }
    LaneMask mask = active;
    if (instr.guard != kNoOperand) {
      const LaneMask holds = *context.at<LaneMask>(instr.guard);
      mask &= instr.guard_negated ? ~holds : holds;
      if (mask == 0) {
        if (++at >= stop) break;
        continue;
      }
    }
    switch (kind) {
      case Kind::lane_guarded:
        instr.op(context, instr, mask);
        ++at;
        break;

      case Kind::branch: {
        const Instr* const target = code + instr.target;
        const bool backward = target <= at;
        count_to(counted, at + 1);
        if (mask != active) {
          Group& taken = split(warp, group, mask, instr.target);
          group.pc = pc_of(at) + 1;
          if ((backward || random_order_) && --turn_ <= 0) {
            ++taken.round;
            return Turn::yielded;
          }
          return Turn::again;
        }
        at = counted = target;
        if ((backward || random_order_) && --turn_ <= 0) {
          group.pc = instr.target;
          return Turn::yielded;
        }
        if (reschedule_at_branches) {
          group.pc = instr.target;
          return Turn::again;
        }
        break;
      }

      case Kind::load:
      case Kind::store:
      case Kind::atomic: {
        group.pc = pc_of(at);
        const bool good = kind == Kind::load    ? load(warp, group, instr, mask)
                          : kind == Kind::store ? store(warp, group, instr, mask)
                                                : atomic(warp, group, instr, mask);
        ++at;
        if (!good) {
          count_to(counted, at);
          return Turn::stopped;
        }
        if (instr.flags != 0) turn_ -= kCommunication;
        if (random_order_) --turn_;
        if (turn_ <= 0) {
          count_to(counted, at);
          ++group.pc;
          return Turn::yielded;
        }
        break;
      }

      case Kind::active_mask: {
        std::uint32_t* const d = context.at<std::uint32_t>(instr.d);
        for (int lane = 0; lane < kWarpSize; ++lane) d[lane] = (mask >> lane & 1u) ? mask : d[lane];
        ++at;
        break;
      }

      case Kind::fence:
        if (observer_ != nullptr) {
          group.pc = pc_of(at);
          observer_->fence({program_, frame.function, pc_of(at), warp.block->index, warp.index, mask},
                           instr.flags, instr.width);
        }
        ++at;
        if (random_order_ && --turn_ <= 0) {
          count_to(counted, at);
          group.pc = pc_of(at);
          return Turn::yielded;
        }
        break;

      case Kind::clock: {
        const std::uint64_t now = steps_ + static_cast<std::uint64_t>(at - counted);
        const auto which = static_cast<Special>(instr.flags);
        const bool high = which == Special::clock_hi || which == Special::globaltimer_hi;
        const bool wide = which == Special::clock64 || which == Special::globaltimer;
        for (int lane = 0; lane < kWarpSize; ++lane) {
          if ((mask >> lane & 1u) == 0) continue;
          if (wide) {
            context.at<std::uint64_t>(instr.d)[lane] = now;
          } else {
            context.at<std::uint32_t>(instr.d)[lane] = static_cast<std::uint32_t>(high ? now >> 32 : now);
          }
        }
        ++at;
        break;
      }

      case Kind::sleep:
        count_to(counted, ++at);
        group.pc = pc_of(at);
        return Turn::yielded;

      case Kind::local_address: {
        const std::uint32_t address = frame.local_base + instr.target;
        for (int lane = 0; lane < kWarpSize; ++lane) {
          if ((mask >> lane & 1u) == 0) continue;
          if (instr.width == 8) {
            context.at<std::uint64_t>(instr.d)[lane] = address;
          } else {
            context.at<std::uint32_t>(instr.d)[lane] = address;
          }
        }
        ++at;
        break;
      }

      case Kind::stack_save:
        for (int lane = 0; lane < kWarpSize; ++lane) {
          if ((mask >> lane & 1u) == 0) continue;
          if (instr.width == 8) {
            context.at<std::uint64_t>(instr.d)[lane] = frame.local_top;
          } else {
            context.at<std::uint32_t>(instr.d)[lane] = frame.local_top;
          }
        }
        ++at;
        break;

      case Kind::stack_restore:
        group.pc = pc_of(at);
        restore_stack(warp, group, instr, mask);
        ++at;
        break;

      case Kind::in_const_space: {
        const std::uint64_t* const a = context.at<std::uint64_t>(instr.a);
        LaneMask inside = 0;
        for (int lane = 0; lane < kWarpSize; ++lane) {
          for (const Program::Range& range : program_->constant_ranges) {
            if (a[lane] >= range.begin && a[lane] < range.end) inside |= LaneMask{1} << lane;
          }
        }
        LaneMask& d = *context.at<LaneMask>(instr.d);
        d = (d & ~mask) | (inside & mask);
        ++at;
        break;
      }

      case Kind::nothing:
        ++at;
        break;

      default: {
        group.pc = pc_of(at);
        Step step = Step::advance;
        switch (kind) {
          case Kind::shuffle:
          case Kind::vote:
          case Kind::match:
          case Kind::redux:
          case Kind::elect:
          case Kind::warp_barrier:
            step = collective(warp, group, instr, mask);
            break;
          case Kind::block_barrier:
            step = block_barrier(warp, group, instr, mask);
            break;
          case Kind::call:
            step = call(warp, group, instr, mask);
            break;
          case Kind::call_indirect:
            step = call_indirect(warp, group, instr, mask);
            break;
          case Kind::call_builtin:
            step = call_builtin(warp, group, instr, mask);
            break;
          case Kind::ret:
            step = leave(warp, group, mask);
            break;
          case Kind::exit:
            step = exit_lanes(warp, group, mask);
            break;
          case Kind::branch_table:
            step = branch_by_table(warp, group, instr, mask);
            break;
          case Kind::stack_allocate:
            step = allocate_stack(warp, group, instr, mask);
            break;
          case Kind::trap: {
            Finding finding = begin_finding(FindingKind::trap);
            finding.parties.push_back(party(warp, group, std::countr_zero(mask)));
            finding.message = std::string(instr.flags ? "the kernel executed a breakpoint (brkpt)"
                                                      : "the kernel executed trap") +
                              " in " + thread_text(finding.parties.front());
            finding.advice = "a check in the kernel's own code or in a library asked for it: see the line";
            report(std::move(finding));
            step = Step::stopped;
            break;
          }
          default:
            break;
        }
        ++at;
        if (step == Step::advance) {
          if (!random_order_ || --turn_ > 0) break;
          group.pc = pc_of(at);
        }
        count_to(counted, at);
        return step == Step::advance || step == Step::yielded ? Turn::yielded
               : step == Step::again                          ? Turn::again
               : step == Step::released                       ? Turn::released
                                                              : Turn::stopped;
      }
    }
    if (at >= stop) break;
  }
  count_to(counted, at);
  group.pc = pc_of(at);
  return Turn::again;
}

}  // namespace warpcheck::simt

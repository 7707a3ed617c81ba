#include <algorithm>
#include <bit>
#include <cstring>

#include "framework/simt/engine.hpp"

// shfl, vote, match, redux, elect and bar.warp.sync. Lanes meet by operation and mask, wherever they stand:
// compilers duplicate code, so that lanes which belong together arrive at different copies of one
// instruction.
namespace warpcheck::simt {
namespace {

/// Operation with its qualifiers: what must be equal for lanes to meet.
std::uint32_t key_of(const Instr& instr) {
  return std::uint32_t{instr.kind} << 8 | instr.flags;
}
Kind kind_of(std::uint32_t key) {
  return static_cast<Kind>(key >> 8);
}
std::uint8_t flags_of(std::uint32_t key) {
  return static_cast<std::uint8_t>(key);
}

/// The operands of the lanes that meet, and what they get.
struct Meeting {
  LaneMask lanes{};
  alignas(64) std::uint64_t wide[kWarpSize];  ///< a of a 64-bit match
  alignas(64) std::uint32_t a[kWarpSize];
  alignas(64) std::uint32_t b[kWarpSize];
  alignas(64) std::uint32_t c[kWarpSize];
  LaneMask predicate{};  ///< a of a vote

  alignas(64) std::uint32_t d[kWarpSize];
  LaneMask p{};
};

template <ShuffleMode kMode>
void shuffle(Meeting& m) {
  LaneMask in_range = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const int value = static_cast<int>(m.b[lane] & 31u);
    const int clamp = static_cast<int>(m.c[lane] & 31u);
    const int segment = static_cast<int>(m.c[lane] >> 8 & 31u);
    const int max_lane = (lane & segment) | (clamp & ~segment);
    const int min_lane = lane & segment;
    int source = 0;
    bool valid = false;
    if constexpr (kMode == ShuffleMode::up) {
      source = lane - value;
      valid = source >= max_lane;
    } else if constexpr (kMode == ShuffleMode::down) {
      source = lane + value;
      valid = source <= max_lane;
    } else if constexpr (kMode == ShuffleMode::bfly) {
      source = lane ^ value;
      valid = source <= max_lane;
    } else {
      source = min_lane | (value & ~segment);
      valid = source <= max_lane;
    }
    // The value of a lane that takes no part is undefined; here it is the reader's own.
    const int from = valid && (m.lanes >> (source & 31) & 1u) ? source & 31 : lane;
    m.d[lane] = m.a[from];
    in_range |= static_cast<LaneMask>(valid) << lane;
  }
  m.p = in_range;
}

void vote(VoteMode mode, Meeting& m) {
  const LaneMask yes = m.predicate & m.lanes;
  switch (mode) {
    case VoteMode::all:
      m.p = yes == m.lanes ? kAllLanes : 0;
      break;
    case VoteMode::any:
      m.p = yes != 0 ? kAllLanes : 0;
      break;
    case VoteMode::uni:
      m.p = yes == 0 || yes == m.lanes ? kAllLanes : 0;
      break;
    case VoteMode::ballot:
      std::fill(std::begin(m.d), std::end(m.d), yes);
      break;
  }
}

void match(std::uint8_t flags, Meeting& m) {
  const bool all = flags & 1, wide = flags & 2;
  LaneMask same[kWarpSize]{};
  for (int lane = 0; lane < kWarpSize; ++lane) {
    for (int other = 0; other < kWarpSize; ++other) {
      const bool equal = wide ? m.wide[lane] == m.wide[other] : m.a[lane] == m.a[other];
      same[lane] |= static_cast<LaneMask>(equal) << other;
    }
    same[lane] &= m.lanes;
  }
  m.p = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const bool everyone = same[lane] == m.lanes;
    m.d[lane] = all && !everyone ? 0 : same[lane];
    m.p |= static_cast<LaneMask>(everyone) << lane;
  }
}

void reduce(ReduxOp op, Meeting& m) {
  std::uint32_t result = m.a[std::countr_zero(m.lanes)];
  for (LaneMask rest = m.lanes & (m.lanes - 1); rest != 0; rest &= rest - 1) {
    const std::uint32_t value = m.a[std::countr_zero(rest)];
    switch (op) {
      case ReduxOp::add:
        result += value;
        break;
      case ReduxOp::min_u32:
        result = std::min(result, value);
        break;
      case ReduxOp::max_u32:
        result = std::max(result, value);
        break;
      case ReduxOp::min_s32:
        result = static_cast<std::uint32_t>(
            std::min(static_cast<std::int32_t>(result), static_cast<std::int32_t>(value)));
        break;
      case ReduxOp::max_s32:
        result = static_cast<std::uint32_t>(
            std::max(static_cast<std::int32_t>(result), static_cast<std::int32_t>(value)));
        break;
      case ReduxOp::bit_and:
        result &= value;
        break;
      case ReduxOp::bit_or:
        result |= value;
        break;
      case ReduxOp::bit_xor:
        result ^= value;
        break;
    }
  }
  std::fill(std::begin(m.d), std::end(m.d), result);
}

void compute(std::uint32_t key, Meeting& m) {
  switch (kind_of(key)) {
    case Kind::shuffle:
      switch (static_cast<ShuffleMode>(flags_of(key))) {
        case ShuffleMode::up:
          return shuffle<ShuffleMode::up>(m);
        case ShuffleMode::down:
          return shuffle<ShuffleMode::down>(m);
        case ShuffleMode::bfly:
          return shuffle<ShuffleMode::bfly>(m);
        case ShuffleMode::idx:
          return shuffle<ShuffleMode::idx>(m);
      }
      return;
    case Kind::vote:
      return vote(static_cast<VoteMode>(flags_of(key)), m);
    case Kind::match:
      return match(flags_of(key), m);
    case Kind::redux:
      return reduce(static_cast<ReduxOp>(flags_of(key)), m);
    case Kind::elect: {
      const int leader = std::countr_zero(m.lanes);
      std::fill(std::begin(m.d), std::end(m.d), static_cast<std::uint32_t>(leader));
      m.p = LaneMask{1} << leader;
      return;
    }
    default:  // bar.warp.sync computes nothing
      return;
  }
}

template <class T>
void copy_lanes(T* to, const T* from, LaneMask mask) {
  if (mask == kAllLanes) {
    std::memcpy(to, from, sizeof(T) * kWarpSize);
    return;
  }
  for (int lane = 0; lane < kWarpSize; ++lane) to[lane] = (mask >> lane & 1u) ? from[lane] : to[lane];
}

/// Takes the operands of the lanes in `mask`, which stand at `instr`.
void gather(const LaneContext& context, const Instr& instr, LaneMask mask, Meeting& m) {
  m.lanes |= mask;
  switch (static_cast<Kind>(instr.kind)) {
    case Kind::vote: {
      const LaneMask a = *context.at<LaneMask>(instr.a);
      m.predicate = (m.predicate & ~mask) | (a & mask);
      break;
    }
    case Kind::match:
      if (instr.flags & 2) {
        copy_lanes(m.wide, context.at<std::uint64_t>(instr.a), mask);
      } else {
        copy_lanes(m.a, context.at<std::uint32_t>(instr.a), mask);
      }
      break;
    case Kind::shuffle:
      copy_lanes(m.b, context.at<std::uint32_t>(instr.b), mask);
      copy_lanes(m.c, context.at<std::uint32_t>(instr.c), mask);
      [[fallthrough]];
    case Kind::redux:
      copy_lanes(m.a, context.at<std::uint32_t>(instr.a), mask);
      break;
    default:
      break;
  }
}

void scatter(const LaneContext& context, const Instr& instr, LaneMask mask, const Meeting& m) {
  const auto predicate = [&](OperandRef ref) {
    LaneMask& d = *context.at<LaneMask>(ref);
    d = (d & ~mask) | (m.p & mask);
  };
  const Kind kind = static_cast<Kind>(instr.kind);
  if (kind == Kind::warp_barrier) return;
  if (kind == Kind::vote && static_cast<VoteMode>(instr.flags) != VoteMode::ballot) return predicate(instr.d);
  copy_lanes(context.at<std::uint32_t>(instr.d), m.d, mask);
  if (instr.d2 != kNoOperand) predicate(instr.d2);
}

}  // namespace

Engine::Step Engine::collective(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  const std::uint32_t* const masks = context.at<std::uint32_t>(instr.e);
  const std::uint32_t members = masks[std::countr_zero(mask)];
  LaneMask here = mask;
  if (!is_broadcast(instr.e)) {
    LaneMask with_same_mask = 0;
    for (int lane = 0; lane < kWarpSize; ++lane) {
      with_same_mask |= static_cast<LaneMask>(masks[lane] == members) << lane;
    }
    here = mask & with_same_mask;
  }

  if ((here & ~members) != 0) {
    const int lane = std::countr_zero(here & ~members);
    Finding finding = begin_finding(FindingKind::mask_without_caller);
    finding.parties.push_back(party(warp, group, lane));
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", members);
    finding.message = thread_text(finding.parties.front()) + ", lane " + std::to_string(lane) +
                      ", executes a warp operation with mask " + text + ", which does not name its own lane";
    finding.advice =
        "pass a mask that contains every lane that calls, such as the ballot of the branch's condition";
    finding.count = static_cast<std::uint64_t>(std::popcount(here & ~members));
    report(std::move(finding));
    return Step::stopped;
  }
  if (static_cast<Kind>(instr.kind) == Kind::shuffle) warn_of_delta(warp, group, instr, here);

  const LaneMask needed = members & warp.alive();
  if (here == needed && here == mask) {
    // Everybody is here: the usual case.
    Meeting meeting;
    gather(context, instr, here, meeting);
    if (static_cast<Kind>(instr.kind) != Kind::warp_barrier) {
      compute(key_of(instr), meeting);
      scatter(context, instr, here, meeting);
    } else if (observer_ != nullptr) {
      observer_->warp_barrier_completed(
          {program_, group.frame->function, group.pc, warp.block->index, warp.index, here}, here);
    }
    return Step::advance;
  }

  // Lanes whose guard is false go on; lanes with another mask come back to this instruction and wait with
  // theirs.
  const std::uint32_t pc = group.pc;
  if (const LaneMask others = mask & ~here; others != 0) split(warp, group, others, pc);
  if (const LaneMask past = group.mask & ~here; past != 0) split(warp, group, past, pc + 1);
  group.state = GroupState::collective;
  group.key = key_of(instr);
  group.members = members;
  complete_collective(warp, group.key, members);
  return Step::again;
}

void Engine::warn_of_delta(Warp& warp, const Group& group, const Instr& instr, LaneMask mask) {
  if (static_cast<ShuffleMode>(instr.flags) == ShuffleMode::idx) return;
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  const std::uint32_t* const b = context.at<std::uint32_t>(instr.b);
  std::uint32_t all = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) all |= b[lane];
  if (all < kWarpSize) return;
  LaneMask far = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) far |= static_cast<LaneMask>(b[lane] >= kWarpSize) << lane;
  far &= mask;
  if (far == 0) return;
  const auto lanes = static_cast<std::uint64_t>(std::popcount(far));
  const Place place{group.frame->function, group.pc};
  for (const auto& [known, finding] : warned_) {
    if (known == place) {
      result_.findings[finding].count += lanes;
      return;
    }
  }
  const int lane = std::countr_zero(far);
  Finding finding = begin_finding(FindingKind::shuffle_delta);
  finding.parties.push_back(party(warp, group, lane));
  finding.message = thread_text(finding.parties.front()) + " shuffles over a distance of " +
                    std::to_string(b[lane]) + "; a warp has 32 lanes and only the low 5 bits count";
  finding.advice = "keep the distance below the width of the shuffle";
  finding.count = lanes;
  warned_.emplace_back(place, report(std::move(finding)));
}

/// Lets the lanes that wait for (key, members) go if all that are needed are there.
bool Engine::complete_collective(Warp& warp, std::uint32_t key, LaneMask members) {
  LaneMask waiting = 0;
  const auto belongs = [&](const Group& group) {
    return group.state == GroupState::collective && group.key == key && group.members == members;
  };
  for (int i = 0; i < warp.count; ++i) {
    const Group& group = warp.groups[static_cast<std::size_t>(i)];
    if (belongs(group)) waiting |= group.mask;
  }
  if (waiting == 0 || waiting != (members & warp.alive())) return false;

  Meeting meeting;
  const auto context_of = [&](const Group& group) {
    return LaneContext{{group.frame->registers.data(), program_->constants}};
  };
  for (int i = 0; i < warp.count; ++i) {
    const Group& group = warp.groups[static_cast<std::size_t>(i)];
    if (belongs(group)) gather(context_of(group), group.frame->code->code[group.pc], group.mask, meeting);
  }
  compute(key, meeting);
  bool observed = false;
  for (int i = 0; i < warp.count; ++i) {
    Group& group = warp.groups[static_cast<std::size_t>(i)];
    if (!belongs(group)) continue;
    if (kind_of(key) == Kind::warp_barrier && observer_ != nullptr && !observed) {
      observer_->warp_barrier_completed(
          {program_, group.frame->function, group.pc, warp.block->index, warp.index, waiting}, waiting);
      observed = true;
    }
    scatter(context_of(group), group.frame->code->code[group.pc], group.mask, meeting);
    group.state = GroupState::ready;
    ++group.pc;
  }
  warp.block->ready |= 1u << warp.index;
  return true;
}

/// After lanes have exited: fewer may be needed now.
void Engine::complete_pending_collectives(Warp& warp) {
  for (int i = 0; i < warp.count; ++i) {
    const Group& group = warp.groups[static_cast<std::size_t>(i)];
    if (group.state == GroupState::collective) complete_collective(warp, group.key, group.members);
  }
}

}  // namespace warpcheck::simt

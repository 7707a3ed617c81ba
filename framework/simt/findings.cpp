#include <algorithm>
#include <bit>
#include <cstdio>

#include "framework/simt/engine.hpp"

namespace warpcheck::simt {
namespace {

constexpr std::size_t kPartiesShown = 4;
constexpr std::uint64_t kNearNull = 4096;

std::string hex(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string bytes_text(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

const char* verb(const MemoryOp& op, bool writes) {
  if (!writes) return "reads";
  return op.data[0] != kNoOperand && op.operand[0] == kNoOperand ? "writes" : "updates";
}

/// The element of `element_bytes` that an offset from an object's begin falls into; negative before it.
std::int64_t element_index(std::uint64_t address, std::uint64_t begin, std::uint32_t element_bytes) {
  const auto offset = static_cast<std::int64_t>(address - begin);
  const auto size = static_cast<std::int64_t>(element_bytes);
  return offset >= 0 ? offset / size : -((-offset + size - 1) / size);
}

/// "x[1000], 4 bytes past the end of x (4000 bytes)"
std::string outside_text(const std::string& name, std::uint64_t address, std::uint64_t begin,
                         std::uint64_t size, std::uint32_t bytes, std::int64_t index) {
  std::string text = name + "[" + std::to_string(index) + "], ";
  const auto offset = static_cast<std::int64_t>(address - begin);
  if (offset < 0)
    return text + bytes_text(static_cast<std::uint64_t>(-offset)) + " before the begin of " + name;
  const std::uint64_t past = static_cast<std::uint64_t>(offset) + bytes - size;
  return text + bytes_text(past) + " past the end of " + name + " (" + bytes_text(size) + ")";
}

}  // namespace

Finding Engine::begin_finding(FindingKind kind) const {
  Finding finding;
  finding.kind = kind;
  finding.kernel = program_->functions[entry_].demangled;
  return finding;
}

std::size_t Engine::report(Finding finding) {
  if (!is_warning(finding.kind)) {
    stop_ = true;
    result_.status = LaunchStatus::stopped;
  }
  const auto same_lines = [&](const Finding& other) {
    if (other.kind != finding.kind || other.object != finding.object ||
        other.parties.size() != finding.parties.size()) {
      return false;
    }
    for (std::size_t i = 0; i < finding.parties.size(); ++i) {
      if (other.parties[i].stack != finding.parties[i].stack) return false;
    }
    return true;
  };
  for (std::size_t i = 0; i < result_.findings.size(); ++i) {
    if (same_lines(result_.findings[i])) {
      result_.findings[i].count += finding.count;
      return i;
    }
  }
  result_.findings.push_back(std::move(finding));
  return result_.findings.size() - 1;
}

Party Engine::party(const Warp& warp, const Frame& frame, std::uint32_t pc, int lane) const {
  Party party;
  std::copy(std::begin(warp.block->coordinates), std::end(warp.block->coordinates), std::begin(party.block));
  const std::uint32_t thread = warp.index * kWarpSize + static_cast<std::uint32_t>(lane);
  party.thread[0] = thread % config_.block.x;
  party.thread[1] = thread / config_.block.x % config_.block.y;
  party.thread[2] = thread / config_.block.x / config_.block.y;
  party.lane = static_cast<std::uint32_t>(lane);
  const Frame* at = &frame;
  for (; at != nullptr; pc = at->call_pc, at = at->parent) {
    auto lines = program_->source_lines(at->function, pc);
    party.stack.insert(party.stack.end(), std::make_move_iterator(lines.begin()),
                       std::make_move_iterator(lines.end()));
  }
  return party;
}

Party Engine::exited_party(const Warp& warp, int lane) const {
  const Place& place = warp.exit_place[static_cast<std::size_t>(lane)];
  Party party = this->party(warp, warp.entry, 0, lane);
  party.stack = program_->source_lines(place.function, place.pc);
  return party;
}

Party Engine::waiting_party(const Warp& warp, const BarrierState& barrier, std::uint32_t number) const {
  for (int i = 0; i < warp.count; ++i) {
    const Group& group = warp.groups[static_cast<std::size_t>(i)];
    if (group.state == GroupState::barrier && group.barrier == number) {
      return party(warp, group, std::countr_zero(group.mask));
    }
  }
  // It has arrived without waiting.
  const Place& place = barrier.place[warp.index];
  Party party = this->party(warp, warp.entry, 0, std::countr_zero(barrier.arrived[warp.index]));
  party.stack = program_->source_lines(place.function, place.pc);
  return party;
}

Party Engine::party_at(const WarpPlace& place, std::uint32_t lane) const {
  return party(*current_warp_, *current_group_->frame, place.instruction, static_cast<int>(lane));
}

std::string Engine::thread_text(const Party& party) const {
  std::string text = "thread ";
  const auto add = [&text](const std::uint32_t* v) {
    text.append("(").append(std::to_string(v[0])).append(",").append(std::to_string(v[1]));
    text.append(",").append(std::to_string(v[2])).append(")");
  };
  add(party.thread);
  text += " of block ";
  add(party.block);
  return text;
}

std::string Engine::line_text(const Party& party) const {
  if (party.stack.empty() || party.stack.front().line == 0) return "an unknown line";
  return party.stack.front().file + ":" + std::to_string(party.stack.front().line);
}

const SharedObject* Engine::shared_object_near(std::uint64_t offset, bool& inside,
                                               std::uint64_t bytes) const {
  const SharedObject* nearest = nullptr;
  std::uint64_t distance = ~std::uint64_t{0};
  inside = false;
  for (const SharedObject& object : shared_objects_) {
    const std::uint64_t end = std::uint64_t{object.begin} + object.size;
    if (offset >= object.begin && offset + bytes <= end) {
      inside = true;
      return &object;
    }
    // An overrun is likelier than an underrun: distances before an object count a little more.
    const std::uint64_t gap =
        offset >= object.begin ? (offset < end ? 0 : offset - end) : object.begin - offset + 1;
    if (gap < distance) distance = gap, nearest = &object;
  }
  return nearest;
}

const LocalObject* Engine::local_object(const Frame& frame, std::uint64_t offset, std::uint32_t bytes,
                                        const Frame** owner) const {
  for (const Frame* at = &frame; at != nullptr; at = at->parent) {
    *owner = at;
    for (const LocalObject& object : at->code->locals) {
      const std::uint64_t begin = std::uint64_t{at->local_base} + object.offset;
      if (offset >= begin && offset + bytes <= begin + object.size) return &object;
    }
    for (const LocalObject& object : at->allocated) {
      if (offset >= object.offset && offset + bytes <= std::uint64_t{object.offset} + object.size)
        return &object;
    }
  }
  return nullptr;
}

void Engine::report_access(Warp& warp, const Group& group, const MemoryOp& op, bool writes, LaneMask mask,
                           const std::uint64_t* address) {
  const int lane = std::countr_zero(mask);
  std::uint64_t at = address[lane];
  ptx::Space space = op.space;
  if (space == ptx::Space::none) {
    if (at - kSharedWindow < kWindowSize) {
      space = ptx::Space::shared, at -= kSharedWindow;
    } else if (at - kLocalWindow < kWindowSize) {
      space = ptx::Space::local, at -= kLocalWindow;
    } else if (at - kParameterWindow < kWindowSize) {
      space = ptx::Space::param;
    } else {
      space = ptx::Space::global;
    }
  }
  if (space == ptx::Space::param && at - kParameterWindow >= kWindowSize) space = ptx::Space::local;
  const std::uint32_t bytes = op.bytes();
  Finding finding = begin_finding(FindingKind::out_of_bounds);
  finding.parties.push_back(party(warp, group, lane));
  finding.count = static_cast<std::uint64_t>(std::popcount(mask));
  const std::string who = thread_text(finding.parties.front()) + " " + verb(op, writes) + " ";
  const std::string amount = bytes_text(bytes) + " at ";

  const auto outside = [&](const std::string& name, std::uint64_t begin, std::uint64_t size) {
    const std::int64_t index = element_index(at, begin, op.element_bytes);
    finding.object = name + "[" + std::to_string(index) + "]";
    finding.message = who + amount + outside_text(name, at, begin, size, bytes, index);
    finding.advice = "check the index against the number of elements before the access";
  };
  if ((at & (bytes - 1)) != 0) {
    finding.kind = FindingKind::misaligned;
    finding.message =
        who + amount + "address " + hex(at) + ", which is no multiple of " + std::to_string(bytes);
    finding.advice = op.count > 1 ? "vector loads and stores need a pointer aligned to the whole vector"
                                  : "keep addresses at multiples of the element's size";
    if (space == ptx::Space::global) {
      if (const Allocation* const allocation = memory_.nearest(at)) {
        finding.object = allocation->name + "[" +
                         std::to_string(element_index(at, allocation->begin, op.element_bytes)) + "]";
        finding.message += " (" + bytes_text(at - allocation->begin) + " into " + allocation->name + ")";
      }
    } else if (space == ptx::Space::shared) {
      bool inside = false;
      if (const SharedObject* const object = shared_object_near(at, inside, bytes)) {
        finding.object =
            object->name + "[" + std::to_string(element_index(at, object->begin, op.element_bytes)) + "]";
      }
    }
    report(std::move(finding));
    return;
  }
  switch (space) {
    case ptx::Space::shared: {
      bool inside = false;
      const SharedObject* const object = shared_object_near(at, inside, bytes);
      outside(object->name, object->begin, object->size);
      finding.message += " in shared memory";
      break;
    }
    case ptx::Space::local: {
      const LocalObject* nearest = nullptr;
      std::uint64_t nearest_begin = 0, distance = ~std::uint64_t{0};
      for (const Frame* frame = group.frame; frame != nullptr; frame = frame->parent) {
        const auto consider = [&](const LocalObject& object, std::uint64_t begin) {
          const std::uint64_t gap = at >= begin ? at - begin : begin - at;
          if (gap < distance) distance = gap, nearest = &object, nearest_begin = begin;
        };
        for (const LocalObject& object : frame->code->locals) {
          consider(object, std::uint64_t{frame->local_base} + object.offset);
        }
        for (const LocalObject& object : frame->allocated) consider(object, object.offset);
      }
      if (nearest != nullptr) {
        outside(nearest->name, nearest_begin, nearest->size);
        finding.message += " in local memory";
      } else {
        finding.message = who + amount + "local address " + hex(at) + ", where the thread has no variable";
        finding.advice = "the pointer may belong to a function that has returned";
      }
      break;
    }
    case ptx::Space::param:
      outside("kernel parameters", kParameterWindow, parameters_.size());
      if (writes) {
        finding.kind = FindingKind::write_to_const;
        finding.message = who + amount + "the kernel's parameters, which are constant";
        finding.advice = "copy the parameter to a variable first";
      }
      break;
    default: {
      const Allocation* allocation = memory_.find(at);
      if (at < kNearNull) {
        finding.kind = FindingKind::null_pointer;
        finding.message = who + amount + "address " + hex(at) + ": a null pointer" +
                          (at == 0 ? "" : " plus " + std::to_string(at));
        finding.advice = "check that the allocation succeeded and that the pointer was passed to the kernel";
      } else if (!memory_.is_device_space(at)) {
        finding.kind = FindingKind::host_pointer;
        finding.message = who + amount + "address " + hex(at) + ", which is no device address";
        finding.advice = "pass memory from cudaMalloc or cudaMallocManaged to kernels, not a host pointer";
      } else if (allocation != nullptr && !allocation->live) {
        finding.kind = FindingKind::use_after_free;
        const std::int64_t index = element_index(at, allocation->begin, op.element_bytes);
        finding.object = allocation->name + "[" + std::to_string(index) + "]";
        finding.message = who + amount + finding.object + ", but " + allocation->name + " has been freed";
        finding.advice = "free the memory after the kernel that uses it has ended";
      } else if (writes && allocation != nullptr && allocation->read_only && memory_.live_range(at, bytes)) {
        finding.kind = FindingKind::write_to_const;
        const std::int64_t index = element_index(at, allocation->begin, op.element_bytes);
        finding.object = allocation->name + "[" + std::to_string(index) + "]";
        finding.message =
            who + amount + finding.object + ", but " + allocation->name + " is constant for kernels";
        finding.advice = "write to the output or the workspace, never to the input";
      } else if (const Allocation* const near = memory_.nearest(at)) {
        if (op.space == ptx::Space::constant && memory_.live_range(at, bytes) != nullptr) {
          finding.message = who + amount + near->name + " through constant memory, where it does not lie";
          finding.advice = "use a constant variable's address with ld.const only";
        } else {
          outside(near->name, near->begin, near->size);
          if (!near->live) {
            finding.kind = FindingKind::use_after_free;
            finding.message += ", which has been freed";
          }
        }
      } else {
        finding.message = who + amount + "address " + hex(at) + ", far from every allocation";
        finding.advice = "check the index or the pointer";
      }
      break;
    }
  }
  report(std::move(finding));
}

void Engine::report_barrier_operands(Warp& warp, const Group& group, std::uint32_t number,
                                     std::uint32_t count) {
  Finding finding = begin_finding(FindingKind::invalid_program);
  finding.parties.push_back(party(warp, group, std::countr_zero(group.mask)));
  const std::string who = thread_text(finding.parties.front());
  if (number >= kBarriers) {
    finding.message =
        who + " executes a barrier with number " + std::to_string(number) + "; a block has barriers 0 to 15";
    finding.advice = "use a barrier number from 0 to 15";
  } else {
    finding.message = who + " executes a barrier with a count of " + std::to_string(count) +
                      " threads; it must be a positive multiple of 32";
    finding.advice = "count whole warps";
  }
  report(std::move(finding));
}

void Engine::report_barrier_misuse(Warp& warp, const Group& group, std::uint32_t number, std::uint32_t count,
                                   LaneMask here) {
  Block& block = *warp.block;
  const BarrierState& barrier = block.barriers[number];
  const Place place{group.frame->function, group.pc};
  Finding finding = begin_finding(FindingKind::barrier_divergence);
  finding.parties.push_back(party(warp, group, std::countr_zero(here)));
  const std::string who = thread_text(finding.parties.front());
  if ((barrier.arrived[warp.index] & here) != 0) {
    finding.message = who + " arrives at barrier " + std::to_string(number) +
                      " again before the barrier has completed, which is undefined";
    finding.advice = "wait for the barrier (bar.sync) before the next arrival, or use another barrier";
    report(std::move(finding));
    return;
  }
  // The warp it does not agree with: its own, if that has lanes elsewhere, or the first of the others.
  std::uint32_t other = static_cast<std::uint32_t>(std::countr_zero(barrier.warps));
  for (std::uint32_t rest = barrier.warps; rest != 0; rest &= rest - 1) {
    const auto w = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (barrier.aligned[w] && barrier.place[w] != place && (w == warp.index || count == 0)) {
      other = w;
      break;
    }
  }
  finding.parties.push_back(waiting_party(*block.warps[other], barrier, number));
  const std::string opponent = thread_text(finding.parties[1]);
  const auto flags = group.frame->code->code[group.pc].flags & kBarrierActionMask;
  const bool reduces =
      flags != static_cast<int>(BarrierAction::sync) && flags != static_cast<int>(BarrierAction::arrive);
  const auto counted = [](std::uint32_t threads) {
    return threads == 0 ? std::string("all") : std::to_string(threads);
  };
  if (barrier.reduces != reduces) {
    finding.message = who + " arrives at barrier " + std::to_string(number) +
                      " with another operation than " + opponent +
                      ": bar.red must not meet bar.sync or bar.arrive";
    finding.advice = "give every group of threads a barrier number of its own";
  } else if (barrier.count != count) {
    finding.message = who + " arrives at barrier " + std::to_string(number) + " for " + counted(count) +
                      " threads, but " + opponent + " for " + counted(barrier.count);
    finding.advice = "give every group of threads a barrier number of its own";
  } else {
    finding.message = who + " reaches the barrier in " + line_text(finding.parties[0]) + " while " +
                      opponent + " of the same block waits at the one in " + line_text(finding.parties[1]) +
                      ": all threads of a block must reach the same barrier";
    finding.advice = "move the barrier out of the branch, or make the condition the same for the whole block";
  }
  report(std::move(finding));
}

void Engine::report_exits(Block& block, const BarrierState& barrier, std::uint32_t number) {
  Finding finding = begin_finding(FindingKind::exited_before_barrier);
  std::uint64_t exited = 0;
  const Party* shown = nullptr;
  Party gone, waiting;
  for (const auto& warp : block.warps) {
    const LaneMask missing = warp->exited & ~barrier.arrived[warp->index];
    exited += static_cast<std::uint64_t>(std::popcount(missing));
    if (missing != 0 && shown == nullptr) {
      gone = exited_party(*warp, std::countr_zero(missing));
      shown = &gone;
    }
  }
  waiting =
      waiting_party(*block.warps[static_cast<std::size_t>(std::countr_zero(barrier.warps))], barrier, number);
  finding.message = thread_text(gone) + " exited in " + line_text(gone) + " while " + thread_text(waiting) +
                    " waits at the barrier in " + line_text(waiting) + " (" + std::to_string(exited) +
                    (exited == 1 ? " thread" : " threads") + " of the block had exited)";
  finding.advice =
      "let every thread reach every barrier: guard the work, not the barrier, and return after it";
  finding.count = exited;
  finding.parties = {gone, waiting};
  report(std::move(finding));
}

void Engine::report_stuck(Block& block) {
  // Nothing can run any more: say what everybody waits for, and blame the strictest rule that is broken.
  const Group* collective = nullptr;
  const Warp* collective_warp = nullptr;
  std::vector<std::pair<const Warp*, const Group*>> at_barriers;
  std::uint64_t waiting = 0;
  for (const auto& warp : block.warps) {
    for (int i = 0; i < warp->count; ++i) {
      const Group& group = warp->groups[static_cast<std::size_t>(i)];
      waiting += static_cast<std::uint64_t>(std::popcount(group.mask));
      if (group.state == GroupState::collective && collective == nullptr) {
        collective = &group;
        collective_warp = warp.get();
      }
      if (group.state == GroupState::barrier) at_barriers.emplace_back(warp.get(), &group);
    }
  }
  const auto wait_text = [&](const Group& group, const Party& who) -> std::string {
    return (group.state == GroupState::collective ? "a warp operation in " : "a barrier in ") +
           line_text(who);
  };
  if (collective != nullptr) {
    Finding finding = begin_finding(FindingKind::collective_participation);
    LaneMask there = 0;
    for (int i = 0; i < collective_warp->count; ++i) {
      const Group& group = collective_warp->groups[static_cast<std::size_t>(i)];
      if (group.state == GroupState::collective && group.key == collective->key &&
          group.members == collective->members) {
        there |= group.mask;
      }
    }
    const LaneMask missing = collective->members & collective_warp->alive() & ~there;
    finding.parties.push_back(party(*collective_warp, *collective, std::countr_zero(collective->mask)));
    finding.count = static_cast<std::uint64_t>(std::popcount(missing));
    const int absent = std::countr_zero(missing);
    std::string elsewhere;
    for (int i = 0; i < collective_warp->count; ++i) {
      const Group& group = collective_warp->groups[static_cast<std::size_t>(i)];
      if ((group.mask >> absent & 1u) == 0) continue;
      finding.parties.push_back(party(*collective_warp, group, absent));
      elsewhere = wait_text(group, finding.parties.back());
      if (group.state == GroupState::collective && group.key == collective->key) {
        elsewhere += " with mask " + hex(group.members);
      }
    }
    finding.message = thread_text(finding.parties[0]) + " waits at a warp operation in " +
                      line_text(finding.parties[0]) + " with mask " + hex(collective->members) +
                      ", but lane " + std::to_string(absent) + ", which the mask names, waits at " +
                      elsewhere + " (" + std::to_string(std::popcount(missing)) + " named lanes are missing)";
    finding.advice =
        "every lane that the mask names must execute the same operation with the same mask: move it out "
        "of the branch, or take the mask from a ballot of the condition";
    report(std::move(finding));
    return;
  }
  const auto [first_warp, first] = at_barriers.front();
  const Party first_party = party(*first_warp, *first, std::countr_zero(first->mask));
  const auto aligned = [](const Group& group) {
    return (group.frame->code->code[group.pc].flags & kBarrierAligned) != 0;
  };
  for (const auto& [warp, group] : at_barriers) {
    const bool elsewhere = group->frame->function != first->frame->function || group->pc != first->pc;
    if (!elsewhere || !aligned(*group) || !aligned(*first)) continue;
    Finding finding = begin_finding(FindingKind::barrier_divergence);
    finding.parties = {first_party, party(*warp, *group, std::countr_zero(group->mask))};
    finding.message = thread_text(first_party) + " waits for ever at the barrier in " +
                      line_text(first_party) + " (number " + std::to_string(first->barrier) + "), " +
                      thread_text(finding.parties[1]) + " at the one in " + line_text(finding.parties[1]) +
                      " (number " + std::to_string(group->barrier) + ")";
    finding.advice = "all threads that a barrier counts must reach it: move it out of the branch";
    finding.count = waiting;
    report(std::move(finding));
    return;
  }
  Finding finding = begin_finding(FindingKind::deadlock);
  finding.parties.push_back(first_party);
  const BarrierState& barrier = block.barriers[first->barrier];
  finding.message =
      thread_text(first_party) + " waits for ever at barrier " + std::to_string(first->barrier) + " in " +
      line_text(first_party) + ": " + std::to_string(barrier.threads) + " of " +
      (barrier.count == 0 ? std::to_string(threads_per_block_) : std::to_string(barrier.count)) +
      " threads have arrived and no other thread can run";
  for (const auto& [warp, group] : at_barriers) {
    if (group->barrier == first->barrier || finding.parties.size() >= kPartiesShown) continue;
    finding.parties.push_back(party(*warp, *group, std::countr_zero(group->mask)));
    finding.message += "; " + thread_text(finding.parties.back()) + " waits at barrier " +
                       std::to_string(group->barrier) + " in " + line_text(finding.parties.back());
  }
  finding.advice = "make the count of the barrier the number of threads that reach it";
  finding.count = waiting;
  report(std::move(finding));
}

void Engine::report_time_out(Block& block) {
  Finding finding = begin_finding(FindingKind::time_out);
  std::string waiting;
  for (const auto& warp : block.warps) {
    for (int i = 0; i < warp->count; ++i) {
      const Group& group = warp->groups[static_cast<std::size_t>(i)];
      const Party who = party(*warp, group, std::countr_zero(group.mask));
      if (group.state != GroupState::ready) {
        if (waiting.empty()) waiting = "; " + thread_text(who) + " waits in " + line_text(who);
        continue;
      }
      const bool known = std::any_of(finding.parties.begin(), finding.parties.end(),
                                     [&](const Party& other) { return other.stack == who.stack; });
      if (!known && finding.parties.size() < kPartiesShown) finding.parties.push_back(who);
    }
  }
  std::string places;
  for (const Party& who : finding.parties) {
    places += (places.empty() ? "" : ", ") + thread_text(who) + " in " + line_text(who);
  }
  finding.message = "the kernel has not ended after " + std::to_string(steps_) +
                    " warp instructions; still running: " + places + waiting;
  finding.advice = "look at the loop's condition: what it waits for may never happen";
  report(std::move(finding));
}

}  // namespace warpcheck::simt

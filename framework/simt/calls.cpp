#include <algorithm>
#include <bit>
#include <cstring>

#include "framework/simt/engine.hpp"

namespace warpcheck::simt {
namespace {

constexpr std::uint32_t kMaxDepth = 1024;
constexpr std::uint64_t kMaxFrameBytes = std::uint64_t{64} << 20;  ///< of all call stacks of a launch
constexpr std::uint32_t kMaxLocalBytes = 512 * 1024;               ///< a thread, as devices have it

}  // namespace

Frame* Engine::new_frame(std::uint32_t function) {
  auto& free = free_frames_[function];
  Frame* frame = nullptr;
  if (free.empty()) {
    frame = frames_.emplace_back(std::make_unique<Frame>()).get();
    frame->registers = AlignedBytes(program_->functions[function].frame_bytes);
    frame->code = &program_->functions[function];
    frame->function = function;
  } else {
    frame = free.back();
    free.pop_back();
  }
  stack_bytes_ += frame->registers.size();
  return frame;
}

void Engine::release_frame(Frame* frame) {
  stack_bytes_ -= frame->registers.size();
  frame->allocated.clear();
  free_frames_[frame->function].push_back(frame);
}

void Engine::fill_specials(Frame& frame, const Warp& warp, const std::vector<SpecialSlot>& slots) {
  const Dim3& block = config_.block;
  const Dim3& grid = config_.grid;
  const Block& own = *warp.block;
  std::uint64_t allocated = 0;
  for (const SharedObject& object : shared_objects_) allocated += object.size;
  const SharedObject& reserved = shared_objects_.front();
  for (const SpecialSlot& slot : slots) {
    std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(frame.registers.data() + slot.ref);
    const auto all = [&](std::uint32_t value) { std::fill(words, words + kWarpSize, value); };
    const auto each = [&](auto&& value_of) {
      for (std::uint32_t lane = 0; lane < kWarpSize; ++lane)
        words[lane] = value_of(lane, warp.index * kWarpSize + lane);
    };
    switch (slot.special) {
      case Special::tid_x:
        each([&](std::uint32_t, std::uint32_t thread) { return thread % block.x; });
        break;
      case Special::tid_y:
        each([&](std::uint32_t, std::uint32_t thread) { return thread / block.x % block.y; });
        break;
      case Special::tid_z:
        each([&](std::uint32_t, std::uint32_t thread) { return thread / block.x / block.y; });
        break;
      case Special::ntid_x:
        all(block.x);
        break;
      case Special::ntid_y:
        all(block.y);
        break;
      case Special::ntid_z:
        all(block.z);
        break;
      case Special::ctaid_x:
        all(own.coordinates[0]);
        break;
      case Special::ctaid_y:
        all(own.coordinates[1]);
        break;
      case Special::ctaid_z:
        all(own.coordinates[2]);
        break;
      case Special::nctaid_x:
        all(grid.x);
        break;
      case Special::nctaid_y:
        all(grid.y);
        break;
      case Special::nctaid_z:
        all(grid.z);
        break;
      case Special::laneid:
        each([](std::uint32_t lane, std::uint32_t) { return lane; });
        break;
      case Special::warpid:
        all(warp.index);
        break;
      case Special::nwarpid:
        all(warps_per_block_);
        break;
      case Special::smid:
        all(static_cast<std::uint32_t>(own.index % model_.multiprocessors));
        break;
      case Special::nsmid:
        all(model_.multiprocessors);
        break;
      case Special::gridid:
        std::fill(reinterpret_cast<std::uint64_t*>(words),
                  reinterpret_cast<std::uint64_t*>(words) + kWarpSize, launches_);
        break;
      case Special::lanemask_eq:
        each([](std::uint32_t lane, std::uint32_t) { return 1u << lane; });
        break;
      case Special::lanemask_le:
        each([](std::uint32_t lane, std::uint32_t) { return kAllLanes >> (31 - lane); });
        break;
      case Special::lanemask_lt:
        each([](std::uint32_t lane, std::uint32_t) { return (1u << lane) - 1; });
        break;
      case Special::lanemask_ge:
        each([](std::uint32_t lane, std::uint32_t) { return kAllLanes << lane; });
        break;
      case Special::lanemask_gt:
        each([](std::uint32_t lane, std::uint32_t) { return (kAllLanes << lane) & ~(1u << lane); });
        break;
      case Special::dynamic_smem_size:
        all(static_cast<std::uint32_t>(config_.dynamic_shared_bytes));
        break;
      case Special::total_smem_size:
        all(static_cast<std::uint32_t>(allocated - reserved.size));
        break;
      case Special::aggr_smem_size:
        all(static_cast<std::uint32_t>(allocated));
        break;
      case Special::envreg1:
        all(config_.cooperative ? static_cast<std::uint32_t>(workspace_ >> 32) : 0);
        break;
      case Special::envreg2:
        all(config_.cooperative ? static_cast<std::uint32_t>(workspace_) : 0);
        break;
      case Special::one:
        all(1);
        break;
      case Special::reserved_smem_begin:
      case Special::reserved_smem_1:
        all(reserved.begin);
        break;
      case Special::reserved_smem_end:
        all(reserved.begin + reserved.size);
        break;
      case Special::reserved_smem_size:
        all(reserved.size);
        break;
      default:  // Special::zero; clocks are read by an instruction of their own
        all(0);
        break;
    }
  }
}

/// Room for `bytes` of local memory a lane; false beyond the limit.
bool Engine::reserve_local(Warp& warp, std::uint32_t bytes) {
  if (bytes <= warp.local_capacity) return true;
  if (bytes > kMaxLocalBytes) return false;
  const std::uint32_t capacity = std::min(kMaxLocalBytes, std::max(bytes, warp.local_capacity * 2));
  std::vector<std::byte> grown(std::size_t{capacity} * kWarpSize);
  fill_pattern(grown.data(), grown.size());
  for (std::size_t lane = 0; lane < kWarpSize && warp.local_capacity != 0; ++lane) {
    std::memcpy(grown.data() + lane * capacity, warp.local.data() + lane * warp.local_capacity,
                warp.local_capacity);
  }
  warp.local = std::move(grown);
  warp.local_capacity = capacity;
  return true;
}

std::uint64_t Engine::read_value(const Warp& warp, const Frame& frame, const CallValue& value,
                                 int lane) const {
  const auto index = static_cast<std::size_t>(lane);
  if (value.is_register) {
    const std::byte* const base =
        (value.ref & 1u ? program_->constants : frame.registers.data()) + (value.ref & ~1u);
    std::uint64_t bits = 0;
    std::memcpy(&bits, base + index * value.element_bytes, value.element_bytes);
    return bits;
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, warp.local.data() + index * warp.local_capacity + frame.local_base + value.local_offset,
              std::min<std::uint32_t>(value.bytes, 8));
  return bits;
}

void Engine::write_value(Warp& warp, Frame& frame, const CallValue& value, int lane, std::uint64_t bits) {
  const auto index = static_cast<std::size_t>(lane);
  if (value.is_register) {
    std::memcpy(frame.registers.data() + value.ref + index * value.element_bytes, &bits, value.element_bytes);
    return;
  }
  std::memcpy(warp.local.data() + index * warp.local_capacity + frame.local_base + value.local_offset, &bits,
              std::min<std::uint32_t>(value.bytes, 8));
}

void Engine::copy_values(Warp& warp, const Frame& from, const std::vector<CallValue>& sources, Frame& to,
                         const std::vector<CallValue>& targets, LaneMask mask) {
  for (std::size_t i = 0; i < std::min(sources.size(), targets.size()); ++i) {
    for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      if (sources[i].is_register || targets[i].is_register) {
        write_value(warp, to, targets[i], lane, read_value(warp, from, sources[i], lane));
        continue;
      }
      std::byte* const local = warp.local.data() + static_cast<std::size_t>(lane) * warp.local_capacity;
      std::memmove(local + to.local_base + targets[i].local_offset,
                   local + from.local_base + sources[i].local_offset,
                   std::min(sources[i].bytes, targets[i].bytes));
    }
  }
}

Engine::Step Engine::enter(Warp& warp, Group& group, const CallSite& site, std::uint32_t function) {
  Frame& caller = *group.frame;
  const FunctionCode& callee = program_->functions[function];
  const std::uint32_t top = caller.local_top + callee.local_bytes;
  if (caller.depth + 1 >= kMaxDepth || stack_bytes_ + callee.frame_bytes > kMaxFrameBytes ||
      !reserve_local(warp, top)) {
    Finding finding = begin_finding(FindingKind::out_of_bounds);
    finding.parties.push_back(party(warp, group, std::countr_zero(group.mask)));
    auto& stack = finding.parties.front().stack;
    if (stack.size() > 16) stack.resize(16);
    finding.object = "call stack";
    finding.message = thread_text(finding.parties.front()) + " overflows its call stack: a call of " +
                      callee.demangled + " at depth " + std::to_string(caller.depth + 1) + ", with " +
                      std::to_string(caller.local_top) +
                      " bytes of local memory in use (limits: " + std::to_string(kMaxDepth) + " calls, " +
                      std::to_string(kMaxLocalBytes) + " bytes)";
    finding.advice = "bound the recursion";
    report(std::move(finding));
    return Step::stopped;
  }
  Frame* const frame = new_frame(function);
  frame->parent = &caller;
  frame->call_pc = group.pc;
  frame->lanes = group.mask;
  frame->depth = caller.depth + 1;
  frame->local_base = caller.local_top;
  frame->local_top = top;
  fill_pattern(frame->registers.data(), frame->registers.size());
  fill_specials(*frame, warp, callee.specials);
  fill_specials(*frame, warp, callee.block_specials);
  copy_values(warp, caller, site.arguments, *frame, callee.parameters, group.mask);
  group.frame = frame;
  group.pc = 0;
  return --turn_ <= 0 ? Step::yielded : Step::again;
}

Engine::Step Engine::call(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  if (const LaneMask past = group.mask & ~mask; past != 0) split(warp, group, past, group.pc + 1);
  const CallSite& site = group.frame->code->calls[instr.aux];
  return enter(warp, group, site, site.function);
}

Engine::Step Engine::call_indirect(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  const std::uint64_t* const targets = context.at<std::uint64_t>(instr.a);
  const int first = std::countr_zero(mask);
  const std::uint64_t target = targets[first];
  LaneMask here = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) here |= static_cast<LaneMask>(targets[lane] == target) << lane;
  here &= mask;

  // 32-bit function addresses have lost their window.
  const std::uint64_t number = (target & (kWindowSize - 1)) / kFunctionStep - 1;
  const bool in_window = target - kFunctionWindow < kWindowSize || target < kWindowSize;
  const CallSite& site = group.frame->code->calls[instr.aux];
  std::string problem;
  if (!in_window || target % kFunctionStep != 0 || number >= program_->functions.size() ||
      program_->functions[number].code.empty() || program_->module.functions[number].is_entry) {
    char text[24];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(target));
    problem = std::string("calls address ") + text + ", which is no function of the program";
  } else if (program_->functions[number].parameters.size() != site.arguments.size() ||
             program_->functions[number].results.size() < site.results.size()) {
    problem = "calls " + program_->functions[number].demangled + " through a pointer with " +
              std::to_string(site.arguments.size()) + " arguments, it takes " +
              std::to_string(program_->functions[number].parameters.size());
  }
  if (!problem.empty()) {
    Finding finding = begin_finding(target == 0 ? FindingKind::null_pointer : FindingKind::invalid_program);
    finding.parties.push_back(party(warp, group, first));
    finding.message = thread_text(finding.parties.front()) + " " + problem;
    finding.advice =
        "initialise the function pointer; pointers taken on the host are not valid on the device";
    report(std::move(finding));
    return Step::stopped;
  }
  if (const LaneMask others = mask & ~here; others != 0) split(warp, group, others, group.pc);
  if (const LaneMask past = group.mask & ~here; past != 0) split(warp, group, past, group.pc + 1);
  return enter(warp, group, site, static_cast<std::uint32_t>(number));
}

Engine::Step Engine::leave(Warp& warp, Group& group, LaneMask mask) {
  Frame* const frame = group.frame;
  if (frame->parent == nullptr) return exit_lanes(warp, group, mask);
  if (const LaneMask staying = group.mask & ~mask; staying != 0) split(warp, group, staying, group.pc + 1);
  Frame& caller = *frame->parent;
  const CallSite& site = caller.code->calls[caller.code->code[frame->call_pc].aux];
  copy_values(warp, *frame, frame->code->results, caller, site.results, mask);
  group.frame = &caller;
  group.pc = frame->call_pc + 1;
  frame->lanes &= ~mask;
  if (frame->lanes == 0) release_frame(frame);
  return Step::again;
}

Engine::Step Engine::exit_lanes(Warp& warp, Group& group, LaneMask mask) {
  Block& block = *warp.block;
  const Place place{group.frame->function, group.pc};
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    warp.exit_place[static_cast<std::size_t>(std::countr_zero(rest))] = place;
  }
  for (Frame* frame = group.frame; frame->parent != nullptr;) {
    Frame* const parent = frame->parent;
    frame->lanes &= ~mask;
    if (frame->lanes == 0) release_frame(frame);
    frame = parent;
  }
  warp.exited |= mask;
  block.early_exits = true;
  group.mask &= ~mask;
  if (group.mask == 0) {
    remove_group(warp, group);
  } else {
    ++group.pc;
  }
  if (warp.alive() == 0) {
    block.live &= ~(1u << warp.index);
  } else {
    complete_pending_collectives(warp);
  }
  return block.barriers_in_use == 0 || barriers_after_exit(block) ? Step::again : Step::stopped;
}

Engine::Step Engine::branch_by_table(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  const std::uint32_t* const indices = context.at<std::uint32_t>(instr.a);
  const auto& table = group.frame->code->branch_tables[instr.aux];
  const int first = std::countr_zero(mask);
  const std::uint32_t index = indices[first];
  if (index >= table.size()) {
    Finding finding = begin_finding(FindingKind::invalid_program);
    finding.parties.push_back(party(warp, group, first));
    finding.message = thread_text(finding.parties.front()) + " branches by index " + std::to_string(index) +
                      ", the table has " + std::to_string(table.size()) + " targets";
    finding.advice = "check the index before brx.idx";
    report(std::move(finding));
    return Step::stopped;
  }
  LaneMask here = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) here |= static_cast<LaneMask>(indices[lane] == index) << lane;
  here &= mask;
  const std::uint32_t pc = group.pc;
  if (const LaneMask others = mask & ~here; others != 0) split(warp, group, others, pc);
  if (const LaneMask past = group.mask & ~here; past != 0) split(warp, group, past, pc + 1);
  group.pc = table[index];
  return --turn_ <= 0 ? Step::yielded : Step::again;
}

Engine::Step Engine::allocate_stack(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  Frame& frame = *group.frame;
  const LaneContext context{{frame.registers.data(), program_->constants}};
  // All lanes of the frame share one stack pointer, so the largest request counts.
  std::uint64_t bytes = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    bytes = std::max(bytes, instr.width == 8 ? context.at<std::uint64_t>(instr.a)[lane]
                                             : context.at<std::uint32_t>(instr.a)[lane]);
  }
  const std::uint64_t alignment = instr.target;
  const std::uint64_t begin =
      (std::max<std::uint64_t>(frame.local_top, 256) + alignment - 1) / alignment * alignment;
  constexpr std::uint32_t kGap = 64;
  if (bytes > kMaxLocalBytes || begin + bytes + kGap > kMaxLocalBytes ||
      !reserve_local(warp, static_cast<std::uint32_t>(begin + bytes + kGap))) {
    Finding finding = begin_finding(FindingKind::out_of_bounds);
    finding.parties.push_back(party(warp, group, std::countr_zero(mask)));
    finding.object = "call stack";
    finding.message = thread_text(finding.parties.front()) + " allocates " + std::to_string(bytes) +
                      " bytes on a stack of " + std::to_string(kMaxLocalBytes) + " bytes, of which " +
                      std::to_string(frame.local_top) + " are in use";
    finding.advice = "allocate less with alloca";
    report(std::move(finding));
    return Step::stopped;
  }
  frame.allocated.push_back({"alloca", static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(bytes)});
  frame.local_top = static_cast<std::uint32_t>(begin + bytes + kGap);
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    if (instr.width == 8) {
      context.at<std::uint64_t>(instr.d)[lane] = begin;
    } else {
      context.at<std::uint32_t>(instr.d)[lane] = static_cast<std::uint32_t>(begin);
    }
  }
  return Step::advance;
}

void Engine::restore_stack(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  Frame& frame = *group.frame;
  // Other lanes may still use what lies above; it goes when the frame does.
  if (mask != (frame.parent == nullptr ? warp.alive() : frame.lanes)) return;
  const LaneContext context{{frame.registers.data(), program_->constants}};
  std::uint64_t top = 0;
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    top = std::max(top, instr.width == 8 ? context.at<std::uint64_t>(instr.a)[lane]
                                         : context.at<std::uint32_t>(instr.a)[lane]);
  }
  if (top >= frame.local_top || top < std::uint64_t{frame.local_base} + frame.code->local_bytes) return;
  frame.local_top = static_cast<std::uint32_t>(top);
  std::erase_if(frame.allocated, [top](const LocalObject& object) { return object.offset >= top; });
}

}  // namespace warpcheck::simt

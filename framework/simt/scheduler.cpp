#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "framework/simt/engine.hpp"

namespace warpcheck::simt {
namespace {

constexpr std::int32_t kTurn = 1024;  ///< backward branches
constexpr std::uint64_t kResidentBytes = std::uint64_t{256} << 20;
constexpr std::size_t kMaxResident = 4096;
constexpr std::size_t kRandomResident = 4;

/// splitmix64, the usual finaliser.
std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

}  // namespace

AlignedBytes::AlignedBytes(std::size_t size)
    : storage_(
          static_cast<std::byte*>(::operator new[](std::max<std::size_t>(size, 64), std::align_val_t{64}))),
      start_(storage_.get()),
      size_(size) {}

void AlignedBytes::Free::operator()(std::byte* bytes) const {
  ::operator delete[](bytes, std::align_val_t{64});
}

Engine::Engine(DeviceMemory& memory, const DeviceModel& model) : memory_(memory), model_(model) {}
Engine::~Engine() {
  if (workspace_ != 0) memory_.free(workspace_);
}

void Engine::fill_pattern(std::byte* to, std::size_t bytes) const {
  const std::uint32_t pattern = memory_.fill().pattern;
  if (pattern == (pattern & 0xffu) * 0x01010101u) {
    std::memset(to, static_cast<int>(pattern & 0xffu), bytes);
    return;
  }
  for (std::size_t at = 0; at < bytes; at += sizeof pattern) {
    std::memcpy(to + at, &pattern, std::min(sizeof pattern, bytes - at));
  }
}

void Engine::forget_sites() {
  std::fill(global_sites_.begin(), global_sites_.end(), GlobalSite{});
}

std::uint64_t Engine::random() {
  return mix(random_state_++);
}

void Engine::new_turn() {
  turn_ = random_order_ ? std::int32_t{1} << (random() % 8) : kTurn;
}

/// Which block is the ordinal-th to start.
std::uint64_t Engine::block_in_order(std::uint64_t ordinal) const {
  const std::uint64_t count = config_.grid.count();
  if (highest_first_) return count - 1 - ordinal;
  if (!random_order_) return ordinal;
  // A Feistel network over the next even power of two, walked until the value is a block: a permutation.
  const int half = (static_cast<int>(std::bit_width(count - 1)) + 1) / 2;
  const std::uint64_t low = (std::uint64_t{1} << half) - 1;
  std::uint64_t value = ordinal;
  do {
    std::uint64_t left = value >> half, right = value & low;
    for (std::uint64_t round = 0; round < 4; ++round) {
      const std::uint64_t next = left ^ (mix(right ^ mix(config_.schedule.seed + round)) & low);
      left = right;
      right = next;
    }
    value = left << half | right;
  } while (value >= count);
  return value;
}

void Engine::prepare(const Program& program, std::uint32_t entry, const LaunchConfig& config,
                     std::span<const std::byte> parameters) {
  program_ = &program;
  entry_ = entry;
  config_ = config;
  parameters_.assign(parameters.begin(), parameters.end());
  threads_per_block_ = static_cast<std::uint32_t>(config.block.count());
  warps_per_block_ = (threads_per_block_ + kWarpSize - 1) / kWarpSize;
  result_ = {};
  warned_.clear();
  stop_ = false;
  steps_ = 0;
  stack_bytes_ = 0;
  ++launches_;
  random_order_ = config.schedule.order == Schedule::Order::random;
  highest_first_ = config.schedule.order == Schedule::Order::highest_first;
  random_state_ = mix(config.schedule.seed);

  shared_objects_ = program.entry_shared[entry];
  shared_objects_.back().size = static_cast<std::uint32_t>(config.dynamic_shared_bytes);
  shared_bytes_ = shared_objects_.back().begin + shared_objects_.back().size;

  // One site more, for what the runtime's own functions read.
  global_sites_.assign(program.memory_sites + 1, {});
  shared_sites_.assign(program.memory_sites + 1, {});
  free_frames_.clear();
  free_frames_.resize(program.functions.size());
  frames_.clear();
  // A launch that an error stopped leaves its blocks as they were: start_block puts them right.
  for (auto& block : resident_) idle_blocks_.push_back(std::move(block));
  resident_.clear();
  const BlockShape shape{program.id, entry, threads_per_block_, shared_bytes_};
  if (shape != shape_) idle_blocks_.clear();
  shape_ = shape;
  constexpr std::size_t kKept = 64;
  if (idle_blocks_.size() > kKept) idle_blocks_.resize(kKept);
  for (const auto& block : idle_blocks_) block->cleared = false;

  if (config.cooperative) {
    // {size, barrier}: what cooperative groups expect where %envreg1 and %envreg2 point.
    struct {
      std::uint32_t size, barrier;
    } constexpr kWorkspace{8, 0};
    if (workspace_ == 0) {
      workspace_ =
          memory_.allocate(sizeof kWorkspace, AllocationKind::variable, "grid synchronisation workspace");
    }
    if (workspace_ != 0) std::memcpy(memory_.host(workspace_), &kWorkspace, sizeof kWorkspace);
  }
}

LaunchResult Engine::run(const Program& program, std::uint32_t entry, const LaunchConfig& config,
                         std::span<const std::byte> parameters) {
  prepare(program, entry, config, parameters);
  if (observer_ != nullptr) observer_->launch_begins(config_);
  run_grid();
  result_.warp_instructions = steps_;
  if (observer_ != nullptr) {
    observer_->launch_ends();
    for (Finding& finding : observer_->take_findings()) {
      if (finding.kernel.empty()) finding.kernel = program.functions[entry].demangled;
      if (!is_warning(finding.kind)) result_.status = LaunchStatus::stopped;
      result_.findings.push_back(std::move(finding));
    }
  }
  current_warp_ = nullptr;
  current_group_ = nullptr;
  return std::move(result_);
}

std::unique_ptr<Block> Engine::make_block() const {
  auto block = std::make_unique<Block>();
  block->shared = AlignedBytes(std::size_t{shared_bytes_} + 64);
  const FunctionCode& code = program_->functions[entry_];
  for (std::uint32_t w = 0; w < warps_per_block_; ++w) {
    auto warp = std::make_unique<Warp>();
    warp->block = block.get();
    warp->index = w;
    const std::uint32_t lanes = std::min<std::uint32_t>(threads_per_block_ - w * kWarpSize, kWarpSize);
    warp->present = lanes == kWarpSize ? kAllLanes : (1u << lanes) - 1;
    warp->entry.registers = AlignedBytes(code.frame_bytes);
    warp->entry.code = &code;
    warp->entry.function = entry_;
    block->warps.push_back(std::move(warp));
  }
  return block;
}

/// Registers that are never set must not depend on what ran before this launch.
void Engine::clear_block(Block& block) {
  const FunctionCode& code = program_->functions[entry_];
  for (const auto& warp : block.warps) {
    fill_pattern(warp->entry.registers.data(), warp->entry.registers.size());
    warp->local_capacity = 0;
    reserve_local(*warp, code.local_bytes);
    fill_specials(warp->entry, *warp, code.specials);
  }
  for (BarrierState& barrier : block.barriers) barrier.clear();
  block.barriers_in_use = 0;
  block.cleared = true;
}

void Engine::start_block(Block& block, std::uint64_t index) {
  block.index = index;
  block.coordinates[0] = static_cast<std::uint32_t>(index % config_.grid.x);
  block.coordinates[1] = static_cast<std::uint32_t>(index / config_.grid.x % config_.grid.y);
  block.coordinates[2] = static_cast<std::uint32_t>(index / config_.grid.x / config_.grid.y);
  block.live = block.ready = warps_per_block_ == 32 ? 0xffffffffu : (1u << warps_per_block_) - 1;
  block.last_warp = highest_first_ ? 0 : warps_per_block_ - 1;
  block.yields = 0;
  block.early_exits = false;
  const FunctionCode& code = program_->functions[entry_];
  if (!block.cleared) clear_block(block);
  const SharedObject& reserved = shared_objects_.front();
  std::memset(block.shared.data() + reserved.begin, 0, reserved.size);
  for (const SharedObject& object : std::span(shared_objects_).subspan(1)) {
    fill_pattern(block.shared.data() + object.begin, object.size);
  }
  for (const auto& warp : block.warps) {
    warp->exited = 0;
    warp->count = 1;
    warp->groups[0] = Group{.mask = warp->present, .frame = &warp->entry};
    warp->entry.local_top = code.local_bytes;
    warp->entry.allocated.clear();
    if (!code.block_specials.empty()) fill_specials(warp->entry, *warp, code.block_specials);
  }
  if (observer_ != nullptr) observer_->block_begins(index);
}

void Engine::run_grid() {
  const std::uint64_t total = config_.grid.count();
  const std::uint64_t block_bytes =
      std::uint64_t{warps_per_block_} * program_->functions[entry_].frame_bytes + shared_bytes_ + 4096;
  const std::size_t most = config_.cooperative
                               ? static_cast<std::size_t>(total)
                               : std::clamp<std::size_t>(kResidentBytes / block_bytes, 1, kMaxResident);
  std::size_t wanted = config_.cooperative ? most : random_order_ ? std::min(kRandomResident, most) : 1;
  const std::uint64_t patience = random_order_ ? 2048 : 16;
  std::uint64_t started = 0, finished_at = 0, turns = 0;
  std::size_t next = 0;
  for (;;) {
    while (resident_.size() < wanted && started < total) {
      std::unique_ptr<Block> block;
      if (idle_blocks_.empty()) {
        block = make_block();
      } else {
        block = std::move(idle_blocks_.back());
        idle_blocks_.pop_back();
      }
      start_block(*block, block_in_order(started++));
      resident_.push_back(std::move(block));
    }
    if (resident_.empty()) return;
    next = random_order_ ? random() % resident_.size() : next % resident_.size();
    Block& block = *resident_[next];
    const BlockTurn turn = run_block(block);
    ++turns;
    if (turn == BlockTurn::stopped) return;
    if (turn == BlockTurn::finished) {
      if (observer_ != nullptr) observer_->block_ends(block.index);
      idle_blocks_.push_back(std::move(resident_[next]));
      resident_.erase(resident_.begin() + static_cast<std::ptrdiff_t>(next));
      finished_at = turns;
      continue;
    }
    if (config_.step_budget != 0 && steps_ > config_.step_budget) {
      report_time_out(block);
      return;
    }
    ++next;
    // Everybody has had turns and nobody has finished: they may wait for a block that has not begun.
    if (turns - finished_at >= patience * resident_.size()) {
      wanted = std::min(most, std::max(wanted * 2, resident_.size() + 1));
      finished_at = turns;
    }
  }
}

Engine::BlockTurn Engine::run_block(Block& block) {
  block.yields = 0;
  for (;;) {
    if (block.ready == 0) {
      if (block.live == 0) return BlockTurn::finished;
      report_stuck(block);
      return BlockTurn::stopped;
    }
    std::uint32_t choice = 0;
    if (random_order_) {
      auto skip = random() % static_cast<std::uint64_t>(std::popcount(block.ready));
      std::uint32_t rest = block.ready;
      for (; skip > 0; --skip) rest &= rest - 1;
      choice = static_cast<std::uint32_t>(std::countr_zero(rest));
    } else if (highest_first_) {
      const std::uint32_t below = block.ready & ((1u << block.last_warp) - 1);
      choice = 31 - static_cast<std::uint32_t>(std::countl_zero(below != 0 ? below : block.ready));
    } else {
      const std::uint32_t above =
          block.last_warp >= 31 ? 0 : block.ready & ~((std::uint32_t{2} << block.last_warp) - 1);
      choice = static_cast<std::uint32_t>(std::countr_zero(above != 0 ? above : block.ready));
    }
    block.last_warp = choice;
    const Turn turn = run_warp(*block.warps[choice]);
    if (turn == Turn::stopped) return BlockTurn::stopped;
    if (turn != Turn::yielded) continue;
    if (config_.step_budget != 0 && steps_ > config_.step_budget) return BlockTurn::yielded;
    // Two turns for every warp without an end in sight: others may have to go first.
    const auto most = random_order_ ? 1u : 2u * static_cast<std::uint32_t>(std::popcount(block.ready));
    if (++block.yields >= most) return BlockTurn::yielded;
  }
}

/// Runs a warp until all its groups wait or have exited, or until its turn is used up.
Engine::Turn Engine::run_warp(Warp& warp) {
  new_turn();
  for (;;) {
    const int index =
        warp.count == 1 ? (warp.groups[0].state == GroupState::ready ? 0 : -1) : choose_group(warp);
    if (index < 0) {
      warp.block->ready &= ~(1u << warp.index);
      return Turn::again;
    }
    const int before = warp.count;
    const Turn turn = run_group(warp, index);
    if (turn == Turn::stopped || stop_) return Turn::stopped;
    if (turn == Turn::yielded) {
      // The next turn is another group's, if one can run.
      if (before > 1 || warp.count > 1) {
        if (index < warp.count) ++warp.groups[static_cast<std::size_t>(index)].round;
      }
      merge_groups(warp);
      return Turn::yielded;
    }
    if (warp.count > 1) merge_groups(warp);
    if (turn == Turn::released) return turn;
  }
}

int Engine::choose_group(Warp& warp) {
  int best = -1;
  if (random_order_) {
    int ready = 0;
    for (int i = 0; i < warp.count; ++i)
      ready += warp.groups[static_cast<std::size_t>(i)].state == GroupState::ready;
    if (ready == 0) return -1;
    auto skip = static_cast<int>(random() % static_cast<std::uint64_t>(ready));
    for (int i = 0; i < warp.count; ++i) {
      if (warp.groups[static_cast<std::size_t>(i)].state == GroupState::ready && skip-- == 0) return i;
    }
  }
  const auto better = [&](const Group& a, const Group& b) {
    if (a.round != b.round) return a.round < b.round;
    // A callee first, so that lanes meet again where it returns.
    if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
    return highest_first_ ? a.pc > b.pc : a.pc < b.pc;
  };
  for (int i = 0; i < warp.count; ++i) {
    const Group& group = warp.groups[static_cast<std::size_t>(i)];
    if (group.state != GroupState::ready) continue;
    if (best < 0 || better(group, warp.groups[static_cast<std::size_t>(best)])) best = i;
  }
  return best;
}

void Engine::merge_groups(Warp& warp) {
  for (int i = 0; i < warp.count; ++i) {
    Group& group = warp.groups[static_cast<std::size_t>(i)];
    if (group.state != GroupState::ready) continue;
    for (int j = i + 1; j < warp.count;) {
      Group& other = warp.groups[static_cast<std::size_t>(j)];
      if (other.state == GroupState::ready && other.pc == group.pc && other.frame == group.frame) {
        group.mask |= other.mask;
        group.round = std::max(group.round, other.round);
        remove_group(warp, other);
      } else {
        ++j;
      }
    }
  }
  if (warp.count == 1) warp.groups[0].round = 0;
}

/// The lowest counter at which another group stands that this one may meet.
std::uint32_t Engine::meeting_point(const Warp& warp, const Group& group) const {
  std::uint32_t point = kNowhere;
  if (warp.count == 1 || random_order_ || highest_first_) return point;
  for (int i = 0; i < warp.count; ++i) {
    const Group& other = warp.groups[static_cast<std::size_t>(i)];
    if (other.state == GroupState::ready && other.frame == group.frame && other.pc > group.pc) {
      point = std::min(point, other.pc);
    }
  }
  return point;
}

/// Moves lanes of a group to one of their own.
Group& Engine::split(Warp& warp, Group& group, LaneMask leaving, std::uint32_t pc) {
  Group& created = warp.groups[static_cast<std::size_t>(warp.count++)];
  created = group;
  created.state = GroupState::ready;
  created.mask = leaving;
  created.pc = pc;
  group.mask &= ~leaving;
  return created;
}

void Engine::remove_group(Warp& warp, Group& group) {
  group = warp.groups[static_cast<std::size_t>(--warp.count)];
}

}  // namespace warpcheck::simt

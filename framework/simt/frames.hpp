#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "framework/simt/program.hpp"

/// The state of threads while a kernel runs: frames, groups of lanes, warps, blocks.
namespace warpcheck::simt {

/// Bytes that start at a multiple of 64.
class AlignedBytes {
 public:
  AlignedBytes() = default;
  explicit AlignedBytes(std::size_t size);
  std::byte* data() const { return start_; }
  std::size_t size() const { return size_; }

 private:
  struct Free {
    void operator()(std::byte* bytes) const;
  };
  std::unique_ptr<std::byte[], Free> storage_;
  std::byte* start_{};
  std::size_t size_{};
};

/// The same for all lanes: a constant of the text, or no operand at all.
inline bool is_broadcast(OperandRef ref) {
  return (ref & 1u) != 0;
}

/// One activation of a function, for the lanes of a warp that entered it together.
struct Frame {
  AlignedBytes registers;
  const FunctionCode* code{};
  std::uint32_t function{};
  Frame* parent{};
  std::uint32_t call_pc{};  ///< in the parent: the call
  LaneMask lanes{};         ///< that have not left it
  std::uint32_t depth{};
  std::uint32_t local_base{}, local_top{};  ///< the same for all lanes
  std::vector<LocalObject> allocated;       ///< by alloca; offsets from the bottom of the stack
};

enum class GroupState : std::uint8_t {
  ready,
  collective,  ///< waits for lanes of its warp
  barrier,     ///< waits for threads of its block
};

inline constexpr std::uint32_t kNowhere = ~std::uint32_t{0};  ///< no program counter

/// Lanes with one program counter in one frame.
struct Group {
  LaneMask mask{};
  std::uint32_t pc{};
  Frame* frame{};
  std::uint32_t round{};  ///< grows when the group has used up its turn; low rounds go first
  GroupState state{};
  std::uint8_t barrier{};
  std::uint32_t key{};  ///< of the collective it waits for: operation and qualifiers
  LaneMask members{};   ///< of the collective
};

struct Place {
  std::uint32_t function{};
  std::uint32_t pc{};
  bool operator==(const Place&) const = default;
};

struct Block;

struct Warp {
  Block* block{};
  std::uint32_t index{};
  LaneMask present{};  ///< lanes that the block has
  LaneMask exited{};
  int count{};  ///< groups
  std::array<Group, kWarpSize> groups;
  Frame entry;
  std::array<Place, kWarpSize> exit_place;

  std::vector<std::byte> local;    ///< lane after lane
  std::uint32_t local_capacity{};  ///< bytes a lane

  LaneMask alive() const { return present & ~exited; }
  bool has_ready() const {
    for (int i = 0; i < count; ++i) {
      if (groups[static_cast<std::size_t>(i)].state == GroupState::ready) return true;
    }
    return false;
  }
};

inline constexpr int kBarriers = 16;
inline constexpr int kMaxWarps = 32;

/// One of a block's named barriers, between two completions.
struct BarrierState {
  std::array<LaneMask, kMaxWarps> arrived{};
  std::uint32_t warps{};  ///< with any arrival
  std::uint32_t whole{};  ///< of which every thread that is left has arrived
  std::uint32_t count{};  ///< threads, from the instruction; 0: all
  bool reduces{};
  std::uint32_t popc{};
  std::uint32_t threads{};           ///< arrivals
  Place aligned_place{0, kNowhere};  ///< of the first aligned arrival; pc is kNowhere before it
  std::array<Place, kMaxWarps>
      place;  ///< of a warp's first arrival; of warps in `warps` only, like `aligned`
  std::array<bool, kMaxWarps> aligned;

  void clear() {
    arrived.fill(0);
    warps = whole = count = popc = threads = 0;
    reduces = false;
    aligned_place.pc = kNowhere;
  }
};

struct Block {
  std::uint64_t index{};
  std::uint32_t coordinates[3]{};
  std::vector<std::unique_ptr<Warp>> warps;
  std::uint32_t ready{};      ///< warps with a ready group
  std::uint32_t live{};       ///< warps with a thread that has not exited
  std::uint32_t last_warp{};  ///< that had the turn
  std::uint32_t yields{};
  std::uint32_t barriers_in_use{};
  bool early_exits{};  ///< some thread has exited
  bool cleared{};      ///< registers hold nothing of an earlier launch
  std::array<BarrierState, kBarriers> barriers;
  AlignedBytes shared;
};

}  // namespace warpcheck::simt

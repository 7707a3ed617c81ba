#pragma once

#include <span>
#include <string>
#include <vector>

#include "framework/simt/frames.hpp"
#include "framework/simt/machine.hpp"

/// Executes one launch at a time.
namespace warpcheck::simt {

class Engine {
 public:
  Engine(DeviceMemory& memory, const DeviceModel& model);
  ~Engine();

  LaunchResult run(const Program& program, std::uint32_t entry, const LaunchConfig& config,
                   std::span<const std::byte> parameters);

  void set_observer(Observer* observer) { observer_ = observer; }
  void set_output(OutputSink* sink) { output_ = sink; }

  /// A thread of the warp that executes at present, for observers: where it is and who called it.
  Party party_at(const WarpPlace& place, std::uint32_t lane) const;

 private:
  enum class Turn : std::uint8_t {
    again,     ///< the groups of the warp have changed: choose again
    released,  ///< a barrier has let several warps go: the first of them is next
    yielded,   ///< the turn is used up
    stopped,   ///< an error ended the launch
  };
  enum class BlockTurn : std::uint8_t { finished, yielded, stopped };
  enum class Step : std::uint8_t {
    advance,  ///< go on with the next instruction
    again,    ///< as Turn
    released,
    yielded,
    stopped,
  };

  // scheduler.cpp
  void prepare(const Program& program, std::uint32_t entry, const LaunchConfig& config,
               std::span<const std::byte> parameters);
  void run_grid();
  std::unique_ptr<Block> make_block() const;
  void clear_block(Block& block);
  void start_block(Block& block, std::uint64_t index);
  BlockTurn run_block(Block& block);
  Turn run_warp(Warp& warp);
  int choose_group(Warp& warp);
  void merge_groups(Warp& warp);
  std::uint32_t meeting_point(const Warp& warp, const Group& group) const;
  Group& split(Warp& warp, Group& group, LaneMask leaving, std::uint32_t pc);
  void remove_group(Warp& warp, Group& group);
  void new_turn();
  std::uint64_t random();
  std::uint64_t block_in_order(std::uint64_t ordinal) const;

  // execute.cpp
  Turn run_group(Warp& warp, int index);

  // calls.cpp
  Frame* new_frame(std::uint32_t function);
  void release_frame(Frame* frame);
  void fill_pattern(std::byte* to, std::size_t bytes) const;
  void fill_specials(Frame& frame, const Warp& warp, const std::vector<SpecialSlot>& slots);
  bool reserve_local(Warp& warp, std::uint32_t bytes);
  Step call(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  Step call_indirect(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  Step enter(Warp& warp, Group& group, const CallSite& site, std::uint32_t function);
  Step leave(Warp& warp, Group& group, LaneMask mask);
  Step branch_by_table(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  Step exit_lanes(Warp& warp, Group& group, LaneMask mask);
  Step allocate_stack(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  void restore_stack(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  std::uint64_t read_value(const Warp& warp, const Frame& frame, const CallValue& value, int lane) const;
  void write_value(Warp& warp, Frame& frame, const CallValue& value, int lane, std::uint64_t bits);
  void copy_values(Warp& warp, const Frame& from, const std::vector<CallValue>& sources, Frame& to,
                   const std::vector<CallValue>& targets, LaneMask mask);

  // builtins.cpp
  Step call_builtin(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  bool print(Warp& warp, Group& group, int lane, std::uint64_t format, std::uint64_t arguments,
             std::uint32_t& count);
  bool read_bytes(Warp& warp, Group& group, int lane, std::uint64_t address, std::span<std::byte> to);
  bool read_text(Warp& warp, Group& group, int lane, std::uint64_t address, std::string& text);

  // memory_ops.cpp
  bool load(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  bool store(Warp& warp, Group& group, const Instr& instr, LaneMask mask);

  bool shared_quickly(Warp& warp, const Group& group, const MemoryOp& op, LaneMask mask, bool writes);
  void observe(Warp& warp, const Group& group, const MemoryOp& op, Access::Operation operation,
               ptx::Space space, LaneMask mask, const std::uint64_t* address);

  /// Where the bytes of an access lie: pointers for the lanes in `mask`, or a finding and false.
  bool resolve(Warp& warp, Group& group, const MemoryOp& op, Access::Operation operation, LaneMask mask,
               const std::uint64_t* address, std::byte** bytes, ptx::Space* spaces);
  bool resolve_lane(Warp& warp, const Group& group, const MemoryOp& op, bool writes, int lane,
                    std::uint64_t address, std::byte*& bytes, ptx::Space& space);

  // atomics.cpp
  void forget_sites();
  bool atomic(Warp& warp, Group& group, const Instr& instr, LaneMask mask);

  // collectives.cpp
  Step collective(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  bool complete_collective(Warp& warp, std::uint32_t key, LaneMask members);
  void complete_pending_collectives(Warp& warp);
  void warn_of_delta(Warp& warp, const Group& group, const Instr& instr, LaneMask mask);

  // barriers.cpp
  Step block_barrier(Warp& warp, Group& group, const Instr& instr, LaneMask mask);
  bool complete_if_due(Block& block, std::uint32_t barrier);
  bool barriers_after_exit(Block& block);

  // findings.cpp
  std::size_t report(Finding finding);  ///< where it is in the result
  Finding begin_finding(FindingKind kind) const;
  Party party(const Warp& warp, const Frame& frame, std::uint32_t pc, int lane) const;
  Party party(const Warp& warp, const Group& group, int lane) const {
    return party(warp, *group.frame, group.pc, lane);
  }
  Party exited_party(const Warp& warp, int lane) const;
  void report_access(Warp& warp, const Group& group, const MemoryOp& op, bool writes, LaneMask mask,
                     const std::uint64_t* address);
  void report_barrier_operands(Warp& warp, const Group& group, std::uint32_t number, std::uint32_t count);
  void report_barrier_misuse(Warp& warp, const Group& group, std::uint32_t number, std::uint32_t count,
                             LaneMask here);
  void report_stuck(Block& block);
  void report_time_out(Block& block);
  void report_exits(Block& block, const BarrierState& barrier, std::uint32_t number);
  std::string thread_text(const Party& party) const;  ///< "thread (3,0,0) of block (1,0,0)"
  std::string line_text(const Party& party) const;    ///< "k.cu:12"
  Party waiting_party(const Warp& warp, const BarrierState& barrier, std::uint32_t number) const;
  const SharedObject* shared_object_near(std::uint64_t offset, bool& inside, std::uint64_t bytes) const;
  const LocalObject* local_object(const Frame& frame, std::uint64_t offset, std::uint32_t bytes,
                                  const Frame** owner) const;

  DeviceMemory& memory_;
  DeviceModel model_;
  Observer* observer_{};
  OutputSink* output_{};

  // The launch.
  const Program* program_{};
  std::uint32_t entry_{};
  LaunchConfig config_;
  std::vector<std::byte> parameters_;
  std::uint32_t warps_per_block_{};
  std::uint32_t threads_per_block_{};
  std::vector<SharedObject> shared_objects_;  ///< of this launch, by address
  std::uint32_t shared_bytes_{};              ///< of the window
  std::uint64_t workspace_{};                 ///< of grid synchronisation; 0 until a cooperative launch
  std::uint64_t launches_{};
  LaunchResult result_;
  bool stop_{};
  std::vector<std::pair<Place, std::size_t>> warned_;  ///< places with a warning, and their findings
  std::uint64_t steps_{};
  std::uint64_t random_state_{};
  std::uint64_t stack_bytes_{};  ///< of frames that calls have made, all resident warps together
  const Group* current_group_{};
  const Warp* current_warp_{};

  /// What a turn has left: falls at backward branches and at accesses that look like communication.
  std::int32_t turn_{};
  bool random_order_{};
  bool highest_first_{};

  struct GlobalSite {
    std::uint64_t begin{}, end{};
    std::byte* bytes{};
    bool writable{};
  };
  struct SharedSite {
    std::uint32_t begin{}, end{};
  };
  std::vector<GlobalSite> global_sites_;  ///< the allocation that an instruction accessed last
  std::vector<SharedSite> shared_sites_;
  std::vector<std::unique_ptr<Frame>> frames_;    ///< that calls have made in this launch
  std::vector<std::vector<Frame*>> free_frames_;  ///< those not in use, by function

  /// What blocks are made for: they serve again as long as it stays the same.
  struct BlockShape {
    std::uint64_t program{};
    std::uint32_t entry{}, threads{}, shared_bytes{};
    bool operator==(const BlockShape&) const = default;
  };
  BlockShape shape_;
  std::vector<std::unique_ptr<Block>> idle_blocks_;
  std::vector<std::unique_ptr<Block>> resident_;
};

}  // namespace warpcheck::simt

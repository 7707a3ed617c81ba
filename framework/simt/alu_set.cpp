#include "framework/simt/alu_compare.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.6.1: set.
namespace warpcheck::simt::alu {
namespace {

[[gnu::noinline]] void write_lanes(std::uint32_t* d, LaneMask mask, LaneMask result, std::uint32_t if_true) {
  for (int i = 0; i < kWarpSize; ++i) {
    const std::uint32_t value = ((result >> i) & 1u) != 0 ? if_true : 0;
    d[i] = ((mask >> i) & 1u) != 0 ? value : d[i];
  }
}

template <CompareLanes kCompareLanes, Combine kCombine, std::uint32_t kTrue>
void set_value(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const LaneMask result = combine<kCombine>(kCompareLanes(context, instr), context, instr);
  write_lanes(context.at<std::uint32_t>(instr.d), mask, result, kTrue);
}

/// In the order of Combine.
template <CompareLanes kCompareLanes, std::uint32_t kTrue>
constexpr LaneOp set_value_ops[4] = {
    set_value<kCompareLanes, Combine::none, kTrue>, set_value<kCompareLanes, Combine::with_and, kTrue>,
    set_value<kCompareLanes, Combine::with_or, kTrue>, set_value<kCompareLanes, Combine::with_xor, kTrue>};

void add_rows(RowTable& table, const Comparison& comparison, std::string_view d_type, Lane d_lane,
              const LaneOp (&ops)[4]) {
  const std::string_view ftz = comparison.flushes ? "ftz" : "";
  const Lane lane = comparison.lane;
  table.add({"set", comparison.name, ftz, d_type, comparison.type}, ops[0], {d_lane, lane, lane});
  for (Combine combine : {Combine::with_and, Combine::with_or, Combine::with_xor})
    table.add({"set", comparison.name, name_of(combine), ftz, d_type, comparison.type},
              ops[static_cast<int>(combine)], {d_lane, lane, lane, Lane::pred});
}

}  // namespace

void append_set_rows(RowTable& table) {
  constexpr std::uint32_t one = std::bit_cast<std::uint32_t>(1.0f);
  for_each_comparison([&]<CompareLanes kCompareLanes>(const Comparison& comparison) {
    add_rows(table, comparison, "u32", Lane::w32, set_value_ops<kCompareLanes, 0xffffffffu>);
    add_rows(table, comparison, "s32", Lane::w32, set_value_ops<kCompareLanes, 0xffffffffu>);
    add_rows(table, comparison, "f32", Lane::f32, set_value_ops<kCompareLanes, one>);
  });
}

}  // namespace warpcheck::simt::alu

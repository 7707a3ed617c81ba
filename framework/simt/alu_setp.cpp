#include "framework/simt/alu_compare.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.6.2: setp.
namespace warpcheck::simt::alu {
namespace {

template <CompareLanes kCompareLanes, Combine kCombine>
void set_predicate(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const LaneMask t = kCompareLanes(context, instr);
  const LaneMask p = combine<kCombine>(t, context, instr);
  if (instr.d2 != kNoOperand) store_predicate(context, instr.d2, mask, combine<kCombine>(~t, context, instr));
  store_predicate(context, instr.d, mask, p);
}

/// In the order of Combine.
template <CompareLanes kCompareLanes>
constexpr LaneOp set_predicate_ops[4] = {
    set_predicate<kCompareLanes, Combine::none>, set_predicate<kCompareLanes, Combine::with_and>,
    set_predicate<kCompareLanes, Combine::with_or>, set_predicate<kCompareLanes, Combine::with_xor>};

void add_rows(RowTable& table, const Comparison& comparison, const LaneOp (&ops)[4]) {
  constexpr Lane p = Lane::pred;
  const std::string_view ftz = comparison.flushes ? "ftz" : "";
  const Lane lane = comparison.lane;
  table.add({"setp", comparison.name, ftz, comparison.type}, ops[0], {p, p, lane, lane}, 2);
  for (Combine combine : {Combine::with_and, Combine::with_or, Combine::with_xor})
    table.add({"setp", comparison.name, name_of(combine), ftz, comparison.type},
              ops[static_cast<int>(combine)], {p, p, lane, lane, p}, 2);
}

}  // namespace

void append_compare_rows(RowTable& table) {
  for_each_comparison([&]<CompareLanes kCompareLanes>(const Comparison& comparison) {
    add_rows(table, comparison, set_predicate_ops<kCompareLanes>);
  });
}

}  // namespace warpcheck::simt::alu

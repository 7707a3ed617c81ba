#pragma once

#include <bit>
#include <cstddef>
#include <utility>

#include "framework/simt/alu_types.hpp"
#include "framework/simt/instr.hpp"

/// Loops over the lanes of a warp instruction.
namespace warpcheck::simt::alu {

// Operands are whole registers, so a destination and a source are either the same array or disjoint: no
// iteration depends on another one. Compilers cannot know, hence the promise.
#if defined(__clang__)
#define WARPCHECK_INDEPENDENT_LANES _Pragma("clang loop vectorize(assume_safety)")
#else
#define WARPCHECK_INDEPENDENT_LANES _Pragma("GCC ivdep")
#endif

/// d[i] = Op::apply(a[i], b[i], …) for the lanes in `mask`; the other lanes keep their value.
///
/// D is the destination's type tag, Sources those of a, b, c, e. Op::apply must be defined for every bit
/// pattern: it is evaluated for lanes outside the mask too. Not inlined, so that a caller may set the
/// rounding mode around it.
template <class Op, class D, class... Sources>
[[gnu::noinline]] void lanewise(const LaneContext& context, const Instr& instr, LaneMask mask);

/// The same, evaluating Op only for lanes in the mask: for operations that cost more than a branch.
template <class Op, class D, class... Sources>
void lane_by_lane(const LaneContext& context, const Instr& instr, LaneMask mask);

/// Writes the lanes in `mask` of a predicate. No effect if the operand is absent (the sink `_`).
inline void store_predicate(const LaneContext& context, OperandRef ref, LaneMask mask, LaneMask value) {
  if (ref == kNoOperand) return;
  LaneMask& word = *context.at<LaneMask>(ref);
  word = (word & ~mask) | (value & mask);
}

inline LaneMask load_predicate(const LaneContext& context, OperandRef ref) {
  return *context.at<const LaneMask>(ref);
}

// ---------------------------------------------------------------------------------------------------------------

namespace detail {

template <class Op, class D, class... Sources>
inline void run_lanes(LaneMask mask, typename D::Element* d, const typename Sources::Element*... sources) {
  if (mask == kAllLanes) {
    WARPCHECK_INDEPENDENT_LANES
    for (int i = 0; i < kWarpSize; ++i) d[i] = D::store(Op::apply(Sources::load(sources[i])...));
  } else {
    WARPCHECK_INDEPENDENT_LANES
    for (int i = 0; i < kWarpSize; ++i) {
      const typename D::Element result = D::store(Op::apply(Sources::load(sources[i])...));
      d[i] = ((mask >> i) & 1u) != 0 ? result : d[i];
    }
  }
}

template <class Op, class D, class... Sources>
inline void run_set_lanes(LaneMask mask, typename D::Element* d,
                          const typename Sources::Element*... sources) {
  for (; mask != 0; mask &= mask - 1) {
    const int i = std::countr_zero(mask);
    d[i] = D::store(Op::apply(Sources::load(sources[i])...));
  }
}

}  // namespace detail

template <class Op, class D, class... Sources>
void lanewise(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const OperandRef refs[4] = {instr.a, instr.b, instr.c, instr.e};
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    detail::run_lanes<Op, D, Sources...>(mask, context.at<typename D::Element>(instr.d),
                                         context.at<const typename Sources::Element>(refs[k])...);
  }
  (std::index_sequence_for<Sources...>{});
}

template <class Op, class D, class... Sources>
void lane_by_lane(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const OperandRef refs[4] = {instr.a, instr.b, instr.c, instr.e};
  [&]<std::size_t... k>(std::index_sequence<k...>) {
    detail::run_set_lanes<Op, D, Sources...>(mask, context.at<typename D::Element>(instr.d),
                                             context.at<const typename Sources::Element>(refs[k])...);
  }
  (std::index_sequence_for<Sources...>{});
}

}  // namespace warpcheck::simt::alu

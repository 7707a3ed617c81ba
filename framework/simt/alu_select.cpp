#include "framework/simt/alu_float.hpp"
#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.6.3 and 9.7.6.4: selp and slct.
namespace warpcheck::simt::alu {
namespace {

template <class T>
using SameWidthBits = std::conditional_t<T::bits == 16, B16, std::conditional_t<T::bits == 32, B32, B64>>;

template <class Bits>
void select_by_predicate(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const LaneMask c = load_predicate(context, instr.c);
  const auto* a = context.at<const typename Bits::Element>(instr.a);
  const auto* b = context.at<const typename Bits::Element>(instr.b);
  auto* d = context.at<typename Bits::Element>(instr.d);
  WARPCHECK_INDEPENDENT_LANES
  for (int i = 0; i < kWarpSize; ++i) {
    const auto chosen = Bits::store(Bits::load(((c >> i) & 1u) != 0 ? a[i] : b[i]));
    d[i] = ((mask >> i) & 1u) != 0 ? chosen : d[i];
  }
}

/// a if c >= 0, else b; NaN chooses b, and so do negative subnormals unless they are flushed.
template <class Bits, class C, bool kFlush>
struct SelectBySign {
  using Value = typename Bits::Value;
  static constexpr Value apply(Value a, Value b, typename C::Value c) {
    if constexpr (kFlush) c = flush_subnormal(c);
    return c >= 0 ? a : b;
  }
};

}  // namespace

void append_select_rows(RowTable& table) {
  for_each_type(MovableTypes{}, [&]<class T>() {
    table.add({"selp", T::name}, select_by_predicate<SameWidthBits<T>>,
              {T::lane, T::lane, T::lane, Lane::pred});
  });
  for_each_type(MovableTypes{}, [&]<class T>() {
    using Bits = SameWidthBits<T>;
    table.add({"slct", T::name, "s32"}, lanewise<SelectBySign<Bits, S32, false>, Bits, Bits, Bits, S32>,
              {T::lane, T::lane, T::lane, Lane::w32});
    table.add({"slct", T::name, "f32"}, lanewise<SelectBySign<Bits, F32, false>, Bits, Bits, Bits, F32>,
              {T::lane, T::lane, T::lane, Lane::f32});
    table.add({"slct.ftz", T::name, "f32"}, lanewise<SelectBySign<Bits, F32, true>, Bits, Bits, Bits, F32>,
              {T::lane, T::lane, T::lane, Lane::f32});
  });
}

}  // namespace warpcheck::simt::alu

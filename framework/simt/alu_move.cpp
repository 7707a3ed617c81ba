#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.9.3 and 9.7.9.4: mov between registers, and between a register and the parts of a vector.
//
// The text spells packing and unpacking like other moves (mov.b64 {%r1, %r2}, %rd1); the decoder asks for
// them under names of their own: mov.b64.pack2x32 has one destination and the parts as sources, the lowest
// first; mov.b64.unpack2x32 has the parts as destinations and one source.
namespace warpcheck::simt::alu {
namespace {

template <class T>
struct Copy {
  static constexpr T apply(T a) { return a; }
};

template <class Whole, class Part>
struct Pack {
  using Value = typename Whole::Value;

  template <class... Parts>
  static constexpr Value apply(Parts... parts) {
    Value whole = 0;
    int shift = 0;
    ((whole = static_cast<Value>(whole | static_cast<Value>(static_cast<Value>(parts) << shift)),
      shift += Part::bits),
     ...);
    return whole;
  }
};

/// kParts is 2 (parts in d, d2; source a) or 4 (parts in d, d2, a, b; source c).
template <class Whole, class Part, int kParts>
void unpack(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const OperandRef parts[4] = {instr.d, instr.d2, instr.a, instr.b};
  // A part's register may be the source's own (mov.b64 {%rd1, _}, %rd1 with relaxed widths): read first.
  typename Whole::Value source[kWarpSize];
  const auto* from = context.at<const typename Whole::Element>(kParts == 2 ? instr.a : instr.c);
  for (int i = 0; i < kWarpSize; ++i) source[i] = Whole::load(from[i]);
  for (int k = 0; k < kParts; ++k) {
    if (parts[k] == kNoOperand) continue;
    auto* d = context.at<typename Part::Element>(parts[k]);
    for (int i = 0; i < kWarpSize; ++i) {
      const auto part = Part::store(static_cast<typename Part::Value>(source[i] >> (k * Part::bits)));
      d[i] = ((mask >> i) & 1u) != 0 ? part : d[i];
    }
  }
}

void move_predicate(const LaneContext& context, const Instr& instr, LaneMask mask) {
  store_predicate(context, instr.d, mask, load_predicate(context, instr.a));
}

}  // namespace

void append_move_rows(RowTable& table) {
  constexpr Lane w16 = Lane::w16, w32 = Lane::w32, w64 = Lane::w64;
  table.add({"mov.pred"}, move_predicate, {Lane::pred, Lane::pred});
  for_each_type(MovableTypes{}, [&]<class T>() {
    using Bits = std::conditional_t<T::bits == 16, B16, std::conditional_t<T::bits == 32, B32, B64>>;
    table.add({"mov", T::name}, lanewise<Copy<typename Bits::Value>, Bits, Bits>, {T::lane, T::lane});
  });
  table.add({"mov.b16.pack2x8"}, lanewise<Pack<B16, B8>, B16, B8, B8>, {w16, w16, w16});
  table.add({"mov.b32.pack2x16"}, lanewise<Pack<B32, B16>, B32, B16, B16>, {w32, w16, w16});
  table.add({"mov.b32.pack4x8"}, lanewise<Pack<B32, B8>, B32, B8, B8, B8, B8>, {w32, w16, w16, w16, w16});
  table.add({"mov.b64.pack2x32"}, lanewise<Pack<B64, B32>, B64, B32, B32>, {w64, w32, w32});
  table.add({"mov.b64.pack4x16"}, lanewise<Pack<B64, B16>, B64, B16, B16, B16, B16>,
            {w64, w16, w16, w16, w16});
  table.add({"mov.b16.unpack2x8"}, unpack<B16, B8, 2>, {w16, w16, w16}, 2);
  table.add({"mov.b32.unpack2x16"}, unpack<B32, B16, 2>, {w16, w16, w32}, 2);
  table.add({"mov.b32.unpack4x8"}, unpack<B32, B8, 4>, {w16, w16, w16, w16, w32}, 4);
  table.add({"mov.b64.unpack2x32"}, unpack<B64, B32, 2>, {w32, w32, w64}, 2);
  table.add({"mov.b64.unpack4x16"}, unpack<B64, B16, 4>, {w16, w16, w16, w16, w64}, 4);
}

}  // namespace warpcheck::simt::alu

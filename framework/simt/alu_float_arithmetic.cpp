#include <cmath>

#include "framework/simt/alu_float.hpp"
#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_rounding.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.3.3 to 9.7.3.8, 9.7.3.13, 9.7.3.15 and cvt.f32.f64: operations that IEEE 754 rounds once, in
// any of four modes, which are the processor's.
//
// -frounding-math would keep GCC from vectorising fma and sqrt, and isn't needed: the arithmetic of a mode
// stands in a function that is not inlined (lanewise) between two opaque calls, each lane's is a single
// operation on loaded operands whose result is stored, and no operand is a constant but the 1 of rcp.
namespace warpcheck::simt::alu {
namespace {

struct Plus {
  template <class F>
  static F apply(F a, F b) {
    return a + b;
  }
};

struct Minus {
  template <class F>
  static F apply(F a, F b) {
    return a - b;
  }
};

struct Times {
  template <class F>
  static F apply(F a, F b) {
    return a * b;
  }
};

struct FusedTimesPlus {
  template <class F>
  static F apply(F a, F b, F c) {
    return std::fma(a, b, c);
  }
};

struct DividedBy {
  template <class F>
  static F apply(F a, F b) {
    return a / b;
  }
};

struct Reciprocal {
  template <class F>
  static F apply(F a) {
    return F{1} / a;
  }
};

struct SquareRoot {
  template <class F>
  static F apply(F a) {
    return std::sqrt(a);
  }
};

template <bool kFlush, bool kSaturate>
struct NarrowToF32 {
  static float apply(double a) { return finish<kFlush, kSaturate>(static_cast<float>(a)); }
};

/// lanewise() with the processor's rounding mode set for the whole warp instruction. The operation itself is
/// the same function for every mode, and is not inlined here.
template <Rounding kRounding, class Op, class D, class... Sources>
void rounded(const LaneContext& context, const Instr& instr, LaneMask mask) {
  if constexpr (kRounding == Rounding::nearest) {
    lanewise<Op, D, Sources...>(context, instr, mask);
  } else {
    const RoundingScope scope(kRounding);
    lanewise<Op, D, Sources...>(context, instr, mask);
  }
}

/// One row for each rounding mode of `name`{.rn,.rz,.rm,.rp}`qualifiers`.
template <class Op, class D, class... Sources>
void add_rounded(RowTable& table, std::string_view name, std::string_view qualifiers, bool unrounded_too) {
  const auto row = [&](std::string_view rounding, LaneOp op) {
    table.add({name, rounding, qualifiers}, op, {D::lane, Sources::lane...});
  };
  if (unrounded_too) row("", rounded<Rounding::nearest, Op, D, Sources...>);
  row("rn", rounded<Rounding::nearest, Op, D, Sources...>);
  row("rz", rounded<Rounding::zero, Op, D, Sources...>);
  row("rm", rounded<Rounding::down, Op, D, Sources...>);
  row("rp", rounded<Rounding::up, Op, D, Sources...>);
}

/// name{.rnd}.f64 on operands of its own type.
template <class Core, class... Sources>
void add_f64(RowTable& table, std::string_view name, bool unrounded_too) {
  add_rounded<FloatOp<Core, double, false, false>, F64, Sources...>(table, name, "f64", unrounded_too);
}

/// name{.rnd}{.ftz}.f32, and with .sat where the text has it.
template <class Core, bool kHasSaturation, class... Sources>
void add_f32(RowTable& table, std::string_view name, bool unrounded_too) {
  add_rounded<FloatOp<Core, float, false, false>, F32, Sources...>(table, name, "f32", unrounded_too);
  add_rounded<FloatOp<Core, float, true, false>, F32, Sources...>(table, name, "ftz.f32", unrounded_too);
  if constexpr (kHasSaturation) {
    add_rounded<FloatOp<Core, float, false, true>, F32, Sources...>(table, name, "sat.f32", unrounded_too);
    add_rounded<FloatOp<Core, float, true, true>, F32, Sources...>(table, name, "ftz.sat.f32", unrounded_too);
  }
}

}  // namespace

void append_float_arithmetic_rows(RowTable& table) {
  add_f32<Plus, true, F32, F32>(table, "add", true);
  add_f64<Plus, F64, F64>(table, "add", true);
  add_f32<Minus, true, F32, F32>(table, "sub", true);
  add_f64<Minus, F64, F64>(table, "sub", true);
  add_f32<Times, true, F32, F32>(table, "mul", true);
  add_f64<Times, F64, F64>(table, "mul", true);
  add_f32<FusedTimesPlus, true, F32, F32, F32>(table, "fma", false);
  add_f64<FusedTimesPlus, F64, F64, F64>(table, "fma", false);
  add_f32<FusedTimesPlus, true, F32, F32, F32>(table, "mad", false);
  add_f64<FusedTimesPlus, F64, F64, F64>(table, "mad", false);
  add_f32<DividedBy, false, F32, F32>(table, "div", false);
  add_f64<DividedBy, F64, F64>(table, "div", false);
  add_f32<Reciprocal, false, F32>(table, "rcp", false);
  add_f64<Reciprocal, F64>(table, "rcp", false);
  add_f32<SquareRoot, false, F32>(table, "sqrt", false);
  add_f64<SquareRoot, F64>(table, "sqrt", false);

  add_rounded<NarrowToF32<false, false>, F32, F64>(table, "cvt", "f32.f64", false);
  add_rounded<NarrowToF32<true, false>, F32, F64>(table, "cvt", "ftz.f32.f64", false);
  add_rounded<NarrowToF32<false, true>, F32, F64>(table, "cvt", "sat.f32.f64", false);
  add_rounded<NarrowToF32<true, true>, F32, F64>(table, "cvt", "ftz.sat.f32.f64", false);
}

}  // namespace warpcheck::simt::alu

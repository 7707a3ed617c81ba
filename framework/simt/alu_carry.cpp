#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.2: extended precision. CC.CF is a mask like a predicate; after a subtraction it holds the
// borrow.
namespace warpcheck::simt::alu {
namespace {

enum class Half { none, low, high };

/// d = a ± b ± CF, or d = half(a · b) + c + CF. Unsigned and signed differ only in the high half of a
/// product.
template <class T, bool kSubtract, Half kHalf, bool kCarryIn, bool kCarryOut>
void with_carry(const LaneContext& context, const Instr& instr, LaneMask mask) {
  using Value = typename T::Value;
  using Bits = std::make_unsigned_t<Value>;
  using Wide = Twice<Bits>;
  const OperandRef carry_ref = kHalf == Half::none ? instr.c : instr.e;
  const LaneMask carry_in = kCarryIn ? load_predicate(context, carry_ref) : 0;
  const auto* a = context.at<const typename T::Element>(instr.a);
  const auto* b = context.at<const typename T::Element>(instr.b);
  const auto* c = kHalf == Half::none ? b : context.at<const typename T::Element>(instr.c);
  auto* d = context.at<typename T::Element>(instr.d);

  LaneMask carry_out = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    Bits x = static_cast<Bits>(a[i]);
    Bits y = static_cast<Bits>(b[i]);
    if constexpr (kHalf != Half::none) {
      const auto t = static_cast<Twice<Value>>(static_cast<Value>(a[i])) * static_cast<Value>(b[i]);
      x = static_cast<Bits>(kHalf == Half::high ? t >> (8 * sizeof(Value)) : t);
      y = static_cast<Bits>(c[i]);
    }
    const Wide carry = (carry_in >> i) & 1u;
    // The bit above the value is the carry, or the borrow: a wide difference wraps exactly if it is negative.
    const Wide result = kSubtract ? Wide{x} - y - carry : Wide{x} + y + carry;
    carry_out |= static_cast<LaneMask>((result >> (8 * sizeof(Value))) & 1u) << i;
    if (((mask >> i) & 1u) != 0) d[i] = static_cast<typename T::Element>(static_cast<Bits>(result));
  }
  if constexpr (kCarryOut) store_predicate(context, instr.d2, mask, carry_out);
}

}  // namespace

void append_carry_rows(RowTable& table) {
  constexpr Lane carry = Lane::carry;
  using Types = TypeList<U32, S32, U64, S64>;
  for_each_type(Types{}, [&]<class T>() {
    constexpr Lane w = T::lane;
    table.add({"add.cc", T::name}, with_carry<T, false, Half::none, false, true>, {w, carry, w, w}, 2);
    table.add({"addc", T::name}, with_carry<T, false, Half::none, true, false>, {w, w, w, carry});
    table.add({"addc.cc", T::name}, with_carry<T, false, Half::none, true, true>, {w, carry, w, w, carry}, 2);
    table.add({"sub.cc", T::name}, with_carry<T, true, Half::none, false, true>, {w, carry, w, w}, 2);
    table.add({"subc", T::name}, with_carry<T, true, Half::none, true, false>, {w, w, w, carry});
    table.add({"subc.cc", T::name}, with_carry<T, true, Half::none, true, true>, {w, carry, w, w, carry}, 2);
    table.add({"mad.lo.cc", T::name}, with_carry<T, false, Half::low, false, true>, {w, carry, w, w, w}, 2);
    table.add({"mad.hi.cc", T::name}, with_carry<T, false, Half::high, false, true>, {w, carry, w, w, w}, 2);
    table.add({"madc.lo", T::name}, with_carry<T, false, Half::low, true, false>, {w, w, w, w, carry});
    table.add({"madc.hi", T::name}, with_carry<T, false, Half::high, true, false>, {w, w, w, w, carry});
    table.add({"madc.lo.cc", T::name}, with_carry<T, false, Half::low, true, true>,
              {w, carry, w, w, w, carry}, 2);
    table.add({"madc.hi.cc", T::name}, with_carry<T, false, Half::high, true, true>,
              {w, carry, w, w, w, carry}, 2);
  });
}

}  // namespace warpcheck::simt::alu

#include "framework/simt/alu_lanes.hpp"
#include "framework/simt/alu_table.hpp"

// PTX ISA 9.7.8.1 to 9.7.8.6: bitwise logic, on registers and on predicates.
namespace warpcheck::simt::alu {
namespace {

template <class T>
struct And {
  static constexpr T apply(T a, T b) { return static_cast<T>(a & b); }
};

template <class T>
struct Or {
  static constexpr T apply(T a, T b) { return static_cast<T>(a | b); }
};

template <class T>
struct Xor {
  static constexpr T apply(T a, T b) { return static_cast<T>(a ^ b); }
};

template <class T>
struct Not {
  static constexpr T apply(T a) { return static_cast<T>(~a); }
};

template <class T>
struct LogicalNot {
  static constexpr T apply(T a) { return a == 0 ? T{1} : T{0}; }
};

template <template <class> class Op>
void predicate_binary(const LaneContext& context, const Instr& instr, LaneMask mask) {
  store_predicate(context, instr.d, mask,
                  Op<LaneMask>::apply(load_predicate(context, instr.a), load_predicate(context, instr.b)));
}

void predicate_not(const LaneContext& context, const Instr& instr, LaneMask mask) {
  store_predicate(context, instr.d, mask, ~load_predicate(context, instr.a));
}

/// d = F(a, b, c) bit by bit, where bit 4a + 2b + c of the table e is F's value. The table is an immediate,
/// so lane 0 speaks for all.
void lookup3(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const std::uint32_t table = *context.at<const std::uint32_t>(instr.e);
  const auto* a = context.at<const std::uint32_t>(instr.a);
  const auto* b = context.at<const std::uint32_t>(instr.b);
  const auto* c = context.at<const std::uint32_t>(instr.c);
  auto* d = context.at<std::uint32_t>(instr.d);
  const auto entry = [table](int k) { return 0u - ((table >> k) & 1u); };
  // For each value of (a, b) the result as a function of c: base ^ (c & slope).
  const std::uint32_t base00 = entry(0), slope00 = entry(0) ^ entry(1);
  const std::uint32_t base01 = entry(2), slope01 = entry(2) ^ entry(3);
  const std::uint32_t base10 = entry(4), slope10 = entry(4) ^ entry(5);
  const std::uint32_t base11 = entry(6), slope11 = entry(6) ^ entry(7);
  WARPCHECK_INDEPENDENT_LANES
  for (int i = 0; i < kWarpSize; ++i) {
    const std::uint32_t f00 = base00 ^ (c[i] & slope00);
    const std::uint32_t f01 = base01 ^ (c[i] & slope01);
    const std::uint32_t f10 = base10 ^ (c[i] & slope10);
    const std::uint32_t f11 = base11 ^ (c[i] & slope11);
    const std::uint32_t f0 = f00 ^ (b[i] & (f00 ^ f01));
    const std::uint32_t f1 = f10 ^ (b[i] & (f10 ^ f11));
    const std::uint32_t result = f0 ^ (a[i] & (f0 ^ f1));
    d[i] = ((mask >> i) & 1u) != 0 ? result : d[i];
  }
}

}  // namespace

void append_logic_rows(RowTable& table) {
  constexpr Lane p = Lane::pred;
  constexpr Lane w32 = Lane::w32;
  const auto binary = [&]<template <class> class Op>(std::string_view name) {
    table.add({name, "pred"}, predicate_binary<Op>, {p, p, p});
    for_each_type(BitTypes{}, [&]<class T>() {
      table.add({name, T::name}, lanewise<Op<typename T::Value>, T, T, T>, {T::lane, T::lane, T::lane});
    });
  };
  binary.operator()<And>("and");
  binary.operator()<Or>("or");
  binary.operator()<Xor>("xor");
  table.add({"not.pred"}, predicate_not, {p, p});
  for_each_type(BitTypes{}, [&]<class T>() {
    table.add({"not", T::name}, lanewise<Not<typename T::Value>, T, T>, {T::lane, T::lane});
  });
  for_each_type(BitTypes{}, [&]<class T>() {
    table.add({"cnot", T::name}, lanewise<LogicalNot<typename T::Value>, T, T>, {T::lane, T::lane});
  });
  table.add({"lop3.b32"}, lookup3, {w32, w32, w32, w32, w32}, 1, 50);
}

}  // namespace warpcheck::simt::alu

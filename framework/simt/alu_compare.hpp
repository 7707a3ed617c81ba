#pragma once

#include <string_view>

#include "framework/simt/alu_float.hpp"
#include "framework/simt/alu_lanes.hpp"

/// Comparisons of two registers, as masks: shared by setp and set.
namespace warpcheck::simt::alu {

enum class Compare { eq, ne, lt, le, gt, ge, equ, neu, ltu, leu, gtu, geu, num, nan };

/// What follows the comparison: nothing, or a Boolean operation with the predicate c.
enum class Combine { none, with_and, with_or, with_xor };

constexpr std::string_view name_of(Combine combine) {
  constexpr std::string_view names[] = {"", "and", "or", "xor"};
  return names[static_cast<int>(combine)];
}

/// a ? b. Ordered comparisons are false if an operand is NaN, unordered ones true (9.3.1.2).
template <Compare kCompare, class Value>
constexpr bool compare(Value a, Value b) {
  switch (kCompare) {
    case Compare::eq:
      return a == b;
    case Compare::ne:
      return a < b || a > b;
    case Compare::lt:
      return a < b;
    case Compare::le:
      return a <= b;
    case Compare::gt:
      return a > b;
    case Compare::ge:
      return a >= b;
    case Compare::equ:
      return !(a < b || a > b);
    case Compare::neu:
      return !(a == b);
    case Compare::ltu:
      return !(a >= b);
    case Compare::leu:
      return !(a > b);
    case Compare::gtu:
      return !(a <= b);
    case Compare::geu:
      return !(a < b);
    case Compare::num:
      return a == a && b == b;
    case Compare::nan:
      return !(a == a && b == b);
  }
  return false;
}

/// The lanes for which the comparison of operands a and b holds.
template <class T, Compare kCompare, bool kFlush>
[[gnu::noinline]] LaneMask compare_lanes(const LaneContext& context, const Instr& instr) {
  const auto* a = context.at<const typename T::Element>(instr.a);
  const auto* b = context.at<const typename T::Element>(instr.b);
  LaneMask result = 0;
  for (int i = 0; i < kWarpSize; ++i) {
    auto x = T::load(a[i]);
    auto y = T::load(b[i]);
    if constexpr (kFlush) {
      x = flush_subnormal(x);
      y = flush_subnormal(y);
    }
    result |= compare<kCompare>(x, y) ? LaneMask{1} << i : 0;
  }
  return result;
}

using CompareLanes = LaneMask (*)(const LaneContext&, const Instr&);

template <Combine kCombine>
LaneMask combine(LaneMask result, const LaneContext& context, const Instr& instr) {
  if constexpr (kCombine == Combine::none) return result;
  const LaneMask c = load_predicate(context, instr.c);
  return kCombine == Combine::with_and ? result & c : kCombine == Combine::with_or ? result | c : result ^ c;
}

/// A comparison as its variants are spelled.
struct Comparison {
  std::string_view name;  ///< "lt"
  std::string_view type;  ///< of the operands
  Lane lane;              ///< of the operands
  bool flushes;           ///< .ftz
};

/// Calls visit.template operator()<function>(Comparison) for every comparison that the text allows; the
/// function is a CompareLanes.
template <class Visitor>
void for_each_comparison(Visitor visit) {
  const auto one = [&]<class T, Compare kCompare, bool kFlush>(std::string_view name) {
    visit.template operator()<&compare_lanes<T, kCompare, kFlush>>(
        Comparison{name, T::name, T::lane, kFlush});
  };
  const auto ordered = [&]<class T, bool kFlush>() {
    one.template operator()<T, Compare::eq, kFlush>("eq");
    one.template operator()<T, Compare::ne, kFlush>("ne");
    one.template operator()<T, Compare::lt, kFlush>("lt");
    one.template operator()<T, Compare::le, kFlush>("le");
    one.template operator()<T, Compare::gt, kFlush>("gt");
    one.template operator()<T, Compare::ge, kFlush>("ge");
  };
  const auto unordered = [&]<class T, bool kFlush>() {
    one.template operator()<T, Compare::equ, kFlush>("equ");
    one.template operator()<T, Compare::neu, kFlush>("neu");
    one.template operator()<T, Compare::ltu, kFlush>("ltu");
    one.template operator()<T, Compare::leu, kFlush>("leu");
    one.template operator()<T, Compare::gtu, kFlush>("gtu");
    one.template operator()<T, Compare::geu, kFlush>("geu");
    one.template operator()<T, Compare::num, kFlush>("num");
    one.template operator()<T, Compare::nan, kFlush>("nan");
  };
  for_each_type(BitTypes{}, [&]<class T>() {
    one.template operator()<T, Compare::eq, false>("eq");
    one.template operator()<T, Compare::ne, false>("ne");
  });
  for_each_type(IntegerTypes{}, [&]<class T>() { ordered.template operator()<T, false>(); });
  for_each_type(UnsignedTypes{}, [&]<class T>() {
    one.template operator()<T, Compare::lt, false>("lo");
    one.template operator()<T, Compare::le, false>("ls");
    one.template operator()<T, Compare::gt, false>("hi");
    one.template operator()<T, Compare::ge, false>("hs");
  });
  ordered.template operator()<F32, false>();
  unordered.template operator()<F32, false>();
  ordered.template operator()<F32, true>();
  unordered.template operator()<F32, true>();
  ordered.template operator()<F64, false>();
  unordered.template operator()<F64, false>();
}

}  // namespace warpcheck::simt::alu

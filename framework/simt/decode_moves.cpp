#include "framework/simt/decode_builder.hpp"

namespace warpcheck::simt::moves {
namespace {

template <class To, class From, class Through>
void convert(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const From* const a = context.at<From>(instr.a);
  To* const d = context.at<To>(instr.d);
  // Extending from the low bits: the source element is 32 bits wide whatever Through is.
  if (mask == kAllLanes) {
    for (int lane = 0; lane < kWarpSize; ++lane) d[lane] = static_cast<To>(static_cast<Through>(a[lane]));
    return;
  }
  for (int lane = 0; lane < kWarpSize; ++lane) {
    d[lane] = (mask >> lane & 1u) ? static_cast<To>(static_cast<Through>(a[lane])) : d[lane];
  }
}

void invert_predicate(const LaneContext& context, const Instr& instr, LaneMask mask) {
  LaneMask& d = *context.at<LaneMask>(instr.d);
  d = (d & ~mask) | (~*context.at<LaneMask>(instr.a) & mask);
}

void add64(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const std::uint64_t* const a = context.at<std::uint64_t>(instr.a);
  const std::uint64_t* const b = context.at<std::uint64_t>(instr.b);
  std::uint64_t* const d = context.at<std::uint64_t>(instr.d);
  for (int lane = 0; lane < kWarpSize; ++lane) d[lane] = (mask >> lane & 1u) ? a[lane] + b[lane] : d[lane];
}

LaneMask lanes_in_window(const std::uint64_t* a, const std::uint64_t* base) {
  LaneMask inside = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    inside |= static_cast<LaneMask>(a[lane] - base[lane] < kWindowSize) << lane;
  }
  return inside;
}

void test_window(const LaneContext& context, const Instr& instr, LaneMask mask) {
  LaneMask& d = *context.at<LaneMask>(instr.d);
  const LaneMask inside =
      lanes_in_window(context.at<std::uint64_t>(instr.a), context.at<std::uint64_t>(instr.b));
  d = (d & ~mask) | (inside & mask);
}

void test_global(const LaneContext& context, const Instr& instr, LaneMask mask) {
  const std::uint64_t* const a = context.at<std::uint64_t>(instr.a);
  LaneMask inside = 0;
  for (int lane = 0; lane < kWarpSize; ++lane) {
    const bool elsewhere = a[lane] - kSharedWindow < kWindowSize || a[lane] - kLocalWindow < kWindowSize;
    inside |= static_cast<LaneMask>(!elsewhere) << lane;
  }
  LaneMask& d = *context.at<LaneMask>(instr.d);
  d = (d & ~mask) | (inside & mask);
}

}  // namespace

LaneOp low_half() {
  return convert<std::uint32_t, std::uint64_t, std::uint32_t>;
}

LaneOp extend(ptx::Type type, std::uint8_t to_bytes) {
  const bool wide = to_bytes == 8;
  switch (type) {
    case ptx::Type::b8:
    case ptx::Type::u8:
      return wide ? convert<std::uint64_t, std::uint32_t, std::uint8_t>
                  : convert<std::uint32_t, std::uint32_t, std::uint8_t>;
    case ptx::Type::s8:
      return wide ? convert<std::int64_t, std::uint32_t, std::int8_t>
                  : convert<std::int32_t, std::uint32_t, std::int8_t>;
    case ptx::Type::b16:
    case ptx::Type::u16:
    case ptx::Type::f16:
    case ptx::Type::bf16:
      return wide ? convert<std::uint64_t, std::uint32_t, std::uint16_t>
                  : convert<std::uint32_t, std::uint32_t, std::uint16_t>;
    case ptx::Type::s16:
      return wide ? convert<std::int64_t, std::uint32_t, std::int16_t>
                  : convert<std::int32_t, std::uint32_t, std::int16_t>;
    case ptx::Type::s32:
      return wide ? convert<std::int64_t, std::uint32_t, std::int32_t>
                  : convert<std::uint32_t, std::uint32_t, std::uint32_t>;
    default:
      return wide ? convert<std::uint64_t, std::uint32_t, std::uint32_t>
                  : convert<std::uint32_t, std::uint32_t, std::uint32_t>;
  }
}

LaneOp invert() {
  return invert_predicate;
}
LaneOp add_constant() {
  return add64;
}
LaneOp copy64() {
  return convert<std::uint64_t, std::uint64_t, std::uint64_t>;
}
LaneOp in_window() {
  return test_window;
}
LaneOp outside_shared_and_local() {
  return test_global;
}

}  // namespace warpcheck::simt::moves

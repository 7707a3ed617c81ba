#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "framework/simt/engine.hpp"
#include "framework/simt/lane_addresses.hpp"

namespace warpcheck::simt {
namespace {

/// Subnormals become zeros of their sign.
float flush(float value) {
  return std::fpclassify(value) == FP_SUBNORMAL ? std::copysign(0.0f, value) : value;
}

float add_float(float a, float b, bool flushes) {
  // A NaN result is the canonical one, as of add.f32.
  const float sum = flushes ? flush(flush(a) + flush(b)) : a + b;
  return std::isnan(sum) ? std::bit_cast<float>(0x7fffffffu) : sum;
}

/// The new content of a location. PTX ISA 9.7.13.5, "Semantics".
template <class T>
T combine(AtomicOp op, T old, T b, T c, bool flushes) {
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (sizeof(T) == 4) return add_float(old, b, flushes);
    return old + b;
  } else {
    using Unsigned = std::make_unsigned_t<T>;
    switch (op) {
      case AtomicOp::add:
        return static_cast<T>(static_cast<Unsigned>(static_cast<Unsigned>(old) + static_cast<Unsigned>(b)));
      case AtomicOp::min:
        return std::min(old, b);
      case AtomicOp::max:
        return std::max(old, b);
      case AtomicOp::inc:
        return old >= b ? T{0} : static_cast<T>(old + 1);
      case AtomicOp::dec:
        return old == 0 || old > b ? b : static_cast<T>(old - 1);
      case AtomicOp::bit_and:
        return static_cast<T>(old & b);
      case AtomicOp::bit_or:
        return static_cast<T>(old | b);
      case AtomicOp::bit_xor:
        return static_cast<T>(old ^ b);
      case AtomicOp::exch:
        return b;
      case AtomicOp::cas:
        return old == b ? c : old;
    }
    return old;
  }
}

/// What the operation reads and writes of the frame, for one element of a vector.
struct Operands {
  const std::byte* b;
  const std::byte* c;
  std::byte* d;  ///< nullptr: nobody wants the old value
  std::uint32_t source_bytes, result_bytes;
};

template <class T>
void each_lane(const MemoryOp& op, const Operands& operands, std::byte* const* bytes, std::uint32_t offset,
               const bool* flushes, LaneMask mask) {
  // Lanes go one after another, the lowest first: one of the orders that the hardware may choose.
  for (LaneMask rest = mask; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<std::size_t>(std::countr_zero(rest));
    T old, b, c{};
    std::memcpy(&old, bytes[lane] + offset, sizeof old);
    std::memcpy(&b, operands.b + lane * operands.source_bytes, sizeof b);
    if (operands.c != nullptr) std::memcpy(&c, operands.c + lane * operands.source_bytes, sizeof c);
    const T updated = combine<T>(op.op, old, b, c, flushes[lane]);
    std::memcpy(bytes[lane] + offset, &updated, sizeof updated);
    if (operands.d != nullptr) {
      std::uint64_t result = 0;
      std::memcpy(&result, &old, sizeof old);
      if constexpr (std::is_signed_v<T> && std::is_integral_v<T>) {
        result = static_cast<std::uint64_t>(static_cast<std::int64_t>(old));
      }
      std::memcpy(operands.d + lane * operands.result_bytes, &result, operands.result_bytes);
    }
  }
}

}  // namespace

bool Engine::atomic(Warp& warp, Group& group, const Instr& instr, LaneMask mask) {
  const MemoryOp& op = group.frame->code->memory[instr.aux];
  const LaneContext context{{group.frame->registers.data(), program_->constants}};
  alignas(64) std::uint64_t address[kWarpSize];
  lane_addresses(*group.frame, program_->constants, op, mask, address);
  std::byte* bytes[kWarpSize];
  ptx::Space spaces[kWarpSize];
  const auto operation = op.is_reduction ? Access::Operation::reduction : Access::Operation::atomic;
  if (!resolve(warp, group, op, operation, mask, address, bytes, spaces)) return false;

  // atom.add.f32 flushes subnormals in global memory and keeps them in shared memory.
  bool flushes[kWarpSize];
  for (int lane = 0; lane < kWarpSize; ++lane) {
    flushes[lane] = (mask >> lane & 1u) != 0 && spaces[lane] == ptx::Space::global;
  }
  for (std::uint32_t i = 0; i < op.count; ++i) {
    Operands operands{};
    operands.b = context.at<std::byte>(op.operand[i]);
    operands.c = op.swap == kNoOperand ? nullptr : context.at<std::byte>(op.swap);
    operands.d = op.data[i] == kNoOperand ? nullptr : context.at<std::byte>(op.data[i]);
    operands.source_bytes = op.element_bytes == 8 ? 8 : 4;
    operands.result_bytes = op.wide ? 8 : 4;
    const std::uint32_t offset = i * op.element_bytes;
    switch (op.type) {
      case ptx::Type::f32:
        each_lane<float>(op, operands, bytes, offset, flushes, mask);
        break;
      case ptx::Type::f64:
        each_lane<double>(op, operands, bytes, offset, flushes, mask);
        break;
      case ptx::Type::s32:
        each_lane<std::int32_t>(op, operands, bytes, offset, flushes, mask);
        break;
      case ptx::Type::s64:
        each_lane<std::int64_t>(op, operands, bytes, offset, flushes, mask);
        break;
      case ptx::Type::b16:
        each_lane<std::uint16_t>(op, operands, bytes, offset, flushes, mask);
        break;
      case ptx::Type::u64:
      case ptx::Type::b64:
        each_lane<std::uint64_t>(op, operands, bytes, offset, flushes, mask);
        break;
      default:
        each_lane<std::uint32_t>(op, operands, bytes, offset, flushes, mask);
        break;
    }
  }
  return true;
}

}  // namespace warpcheck::simt

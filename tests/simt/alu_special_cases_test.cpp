#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include "framework/simt/alu_approximation.hpp"
#include "framework/simt/instr.hpp"

// Results that the text states in its tables and examples, written out, and proofs by exhaustion.
namespace warpcheck::simt {
namespace {

__extension__ typedef unsigned __int128 UInt128;

const Row& row_of(std::string_view variant) {
  for (const Row& row : lane_rows())
    if (row.variant == variant) return row;
  throw std::out_of_range(std::string(variant));
}

/// Registers for one instruction with up to two destinations: 32 elements each, lane 0 of interest.
class OneInstruction {
 public:
  explicit OneInstruction(std::string_view variant) : row_(row_of(variant)) {
    OperandRef* const destinations[] = {&instr_.d, &instr_.d2};
    OperandRef* const sources[] = {&instr_.a, &instr_.b, &instr_.c, &instr_.e};
    int slot = 0;
    for (; slot < row_.destinations; ++slot) *destinations[slot] = static_cast<OperandRef>(256 * slot);
    for (int k = 0; slot < 6 && row_.operands[slot] != Lane::none; ++k, ++slot)
      *sources[k] = static_cast<OperandRef>(256 * slot);
  }

  std::uint64_t* wide(int operand) {
    return reinterpret_cast<std::uint64_t*>(memory_.data() + 256 * operand);
  }
  std::uint32_t* narrow(int operand) {
    return reinterpret_cast<std::uint32_t*>(memory_.data() + 256 * operand);
  }

  void run(LaneMask mask = kAllLanes) { row_.op({{memory_.data(), memory_.data()}}, instr_, mask); }

  bool is_wide(int operand) const {
    return row_.operands[operand] == Lane::w64 || row_.operands[operand] == Lane::f64;
  }

  /// Runs for the same sources in all lanes; the first destination of the last lane.
  std::uint64_t operator()(std::initializer_list<std::uint64_t> sources) {
    int operand = row_.destinations;
    for (std::uint64_t source : sources) {
      for (int i = 0; i < kWarpSize; ++i) {
        if (is_wide(operand))
          wide(operand)[i] = source;
        else
          narrow(operand)[i] = static_cast<std::uint32_t>(source);
      }
      ++operand;
    }
    run();
    return is_wide(0) ? wide(0)[31] : narrow(0)[31];
  }

 private:
  const Row& row_;
  Instr instr_;
  alignas(64) std::array<std::byte, 6 * 256> memory_{};
};

std::uint64_t result(std::string_view variant, std::initializer_list<std::uint64_t> sources) {
  return OneInstruction(variant)(sources);
}

std::uint32_t bits(float x) {
  return std::bit_cast<std::uint32_t>(x);
}
std::uint64_t bits(double x) {
  return std::bit_cast<std::uint64_t>(x);
}

constexpr std::uint32_t kInf = 0x7f800000u, kMinusInf = 0xff800000u, kZero = 0, kMinusZero = 0x80000000u;
constexpr std::uint32_t kNan = 0x7fffffffu, kOne = 0x3f800000u, kMinusOne = 0xbf800000u;
constexpr std::uint32_t kSubnormal = 0x00000001u, kMinusSubnormal = 0x80000001u;

struct TableEntry {
  std::string_view variant;
  std::uint64_t input, expected;
};

TEST(SpecialValues, are_those_of_the_tables_of_the_text) {
  const std::uint64_t upper = 32;
  const TableEntry entries[] = {
      // 9.7.3.13
      {"rcp.approx.f32", kMinusInf, kMinusZero},
      {"rcp.approx.f32", kMinusZero, kMinusInf},
      {"rcp.approx.f32", kZero, kInf},
      {"rcp.approx.f32", kInf, kZero},
      {"rcp.approx.f32", kNan, kNan},
      {"rcp.approx.ftz.f32", kSubnormal, kInf},
      {"rcp.approx.ftz.f32", kMinusSubnormal, kMinusInf},
      {"rcp.approx.ftz.f32", 0x7f000000, kZero},  // 2^-127 is subnormal
      // 9.7.3.14
      {"rcp.approx.ftz.f64", 0xfff0000000000000, 0x8000000000000000},
      {"rcp.approx.ftz.f64", 0x8000000100000000, 0xfff0000000000000},
      {"rcp.approx.ftz.f64", 0x8000000000000000, 0xfff0000000000000},
      {"rcp.approx.ftz.f64", 0, std::uint64_t{0x7ff00000} << upper},
      {"rcp.approx.ftz.f64", 0x0000000100000000, std::uint64_t{0x7ff00000} << upper},
      {"rcp.approx.ftz.f64", 0x7ff0000000000000, 0},
      {"rcp.approx.ftz.f64", 0x7ff8000000000000, 0x7fffffff00000000},
      {"rcp.approx.ftz.f64", 0x400000000000abcd, 0x3fe0000000000000},  // the lower word is ignored
      // 9.7.3.15
      {"sqrt.approx.f32", kMinusInf, kNan},
      {"sqrt.approx.f32", kMinusOne, kNan},
      {"sqrt.approx.f32", kMinusZero, kMinusZero},
      {"sqrt.approx.f32", kZero, kZero},
      {"sqrt.approx.f32", kInf, kInf},
      {"sqrt.approx.f32", kNan, kNan},
      {"sqrt.approx.ftz.f32", kMinusSubnormal, kMinusZero},
      // 9.7.3.16
      {"rsqrt.approx.f32", kMinusInf, kNan},
      {"rsqrt.approx.f32", kMinusOne, kNan},
      {"rsqrt.approx.f32", kMinusZero, kMinusInf},
      {"rsqrt.approx.f32", kZero, kInf},
      {"rsqrt.approx.f32", kInf, kZero},
      {"rsqrt.approx.f32", kNan, kNan},
      {"rsqrt.approx.f64", bits(4.0), bits(0.5)},
      {"rsqrt.approx.f64", bits(-0.0), bits(-HUGE_VAL)},
      // 9.7.3.17
      {"rsqrt.approx.ftz.f64", 0xfff0000000000000, 0x7fffffff00000000},
      {"rsqrt.approx.ftz.f64", 0x8000000100000000, 0xfff0000000000000},
      {"rsqrt.approx.ftz.f64", 0x0000000100000000, 0x7ff0000000000000},
      {"rsqrt.approx.ftz.f64", 0x7ff0000000000000, 0},
      {"rsqrt.approx.ftz.f64", bits(4.0), bits(0.5)},
      // 9.7.3.18 to 9.7.3.22
      {"sin.approx.f32", kMinusInf, kNan},
      {"sin.approx.f32", kMinusZero, kMinusZero},
      {"sin.approx.f32", kZero, kZero},
      {"sin.approx.f32", kInf, kNan},
      {"cos.approx.f32", kMinusInf, kNan},
      {"cos.approx.f32", kMinusZero, kOne},
      {"cos.approx.f32", kInf, kNan},
      {"lg2.approx.f32", kMinusInf, kNan},
      {"lg2.approx.f32", kMinusOne, kNan},
      {"lg2.approx.f32", kMinusZero, kMinusInf},
      {"lg2.approx.f32", kZero, kMinusInf},
      {"lg2.approx.f32", kInf, kInf},
      {"lg2.approx.f32", kSubnormal, bits(-149.0f)},
      {"lg2.approx.ftz.f32", kSubnormal, kMinusInf},
      {"ex2.approx.f32", kMinusInf, kZero},
      {"ex2.approx.f32", kMinusZero, kOne},
      {"ex2.approx.f32", kInf, kInf},
      {"ex2.approx.f32", kNan, kNan},
      {"ex2.approx.f32", bits(-149.0f), kSubnormal},
      {"ex2.approx.ftz.f32", bits(-149.0f), kZero},
      {"tanh.approx.f32", kMinusInf, kMinusOne},
      {"tanh.approx.f32", kMinusZero, kMinusZero},
      {"tanh.approx.f32", kInf, kOne},
      {"tanh.approx.f32", kSubnormal, kSubnormal},
      // 9.7.9.21: NaN to integers
      {"cvt.rzi.s32.f32", kNan, 0},
      {"cvt.rzi.u16.f32", kNan, 0},
      {"cvt.rzi.s64.f32", kNan, 0x8000000000000000},
      {"cvt.rzi.u64.f32", kNan, 0x8000000000000000},
      {"cvt.rzi.s32.f64", 0x7ff8000000000000, 0x80000000},
      {"cvt.rzi.u32.f64", 0x7ff8000000000000, 0x80000000},
      {"cvt.rzi.s16.f64", 0x7ff8000000000000, 0xffff8000},
      {"cvt.rzi.u8.f64", 0x7ff8000000000000, 0x80},
      {"cvt.rzi.s64.f64", 0x7ff8000000000000, 0x8000000000000000},
      {"cvt.rzi.s32.f32", bits(3e9f), 0x7fffffff},
      {"cvt.rzi.u32.f32", bits(-1.0f), 0},
      {"cvt.rni.s32.f32", bits(2.5f), 2},
      {"cvt.rmi.ftz.s32.f32", kMinusSubnormal, 0},
      {"cvt.rmi.s32.f32", kMinusSubnormal, 0xffffffff},
      {"cvt.sat.f32.f32", kNan, kZero},
      {"cvt.sat.f32.f32", kMinusZero, kZero},
      {"cvt.s16.s8", 0xffffff80, 0xffffff80},
      {"cvt.u32.u16", 0xdeadbeef, 0x0000beef},
      {"abs.f64", 0xfff8000000000001, 0xfff8000000000001},  // "NaN input is passed through unchanged"
  };
  for (const TableEntry& entry : entries)
    EXPECT_EQ(result(entry.variant, {entry.input}), entry.expected)
        << entry.variant << " of 0x" << std::hex << entry.input;
}

TEST(MinimumAndMaximum, order_zeros_and_drop_a_single_nan) {
  EXPECT_EQ(result("min.f32", {kZero, kMinusZero}), kMinusZero);
  EXPECT_EQ(result("min.f32", {kMinusZero, kZero}), kMinusZero);
  EXPECT_EQ(result("max.f32", {kZero, kMinusZero}), kZero);
  EXPECT_EQ(result("max.f32", {kMinusZero, kZero}), kZero);
  EXPECT_EQ(result("min.f32", {kNan, kOne}), kOne);
  EXPECT_EQ(result("max.f32", {kMinusOne, kNan}), kMinusOne);
  EXPECT_EQ(result("max.f32", {kNan, kNan}), kNan);
  EXPECT_EQ(result("min.NaN.f32", {kOne, 0xffc00001u}), kNan);
  EXPECT_EQ(result("max.xorsign.abs.f32", {bits(-3.0f), bits(2.0f)}), bits(-3.0f));
  EXPECT_EQ(result("min.xorsign.abs.f32", {bits(-3.0f), bits(-2.0f)}), bits(2.0f));
  EXPECT_EQ(result("max.f64", {0x7ff8000000000000, bits(-5.0)}), bits(-5.0));
}

TEST(Division, never_traps) {
  EXPECT_EQ(result("div.s32", {0x80000000, 0xffffffff}), 0x80000000u);
  EXPECT_EQ(result("rem.s32", {0x80000000, 0xffffffff}), 0u);
  EXPECT_EQ(result("div.s64", {0x8000000000000000, 0xffffffffffffffff}), 0x8000000000000000u);
  EXPECT_EQ(result("rem.s64", {0x8000000000000000, 0xffffffffffffffff}), 0u);
  EXPECT_EQ(result("div.u32", {7, 0}), 0xffffffffu);
  EXPECT_EQ(result("rem.u64", {7, 0}), 0xffffffffffffffffu);
  EXPECT_EQ(result("div.u32", {0xffffffff, 0xfffffffe}), 1u);
}

TEST(Division, of_small_integers_is_exact_for_every_pair) {
  OneInstruction divide("div.s16"), remainder("rem.s16");
  for (int a = -32768; a < 32768; a += 61)
    for (int first = -32768; first < 32768; first += kWarpSize) {
      for (int i = 0; i < kWarpSize; ++i) {
        divide.narrow(1)[i] = remainder.narrow(1)[i] = static_cast<std::uint32_t>(a);
        divide.narrow(2)[i] = remainder.narrow(2)[i] = static_cast<std::uint32_t>(first + i);
      }
      divide.run();
      remainder.run();
      for (int i = 0; i < kWarpSize; ++i) {
        const int b = first + i;
        if (b == 0) continue;
        ASSERT_EQ(static_cast<std::int16_t>(divide.narrow(0)[i]), static_cast<std::int16_t>(a / b))
            << a << "/" << b;
        ASSERT_EQ(static_cast<std::int16_t>(remainder.narrow(0)[i]), static_cast<std::int16_t>(a % b))
            << a << "%" << b;
      }
    }
}

TEST(FusedMultiplyAdd, rounds_once) {
  // (1 + 2^-23)^2 - (1 + 2^-22) = 2^-46 exactly; rounding the product first gives 0.
  EXPECT_EQ(result("fma.rn.f32", {0x3f800001, 0x3f800001, 0xbf800002}), bits(0x1p-46f));
  EXPECT_EQ(result("fma.rn.f64", {bits(1 + 0x1p-52), bits(1 + 0x1p-52), bits(-(1 + 0x1p-51))}),
            bits(0x1p-104));
}

TEST(DirectedRounding, brackets_the_exact_sum_and_leaves_the_mode_alone) {
  EXPECT_EQ(result("add.rm.f32", {kOne, bits(0x1p-60f)}), kOne);
  EXPECT_EQ(result("add.rp.f32", {kOne, bits(0x1p-60f)}), kOne + 1);
  EXPECT_EQ(result("add.rz.f32", {kMinusOne, bits(-0x1p-60f)}), kMinusOne);
  EXPECT_EQ(result("add.rm.f32", {kMinusOne, bits(-0x1p-60f)}), kMinusOne + 1);
  EXPECT_EQ(result("add.rm.f32", {kOne, kMinusOne}), kMinusZero);
  EXPECT_EQ(result("add.rn.f32", {kOne, kMinusOne}), kZero);
  EXPECT_EQ(result("mul.rz.f32", {0x7f7fffff, 0x7f7fffff}), 0x7f7fffffu);
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST(CarryChain, adds_and_subtracts_128_bit_numbers) {
  const UInt128 x = (UInt128{0xfedcba9876543210u} << 64) | 0xffffffffffffffffu;
  const UInt128 y = (UInt128{0x0123456789abcdefu} << 64) | 0x8000000000000001u;
  for (const bool subtract : {false, true}) {
    OneInstruction low(subtract ? "sub.cc.u64" : "add.cc.u64"), high(subtract ? "subc.u64" : "addc.u64");
    low({static_cast<std::uint64_t>(x), static_cast<std::uint64_t>(y)});
    high({static_cast<std::uint64_t>(x >> 64), static_cast<std::uint64_t>(y >> 64), low.narrow(1)[0]});
    const UInt128 expected = subtract ? x - y : x + y;
    EXPECT_EQ(low.wide(0)[9], static_cast<std::uint64_t>(expected));
    EXPECT_EQ(high.wide(0)[9], static_cast<std::uint64_t>(expected >> 64));
  }
}

TEST(Lop3, has_the_tables_that_the_text_computes) {
  const std::uint32_t a = 0x0f0f1234, b = 0x33335678, c = 0x5555abcd;
  EXPECT_EQ(result("lop3.b32", {a, b, c, 0x80}), a & b & c);
  EXPECT_EQ(result("lop3.b32", {a, b, c, 0xfe}), a | b | c);
  EXPECT_EQ(result("lop3.b32", {a, b, c, 0x40}), a & b & ~c);
  EXPECT_EQ(result("lop3.b32", {a, b, c, 0x06}), (~a) & (b ^ c));
}

TEST(SetPredicate, writes_one_destination_or_two_or_the_second_alone) {
  const Row& row = row_of("setp.lt.u32");
  alignas(64) std::array<std::uint32_t, 128> memory{};
  for (std::uint32_t i = 0; i < 32; ++i) {
    memory[32 + i] = i;
    memory[64 + i] = 16;
  }
  Instr instr;
  instr.a = 128;
  instr.b = 256;
  auto* const base = reinterpret_cast<std::byte*>(memory.data());
  const LaneContext context{{base, base}};
  instr.d = 0;
  row.op(context, instr, kAllLanes);
  EXPECT_EQ(memory[0], 0x0000ffffu);
  EXPECT_EQ(memory[1], 0u);
  instr.d = kNoOperand;
  instr.d2 = 4;
  row.op(context, instr, 0x00ff00ffu);
  EXPECT_EQ(memory[0], 0x0000ffffu);
  EXPECT_EQ(memory[1], 0x00ff0000u);
}

/// 1 / sqrt(x · 2^-shift) lies between two midpoints of floats: exact comparison of x · m^2 with a power of
/// two.
TEST(ReciprocalRoot, is_correctly_rounded_for_every_significand_of_a_float) {
  OneInstruction rsqrt("rsqrt.approx.f32");
  for (std::uint32_t exponent :
       {126u, 127u})  // [1/2, 1) and [1, 2): all others are these scaled by powers of four
    for (std::uint32_t first = 0; first < (1u << 23); first += kWarpSize) {
      for (std::uint32_t i = 0; i < kWarpSize; ++i) rsqrt.narrow(1)[i] = exponent << 23 | (first + i);
      rsqrt.run();
      for (std::uint32_t i = 0; i < kWarpSize; ++i) {
        const std::uint64_t x = (std::uint64_t{first + i} | 1u << 23) << (exponent - 126);  // value · 2^24
        const std::uint32_t y = rsqrt.narrow(0)[i];
        // y = m · 2^-24 · 2^(e), with the neighbours' midpoints at m ± 1/2 (m - 1/4 below a power of two).
        const std::uint64_t m = (y & 0x7fffffu) | 1u << 23;
        const int scale = 127 - static_cast<int>(y >> 23);  // y = m · 2^-(23 + scale)
        const bool is_power = m == 1u << 23;
        const UInt128 upper = UInt128{4 * m + 2} * (4 * m + 2) * x;
        const UInt128 lower = UInt128{4 * m - (is_power ? 1 : 2)} * (4 * m - (is_power ? 1 : 2)) * x;
        const UInt128 one = UInt128{1} << (24 + 2 * (23 + scale) + 4);
        ASSERT_TRUE(lower < one && one < upper) << std::hex << rsqrt.narrow(1)[i] << " gives " << y;
      }
    }
}

TEST(ReciprocalRoot, is_correctly_rounded_for_every_significand_of_the_upper_word) {
  OneInstruction rsqrt("rsqrt.approx.ftz.f64");
  for (std::uint64_t exponent : {1022u, 1023u})
    for (std::uint64_t first = 0; first < (1u << 20); first += kWarpSize) {
      for (std::uint64_t i = 0; i < kWarpSize; ++i) rsqrt.wide(1)[i] = exponent << 52 | (first + i) << 32;
      rsqrt.run();
      for (std::uint64_t i = 0; i < kWarpSize; ++i) {
        const std::uint64_t x = ((first + i) | 1u << 20) << (exponent - 1022);  // value · 2^21
        const std::uint64_t y = rsqrt.wide(0)[i] >> 32;
        ASSERT_EQ(rsqrt.wide(0)[i] & 0xffffffffu, 0u);
        const std::uint64_t m = (y & 0xfffffu) | 1u << 20;
        const int scale = 1023 - static_cast<int>(y >> 20);
        const std::uint64_t down = m == 1u << 20 ? 1 : 2;
        const UInt128 one = UInt128{1} << (21 + 2 * (20 + scale) + 4);
        ASSERT_TRUE(UInt128{4 * m - down} * (4 * m - down) * x < one &&
                    one < UInt128{4 * m + 2} * (4 * m + 2) * x)
            << std::hex << rsqrt.wide(1)[i] << " gives " << rsqrt.wide(0)[i];
      }
    }
}

TEST(DocumentedError, exists_for_approximate_rows_and_only_for_them) {
  int approximate = 0;
  for (const Row& row : lane_rows()) {
    const bool named = row.variant.find(".approx") != std::string_view::npos ||
                       row.variant.find(".full") != std::string_view::npos;
    const auto error = documented_error(row.variant);
    EXPECT_EQ(error.has_value(), named) << row.variant;
    approximate += named ? 1 : 0;
    if (!error) continue;
    EXPECT_GE(error->count, 1);
    for (std::size_t k = 0; k < error->count; ++k) {
      const bool documented = error->bounds[k].measure != ErrorBound::Measure::undocumented;
      EXPECT_EQ(documented, std::isfinite(error->bounds[k].bound)) << row.variant;
    }
  }
  EXPECT_EQ(approximate, 22);
  EXPECT_FALSE(documented_error("add.f32"));
  EXPECT_FALSE(documented_error(""));
  EXPECT_FALSE(documented_error("ex2"));
  EXPECT_FALSE(documented_error("ex2.approx.f16"));
}

TEST(DocumentedError, is_what_the_text_says) {
  using Measure = ErrorBound::Measure;
  EXPECT_EQ(documented_error("ex2.approx.ftz.f32")->bounds[0].measure, Measure::ulp);
  EXPECT_EQ(documented_error("ex2.approx.ftz.f32")->bounds[0].bound, 2.0);
  EXPECT_EQ(documented_error("sqrt.approx.f32")->bounds[0].measure, Measure::relative);
  EXPECT_EQ(documented_error("sqrt.approx.f32")->bounds[0].bound, 0x1p-23);
  EXPECT_EQ(documented_error("sin.approx.f32")->bounds[0].measure, Measure::absolute);
  EXPECT_DOUBLE_EQ(documented_error("sin.approx.f32")->bounds[1].bound, std::exp2(-14.7));
  EXPECT_EQ(documented_error("lg2.approx.f32")->count, 2);
  EXPECT_EQ(documented_error("tanh.approx.f32")->bounds[0].bound, 0x1p-11);
  EXPECT_EQ(documented_error("rcp.approx.ftz.f64")->bounds[0].measure, Measure::undocumented);
}

}  // namespace
}  // namespace warpcheck::simt

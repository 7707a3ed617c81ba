#include "tests/simt/machine_row_cases.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <functional>
#include <set>

namespace warpcheck::simt::testing {
namespace {

using Words = std::vector<std::uint64_t>;
__extension__ using Integer = __int128;

std::vector<std::string> parts_of(const std::string& variant) {
  std::vector<std::string> parts{""};
  for (const char c : variant) {
    if (c == '.') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

unsigned bits_of(const std::string& type) {
  return static_cast<unsigned>(std::stoi(type.substr(1)));
}

Words words(std::uint32_t threads, const std::function<std::uint64_t(std::uint32_t)>& of) {
  Words list;
  for (std::uint32_t t = 0; t < threads; ++t) list.push_back(of(t));
  return list;
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
}

/// Bytes 0x81, 0x92, 0xa3 …: every sign bit is set.
std::uint64_t pattern_value(std::uint32_t thread, unsigned bits) {
  std::uint64_t value = 0;
  for (unsigned b = 0; b < bits / 8; ++b)
    value |= std::uint64_t{0x80u | ((thread * 7 + b * 17) & 0x7fu)} << 8 * b;
  return value;
}

/// An array whose element `thread`, 8 bytes each, holds pattern_value.
std::string pattern_array() {
  std::string text = ".global .align 8 .b8 data[256] = {";
  for (std::uint32_t t = 0; t < 32; ++t) {
    for (unsigned b = 0; b < 8; ++b) {
      text += (t + b ? ", " : "") + std::to_string(pattern_value(t, 64) >> 8 * b & 0xff);
    }
  }
  return text + "};\n";
}

void loads(std::vector<RowCase>& cases) {
  for (const std::string opcode : {"ld", "ldu"}) {
    for (const std::string type :
         {"b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64"}) {
      const unsigned bits = bits_of(type);
      RowCase one;
      one.variant = opcode + "." + type;
      one.before = pattern_array();
      one.body =
          "mov.u64 %rd1, data;\n mad.wide.u32 %rd1, %r0, 8, %rd1;\n mov.b64 %rd2, 0x1122334455667788;\n";
      if (type == "f32") {
        one.body += opcode + ".global.f32 %f1, [%rd1];\n st.global.f32 [%rd0], %f1;";
      } else if (type == "f64") {
        one.body += opcode + ".global.f64 %fd1, [%rd1];\n st.global.f64 [%rd0], %fd1;";
      } else {
        // Into a register wider than the type: extended by sign for signed types only.
        one.body += opcode + ".global." + type + " %rd2, [%rd1];\n st.global.b64 [%rd0], %rd2;";
      }
      one.expected = words_text(words(32, [&](std::uint32_t t) {
        const std::uint64_t value = pattern_value(t, bits);
        return type[0] == 's' && bits < 64 ? value | ~std::uint64_t{0} << bits : value;
      }));
      cases.push_back(one);
    }
  }
}

void stores(std::vector<RowCase>& cases) {
  for (const std::string type :
       {"b8", "b16", "b32", "b64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "f32", "f64"}) {
    const unsigned bits = bits_of(type);
    RowCase one;
    one.variant = "st." + type;
    one.body = "mov.b64 %rd2, 0x1122334455667788;\n cvt.u64.u32 %rd3, %r0;\n add.s64 %rd2, %rd2, %rd3;\n";
    if (type == "f32") {
      one.body += "cvt.u32.u64 %r2, %rd2;\n mov.b32 %f1, %r2;\n st.global.f32 [%rd0], %f1;";
    } else if (type == "f64") {
      one.body += "mov.b64 %fd1, %rd2;\n st.global.f64 [%rd0], %fd1;";
    } else {
      one.body += "st.global." + type + " [%rd0], %rd2;";
    }
    one.expected = words_text(words(32, [&](std::uint32_t t) {
      const std::uint64_t value = 0x1122334455667788u + t;
      return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
    }));
    cases.push_back(one);
  }
}

/// Old content and operand of a thread's atomic: chosen so that every pair of operations differs somewhere.
std::uint64_t atomic_old(std::uint32_t t, const std::string& type) {
  static constexpr std::uint64_t kIntegers[] = {0, 5,          0x7fffffff, 0x80000000, 0xffffffff,
                                                3, 0xfffffffe, 0x80000001, 17,         17};
  if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(t) * 0.75f - 3.0f);
  if (type == "f64") return std::bit_cast<std::uint64_t>(static_cast<double>(t) * 0.1 - 1.0);
  const std::uint64_t low = kIntegers[t % 10];
  return bits_of(type) == 64 ? low << 32 | (kIntegers[(t + 3) % 10] >> 1)
                             : low & ((std::uint64_t{1} << bits_of(type)) - 1);
}

std::uint64_t atomic_operand(std::uint32_t t, const std::string& type) {
  static constexpr std::uint64_t kIntegers[] = {5, 5, 0x80000000, 1, 0xffffffff, 0x7fffffff, 9, 2, 17, 16};
  if (type == "f32") return std::bit_cast<std::uint32_t>(static_cast<float>(t) / 3.0f);
  if (type == "f64") return std::bit_cast<std::uint64_t>(static_cast<double>(t) / 3.0);
  const std::uint64_t low = kIntegers[(t / 2) % 10];
  return bits_of(type) == 64 ? low << 32 | kIntegers[(t + 5) % 10]
                             : low & ((std::uint64_t{1} << bits_of(type)) - 1);
}

std::uint64_t truncated(std::uint64_t value, unsigned bits) {
  return bits == 64 ? value : value & ((std::uint64_t{1} << bits) - 1);
}

/// PTX ISA 9.7.13.5, in integers of unlimited size.
std::uint64_t atomic_new(const std::string& op, const std::string& type, std::uint64_t r, std::uint64_t s,
                         std::uint64_t t) {
  const unsigned bits = bits_of(type);
  const auto value_of = [&](std::uint64_t x) -> Integer {
    if (type[0] == 's' && (x >> (bits - 1) & 1u) != 0)
      return static_cast<Integer>(x) - (static_cast<Integer>(1) << bits);
    return static_cast<Integer>(x);
  };
  if (type == "f32") {
    // The exact sum of two floats of similar size fits into a double.
    const double sum = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(r))) +
                       static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(s)));
    return std::bit_cast<std::uint32_t>(static_cast<float>(sum));
  }
  if (type == "f64") {
    const long double sum = static_cast<long double>(std::bit_cast<double>(r)) + std::bit_cast<double>(s);
    return std::bit_cast<std::uint64_t>(static_cast<double>(sum));
  }
  if (op == "add") return truncated(static_cast<std::uint64_t>(value_of(r) + value_of(s)), bits);
  if (op == "min") return value_of(r) < value_of(s) ? r : s;
  if (op == "max") return value_of(r) > value_of(s) ? r : s;
  if (op == "inc") return r >= s ? 0 : r + 1;
  if (op == "dec") return r == 0 || r > s ? s : r - 1;
  if (op == "and") return r & s;
  if (op == "or") return r | s;
  if (op == "xor") return r ^ s;
  if (op == "exch") return s;
  return r == s ? t : r;  // cas
}

void atomics(std::vector<RowCase>& cases) {
  struct Shape {
    const char* op;
    std::vector<std::string> types;
  };
  const Shape shapes[] = {{"add", {"u32", "s32", "u64", "s64", "f32", "f64"}},
                          {"min", {"u32", "s32", "u64", "s64"}},
                          {"max", {"u32", "s32", "u64", "s64"}},
                          {"inc", {"u32"}},
                          {"dec", {"u32"}},
                          {"and", {"b32", "b64"}},
                          {"or", {"b32", "b64"}},
                          {"xor", {"b32", "b64"}},
                          {"exch", {"b32", "b64"}},
                          {"cas", {"b16", "b32", "b64"}}};
  for (const std::string opcode : {"atom", "red"}) {
    for (const Shape& shape : shapes) {
      const std::string op = shape.op;
      if (opcode == "red" && (op == "exch" || op == "cas")) continue;
      for (const std::string& type : shape.types) {
        const unsigned bits = bits_of(type);
        const bool wide = bits == 64;
        const bool cas = op == "cas";
        std::string table = ".global .align 8 .u64 old[32] = {",
                    operands = ".global .align 8 .u64 operand[32] = {";
        for (std::uint32_t t = 0; t < 32; ++t) {
          table += (t ? ", " : "") + std::to_string(atomic_old(t, type));
          operands += (t ? ", " : "") + std::to_string(atomic_operand(t, type));
        }
        RowCase one;
        one.variant = opcode + "." + op + "." + type;
        one.before = table + "};\n" + operands + "};\n";
        const std::string reg = wide ? "%rd" : bits == 16 ? "%rs" : "%r";
        const std::string move = wide ? "b64" : bits == 16 ? "b16" : "b32";
        one.body =
            "mov.u64 %rd9, old;\n mad.wide.u32 %rd9, %r0, 8, %rd9;\n mov.u64 %rd8, operand;\n"
            " mad.wide.u32 %rd8, %r0, 8, %rd8;\n ld.global." +
            move + " " + reg + "5, [%rd8];\n mov." + move + " " + reg + "6, 77;\n";
        // The result is what was there, xor'ed with what is there, rotated: both show.
        if (opcode == "atom") {
          one.body += "atom.global." + op + "." + type + " " + reg + "7, [%rd9], " + reg + "5" +
                      (cas ? ", " + reg + "6" : "") + ";\n";
          one.body += wide         ? "mov.b64 %rd10, %rd7;\n"
                      : bits == 16 ? "cvt.u64.u16 %rd10, %rs7;\n"
                                   : "cvt.u64.u32 %rd10, %r7;\n";
        } else {
          one.body += "red.global." + op + "." + type + " [%rd9], " + reg + "5;\n mov.b64 %rd10, 0;\n";
        }
        one.body +=
            "ld.global.u64 %rd11, [%rd9];\n mul.lo.u64 %rd10, %rd10, 3;\n add.u64 %rd11, %rd11, %rd10;\n"
            " st.global.u64 [%rd0], %rd11;";
        one.expected = words_text(words(32, [&](std::uint32_t t) {
          const std::uint64_t r = atomic_old(t, type), s = atomic_operand(t, type);
          return atomic_new(op, type, r, s, 77) + (opcode == "atom" ? 3 * r : 0);
        }));
        cases.push_back(one);
      }
    }
  }
}

void shuffles(std::vector<RowCase>& cases) {
  for (const std::string mode : {"up", "down", "bfly", "idx"}) {
    // Segments of 16 lanes; up clamps at 0, the others at 15 within the segment.
    const std::uint32_t c = 0x1000u | (mode == "up" ? 0 : 0x1f);
    RowCase one;
    one.variant = "shfl.sync." + mode + ".b32";
    one.body =
        "mul.lo.u32 %r2, %r1, 3;\n add.u32 %r2, %r2, 100;\n and.b32 %r3, %r1, 7;\n shfl.sync." + mode +
        ".b32 %r4|%p1, %r2, %r3, " + std::to_string(c) +
        ", -1;\n selp.u32 %r5, 1, 0, %p1;\n mad.lo.u32 %r4, %r5, 65536, %r4;\n cvt.u64.u32 %rd2, %r4;\n"
        " st.global.u64 [%rd0], %rd2;";
    one.expected = words_text(words(32, [&](std::uint32_t t) -> std::uint64_t {
      const int lane = static_cast<int>(t), b = lane & 7, begin = lane & 16, end = begin + 15;
      int j = 0;
      bool in_range = false;
      if (mode == "up") j = lane - b, in_range = j >= begin;
      if (mode == "down") j = lane + b, in_range = j <= end;
      if (mode == "bfly") j = lane ^ b, in_range = true;
      if (mode == "idx") j = begin | b, in_range = true;
      if (!in_range) j = lane;
      return static_cast<std::uint64_t>(j) * 3 + 100 + (in_range ? 65536 : 0);
    }));
    cases.push_back(one);
  }
}

void warp_operations(std::vector<RowCase>& cases) {
  const std::string store32 = "cvt.u64.u32 %rd2, %r9;\n st.global.u64 [%rd0], %rd2;";
  // Three predicates: one lane, all lanes, no lane; the votes of each in one digit.
  for (const std::string mode : {"all", "any", "uni"}) {
    RowCase one;
    one.variant = "vote.sync." + mode + ".pred";
    one.body = "mov.u32 %r9, 0;\n";
    const char* const conditions[] = {"setp.eq.u32 %p1, %r1, 3;", "setp.lt.u32 %p1, %r1, 32;",
                                      "setp.gt.u32 %p1, %r1, 32;"};
    for (const char* condition : conditions) {
      one.body += std::string(condition) + "\n vote.sync." + mode +
                  ".pred %p2, %p1, -1;\n selp.u32 %r8, 1, 0, %p2;\n mad.lo.u32 %r9, %r9, 10, %r8;\n";
    }
    one.body += store32;
    const std::uint64_t digits = mode == "all" ? 10 : mode == "any" ? 110 : 11;
    one.expected = words_text(Words(32, digits));
    cases.push_back(one);
  }
  cases.push_back(
      {"vote.sync.ballot.b32",
       "and.b32 %r2, %r1, 3;\n setp.eq.u32 %p1, %r2, 1;\n vote.sync.ballot.b32 %r9, !%p1, 0xffffffff;\n" +
           store32,
       words_text(Words(32, 0xddddddddu))});
  for (const std::string type : {"b32", "b64"}) {
    const bool wide = type == "b64";
    const std::string reg = wide ? "%rd4" : "%r4";
    // Lanes in four classes; the 64-bit values differ in their upper halves only.
    std::string prepare = "shr.u32 %r2, %r1, 3;\n";
    prepare += wide ? "cvt.u64.u32 %rd4, %r2;\n shl.b64 %rd4, %rd4, 40;\n" : "add.u32 %r4, %r2, 5;\n";
    cases.push_back(
        {"match.any.sync." + type, prepare + "match.any.sync." + type + " %r9, " + reg + ", -1;\n" + store32,
         words_text(words(32, [](std::uint32_t t) { return std::uint64_t{0xff} << (t / 8 * 8); }))});
    // Once with classes (no match), once with one value for all.
    cases.push_back(
        {"match.all.sync." + type,
         prepare + "match.all.sync." + type + " %r7|%p1, " + reg +
             ", -1;\n selp.u32 %r8, 16, 0, %p1;\n"
             " add.u32 %r7, %r7, %r8;\n mov." +
             type + " " + reg + ", 9;\n match.all.sync." + type + " %r9|%p2, " + reg +
             ", -1;\n selp.u32 %r8, 1, 0, %p2;\n add.u32 %r9, %r9, %r7;\n sub.u32 %r9, %r9, %r8;\n" + store32,
         words_text(Words(32, 0xfffffffeu))});
  }
  struct Reduction {
    const char* name;
    std::function<std::uint32_t(std::uint32_t, std::uint32_t)> combine;
  };
  const auto as_signed = [](std::uint32_t x) { return static_cast<std::int32_t>(x); };
  const Reduction reductions[] = {
      {"add.u32", [](auto a, auto b) { return a + b; }},
      {"add.s32", [](auto a, auto b) { return a + b; }},
      {"min.u32", [](auto a, auto b) { return a < b ? a : b; }},
      {"max.u32", [](auto a, auto b) { return a > b ? a : b; }},
      {"min.s32", [&](auto a, auto b) { return as_signed(a) < as_signed(b) ? a : b; }},
      {"max.s32", [&](auto a, auto b) { return as_signed(a) > as_signed(b) ? a : b; }},
      {"and.b32", [](auto a, auto b) { return a & b; }},
      {"or.b32", [](auto a, auto b) { return a | b; }},
      {"xor.b32", [](auto a, auto b) { return a ^ b; }},
  };
  for (const Reduction& reduction : reductions) {
    const auto input = [](std::uint32_t t) { return (t * 0x9e3779b1u) | 0x00010000u; };
    std::uint32_t result = input(0);
    for (std::uint32_t t = 1; t < 32; ++t) result = reduction.combine(result, input(t));
    cases.push_back({"redux.sync." + std::string(reduction.name),
                     "mul.lo.u32 %r2, %r1, 0x9e3779b1;\n or.b32 %r2, %r2, 0x10000;\n redux.sync." +
                         std::string(reduction.name) + " %r9, %r2, -1;\n" + store32,
                     words_text(Words(32, result))});
  }
  cases.push_back({"elect.sync",
                   "setp.lt.u32 %p1, %r1, 4;\n @%p1 bra DONE;\n elect.sync %r9|%p2, 0xfffffff0;\n selp.u32 "
                   "%r8, 100, 0, %p2;\n"
                   " add.u32 %r9, %r9, %r8;\n" +
                       store32 + "\nDONE:",
                   words_text(words(32, [](std::uint32_t t) -> std::uint64_t {
                     return t < 4 ? 0 : t == 4 ? 104 : 4;
                   }))});
  cases.push_back(
      {"activemask.b32",
       "setp.lt.u32 %p1, %r1, 5;\n @%p1 bra FEW;\n activemask.b32 %r9;\n bra JOIN;\nFEW:\n activemask.b32 "
       "%r9;\nJOIN:\n" +
           store32,
       words_text(words(32, [](std::uint32_t t) -> std::uint64_t { return t < 5 ? 0x1f : 0xffffffe0u; }))});
  // Lane 0 stores, the barrier lets lane 31's group, which got there first, go on and read.
  cases.push_back(
      {"bar.warp.sync",
       "setp.eq.u32 %p1, %r1, 0;\n @!%p1 bra MEET;\n st.shared.u32 [s], 42;\nMEET:\n bar.warp.sync -1;\n"
       " ld.shared.u32 %r9, [s];\n" +
           store32,
       words_text(Words(32, 42)), 32, 90, ".shared .align 4 .u32 s;\n"});
}

void block_barriers(std::vector<RowCase>& cases) {
  const std::string store32 = "cvt.u64.u32 %rd2, %r9;\n st.global.u64 [%rd0], %rd2;";
  const std::string shared = ".shared .align 4 .u32 s[64];\n";
  const auto exchange = [&](const std::string& barrier) {
    return "mov.u32 %r2, s;\n mad.lo.u32 %r2, %r0, 4, %r2;\n st.shared.u32 [%r2], %r0;\n " + barrier +
           "\n xor.b32 %r3, %r0, 32;\n mov.u32 %r2, s;\n mad.lo.u32 %r2, %r3, 4, %r2;\n ld.shared.u32 %r9, "
           "[%r2];\n" +
           store32;
  };
  const auto other_warp = words_text(words(64, [](std::uint32_t t) -> std::uint64_t { return t ^ 32; }));
  // An aligned barrier is one instruction for the block, a loose one may be met at two places.
  const auto two_places = [&](const std::string& barrier) {
    return "setp.lt.u32 %p1, %r0, 32;\n @%p1 bra FIRST;\n " + barrier + " 0;\n bra JOIN;\nFIRST:\n " +
           barrier + " 0;\nJOIN:\n mov.u32 %r9, 7;\n" + store32;
  };
  for (const std::string name : {"bar.sync", "barrier.sync", "barrier.sync.aligned"}) {
    const bool loose = name == "barrier.sync";
    cases.push_back({name, exchange(name + " 0;"), other_warp, 64, 90, shared});
    cases.push_back({name, two_places(name), loose ? words_text(Words(64, 7)) : "finding: barrier divergence",
                     64, 90, ""});
  }
  for (const std::string name : {"bar.arrive", "barrier.arrive", "barrier.arrive.aligned"}) {
    // The first warp only announces itself and goes on; were it to wait, barrier 2 would never be reached.
    const std::string wait = name == "barrier.arrive" ? "barrier.sync" : "bar.sync";
    cases.push_back({name,
                     "mov.u32 %r9, 1;\n setp.lt.u32 %p1, %r0, 32;\n @%p1 bra PRODUCER;\n bar.sync 2, 64;\n "
                     "bar.sync 1, 64;\n"
                     " ld.shared.u32 %r9, [s];\n bra JOIN;\nPRODUCER:\n st.shared.u32 [s], 9;\n " +
                         name + " 1, 64;\n bar.sync 2, 64;\nJOIN:\n" + store32,
                     words_text(words(64, [](std::uint32_t t) -> std::uint64_t { return t < 32 ? 1 : 9; })),
                     64, 90, shared});
    // One warp that arrives at two places, lane by lane: only the loose form may.
    cases.push_back({name,
                     "mov.u32 %r9, 3;\n setp.lt.u32 %p1, %r1, 16;\n @%p1 bra FIRST;\n " + name +
                         " 1, 32;\n bra JOIN;\nFIRST:\n " + name + " 1, 32;\nJOIN:\n" + store32,
                     name == "barrier.arrive" ? words_text(Words(32, 3)) : "finding: barrier divergence", 32,
                     90, ""});
  }
  for (const std::string form :
       {"bar.red.popc.u32", "bar.red.and.pred", "bar.red.or.pred", "barrier.red.popc.u32",
        "barrier.red.and.pred", "barrier.red.or.pred", "barrier.red.popc.aligned.u32",
        "barrier.red.and.aligned.pred", "barrier.red.or.aligned.pred"}) {
    const bool popc = form.find("popc") != std::string::npos, all = form.find("red.and") != std::string::npos;
    const bool loose = form.starts_with("barrier") && form.find("aligned") == std::string::npos;
    std::string body = "mov.u32 %r9, 0;\n";
    for (const char* condition :
         {"setp.lt.u32 %p1, %r0, 40;", "setp.lt.u32 %p1, %r0, 64;", "setp.gt.u32 %p1, %r0, 64;"}) {
      body += std::string(condition) + "\n ";
      body += popc ? form + " %r8, 0, %p1;\n" : form + " %p2, 0, %p1;\n selp.u32 %r8, 1, 0, %p2;\n";
      body += "mad.lo.u32 %r9, %r9, 100, %r8;\n";
    }
    cases.push_back({form, body + store32,
                     words_text(Words(64, popc  ? 406400
                                          : all ? 100
                                                : 10100)),
                     64, 90, ""});
    const std::string once = popc ? form + " %r8, 0, %p1;" : form + " %p2, 0, %p1;";
    cases.push_back({form,
                     "setp.lt.u32 %p1, %r0, 32;\n @%p1 bra FIRST;\n " + once + "\n bra JOIN;\nFIRST:\n " +
                         once + "\nJOIN:\n mov.u32 %r9, 7;\n" + store32,
                     loose ? words_text(Words(64, 7)) : "finding: barrier divergence", 64, 90, ""});
  }
}

void fences(std::vector<RowCase>& cases) {
  const std::string store = "\n mov.b64 %rd2, 1;\n st.global.u64 [%rd0], %rd2;";
  const auto ones = words_text(Words(32, 1));
  cases.push_back({"membar.cta", "membar.cta;" + store, ones + " fence 5/1"});
  cases.push_back({"membar.gl", "membar.gl;" + store, ones + " fence 5/3"});
  cases.push_back({"membar.sys", "membar.sys;" + store, ones + " fence 5/4"});
  cases.push_back({"fence.sc", "fence.sc.gpu;\n fence.sc.cta;" + store, ones + " fence 5/3 fence 5/1"});
  cases.push_back(
      {"fence.acq_rel", "fence.acq_rel.cta;\n fence.sys.acq_rel;" + store, ones + " fence 4/1 fence 4/4"});
}

void control_flow(std::vector<RowCase>& cases) {
  const std::string store32 = "cvt.u64.u32 %rd2, %r9;\n st.global.u64 [%rd0], %rd2;";
  for (const std::string name : {"bra", "bra.uni"}) {
    // A loop whose trip count is the lane's, or the same for all where the text promises it.
    const bool uniform = name == "bra.uni";
    cases.push_back({name,
                     "mov.u32 %r9, 0;\n mov.u32 %r2, 0;\nLOOP:\n add.u32 %r9, %r9, 2;\n add.u32 %r2, %r2, "
                     "1;\n setp.le.u32 %p1, %r2, " +
                         std::string(uniform ? "9" : "%r1") + ";\n @%p1 " + name + " LOOP;\n" + store32,
                     words_text(words(
                         32, [&](std::uint32_t t) -> std::uint64_t { return uniform ? 20 : 2 * (t + 1); }))});
  }
  for (const std::string name : {"brx.idx", "brx.idx.uni"}) {
    const bool uniform = name == "brx.idx.uni";
    cases.push_back({name,
                     "TS: .branchtargets A, B, C;\n rem.u32 %r2, %r1, 3;\n mov.u32 %r9, 0;\n" +
                         std::string(uniform ? "mov.u32 %r2, 1;\n" : "") + name +
                         " %r2, TS;\nA:\n add.u32 %r9, %r9, 1;\nB:\n add.u32 %r9, %r9, 10;\nC:\n add.u32 "
                         "%r9, %r9, 100;\n" +
                         store32,
                     words_text(words(32, [&](std::uint32_t t) -> std::uint64_t {
                       const std::uint32_t index = uniform ? 1 : t % 3;
                       return index == 0 ? 111 : index == 1 ? 110 : 100;
                     }))});
  }
  const std::string function =
      ".func (.reg .u32 r) twice_plus(.reg .u32 a, .reg .u32 b) {\n mad.lo.u32 r, a, 2, b;\n ret;\n}\n";
  for (const std::string name : {"call", "call.uni"}) {
    cases.push_back({name, name + " (%r9), twice_plus, (%r1, 5);\n" + store32,
                     words_text(words(32, [](std::uint32_t t) -> std::uint64_t { return 2 * t + 5; })), 32,
                     90, function});
  }
  for (const std::string name : {"ret", "ret.uni"}) {
    // Returns to its caller, which adds 1000.
    const std::string early = ".func (.reg .u32 r) early(.reg .u32 a) {\n mov.u32 r, a;\n " + name +
                              ";\n mov.u32 r, 99;\n ret;\n}\n";
    cases.push_back({name, "call (%r9), early, (%r1);\n add.u32 %r9, %r9, 1000;\n" + store32,
                     words_text(words(32, [](std::uint32_t t) -> std::uint64_t { return t + 1000; })), 32, 90,
                     early});
  }
  // Ends the thread, inside a function too: the addition never happens.
  const std::string leaves =
      ".func leaves(.reg .u32 a) {\n .reg .pred p;\n setp.lt.u32 p, a, 8;\n @p exit;\n ret;\n}\n";
  cases.push_back({"exit",
                   "mov.u32 %r9, 1;\n" + store32 + "\n call leaves, (%r1);\n mov.u32 %r9, 2;\n" + store32,
                   words_text(words(32, [](std::uint32_t t) -> std::uint64_t { return t < 8 ? 1 : 2; })), 32,
                   90, leaves});
  cases.push_back({"trap", "trap;", "finding: trap: the kernel executed trap"});
  cases.push_back({"brkpt", "brkpt;", "finding: trap: the kernel executed a breakpoint"});
}

void address_instructions(std::vector<RowCase>& cases) {
  const std::string store = "st.global.u64 [%rd0], %rd9;";
  const std::string spaces =
      ".global .align 8 .u64 g;\n.const .align 8 .u64 c = 5;\n.shared .align 8 .u64 s;\n";
  const std::string all =
      "{.local .align 8 .b8 stack[8];\n mov.u64 %rd4, g;\n cvta.global.u64 %rd4, %rd4;\n mov.u64 %rd5, c;\n"
      " cvta.const.u64 %rd5, %rd5;\n mov.u64 %rd6, s;\n cvta.shared.u64 %rd6, %rd6;\n mov.u64 %rd7, stack;\n"
      " cvta.local.u64 %rd7, %rd7;\n mov.u64 %rd8, out;\n cvta.param.u64 %rd8, %rd8;\n";
  // Through the generic address lies what was stored in the space.
  const auto through = [&](const std::string& space, const std::string& pointer, bool writes) {
    std::string body = all;
    const std::string object = space == "global"   ? "g"
                               : space == "const"  ? "c"
                               : space == "shared" ? "s"
                                                   : "stack";
    if (writes)
      body +=
          "cvt.u64.u32 %rd9, %r0;\n add.u64 %rd9, %rd9, 50;\n st." + space + ".u64 [" + object + "], %rd9;\n";
    return body + "ld.u64 %rd9, [" + pointer + "];\n" + store + "\n}";
  };
  const auto last_wins = words_text(Words(32, 81));
  cases.push_back({"cvta.global.u64", through("global", "%rd4", true), last_wins, 32, 90, spaces});
  cases.push_back(
      {"cvta.const.u64", through("const", "%rd5", false), words_text(Words(32, 5)), 32, 90, spaces});
  cases.push_back({"cvta.shared.u64", through("shared", "%rd6", true), last_wins, 32, 90, spaces});
  cases.push_back({"cvta.local.u64", through("local", "%rd7", true),
                   words_text(words(32, [](std::uint32_t t) -> std::uint64_t { return t + 50; })), 32, 90,
                   spaces});
  cases.push_back(
      {"cvta.param.u64",
       all + "ld.u64 %rd9, [%rd8];\n ld.param.u64 %rd10, [out];\n sub.u64 %rd9, %rd9, %rd10;\n" + store + "}",
       words_text(Words(32, 0)), 32, 90, spaces});
  // There and back again.
  for (const auto& [space, pointer, object] : {std::array<std::string, 3>{"global", "%rd4", "g"},
                                               {"const", "%rd5", "c"},
                                               {"param", "%rd8", "out"},
                                               {"shared", "%rd6", "s"},
                                               {"local", "%rd7", "stack"}}) {
    cases.push_back({"cvta.to." + space + ".u64",
                     all + "cvta.to." + space + ".u64 %rd9, " + pointer + ";\n mov.u64 %rd10, " + object +
                         ";\n sub.u64 %rd9, %rd9, %rd10;\n" + store + "}",
                     words_text(Words(32, 0)), 32, 90, spaces});
  }
  // One digit for each of the five pointers. Constants and parameters lie in the global window.
  for (const auto& [space, digits] : {std::pair<std::string, std::uint64_t>{"global", 11001},
                                      {"shared", 100},
                                      {"local", 10},
                                      {"param", 1},
                                      {"const", 1000}}) {
    std::string body = all + "mov.u64 %rd9, 0;\n";
    for (const char* pointer : {"%rd4", "%rd5", "%rd6", "%rd7", "%rd8"}) {
      body += "isspacep." + space + " %p1, " + pointer +
              ";\n selp.u64 %rd10, 1, 0, %p1;\n mad.lo.u64 %rd9, %rd9, 10, %rd10;\n";
    }
    cases.push_back({"isspacep." + space, body + store + "}", words_text(Words(32, digits)), 32, 90, spaces});
  }
}

void stack_instructions(std::vector<RowCase>& cases) {
  const std::string store = "st.global.u64 [%rd0], %rd9;";
  for (const std::string type : {"u32", "u64"}) {
    const bool wide = type == "u64";
    const auto reg = [&](int n) { return (wide ? "%rd" : "%r") + std::to_string(20 + n); };
    const std::string size = wide ? "mov.u64 %rd20, 16;\n" : "mov.u32 %r20, 16;\n";
    const std::string fill = "cvt.u64.u32 %rd9, %r1;\n";
    cases.push_back({"alloca." + type,
                     size + fill + "alloca." + type + " " + reg(1) + ", " + reg(0) + ", 16;\n alloca." +
                         type + " " + reg(2) + ", " + reg(0) + ";\n st.local.u64 [" + reg(1) +
                         "+8], %rd9;\n st.local.u64 [" + reg(2) + "], %rd0;\n ld.local.u64 %rd9, [" + reg(1) +
                         "+8];\n" + store,
                     words_text(words(32, [](std::uint32_t t) -> std::uint64_t { return t; }))});
    // What comes after stackrestore is put where the memory was.
    const std::string twice = size + "stacksave." + type + " " + reg(3) + ";\n alloca." + type + " " +
                              reg(1) + ", " + reg(0) + ";\n stackrestore." + type + " " + reg(3) +
                              ";\n alloca." + type + " " + reg(2) + ", " + reg(0) + ";\n sub." + type + " " +
                              reg(4) + ", " + reg(1) + ", " + reg(2) + ";\n" +
                              (wide ? "mov.b64 %rd9, %rd24;\n" : "cvt.u64.u32 %rd9, %r24;\n") + store;
    cases.push_back({"stacksave." + type, twice, words_text(Words(32, 0))});
    // A 32-bit stack pointer is the low half of a wider register.
    std::string restore = twice;
    if (!wide) {
      replace_all(restore, "stackrestore.u32 %r23;",
                  "cvt.u64.u32 %rd23, %r23;\n or.b64 %rd23, %rd23, 0x700000000;\n stackrestore.u32 %rd23;");
    }
    cases.push_back({"stackrestore." + type, restore, words_text(Words(32, 0))});
  }
}

void pauses(std::vector<RowCase>& cases) {
  const std::string store = "\n mov.b64 %rd9, 6;\n st.global.u64 [%rd0], %rd9;";
  const auto sixes = words_text(Words(32, 6));
  cases.push_back({"nanosleep.u32", "nanosleep.u32 100;" + store, sixes});
  cases.push_back({"prefetch", "prefetch.global.L2 [%rd0];" + store, sixes});
  cases.push_back({"prefetchu", "prefetchu.L1 [%rd0];" + store, sixes});
  cases.push_back({"pmevent", "pmevent 3;" + store, sixes});
  cases.push_back({"griddepcontrol.wait", "griddepcontrol.wait;" + store, sixes});
  cases.push_back({"griddepcontrol.launch_dependents", "griddepcontrol.launch_dependents;" + store, sixes});
}

}  // namespace

std::string words_text(const std::vector<std::uint64_t>& words) {
  std::string text = "words:";
  for (const std::uint64_t word : words) text += " " + std::to_string(word);
  return text;
}

const std::vector<RowCase>& row_cases() {
  static const std::vector<RowCase> all = [] {
    std::vector<RowCase> cases;
    loads(cases);
    stores(cases);
    atomics(cases);
    shuffles(cases);
    warp_operations(cases);
    block_barriers(cases);
    fences(cases);
    control_flow(cases);
    address_instructions(cases);
    stack_instructions(cases);
    pauses(cases);
    return cases;
  }();
  return all;
}

std::string meaning(const std::string& variant) {
  const std::vector<std::string> parts = parts_of(variant);
  const std::string& opcode = parts.front();
  const std::string& type = parts.back();
  // A register receives the value extended by sign or by zeros; 64-bit values need no extension.
  if (opcode == "ld" || opcode == "ldu") {
    return "load " + std::to_string(bits_of(type)) + (type[0] == 's' && bits_of(type) < 64 ? " signed" : "");
  }
  if (opcode == "st") return "store " + std::to_string(bits_of(type));
  // Sums modulo a power of two, and bitwise operations, are the same for signed and unsigned numbers.
  if ((opcode == "atom" || opcode == "red") && parts[1] == "add" && (type[0] == 's' || type[0] == 'u')) {
    return opcode + " add integer " + std::to_string(bits_of(type));
  }
  if (variant == "redux.sync.add.s32") return meaning("redux.sync.add.u32");
  // bar.x is barrier.x.aligned (9.7.13.1).
  std::string text = variant;
  replace_all(text, ".aligned", "");
  if (text != variant) {
    replace_all(text, "barrier.", "bar.");
    return text;
  }
  // .uni is a promise of the program, not another operation.
  if (variant.ends_with(".uni")) return variant.substr(0, variant.size() - 4);
  // Global, constant and parameter addresses are generic ones.
  static const std::set<std::string> same_address{"cvta.global.u64",   "cvta.const.u64",
                                                  "cvta.param.u64",    "cvta.to.global.u64",
                                                  "cvta.to.const.u64", "cvta.to.param.u64"};
  if (same_address.count(variant) != 0) return "copy an address";
  static const std::set<std::string> no_effect{"nanosleep.u32",       "prefetch",
                                               "prefetchu",           "pmevent",
                                               "griddepcontrol.wait", "griddepcontrol.launch_dependents"};
  if (no_effect.count(variant) != 0) return "no effect";
  return variant;
}

}  // namespace warpcheck::simt::testing

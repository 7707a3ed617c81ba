#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simt/machine_fixture.hpp"

// Calls: parameters, recursion, pointers to functions, and the functions that the runtime supplies.
namespace warpcheck::simt::testing {
namespace {

using ::testing::HasSubstr;

const std::string kFibonacci = R"(
.func (.param .b32 result) fib(.param .b32 n) {
  .reg .pred p;
  .reg .b32 r<8>;
  ld.param.u32 r1, [n];
  setp.lt.s32 p, r1, 2;
  @p bra SMALL;
  sub.s32 r2, r1, 1;
  {
  .param .b32 a;
  .param .b32 b;
  st.param.b32 [a+0], r2;
  call.uni (b), fib, (a);
  ld.param.b32 r3, [b+0];
  }
  sub.s32 r2, r1, 2;
  {
  .param .b32 a;
  .param .b32 b;
  st.param.b32 [a+0], r2;
  call.uni (b), fib, (a);
  ld.param.b32 r4, [b+0];
  }
  add.s32 r1, r3, r4;
SMALL:
  st.param.b32 [result+0], r1;
  ret;
}
)";

const std::string kCallFibonacci = R"(
  {
  .param .b32 a;
  .param .b32 b;
  st.param.b32 [a+0], %r2;
  call (b), fib, (a);
  ld.param.b32 %r3, [b+0];
  }
  st.global.u32 [%rd0], %r3;
)";

TEST(Calls, recursion_keeps_every_lane_apart) {
  const auto words = run_words("rem.u32 %r2, %r0, 12;\n" + kCallFibonacci, 64, 80, kFibonacci);
  const std::uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89};
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(words[t], fib[t % 12]);
}

TEST(Calls, endless_recursion_is_a_finding) {
  Device device(kernel_text("mov.u32 %r2, 5;\n" + kCallFibonacci, 4, 80, [] {
    std::string text = kFibonacci;
    text.replace(text.find("@p bra SMALL;"), 13, "");
    return text;
  }()));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  const LaunchResult result = device.run(1, 32, Arguments(out));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_THAT(result.findings[0].message, HasSubstr("overflows its call stack"));
  EXPECT_LE(result.findings[0].parties[0].stack.size(), 16u);
}

TEST(Calls, a_finding_inside_a_function_shows_its_callers) {
  const std::string before =
      ".file 1 \"k.cu\"\n.func outer(.param .b64 p) {\n .reg .b64 q;\n .reg .b32 v;\n ld.param.u64 q, [p];\n "
      ".loc 1 3 1\n"
      " ld.global.u32 v, [q+400];\n ret;\n}\n";
  Device device(kernel_text(
      ".loc 1 9 1\n{\n.param .b64 a;\n st.param.b64 [a], %rd0;\n call.uni outer, (a);\n}", 4, 80, before));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  const LaunchResult result = device.run(1, 32, Arguments(out));
  ASSERT_EQ(result.findings.size(), 1u);
  const auto& stack = result.findings[0].parties[0].stack;
  ASSERT_EQ(stack.size(), 2u);
  EXPECT_EQ(stack[0], (SourceLine{"k.cu", 3, "outer"}));
  EXPECT_EQ(stack[1], (SourceLine{"k.cu", 9, "k"}));
}

TEST(Calls, structures_travel_by_value) {
  const std::string before =
      ".func (.param .align 8 .b8 r[16]) twist(.param .align 8 .b8 s[16]) {\n .reg .b64 a<3>;\n ld.param.b64 "
      "a0, [s];\n"
      " ld.param.b64 a1, [s+8];\n st.param.b64 [r], a1;\n st.param.v2.b32 [r+8], {1, 2};\n st.param.b64 [s], "
      "a1;\n ret;\n}\n";
  const auto words = run_long_words(
      "cvt.u64.u32 %rd5, %r0;\n{\n.param .align 8 .b8 a[16];\n.param .align 8 .b8 b[16];\n st.param.b64 [a], "
      "%rd5;\n"
      " add.u64 %rd6, %rd5, 7;\n st.param.b64 [a+8], %rd6;\n call.uni (b), twist, (a);\n ld.param.b64 %rd7, "
      "[b];\n"
      " ld.param.b64 %rd8, [b+8];\n ld.param.b64 %rd9, [a];\n}\n add.u64 %rd7, %rd7, %rd8;\n sub.u64 %rd7, "
      "%rd7, %rd9;\n"
      " st.global.u64 [%rd0], %rd7;",
      32, 80, before);
  for (const std::uint64_t word : words) EXPECT_EQ(word, 7u + 0x200000001u);
}

TEST(Calls, through_pointers_may_diverge) {
  const std::string before =
      ".func (.param .b32 r) twice(.param .b32 x) {\n .reg .b32 a;\n ld.param.b32 a, [x];\n shl.b32 a, a, "
      "1;\n st.param.b32 [r], a;\n ret;\n}\n"
      ".func (.param .b32 r) square(.param .b32 x) {\n .reg .b32 a;\n ld.param.b32 a, [x];\n mul.lo.u32 a, "
      "a, a;\n st.param.b32 [r], a;\n ret;\n}\n"
      ".global .align 8 .u64 table[2] = {twice, square};\n";
  const std::string body =
      "and.b32 %r2, %r0, 1;\n mov.u64 %rd1, table;\n mad.wide.u32 %rd1, %r2, 8, %rd1;\n ld.global.u64 %rd2, "
      "[%rd1];\n{\n.param .b32 a;\n"
      ".param .b32 b;\n st.param.b32 [a], %r0;\nproto: .callprototype (.param .b32 _) _ (.param .b32 _);\n "
      "call (b), %rd2, (a), proto;\n"
      " ld.param.b32 %r3, [b];\n}\n st.global.u32 [%rd0], %r3;";
  const auto words = run_words(body, 32, 80, before);
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(words[t], t & 1 ? t * t : 2 * t);

  Device device(kernel_text("mov.u64 %rd2, 0;\n" + body.substr(body.find("{\n.param")), 4, 80, before));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  EXPECT_EQ(device.run(1, 32, Arguments(out)).findings.at(0).kind, FindingKind::null_pointer);
}

TEST(Calls, a_function_may_write_to_its_callers_array) {
  const std::string before =
      ".func fill(.param .b64 p, .param .b32 v) {\n .reg .b64 q;\n .reg .b32 w;\n ld.param.u64 q, [p];\n "
      "ld.param.u32 w, [v];\n"
      " st.u32 [q+4], w;\n ret;\n}\n";
  const auto words = run_words(
      "{.local .align 4 .b8 a[8];\n mov.u64 %rd1, a;\n cvta.local.u64 %rd1, %rd1;\n st.local.u32 [a], "
      "1;\n{\n.param .b64 x;\n.param .b32 y;\n"
      " st.param.b64 [x], %rd1;\n st.param.b32 [y], %r0;\n call.uni fill, (x, y);\n}\n ld.local.v2.u32 {%r2, "
      "%r3}, [a];\n"
      " mad.lo.u32 %r2, %r2, 1000, %r3;\n st.global.u32 [%rd0], %r2;\n}",
      32, 80, [&] {
        std::string b = before;
        return b;
      }());
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(words[t], 1000 + t);
}

TEST(Calls, barriers_and_shuffles_inside_functions_work) {
  const std::string before =
      ".func (.reg .b32 r) sum(.reg .b32 v) {\n .reg .b32 t;\n shfl.sync.bfly.b32 t, v, 16, 31, -1;\n "
      "add.u32 r, v, t;\n bar.sync 0;\n ret;\n}\n";
  const auto words = run_words(
      "setp.lt.u32 %p1, %r0, 32;\n @%p1 bra A;\n call (%r3), sum, (%r0);\n bra B;\nA:\n add.u32 %r2, %r0, "
      "1;\n call (%r3), sum, (%r2);\nB:\n"
      " st.global.u32 [%rd0], %r3;",
      64, 80, before);
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(words[t], t + (t ^ 16) + (t < 32 ? 2 : 0));
}

const std::string kPrintf = ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n";

std::string bytes_of(const std::string& name, const std::string& text) {
  std::string declaration = ".global .align 1 .b8 " + name + "[" + std::to_string(text.size() + 1) + "] = {";
  for (const char c : text) declaration += std::to_string(static_cast<unsigned char>(c)) + ", ";
  return declaration + "0};\n";
}

TEST(Printf, formats_arguments_as_the_device_packs_them) {
  const std::string before =
      kPrintf + bytes_of("format", "%5d|%-6s|%.2f|%llx|%c|%5.1e|%%|%*d|%u\n") + bytes_of("word", "abc");
  const std::string body = R"(
  setp.ne.u32 %p1, %r0, 3;
  @%p1 bra END;
  {
  .local .align 8 .b8 args[72];
  mov.u64 %rd1, args;
  cvta.local.u64 %rd2, %rd1;
  st.local.u32 [%rd1], -42;
  mov.u64 %rd3, word;
  cvta.global.u64 %rd3, %rd3;
  st.local.u64 [%rd1+8], %rd3;
  mov.f64 %fd1, 0d400921FB54442D18;
  st.local.f64 [%rd1+16], %fd1;
  mov.u64 %rd4, 0x123456789abcdef0;
  st.local.u64 [%rd1+24], %rd4;
  st.local.u32 [%rd1+32], 88;
  st.local.f64 [%rd1+40], %fd1;
  st.local.u32 [%rd1+48], 4;
  st.local.u32 [%rd1+52], 7;
  st.local.u32 [%rd1+56], 4000000000;
  mov.u64 %rd5, format;
  cvta.global.u64 %rd5, %rd5;
  {
  .param .b64 p0;
  .param .b64 p1;
  .param .b32 r0;
  st.param.b64 [p0], %rd5;
  st.param.b64 [p1], %rd2;
  call.uni (r0), vprintf, (p0, p1);
  ld.param.b32 %r5, [r0];
  }
  st.global.u32 [%rd0], %r5;
  }
END:
)";
  Device device(kernel_text(body, 4, 80, before));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  const LaunchResult result = device.run(1, 32, Arguments(out));
  EXPECT_TRUE(result.findings.empty()) << describe(result);
  EXPECT_EQ(device.output(), "  -42|abc   |3.14|123456789abcdef0|X|3.1e+00|%|   7|4000000000\n");
  EXPECT_EQ(device.download<std::uint32_t>(out, 4)[3], 8u);
}

TEST(Printf, of_a_bad_string_is_a_finding) {
  const std::string before = kPrintf;
  Device device(
      kernel_text("{\n.param .b64 p0;\n.param .b64 p1;\n.param .b32 r0;\n mov.u64 %rd1, 16;\n st.param.b64 "
                  "[p0], %rd1;\n st.param.b64 [p1], 0;\n"
                  " call.uni (r0), vprintf, (p0, p1);\n}",
                  4, 80, before));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  EXPECT_EQ(device.run(1, 32, Arguments(out)).findings.at(0).kind, FindingKind::null_pointer);
}

TEST(Assert, reports_its_message_and_place) {
  const std::string before =
      ".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 "
      "e);\n" +
      bytes_of("message", "n > 0") + bytes_of("file", "sum.cu") + bytes_of("name", "void sum(int)");
  Device device(
      kernel_text("setp.ne.u32 %p1, %r0, 5;\n @%p1 bra END;\n{\n.param .b64 a;\n.param .b64 b;\n.param .b32 "
                  "c;\n.param .b64 d;\n.param .b64 e;\n"
                  " mov.u64 %rd1, message;\n st.param.b64 [a], %rd1;\n mov.u64 %rd1, file;\n st.param.b64 "
                  "[b], %rd1;\n st.param.b32 [c], 31;\n"
                  " mov.u64 %rd1, name;\n st.param.b64 [d], %rd1;\n st.param.b64 [e], 1;\n call.uni "
                  "__assertfail, (a, b, c, d, e);\n}\nEND:",
                  4, 80, before));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  const LaunchResult result = device.run(1, 32, Arguments(out));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::assertion_failed);
  EXPECT_THAT(result.findings[0].message,
              HasSubstr("assertion `n > 0` failed in thread (5,0,0) of block (0,0,0), sum.cu:31"));
  EXPECT_EQ(device.output(),
            "sum.cu:31: void sum(int): block: [0,0,0], thread: [5,0,0] Assertion `n > 0` failed.\n");
}

const std::string kHeap =
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n";
const std::string kMalloc =
    "{\n.param .b64 n;\n.param .b64 p;\n st.param.b64 [n], 16;\n call.uni (p), malloc, (n);\n ld.param.b64 "
    "%rd5, [p];\n}\n";
const std::string kFree = "{\n.param .b64 p;\n st.param.b64 [p], %rd5;\n call.uni free, (p);\n}\n";

TEST(Heap, gives_each_thread_memory_of_its_own) {
  const auto words = run_words(
      kMalloc +
          "st.u32 [%rd5+12], %r0;\n bar.sync 0;\n ld.u32 %r2, [%rd5+12];\n st.global.u32 [%rd0], %r2;\n" +
          kFree,
      64, 80, kHeap);
  for (std::uint32_t t = 0; t < 64; ++t) EXPECT_EQ(words[t], t);
}

TEST(Heap, misuse_is_found) {
  const auto kind = [](const std::string& body) {
    Device device(kernel_text(body, 4, 80, kHeap));
    const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
    const LaunchResult result = device.run(1, 32, Arguments(out));
    EXPECT_EQ(result.findings.size(), 1u);
    return result.findings.empty() ? FindingKind::unsupported : result.findings[0].kind;
  };
  EXPECT_EQ(kind(kMalloc + kFree + kFree), FindingKind::use_after_free);
  EXPECT_EQ(kind(kMalloc + "st.u32 [%rd5], 1;\n" + kFree + "ld.u32 %r2, [%rd5];"),
            FindingKind::use_after_free);
  EXPECT_EQ(kind(kMalloc + "st.u32 [%rd5+16], 1;"), FindingKind::out_of_bounds);
  EXPECT_EQ(kind("mov.u64 %rd5, %rd0;\n add.u64 %rd5, %rd5, 4;\n" + kFree), FindingKind::out_of_bounds);
}

}  // namespace
}  // namespace warpcheck::simt::testing

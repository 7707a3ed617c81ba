#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <map>

#include "framework/simt/decode.hpp"
#include "tests/simt/machine_fixture.hpp"

// From text to the machine: spelling, widths, special registers, spaces, what is not implemented.
namespace warpcheck::simt::testing {
namespace {

using ::testing::HasSubstr;

std::string unsupported(const std::string& body, const std::string& before = {}, int sm = 80) {
  Device device(kernel_text(body, 4, sm, before));
  const std::string text = Machine::entries(device.program()).at(0).unsupported;
  if (!text.empty()) {
    // It never runs, whatever the arguments are.
    const LaunchResult result = device.run(1, 32, Arguments(std::uint64_t{0}));
    EXPECT_EQ(result.findings.at(0).kind, FindingKind::unsupported);
    EXPECT_EQ(result.warp_instructions, 0u);
  }
  return text;
}

TEST(Unsupported, is_named_with_its_lines_before_the_launch) {
  const std::string text = unsupported(".loc 1 30 2\n txq.width.b32 %r2, [%rd1];", ".file 1 \"k.cu\"\n");
  EXPECT_THAT(text, HasSubstr("'txq.width.b32'"));
  EXPECT_THAT(text, HasSubstr("k.cu:30"));
  EXPECT_THAT(text, HasSubstr("of the PTX text"));
  EXPECT_EQ(unsupported("add.u32 %r2, %r2, 1;"), "");
}

TEST(Unsupported, is_found_through_calls) {
  const std::string inner =
      ".func inner() {\n .reg .b32 a;\n .reg .b64 b;\n txq.width.b32 a, [b];\n ret;\n}\n.func outer() {\n "
      "call inner;\n ret;\n}\n";
  EXPECT_THAT(unsupported("call outer;", inner), HasSubstr("(in inner)"));
  // A pointer may lead to any function.
  EXPECT_THAT(unsupported("mov.u64 %rd1, outer;\nP: .callprototype _ ();\n call %rd1, P;", inner),
              HasSubstr("(in inner)"));
  EXPECT_EQ(unsupported("add.u32 %r2, %r2, 1;", inner), "");
}

TEST(Unsupported, functions_without_a_body_are_named) {
  EXPECT_THAT(unsupported("call.uni mystery;", ".extern .func mystery();\n"),
              HasSubstr("'mystery' is not defined"));
}

TEST(Unsupported, instructions_of_a_higher_target) {
  EXPECT_THAT(unsupported("redux.sync.add.u32 %r2, %r0, -1;", {}, 75), HasSubstr("needs .target sm_80"));
  EXPECT_EQ(unsupported("redux.sync.add.u32 %r2, %r0, -1;", {}, 80), "");
}

TEST(Inconsistent, modules_are_refused_in_one_line) {
  const auto problem = [](const std::string& text) -> std::string {
    try {
      Device device(text);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(problem(kernel_text("add.u32 %r1, %r2;")), HasSubstr("has 2 operands, it takes 3"));
  EXPECT_THAT(problem(kernel_text("add.u32 %p1, %r2, %r3;")), HasSubstr("does not hold the result"));
  EXPECT_THAT(problem(kernel_text("and.b32 %r1, %p2, %r3;")), HasSubstr("is a predicate"));
  EXPECT_THAT(problem(kernel_text("ld.global.u64 %r1, [%rd0];")), HasSubstr("does not hold the result"));
  EXPECT_THAT(problem(kernel_text("ld.global.v2.u32 {%r1, %r2, %r3, %r4}, [%rd0];")),
              HasSubstr("has 4 elements"));
  EXPECT_THAT(problem(kernel_text("bar.arrive 0;")), HasSubstr("needs a thread count"));
}

TEST(Spelling, modifiers_may_stand_in_any_order) {
  const std::string one =
      "cvt.rn.f32.u32 %f1, %r0;\n add.rn.ftz.f32 %f2, %f1, 0f3F800000;\n st.global.f32 [%rd0], %f2;";
  const std::string other =
      "cvt.rn.f32.u32 %f1, %r0;\n add.ftz.rn.f32 %f2, %f1, 0f3F800000;\n st.f32.global [%rd0], %f2;";
  EXPECT_EQ(run_words(one), run_words(other));
  EXPECT_EQ(run_words("vote.sync.ballot.b32 %r2, 1, -1;\n st.global.u32 [%rd0], %r2;"),
            run_words("vote.ballot.sync.b32 %r2, 1, -1;\n st.global.u32 [%rd0], %r2;"));
  for (const char* store :
       {"st.volatile.global.u32", "st.global.volatile.u32", "st.relaxed.gpu.global.u32", "st.global.cg.u32",
        "st.release.sys.global.u32", "st.weak.global.L1::no_allocate.u32", "st.global.wt.u32"}) {
    EXPECT_EQ(run_words(std::string(store) + " [%rd0], %r0;")[31], 31u) << store;
  }
  for (const char* load : {"ld.global.nc.u32", "ld.global.nc.L1::evict_last.L2::128B.u32",
                           "ld.acquire.gpu.u32", "ld.global.cs.u32", "ld.cv.u32"}) {
    EXPECT_EQ(run_words("st.global.u32 [%rd0], %r0;\n " + std::string(load) +
                        " %r2, [%rd0];\n add.u32 %r2, %r2, 1;\n st.global.u32 [%rd0], %r2;")[31],
              32u)
        << load;
  }
}

TEST(Spelling, the_order_of_two_types_matters) {
  EXPECT_EQ(canonical_variant("cvt", std::vector<std::string>{"rn", "ftz", "f32", "s32"}),
            canonical_variant("cvt", std::vector<std::string>{"ftz", "rn", "f32", "s32"}));
  EXPECT_NE(canonical_variant("cvt", std::vector<std::string>{"u16", "u32"}),
            canonical_variant("cvt", std::vector<std::string>{"u32", "u16"}));
}

TEST(Widths, a_result_is_extended_to_a_wider_register) {
  // add.s16 into a 32-bit register, add.s32 into a 64-bit one, unsigned ones with zeros.
  const auto words = run_long_words(
      "mov.u16 %rs1, 0x7fff;\n mov.b64 %rd5, -1;\n add.s16 %rd5, %rs1, 1;\n mov.b64 %rd6, -1;\n add.u32 "
      "%rd6, 0x80000000, 1;\n"
      " mov.b64 %rd7, 0;\n add.s32 %rd7, 0x80000000, 1;\n xor.b64 %rd8, %rd5, %rd6;\n xor.b64 %rd8, %rd8, "
      "%rd7;\n st.global.u64 [%rd0], %rd8;");
  EXPECT_EQ(words[0], 0xffffffffffff8000u ^ 0x80000001u ^ 0xffffffff80000001u);
}

TEST(Widths, a_wider_source_gives_its_low_bits) {
  const auto words = run_words(
      "mov.b64 %rd5, 0x1234567800000005;\n add.u32 %r2, %rd5, 1;\n cvt.u32.u8 %r3, %rd5;\n add.u32 %r2, %r2, "
      "%r3;\n st.global.u32 [%rd0], %r2;");
  EXPECT_EQ(words[0], 11u);
}

TEST(Widths, vectors_may_mix_registers_and_sinks) {
  const auto words = run_words(
      "st.global.u32 [%rd0], %r0;\n bar.sync 0;\n and.b64 %rd1, %rd0, -16;\n ld.global.v4.u32 {%r2, %rd5, _, "
      "%r4}, [%rd1];\n cvt.u32.u64 %r3, %rd5;\n"
      " mad.lo.u32 %r2, %r2, 100, %r3;\n mad.lo.u32 %r2, %r2, 100, %r4;\n bar.sync 0;\n st.global.u32 "
      "[%rd0], %r2;");
  for (std::uint32_t t = 0; t < 32; ++t) {
    const std::uint32_t base = t / 4 * 4;
    EXPECT_EQ(words[t], (base * 100 + base + 1) * 100 + base + 3);
  }
}

TEST(Immediates, take_the_type_of_the_instruction) {
  const auto words = run_words(
      "mov.f32 %f1, 0f40490FDB;\n mov.b32 %r2, %f1;\n mov.b32 %r3, 0f3F800000;\n sub.u32 %r2, %r2, %r3;\n "
      "st.global.u32 [%rd0], %r2;");
  EXPECT_EQ(words[0], 0x40490FDBu - 0x3F800000u);
  EXPECT_EQ(run_words("mov.u32 %r2, WARP_SZ;\n st.global.u32 [%rd0], %r2;")[0], 32u);
  EXPECT_EQ(run_words("setp.eq.u32 %p1, %r0, 0;\n selp.b32 %r2, 7, -1, %p1;\n st.global.u32 [%rd0], %r2;")[1],
            0xffffffffu);
}

TEST(Predicates, may_be_negated_as_operands) {
  const auto words = run_words(
      "setp.lt.u32 %p1, %r0, 10;\n setp.lt.u32 %p2|%p3, %r0, 20;\n and.pred %p4, !%p1, %p2;\n selp.u32 %r2, "
      "1, 0, %p4;\n selp.u32 %r3, 2, 0, %p3;\n"
      " add.u32 %r2, %r2, %r3;\n st.global.u32 [%rd0], %r2;");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(words[t], t < 10 ? 0u : t < 20 ? 1u : 2u);
}

TEST(Guards, leave_other_lanes_alone) {
  const auto words = run_words(
      "mov.u32 %r2, 1;\n setp.eq.u32 %p1, %r0, 3;\n @%p1 mov.u32 %r2, 2;\n @!%p1 add.u32 %r2, %r2, 10;\n "
      "@%p1 ld.global.s8 %rd5, [%rd0];\n"
      " st.global.u32 [%rd0], %r2;");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(words[t], t == 3 ? 2u : 11u);
}

TEST(SpecialRegisters, say_where_a_thread_is) {
  const std::map<std::string, std::function<std::uint32_t(std::uint32_t, std::uint32_t, std::uint32_t)>>
      expected{
          {"%tid.x", [](auto t, auto, auto) { return t % 5; }},
          {"%tid.y", [](auto t, auto, auto) { return t / 5 % 4; }},
          {"%tid.z", [](auto t, auto, auto) { return t / 20; }},
          {"%ntid.x", [](auto, auto, auto) { return 5; }},
          {"%ntid.y", [](auto, auto, auto) { return 4; }},
          {"%ntid.z", [](auto, auto, auto) { return 3; }},
          {"%ctaid.x", [](auto, auto b, auto) { return b % 2; }},
          {"%ctaid.y", [](auto, auto b, auto) { return b / 2 % 3; }},
          {"%ctaid.z", [](auto, auto b, auto) { return b / 6; }},
          {"%nctaid.x", [](auto, auto, auto) { return 2; }},
          {"%nctaid.y", [](auto, auto, auto) { return 3; }},
          {"%nctaid.z", [](auto, auto, auto) { return 2; }},
          {"%laneid", [](auto t, auto, auto) { return t % 32; }},
          {"%warpid", [](auto t, auto, auto) { return t / 32; }},
          {"%nwarpid", [](auto, auto, auto) { return 2; }},
          {"%lanemask_eq", [](auto t, auto, auto) { return 1u << t % 32; }},
          {"%lanemask_lt", [](auto t, auto, auto) { return (1u << t % 32) - 1; }},
          {"%lanemask_le",
           [](auto t, auto, auto) { return static_cast<std::uint32_t>((std::uint64_t{2} << t % 32) - 1); }},
          {"%lanemask_gt",
           [](auto t, auto, auto) {
             return static_cast<std::uint32_t>(~((std::uint64_t{2} << t % 32) - 1));
           }},
          {"%lanemask_ge", [](auto t, auto, auto) { return ~((1u << t % 32) - 1); }},
          {"%dynamic_smem_size", [](auto, auto, auto) { return 96; }},
          {"%total_smem_size", [](auto, auto, auto) { return 96 + 40; }},
          {"%cluster_nctarank", [](auto, auto, auto) { return 1; }},
          {"%cluster_ctarank", [](auto, auto, auto) { return 0; }},
          {"%envreg1", [](auto, auto, auto) { return 0; }},
      };
  for (const auto& [name, of] : expected) {
    Device device(
        module_text(".shared .align 4 .b8 s[40];\n.visible .entry k(.param .u64 out) {\n .reg .b32 %r<9>;\n "
                    ".reg .b64 %rd<9>;\n ld.param.u64 %rd0, [out];\n"
                    " mov.u32 %r1, %tid.x;\n mov.u32 %r2, %tid.y;\n mov.u32 %r3, %tid.z;\n mad.lo.u32 %r2, "
                    "%r3, 4, %r2;\n mad.lo.u32 %r1, %r2, 5, %r1;\n"
                    " mov.u32 %r2, %ctaid.x;\n mov.u32 %r3, %ctaid.y;\n mov.u32 %r4, %ctaid.z;\n mad.lo.u32 "
                    "%r3, %r4, 3, %r3;\n mad.lo.u32 %r2, %r3, 2, %r2;\n"
                    " mad.lo.u32 %r1, %r2, 60, %r1;\n mad.wide.u32 %rd0, %r1, 4, %rd0;\n mov.u32 %r5, " +
                        name + ";\n st.global.u32 [%rd0], %r5;\n ret;\n}\n",
                    90));
    const DeviceAddress out = device.upload(std::vector<std::uint32_t>(60 * 12), "out");
    LaunchConfig config;
    config.grid = {2, 3, 2};
    config.block = {5, 4, 3};
    config.dynamic_shared_bytes = 96;
    const LaunchResult result = device.run(config, Arguments(out));
    EXPECT_TRUE(result.findings.empty()) << describe(result);
    const auto words = device.download<std::uint32_t>(out, 60 * 12);
    for (std::uint32_t b = 0; b < 12; ++b) {
      for (std::uint32_t t = 0; t < 60; ++t)
        ASSERT_EQ(words[b * 60 + t], of(t, b, 0)) << name << " thread " << t << " block " << b;
    }
  }
}

TEST(SpecialRegisters, clocks_never_go_back) {
  const auto words = run_long_words(
      "mov.u64 %rd1, %clock64;\n mov.u32 %r2, %clock;\n mov.u64 %rd2, %globaltimer;\n mov.u64 %rd3, "
      "%clock64;\n sub.u64 %rd4, %rd3, %rd1;\n"
      " st.global.u64 [%rd0], %rd4;");
  for (const std::uint64_t difference : words) {
    EXPECT_GT(difference, 0u);
    EXPECT_LT(difference, 1000u);
  }
}

TEST(Spaces, generic_accesses_of_one_instruction_may_go_to_several) {
  const auto words = run_words(
      "{.local .align 4 .b8 mine[4];\n mov.u64 %rd1, mine;\n cvta.local.u64 %rd1, %rd1;\n mov.u64 %rd2, s;\n "
      "cvta.shared.u64 %rd2, %rd2;\n"
      " mad.wide.u32 %rd2, %r0, 4, %rd2;\n rem.u32 %r2, %r0, 3;\n setp.eq.u32 %p1, %r2, 0;\n setp.eq.u32 "
      "%p2, %r2, 1;\n mov.u64 %rd3, %rd0;\n"
      " selp.b64 %rd3, %rd1, %rd3, %p1;\n selp.b64 %rd3, %rd2, %rd3, %p2;\n add.u32 %r3, %r0, 9;\n st.u32 "
      "[%rd3], %r3;\n ld.u32 %r4, [%rd3];\n"
      " st.global.u32 [%rd0], %r4;\n}",
      32, 80, ".shared .align 4 .b8 s[128];\n");
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(words[t], t + 9);
}

TEST(Spaces, extern_shared_arrays_begin_at_one_address) {
  Device device(
      kernel_text("mov.u32 %r2, a;\n mov.u32 %r3, b;\n sub.u32 %r2, %r2, %r3;\n st.global.u32 [%rd0], %r2;",
                  4, 80, ".extern .shared .align 4 .b8 a[];\n.extern .shared .align 16 .b8 b[];\n"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32, 1), "out");
  device.run(1, 32, Arguments(out));
  EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], 0u);
}

TEST(Spaces, shared_memory_is_undefined_at_the_start_of_every_block) {
  // Nothing of block 0 is left for block 1.
  Device device(
      kernel_text("mov.u32 %r2, %ctaid.x;\n setp.ne.u32 %p1, %r2, 0;\n ld.shared.u32 %r3, [s];\n @%p1 "
                  "st.global.u32 [%rd0], %r3;\n st.shared.u32 [s], 1234;",
                  4, 80, ".shared .align 4 .u32 s;\n"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32, 1), "out");
  device.run(2, 32, Arguments(out));
  EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], device.memory().fill().pattern);
}

TEST(Variables, are_initialised_and_found_by_name) {
  Device device(kernel_text(
      "ld.global.u64 %rd1, [pointer];\n ld.global.u32 %r2, [%rd1];\n st.global.u32 [%rd0], %r2;", 4, 80,
      ".global .align 4 .u32 values[3] = {5, 6, 7};\n.global .align 8 .u64 pointer = "
      "generic(values)+8;\n.global .align 4 .u32 empty;\n"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32, 1), "out");
  device.run(1, 32, Arguments(out));
  EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], 7u);
  const auto [address, size] = Machine::variable(device.program(), "values");
  EXPECT_EQ(size, 12u);
  EXPECT_EQ(device.download<std::uint32_t>(address, 3), (std::vector<std::uint32_t>{5, 6, 7}));
  EXPECT_EQ(device.download<std::uint32_t>(Machine::variable(device.program(), "empty").first, 1)[0], 0u);
  EXPECT_EQ(Machine::variable(device.program(), "nobody").first, 0u);
}

TEST(Atomics, add_of_floats_flushes_subnormals_in_global_memory_only) {
  const std::string body =
      "mov.f32 %f1, 0f00000003;\n setp.ne.u32 %p1, %r0, 0;\n @%p1 bra END;\n mov.u64 %rd1, s;\n "
      "cvta.shared.u64 %rd1, %rd1;\n st.f32 [%rd1], %f1;\n"
      " st.global.f32 [%rd0], %f1;\n atom.add.f32 %f2, [%rd1], %f1;\n atom.add.f32 %f2, [%rd0], %f1;\n "
      "ld.f32 %f3, [%rd1];\n st.global.f32 [%rd0+4], %f3;\nEND:";
  const auto words = run_words(body, 32, 80, ".shared .align 4 .f32 s;\n");
  EXPECT_EQ(words[0], 0u);
  EXPECT_EQ(words[1], 6u);
}

TEST(Atomics, of_all_lanes_on_one_address_lose_nothing) {
  const std::string body =
      "mov.u64 %rd1, total;\n atom.global.add.u32 %r2, [%rd1], %r0;\n red.global.max.u32 [%rd1+4], %r0;\n "
      "atom.shared.add.u64 %rd2, [s], 3;\n bar.sync 0;\n"
      " ld.global.v2.u32 {%r3, %r4}, [%rd1];\n mad.lo.u32 %r3, %r3, 1000, %r4;\n st.global.u32 [%rd0], %r3;";
  for (const std::uint32_t word :
       run_words(body, 64, 80, ".global .align 8 .b8 total[8];\n.shared .align 8 .u64 s;\n"))
    EXPECT_EQ(word, 2016u * 1000 + 63);
}

TEST(EntryInfo, describes_what_the_kernel_needs) {
  Device device(module_text(
      ".shared .align 4 .b8 a[100];\n.const .align 4 .b8 c[12];\n.visible .entry _Z1fPfidx(.param .u64 a, "
      ".param .u32 b, .param .f64 c1, .param .align 8 .b8 d[12], .param .u8 e)\n"
      ".maxntid 128, 2, 1\n{\n .shared .align 8 .b8 s[24];\n .local .align 4 .b8 l[20];\n .reg .b32 r<5>;\n "
      "ret;\n}\n"));
  const EntryInfo& info = Machine::entries(device.program()).at(0);
  EXPECT_EQ(info.demangled, "f(float*, int, double, long long)");
  EXPECT_EQ(info.static_shared_bytes, 124u);
  EXPECT_EQ(info.local_bytes, 20u);
  EXPECT_EQ(info.constant_bytes, 12u);
  EXPECT_EQ(info.max_threads, 256u);
  EXPECT_EQ(info.parameter_offsets, (std::vector<std::uint64_t>{0, 8, 16, 24, 36}));
  EXPECT_EQ(info.parameter_sizes, (std::vector<std::uint64_t>{8, 4, 8, 12, 1}));
  EXPECT_EQ(info.parameter_bytes, 37u);
  EXPECT_EQ(Machine::entry(device.program(), "_Z1fPfidx"), &info);
  EXPECT_EQ(Machine::entry(device.program(), "g"), nullptr);
}

TEST(Parameters, of_a_kernel_are_read_by_name_offset_and_address) {
  Device device(
      module_text(".visible .entry k(.param .u64 out, .param .align 4 .b8 s[12], .param .u8 b) {\n .reg .b64 "
                  "%rd<9>;\n .reg .b32 %r<9>;\n ld.param.u64 %rd0, [out];\n"
                  " ld.param.v2.u32 {%r1, %r2}, [s];\n ld.param.u32 %r3, [s+8];\n ld.param.u8 %r4, [b];\n "
                  "mov.b64 %rd1, s;\n ld.param.u32 %r5, [%rd1+4];\n"
                  " st.global.v2.u32 [%rd0], {%r1, %r2};\n st.global.v2.u32 [%rd0+8], {%r3, %r4};\n "
                  "st.global.u32 [%rd0+16], %r5;\n ret;\n}\n"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(6), "out");
  struct Three {
    std::uint32_t a, b, c;
  };
  std::vector<std::byte> block(21);
  const Three three{11, 12, 13};
  std::memcpy(block.data(), &out, 8);
  std::memcpy(block.data() + 8, &three, 12);
  block[20] = std::byte{200};
  LaunchConfig config;
  const LaunchResult result = device.machine().launch(device.program(), "k", config, block);
  EXPECT_TRUE(result.findings.empty()) << describe(result);
  EXPECT_EQ(device.download<std::uint32_t>(out, 5), (std::vector<std::uint32_t>{11, 12, 13, 200, 12}));
}

TEST(DeviceModels, are_known_for_three_targets) {
  EXPECT_EQ(DeviceModel::for_sm(75).shared_per_block_optin, 64u * 1024);
  EXPECT_EQ(DeviceModel::for_sm(80).shared_per_block_optin, 163u * 1024);
  EXPECT_EQ(DeviceModel::for_sm(90).shared_per_block_optin, 227u * 1024);
  EXPECT_THROW(DeviceModel::for_sm(62), std::invalid_argument);
}

}  // namespace
}  // namespace warpcheck::simt::testing

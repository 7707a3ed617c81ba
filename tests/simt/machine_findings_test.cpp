#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/simt/machine_fixture.hpp"

// Each kind of finding with a faulty kernel, and beside it the corrected twin, which must be silent.
namespace warpcheck::simt::testing {
namespace {

using ::testing::HasSubstr;

/// Runs the body for 32 × warps threads; `out` has one 32-bit slot a thread.
LaunchResult run(const std::string& body, std::uint32_t threads = 32, const std::string& before = {},
                 std::uint32_t blocks = 1) {
  Device device(kernel_text(body, 4, 80, before));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(threads), "out");
  return device.run(blocks, threads, Arguments(out));
}

void expect_silent(const std::string& body, std::uint32_t threads = 32, const std::string& before = {}) {
  const LaunchResult result = run(body, threads, before);
  EXPECT_EQ(result.status, LaunchStatus::completed) << body;
  EXPECT_TRUE(result.findings.empty()) << describe(result) << body;
}

Finding expect_finding(FindingKind kind, const std::string& body, std::uint32_t threads = 32,
                       const std::string& before = {}) {
  const LaunchResult result = run(body, threads, before);
  EXPECT_EQ(result.findings.size(), 1u) << describe(result) << body;
  if (result.findings.empty()) return {};
  const Finding& finding = result.findings.front();
  EXPECT_EQ(name_of(finding.kind), name_of(kind)) << finding.message;
  EXPECT_EQ(result.status, is_warning(kind) ? LaunchStatus::completed : LaunchStatus::stopped);
  EXPECT_FALSE(finding.message.empty());
  EXPECT_EQ(finding.message.find('\n'), std::string::npos);
  EXPECT_FALSE(finding.advice.empty());
  EXPECT_EQ(finding.kernel, "k");
  EXPECT_FALSE(finding.parties.empty());
  return finding;
}

const std::string kShared =
    ".shared .align 16 .b8 _ZZ4treePKfPfiE1s[128];\n.shared .align 16 .b8 other[4096];\n";

TEST(Bounds, past_the_end_of_an_allocation_names_object_and_index) {
  // 32 threads, and the last reads one element on.
  const Finding finding = expect_finding(FindingKind::out_of_bounds, "ld.global.u32 %r2, [%rd0+4];");
  EXPECT_EQ(finding.object, "out[32]");
  EXPECT_THAT(finding.message, HasSubstr("out[32], 4 bytes past the end of out (128 bytes)"));
  EXPECT_THAT(finding.message, HasSubstr("thread (31,0,0) of block (0,0,0) reads 4 bytes"));
  EXPECT_EQ(finding.parties[0].thread[0], 31u);
  EXPECT_EQ(finding.parties[0].lane, 31u);
  EXPECT_EQ(finding.count, 1u);
  expect_silent("ld.global.u32 %r2, [%rd0];");
}

TEST(Bounds, before_the_begin_of_an_allocation) {
  const Finding finding = expect_finding(FindingKind::out_of_bounds, "st.global.u32 [%rd0+-8], %r0;");
  EXPECT_EQ(finding.object, "out[-2]");
  EXPECT_THAT(finding.message, HasSubstr("writes 4 bytes at out[-2], 8 bytes before the begin of out"));
  EXPECT_EQ(finding.count, 2u);
}

TEST(Bounds, far_outside_is_found_however_wild_the_index) {
  expect_finding(FindingKind::out_of_bounds, "add.s64 %rd1, %rd0, 400000;\n st.global.u32 [%rd1], %r0;");
}

TEST(Bounds, atomics_and_vectors_are_checked_like_other_accesses) {
  expect_finding(FindingKind::out_of_bounds, "atom.global.add.u32 %r2, [%rd0+128], %r0;");
  expect_finding(FindingKind::out_of_bounds, "red.global.add.u32 [%rd0+128], %r0;");
  const Finding finding =
      expect_finding(FindingKind::out_of_bounds,
                     "and.b64 %rd1, %rd0, -16;\n ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1+16];");
  EXPECT_EQ(finding.count, 4u);
  expect_silent("and.b64 %rd1, %rd0, -16;\n ld.global.v4.u32 {%r2, %r3, %r4, %r5}, [%rd1];");
}

TEST(Bounds, a_shared_variable_ends_where_it_ends) {
  const std::string address = "mov.u32 %r2, _ZZ4treePKfPfiE1s;\n mad.lo.u32 %r2, %r0, 4, %r2;\n ";
  const Finding finding =
      expect_finding(FindingKind::out_of_bounds, address + "st.shared.u32 [%r2+64], %r0;", 32, kShared);
  EXPECT_EQ(finding.object, "s[32]");
  EXPECT_THAT(finding.message, HasSubstr("s[32], 4 bytes past the end of s (128 bytes) in shared memory"));
  EXPECT_EQ(finding.count, 16u);
  // An overrun never lands in the variable that happens to follow.
  expect_finding(FindingKind::out_of_bounds, address + "st.shared.u32 [%r2+1024], %r0;", 32, kShared);
  expect_finding(FindingKind::out_of_bounds, address + "ld.shared.u32 %r3, [%r2+-4];", 32, kShared);
  expect_silent(address + "st.shared.u32 [%r2], %r0;", 32, kShared);
}

TEST(Bounds, a_generic_address_into_shared_memory_is_checked_by_object) {
  const std::string address =
      "mov.u64 %rd1, _ZZ4treePKfPfiE1s;\n cvta.shared.u64 %rd1, %rd1;\n mad.wide.u32 %rd1, %r0, 4, %rd1;\n";
  EXPECT_EQ(expect_finding(FindingKind::out_of_bounds, address + "st.u32 [%rd1+4], %r0;", 32, kShared).object,
            "s[32]");
  expect_silent(address + "st.u32 [%rd1], %r0;", 32, kShared);
}

TEST(Bounds, dynamic_shared_memory_ends_where_the_launch_says) {
  const std::string text =
      kernel_text("mov.u32 %r2, dyn;\n mad.lo.u32 %r2, %r0, 4, %r2;\n st.shared.u32 [%r2], %r0;", 4, 80,
                  ".extern .shared .align 16 .b8 dyn[];\n");
  Device device(text);
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  LaunchConfig config;
  config.block = {32};
  config.dynamic_shared_bytes = 128;
  EXPECT_TRUE(device.run(config, Arguments(out)).findings.empty());
  config.dynamic_shared_bytes = 124;
  const LaunchResult result = device.run(config, Arguments(out));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].object, "dyn[31]");
}

TEST(Bounds, a_local_array_is_checked_by_object) {
  const std::string array = "{.local .align 4 .b8 a[40];\n mov.u64 %rd1, a;\n ";
  const Finding finding =
      expect_finding(FindingKind::out_of_bounds, array + "st.local.u32 [%rd1+40], %r0;\n}");
  EXPECT_EQ(finding.object, "a[10]");
  expect_silent(array + "st.local.u32 [%rd1+36], %r0;\n}");
}

TEST(Bounds, bytes_that_a_widened_load_never_uses_are_not_judged) {
  // The last thread's vector reaches 8 bytes past the end, in bytes that are unused.
  const std::string body =
      "shr.u32 %r2, %r0, 1;\n sub.s64 %rd1, %rd0, 0;\n setp.ne.u32 %p1, %r0, 30;\n @%p1 bra END;\n";
  expect_silent(body +
                ".pragma \"used_bytes_mask 255\";\n ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd1+-8];\n "
                "st.global.u32 [%rd1], %r3;\nEND:");
  Device device(
      kernel_text("mov.u32 %r9, 0;\n setp.ne.u32 %p1, %r0, 0;\n @%p1 bra END;\n"
                  ".pragma \"used_bytes_mask 255\";\n ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd0];\n"
                  " st.global.u32 [%rd0], %r4;\nEND:"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>{5, 6}, "out");
  const LaunchResult result = device.run(1, 32, Arguments(out));
  EXPECT_TRUE(result.findings.empty()) << describe(result);
  EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], 6u);
  expect_finding(FindingKind::out_of_bounds, "ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd0+128];");
}

TEST(Bounds, unused_bytes_may_also_lie_before_the_object) {
  // Only the last 8 of the 16 bytes are used; the first 8 belong to nobody.
  Device device(
      kernel_text("setp.ne.u32 %p1, %r0, 0;\n @%p1 bra END;\n.pragma \"used_bytes_mask 65280\";\n"
                  " ld.global.v4.u32 {%r3, %r4, %r5, %r6}, [%rd0+-8];\n st.global.u32 [%rd0], %r6;\nEND:"));
  const DeviceAddress out = device.memory().allocate(64, AllocationKind::device, "out", 8);
  const std::uint32_t values[] = {5, 6};
  std::memcpy(device.memory().host(out), values, sizeof values);
  const LaunchResult result = device.run(1, 32, Arguments(out));
  EXPECT_TRUE(result.findings.empty()) << describe(result);
  EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], 6u);
}

TEST(Pointers, null_is_named) {
  const Finding finding =
      expect_finding(FindingKind::null_pointer, "mov.u64 %rd1, 0;\n ld.global.u32 %r2, [%rd1+8];");
  EXPECT_THAT(finding.message, HasSubstr("a null pointer plus 8"));
}

TEST(Pointers, a_host_pointer_is_named) {
  Device device(kernel_text("st.global.u32 [%rd0], %r0;"));
  std::vector<std::uint32_t> host(64);
  const LaunchResult result = device.run(1, 32, Arguments(reinterpret_cast<std::uint64_t>(host.data())));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::host_pointer);
  const DeviceAddress managed = device.memory().allocate(256, AllocationKind::managed, "m");
  EXPECT_TRUE(device.run(1, 32, Arguments(managed)).findings.empty());
}

TEST(Pointers, freed_memory_is_named) {
  Device device(kernel_text("st.global.u32 [%rd0], %r0;"));
  const DeviceAddress gone = device.upload(std::vector<std::uint32_t>(32), "partials");
  EXPECT_TRUE(device.run(1, 32, Arguments(gone)).findings.empty());
  device.memory().free(gone);
  const LaunchResult result = device.run(1, 32, Arguments(gone));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::use_after_free);
  EXPECT_EQ(result.findings[0].object, "partials[0]");
}

TEST(Pointers, constant_memory_and_inputs_must_not_be_written) {
  Device device(kernel_text("st.global.u32 [%rd0], %r0;"));
  const DeviceAddress x = device.upload(std::vector<std::uint32_t>(32), "x");
  device.memory().set_read_only(x, true);
  LaunchResult result = device.run(1, 32, Arguments(x));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::write_to_const);
  device.memory().set_read_only(x, false);
  EXPECT_TRUE(device.run(1, 32, Arguments(x)).findings.empty());

  expect_finding(FindingKind::write_to_const, "mov.u64 %rd1, c;\n st.u32 [%rd1], %r0;", 32,
                 ".const .align 4 .u32 c = 7;\n");
  expect_silent("ld.const.u32 %r2, [c];", 32, ".const .align 4 .u32 c = 7;\n");
}

TEST(Pointers, a_vector_needs_the_alignment_of_the_whole) {
  const Finding finding = expect_finding(FindingKind::misaligned, "ld.global.v2.u32 {%r2, %r3}, [%rd0];");
  EXPECT_EQ(finding.count, 16u);
  EXPECT_EQ(finding.parties[0].thread[0], 1u);
  expect_silent("and.b64 %rd1, %rd0, -8;\n ld.global.v2.u32 {%r2, %r3}, [%rd1];");
}

TEST(Collectives, the_caller_must_be_in_its_own_mask) {
  const Finding finding =
      expect_finding(FindingKind::mask_without_caller, "shfl.sync.idx.b32 %r2, %r0, 0, 31, 0xffff;");
  EXPECT_EQ(finding.parties[0].lane, 16u);
  EXPECT_EQ(finding.count, 16u);
  expect_silent(
      "setp.ge.u32 %p1, %r1, 16;\n @%p1 bra END;\n shfl.sync.idx.b32 %r2, %r0, 0, 31, 0xffff;\nEND:");
}

TEST(Collectives, a_named_lane_that_waits_elsewhere_is_an_error) {
  // Half of the warp shuffles with everybody, the other half waits at the barrier.
  const std::string faulty =
      "setp.ge.u32 %p1, %r1, 16;\n @%p1 bra END;\n shfl.sync.down.b32 %r2, %r0, 8, 31, -1;\nEND:\n bar.sync "
      "0;";
  const Finding finding = expect_finding(FindingKind::collective_participation, faulty);
  ASSERT_EQ(finding.parties.size(), 2u);
  EXPECT_EQ(finding.parties[0].lane, 0u);
  EXPECT_EQ(finding.parties[1].lane, 16u);
  EXPECT_EQ(finding.count, 16u);
  EXPECT_THAT(finding.message, HasSubstr("with mask 0xffffffff"));
  expect_silent(
      "setp.ge.u32 %p1, %r1, 16;\n @%p1 bra END;\n shfl.sync.down.b32 %r2, %r0, 8, 31, 0xffff;\nEND:\n "
      "bar.sync 0;");
}

TEST(Collectives, other_masks_or_other_operations_never_meet) {
  expect_finding(FindingKind::collective_participation,
                 "mov.u32 %r2, -1;\n setp.eq.u32 %p1, %r1, 5;\n @%p1 mov.u32 %r2, 0x7fffffff;\n "
                 "vote.sync.ballot.b32 %r3, %p1, %r2;");
  expect_finding(FindingKind::collective_participation,
                 "setp.eq.u32 %p1, %r1, 5;\n @%p1 bra A;\n vote.sync.any.pred %p2, %p1, -1;\n bra B;\nA:\n "
                 "vote.sync.all.pred %p2, %p1, -1;\nB:");
}

TEST(Collectives, both_arms_of_a_branch_may_hold_the_same_shuffle) {
  const std::string body =
      "setp.ge.u32 %p1, %r1, 16;\n @%p1 bra A;\n shfl.sync.bfly.b32 %r2, %r0, 16, 31, -1;\n bra B;\nA:\n"
      " add.u32 %r3, %r0, 100;\n shfl.sync.bfly.b32 %r2, %r3, 16, 31, -1;\nB:\n st.global.u32 [%rd0], %r2;";
  expect_silent(body);
  const auto words = run_words(body);
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(words[t], t < 16 ? (t ^ 16) + 100 : (t ^ 16));
}

TEST(Collectives, exited_and_absent_lanes_may_be_named) {
  expect_silent(
      "setp.ge.u32 %p1, %r1, 20;\n @%p1 exit;\n vote.sync.any.pred %p2, %p1, -1;\n bar.warp.sync -1;");
  expect_silent("vote.sync.any.pred %p2, %p1, -1;\n bar.warp.sync -1;", 40);
  // Lanes that exit only later release those that wait for them.
  expect_silent(
      "setp.ge.u32 %p1, %r1, 20;\n @!%p1 bra MEET;\n mov.u32 %r2, 100;\nLOOP:\n sub.u32 %r2, %r2, 1;\n "
      "setp.ne.u32 %p2, %r2, 0;\n"
      " @%p2 bra LOOP;\n exit;\nMEET:\n bar.warp.sync -1;");
}

TEST(Collectives, votes_and_reductions_cover_the_lanes_that_have_not_exited) {
  const std::string leave = "setp.ge.u32 %p1, %r1, 20;\n @%p1 exit;\n";
  EXPECT_EQ(run_words(leave + " vote.sync.ballot.b32 %r2, !%p1, -1;\n st.global.u32 [%rd0], %r2;")[0],
            0x000fffffu);
  EXPECT_EQ(run_words(leave + " redux.sync.add.u32 %r2, %r1, -1;\n st.global.u32 [%rd0], %r2;")[7], 190u);
  EXPECT_EQ(run_words(leave + " redux.sync.max.u32 %r2, %r1, -1;\n st.global.u32 [%rd0], %r2;")[7], 19u);
  // All that are left agree, though those that have gone did not.
  EXPECT_EQ(run_words(leave + " vote.sync.all.pred %p2, !%p1, -1;\n selp.u32 %r2, 1, 0, %p2;\n"
                              " st.global.u32 [%rd0], %r2;")[3],
            1u);
  EXPECT_EQ(run_words(leave + " vote.sync.any.pred %p2, %p1, -1;\n selp.u32 %r2, 1, 0, %p2;\n"
                              " st.global.u32 [%rd0], %r2;")[3],
            0u);
}

TEST(Collectives, a_mask_from_a_ballot_serves_exactly_those_lanes) {
  const std::string body =
      "and.b32 %r2, %r1, 3;\n setp.eq.u32 %p1, %r2, 2;\n vote.sync.ballot.b32 %r3, %p1, -1;\n @!%p1 bra "
      "END;\n"
      " redux.sync.add.u32 %r4, %r0, %r3;\n st.global.u32 [%rd0], %r4;\nEND:";
  expect_silent(body);
  EXPECT_EQ(run_words(body)[2], 2u + 6 + 10 + 14 + 18 + 22 + 26 + 30);
}

TEST(Collectives, lanes_that_unrolling_has_split_meet_at_different_copies) {
  // Trip counts differ by lane; the second copy of the shuffle stands for the unrolled iteration.
  const std::string body =
      "setp.lt.u32 %p1, %r1, 7;\n @%p1 bra SECOND;\n shfl.sync.up.b32 %r2, %r0, 1, 0, -1;\n bra "
      "END;\nSECOND:\n"
      " shfl.sync.up.b32 %r2, %r0, 1, 0, -1;\nEND:\n st.global.u32 [%rd0], %r2;";
  const auto words = run_words(body);
  for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(words[t], t == 0 ? 0 : t - 1);
}

TEST(Collectives, a_shuffle_over_32_lanes_or_more_is_a_warning) {
  const Finding finding =
      expect_finding(FindingKind::shuffle_delta, "shfl.sync.down.b32 %r2, %r0, 32, 31, -1;");
  EXPECT_EQ(finding.count, 32u);
  expect_silent("shfl.sync.down.b32 %r2, %r0, 31, 31, -1;");
  // Repeated in a loop it stays one finding.
  const LaunchResult result =
      run("mov.u32 %r3, 0;\nLOOP:\n shfl.sync.bfly.b32 %r2, %r0, 64, 31, -1;\n add.u32 %r3, %r3, 1;\n"
          " setp.lt.u32 %p1, %r3, 10;\n @%p1 bra LOOP;");
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].count, 320u);
  EXPECT_EQ(result.status, LaunchStatus::completed);
}

TEST(Barriers, arms_of_a_branch_are_different_barriers) {
  const std::string arms =
      "setp.lt.u32 %p1, %r0, 32;\n @%p1 bra A;\n bar.sync 0;\n bra B;\nA:\n bar.sync 0;\nB:";
  const Finding finding = expect_finding(FindingKind::barrier_divergence, arms, 64);
  EXPECT_EQ(finding.parties.size(), 2u);
  // Within one warp, too.
  expect_finding(FindingKind::barrier_divergence,
                 "setp.lt.u32 %p1, %r1, 16;\n @%p1 bra A;\n bar.sync 0;\n bra B;\nA:\n bar.sync 0;\nB:");
  expect_silent("bar.sync 0;", 64);
}

TEST(Barriers, a_uniform_condition_is_fine) {
  expect_silent("mov.u32 %r2, %ctaid.x;\n setp.ne.u32 %p1, %r2, 0;\n @%p1 bra END;\n bar.sync 0;\nEND:", 96);
}

TEST(Barriers, lanes_of_one_warp_may_come_one_after_another) {
  expect_silent("setp.lt.u32 %p1, %r1, 16;\n @%p1 bra A;\n mov.u32 %r2, 1;\nA:\n bar.sync 0;", 64);
}

TEST(Barriers, threads_that_skip_the_barrier_by_leaving_are_named) {
  const std::string before = ".file 1 \"k.cu\"\n";
  const Finding finding = expect_finding(
      FindingKind::exited_before_barrier,
      ".loc 1 10 3\n setp.ge.u32 %p1, %r0, 40;\n @%p1 exit;\n .loc 1 12 3\n bar.sync 0;\n .loc 1 13 1\n", 64,
      before);
  ASSERT_EQ(finding.parties.size(), 2u);
  EXPECT_EQ(finding.parties[0].thread[0], 40u);
  EXPECT_EQ(finding.parties[0].stack[0].line, 10u);
  EXPECT_EQ(finding.parties[1].stack[0].line, 12u);
  EXPECT_EQ(finding.parties[1].stack[0].file, "k.cu");
  EXPECT_EQ(finding.count, 24u);
  EXPECT_THAT(finding.message, HasSubstr("k.cu:10"));
  expect_silent("bar.sync 0;\n setp.ge.u32 %p1, %r0, 40;\n @%p1 exit;", 64);
}

TEST(Barriers, a_whole_warp_that_has_left_counts_as_well) {
  expect_finding(FindingKind::exited_before_barrier, "setp.ge.u32 %p1, %r0, 32;\n @%p1 exit;\n bar.sync 0;",
                 64);
  // With a count only the warps that take part matter.
  expect_silent("setp.ge.u32 %p1, %r0, 32;\n @%p1 exit;\n bar.sync 1, 32;", 64);
}

TEST(Barriers, a_contract_may_allow_early_exits) {
  Device device(
      kernel_text("setp.ge.u32 %p1, %r0, 40;\n @%p1 exit;\n bar.sync 0;\n st.global.u32 [%rd0], 1;"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(64), "out");
  LaunchConfig config;
  config.block = {64};
  config.early_exit_allowed = true;
  EXPECT_TRUE(device.run(config, Arguments(out)).findings.empty());
  EXPECT_EQ(device.download<std::uint32_t>(out, 64)[39], 1u);
}

TEST(Barriers, a_count_that_nobody_fills_is_a_deadlock) {
  const Finding finding = expect_finding(FindingKind::deadlock, "bar.sync 1, 96;", 64);
  EXPECT_THAT(finding.message, HasSubstr("64 of 96 threads have arrived"));
  expect_silent("bar.sync 1, 64;", 64);
}

TEST(Barriers, different_numbers_never_meet) {
  expect_finding(FindingKind::barrier_divergence,
                 "setp.lt.u32 %p1, %r0, 32;\n @%p1 bra A;\n bar.sync 0;\n bra B;\nA:\n bar.sync 1;\nB:", 64);
  // barrier.sync in two places is no divergence but never completes with two numbers.
  expect_finding(
      FindingKind::deadlock,
      "setp.lt.u32 %p1, %r0, 32;\n @%p1 bra A;\n barrier.sync 0;\n bra B;\nA:\n barrier.sync 1;\nB:", 64);
}

TEST(Barriers, a_barrier_number_or_count_out_of_range_is_named) {
  EXPECT_THAT(expect_finding(FindingKind::invalid_program, "mov.u32 %r2, 16;\n bar.sync %r2;").message,
              HasSubstr("number 16"));
  EXPECT_THAT(expect_finding(FindingKind::invalid_program, "bar.sync 1, 48;").message,
              HasSubstr("count of 48 threads"));
}

TEST(Barriers, an_early_arrival_twice_is_undefined) {
  expect_finding(FindingKind::barrier_divergence,
                 "setp.ge.u32 %p1, %r0, 32;\n @%p1 bra END;\n bar.arrive 1, 64;\n bar.sync 1, 64;\nEND:\n"
                 " bar.sync 0;",
                 64);
}

TEST(Barriers, a_reduction_never_meets_a_plain_barrier) {
  expect_finding(FindingKind::barrier_divergence,
                 "setp.lt.u32 %p1, %r0, 32;\n @%p1 bra A;\n barrier.sync 0;\n bra B;\nA:\n "
                 "barrier.red.or.pred %p2, 0, %p1;\nB:",
                 64);
}

TEST(Traps, are_findings_with_their_line) {
  const Finding finding = expect_finding(
      FindingKind::trap, ".loc 1 7 2\n setp.eq.u32 %p1, %r0, 9;\n @%p1 trap;", 32, ".file 1 \"k.cu\"\n");
  EXPECT_EQ(finding.parties[0].thread[0], 9u);
  EXPECT_EQ(finding.parties[0].stack[0].line, 7u);
}

TEST(TimeOut, names_the_place_that_spins) {
  Device device(kernel_text(
      ".loc 1 21 5\nLOOP:\n ld.volatile.global.u32 %r2, [%rd0];\n setp.eq.u32 %p1, %r2, 0;\n @%p1 bra LOOP;",
      4, 80, ".file 1 \"k.cu\"\n"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(64), "out");
  LaunchConfig config;
  config.grid = {3};
  config.block = {64};
  config.step_budget = 200'000;
  const LaunchResult result = device.run(config, Arguments(out));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::time_out);
  EXPECT_THAT(result.findings[0].message, HasSubstr("k.cu:21"));
  EXPECT_EQ(result.findings[0].parties[0].stack[0].line, 21u);
  // The budget is a number of instructions: it is kept to within one turn.
  EXPECT_LT(result.warp_instructions, 300'000u);
}

TEST(Findings, carry_the_chain_of_inlined_functions) {
  const std::string text = module_text(R"(
.visible .entry _Z4treePKfPfi(.param .u64 out) {
  .reg .b64 %rd<4>;
  .reg .b32 %r<4>;
  ld.param.u64 %rd0, [out];
  .loc 1 20 3
  mov.u32 %r0, 1;
  .loc 1 5 9, function_name $L__info_string0, inlined_at 1 20 3
  st.global.u32 [%rd0+64], %r0;
  ret;
}
.file 1 "tree.cu"
.section .debug_str
{
$L__info_string0:
.b8 95,90,52,115,116,101,112,102,0
}
)");
  Device device(text);
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(4), "out");
  const LaunchResult result = device.run(1, 1, Arguments(out));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kernel, "tree(float const*, float*, int)");
  const auto& stack = result.findings[0].parties[0].stack;
  ASSERT_EQ(stack.size(), 2u) << describe(result);
  EXPECT_EQ(stack[0], (SourceLine{"tree.cu", 5, "step(float)"}));
  EXPECT_EQ(stack[1], (SourceLine{"tree.cu", 20, "tree(float const*, float*, int)"}));
}

TEST(Findings, a_launch_that_was_stopped_leaves_the_machine_usable) {
  Device device(
      kernel_text("ld.param.u64 %rd1, [out];\n setp.eq.u64 %p1, %rd1, 0;\n @%p1 bar.sync 3, 1024;\n @%p1 "
                  "exit;\n st.global.u32 [%rd0], %r0;\n bar.sync 0;"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(64), "out");
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(device.run(1, 64, Arguments(std::uint64_t{0})).status, LaunchStatus::stopped);
    EXPECT_TRUE(device.run(1, 64, Arguments(out)).findings.empty());
  }
  EXPECT_EQ(device.download<std::uint32_t>(out, 64)[63], 63u);
}

TEST(Launches, that_do_not_fit_the_kernel_are_refused_in_one_line) {
  Device device(kernel_text("st.global.u32 [%rd0], %r0;"));
  const LaunchResult wrong_size = device.run(1, 32, Arguments(std::uint64_t{0}, std::uint64_t{0}));
  ASSERT_EQ(wrong_size.findings.size(), 1u);
  EXPECT_THAT(wrong_size.findings[0].message, HasSubstr("take 8 bytes, the launch gives 16"));
  EXPECT_EQ(device.run(1, 1025, Arguments(std::uint64_t{0})).findings.at(0).kind,
            FindingKind::invalid_program);
  EXPECT_EQ(device.run(0, 32, Arguments(std::uint64_t{0})).findings.at(0).kind, FindingKind::invalid_program);
  LaunchConfig config;
  EXPECT_EQ(device.run(config, Arguments(), "nobody").findings.at(0).kind, FindingKind::invalid_program);
}

}  // namespace
}  // namespace warpcheck::simt::testing

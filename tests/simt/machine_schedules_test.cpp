#include <gtest/gtest.h>

#include <set>

#include "tests/simt/machine_fixture.hpp"

// Progress and order: who goes next may change nothing in a deterministic kernel, and nobody may starve.
namespace warpcheck::simt::testing {
namespace {

std::vector<Schedule> schedules() {
  std::vector<Schedule> all{{Schedule::Order::lowest_first, 0}, {Schedule::Order::highest_first, 0}};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) all.push_back({Schedule::Order::random, seed});
  return all;
}

LaunchConfig geometry(std::uint32_t blocks, std::uint32_t threads, const Schedule& schedule) {
  LaunchConfig config;
  config.grid = {blocks};
  config.block = {threads};
  config.schedule = schedule;
  config.step_budget = 20'000'000;
  return config;
}

// A block tree over shared memory with divergence, barriers and a shuffle at its end.
const char* const kTree = R"(
  mov.u32 %r2, s;
  mad.lo.u32 %r2, %r0, 4, %r2;
  mov.u32 %r3, %ctaid.x;
  mad.lo.u32 %r4, %r3, 256, %r0;
  mul.lo.u32 %r4, %r4, 2654435761;
  st.shared.u32 [%r2], %r4;
  bar.sync 0;
  mov.u32 %r5, 128;
TREE:
  setp.ge.u32 %p1, %r0, %r5;
  @%p1 bra SKIP;
  mad.lo.u32 %r6, %r5, 4, %r2;
  ld.shared.u32 %r7, [%r6];
  ld.shared.u32 %r8, [%r2];
  xor.b32 %r8, %r8, %r7;
  mad.lo.u32 %r8, %r8, 3, %r7;
  st.shared.u32 [%r2], %r8;
SKIP:
  bar.sync 0;
  shr.u32 %r5, %r5, 1;
  setp.ge.u32 %p2, %r5, 32;
  @%p2 bra TREE;
  setp.ge.u32 %p1, %r0, 32;
  @%p1 bra END;
  ld.shared.u32 %r8, [%r2];
  shfl.sync.bfly.b32 %r9, %r8, 16, 31, -1;
  add.u32 %r8, %r8, %r9;
  mad.wide.u32 %rd1, %r3, 128, %rd0;
  st.global.u32 [%rd1], %r8;
END:
)";

TEST(Schedules, change_nothing_in_a_deterministic_kernel) {
  std::vector<std::uint32_t> first;
  for (const Schedule& schedule : schedules()) {
    Device device(kernel_text(kTree, 4, 80, ".shared .align 4 .b8 s[1024];\n"));
    const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32 * 5), "out");
    const LaunchResult result = device.run(geometry(5, 256, schedule), Arguments(out));
    EXPECT_TRUE(result.findings.empty()) << describe(result);
    const auto words = device.download<std::uint32_t>(out, 32 * 5);
    if (first.empty()) first = words;
    EXPECT_EQ(words, first) << "seed " << schedule.seed;
  }
  // Integer arithmetic says what the tree leaves.
  for (std::uint32_t block = 0; block < 5; ++block) {
    std::vector<std::uint32_t> s(256);
    for (std::uint32_t t = 0; t < 256; ++t) s[t] = (block * 256 + t) * 2654435761u;
    for (std::uint32_t k = 128; k >= 32; k /= 2) {
      for (std::uint32_t t = 0; t < k; ++t) s[t] = (s[t] ^ s[t + k]) * 3 + s[t + k];
    }
    for (std::uint32_t t = 0; t < 32; ++t) EXPECT_EQ(first[block * 32 + t], s[t] + s[t ^ 16]);
  }
}

// Each block's thread 0 draws a ticket: the order in which the blocks get there.
const char* const kTickets = R"(
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra END;
  mov.u32 %r2, %ctaid.x;
  atom.global.add.u32 %r3, [counter], 1;
  mad.wide.u32 %rd1, %r2, 4, %rd0;
  st.global.u32 [%rd1], %r3;
END:
)";

std::vector<std::uint32_t> tickets(const Schedule& schedule) {
  Device device(kernel_text(kTickets, 4, 80, ".global .align 4 .u32 counter;\n"));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(40), "out");
  EXPECT_TRUE(device.run(geometry(40, 32, schedule), Arguments(out)).findings.empty());
  return device.download<std::uint32_t>(out, 40);
}

TEST(Schedules, order_blocks_up_down_or_as_the_seed_says) {
  const auto up = tickets({Schedule::Order::lowest_first, 0});
  const auto down = tickets({Schedule::Order::highest_first, 0});
  std::set<std::vector<std::uint32_t>> orders;
  for (std::uint32_t b = 0; b < 40; ++b) {
    EXPECT_EQ(up[b], b);
    EXPECT_EQ(down[b], 39 - b);
  }
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const auto some = tickets({Schedule::Order::random, seed});
    EXPECT_EQ(std::set<std::uint32_t>(some.begin(), some.end()).size(), 40u);
    EXPECT_EQ(some, tickets({Schedule::Order::random, seed})) << "a seed must replay exactly";
    orders.insert(some);
  }
  EXPECT_EQ(orders.size(), 6u);
}

TEST(Schedules, a_missing_warp_barrier_shows_under_some_random_order) {
  // Lane t reads what lane t ^ 1 has just written, without a barrier between.
  const std::string body =
      "mov.u32 %r2, s;\n mad.lo.u32 %r3, %r0, 4, %r2;\n and.b32 %r5, %r0, 1;\n setp.eq.u32 %p1, %r5, 1;\n"
      " @%p1 bra ODD;\n st.shared.u32 [%r3], 7;\n bra JOIN;\nODD:\n st.shared.u32 [%r3], 8;\nJOIN:\n"
      " xor.b32 %r4, %r0, 1;\n mad.lo.u32 %r3, %r4, 4, %r2;\n ld.shared.u32 %r6, [%r3];\n st.global.u32 "
      "[%rd0], %r6;";
  std::set<std::vector<std::uint32_t>> results;
  for (const Schedule& schedule : schedules()) {
    Device device(kernel_text(body, 4, 80, ".shared .align 4 .b8 s[128];\n"));
    const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
    device.run(geometry(1, 32, schedule), Arguments(out));
    results.insert(device.download<std::uint32_t>(out, 32));
  }
  EXPECT_GT(results.size(), 1u);
}

TEST(Progress, a_lane_may_wait_for_another_lane_of_its_warp) {
  // Lane 0 spins on what lane 31 stores; its branch comes first in the text, and last.
  const char* const first =
      "setp.eq.u32 %p1, %r1, 0;\n @!%p1 bra OTHERS;\nSPIN:\n ld.volatile.global.u32 %r2, [flag];\n "
      "setp.eq.u32 %p2, %r2, 0;\n"
      " @%p2 bra SPIN;\n st.global.u32 [%rd0], %r2;\n bra END;\nOTHERS:\n setp.eq.u32 %p3, %r1, 31;\n"
      " @%p3 st.volatile.global.u32 [flag], 5;\nEND:";
  const char* const last =
      "setp.eq.u32 %p1, %r1, 0;\n @%p1 bra SPIN;\n setp.eq.u32 %p3, %r1, 31;\n @%p3 st.volatile.global.u32 "
      "[flag], 5;\n bra END;\n"
      "SPIN:\n ld.volatile.global.u32 %r2, [flag];\n setp.eq.u32 %p2, %r2, 0;\n @%p2 bra SPIN;\n "
      "st.global.u32 [%rd0], %r2;\nEND:";
  for (const char* body : {first, last}) {
    for (const Schedule& schedule : schedules()) {
      Device device(kernel_text(body, 4, 80, ".global .align 4 .u32 flag;\n"));
      const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
      const LaunchResult result = device.run(geometry(1, 32, schedule), Arguments(out));
      EXPECT_TRUE(result.findings.empty()) << describe(result);
      EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], 5u);
    }
  }
}

TEST(Progress, a_lock_among_the_lanes_of_a_warp_is_passed_on) {
  const char* const body =
      "AGAIN:\n atom.global.cas.b32 %r2, [lock], 0, 1;\n setp.ne.u32 %p1, %r2, 0;\n @%p1 bra AGAIN;\n"
      " ld.volatile.global.u32 %r3, [total];\n add.u32 %r3, %r3, %r0;\n st.volatile.global.u32 [total], "
      "%r3;\n membar.gl;\n"
      " atom.global.exch.b32 %r4, [lock], 0;\n bar.sync 0;\n ld.volatile.global.u32 %r3, [total];\n "
      "st.global.u32 [%rd0], %r3;";
  for (const Schedule& schedule : schedules()) {
    Device device(kernel_text(body, 4, 80, ".global .align 4 .u32 lock;\n.global .align 4 .u32 total;\n"));
    const DeviceAddress out = device.upload(std::vector<std::uint32_t>(96), "out");
    const LaunchResult result = device.run(geometry(1, 96, schedule), Arguments(out));
    EXPECT_TRUE(result.findings.empty()) << describe(result);
    EXPECT_EQ(device.download<std::uint32_t>(out, 96)[95], 95u * 96 / 2);
  }
}

TEST(Progress, a_warp_may_wait_for_another_warp) {
  for (const char* waits : {"setp.lt.u32 %p1, %r0, 32;", "setp.ge.u32 %p1, %r0, 32;"}) {
    const std::string body =
        std::string(waits) +
        "\n @!%p1 bra STORE;\nSPIN:\n ld.volatile.shared.u32 %r2, [flag];\n setp.ne.u32 %p2, %r2, 77;\n"
        " @%p2 bra SPIN;\n st.global.u32 [%rd0], %r2;\n bra END;\nSTORE:\n st.volatile.shared.u32 [flag], "
        "77;\nEND:";
    for (const Schedule& schedule : schedules()) {
      Device device(kernel_text(body, 4, 80, ".shared .align 4 .u32 flag;\n"));
      const DeviceAddress out = device.upload(std::vector<std::uint32_t>(64), "out");
      const LaunchResult result = device.run(geometry(1, 64, schedule), Arguments(out));
      EXPECT_TRUE(result.findings.empty()) << describe(result);
    }
  }
}

TEST(Progress, a_block_may_wait_for_one_that_has_not_begun) {
  // Block b waits for block b + 1, under an order that starts b first.
  const char* const body =
      "setp.ne.u32 %p1, %r0, 0;\n @%p1 bra END;\n mov.u32 %r2, %ctaid.x;\n mov.u32 %r3, %nctaid.x;\n sub.u32 "
      "%r3, %r3, 1;\n"
      " setp.eq.u32 %p2, %r2, %r3;\n @%p2 bra STORE;\n mul.wide.u32 %rd2, %r2, 4;\n add.u64 %rd1, %rd0, "
      "%rd2;\nSPIN:\n"
      " ld.acquire.gpu.global.u32 %r4, [%rd1+4];\n setp.eq.u32 %p3, %r4, 0;\n @%p3 bra SPIN;\nSTORE:\n "
      "mul.wide.u32 %rd2, %r2, 4;\n"
      " add.u64 %rd1, %rd0, %rd2;\n st.release.gpu.global.u32 [%rd1], 1;\nEND:";
  for (const Schedule& schedule : schedules()) {
    Device device(kernel_text(body));
    const DeviceAddress out = device.upload(std::vector<std::uint32_t>(12), "out");
    const LaunchResult result = device.run(geometry(12, 32, schedule), Arguments(out));
    EXPECT_TRUE(result.findings.empty()) << describe(result);
    EXPECT_EQ(device.download<std::uint32_t>(out, 12), std::vector<std::uint32_t>(12, 1));
  }
}

TEST(Progress, the_last_block_sums_what_the_others_left) {
  const char* const body =
      "mov.u32 %r2, %ctaid.x;\n mov.u32 %r3, %nctaid.x;\n setp.ne.u32 %p1, %r0, 0;\n @%p1 bra END;\n "
      "mad.wide.u32 %rd1, %r2, 4, %rd0;\n"
      " add.u32 %r4, %r2, 1;\n st.global.u32 [%rd1+4], %r4;\n membar.gl;\n sub.u32 %r5, %r3, 1;\n "
      "atom.global.inc.u32 %r6, [ticket], %r5;\n"
      " setp.ne.u32 %p2, %r6, %r5;\n @%p2 bra END;\n mov.u32 %r7, 0;\n mov.u64 %rd2, %rd0;\nSUM:\n "
      "ld.global.u32 %r8, [%rd2+4];\n"
      " add.u32 %r7, %r7, %r8;\n add.u64 %rd2, %rd2, 4;\n sub.u32 %r3, %r3, 1;\n setp.ne.u32 %p3, %r3, 0;\n "
      "@%p3 bra SUM;\n"
      " st.global.u32 [%rd0], %r7;\nEND:";
  for (const Schedule& schedule : schedules()) {
    Device device(kernel_text(body, 4, 80, ".global .align 4 .u32 ticket;\n"));
    const DeviceAddress out = device.upload(std::vector<std::uint32_t>(21), "out");
    EXPECT_TRUE(device.run(geometry(20, 64, schedule), Arguments(out)).findings.empty());
    EXPECT_EQ(device.download<std::uint32_t>(out, 1)[0], 210u);
  }
}

TEST(Progress, a_cooperative_launch_makes_all_blocks_resident) {
  // The grid barrier of cooperative groups: %envreg1 and %envreg2 give {size, barrier}.
  const char* const body = R"(
  mov.u32 %r2, %envreg1;
  mov.u32 %r3, %envreg2;
  mov.b64 %rd1, {%r3, %r2};
  mov.u32 %r4, %ctaid.x;
  mov.u32 %r5, %nctaid.x;
  mov.u32 %r20, 0;
ROUND:
  mad.wide.u32 %rd2, %r4, 4, %rd0;
  setp.ne.u32 %p1, %r0, 0;
  @%p1 bra SKIP;
  ld.global.u32 %r6, [%rd2];
  add.u32 %r6, %r6, %r4;
  st.global.u32 [%rd2], %r6;
SKIP:
  barrier.sync 0;
  @%p1 bra WAIT;
  mov.u32 %r7, 1;
  setp.eq.u32 %p2, %r4, 0;
  sub.u32 %r8, 0x80000001, %r5;
  selp.u32 %r7, %r8, %r7, %p2;
  atom.add.release.gpu.u32 %r9, [%rd1+4], %r7;
SPIN:
  ld.acquire.gpu.u32 %r10, [%rd1+4];
  xor.b32 %r11, %r9, %r10;
  setp.ge.s32 %p3, %r11, 0;
  @%p3 bra SPIN;
WAIT:
  barrier.sync 0;
  add.u32 %r20, %r20, 1;
  // every round reads its right neighbour's slot of the round before
  add.u32 %r12, %r4, 1;
  rem.u32 %r12, %r12, %r5;
  sub.u32 %r13, %r12, %r4;
  mul.wide.s32 %rd3, %r13, 4;
  add.s64 %rd3, %rd2, %rd3;
  @!%p1 ld.volatile.global.u32 %r14, [%rd3];
  @!%p1 mad.wide.u32 %rd4, %r5, 4, %rd2;
  mad.lo.u32 %r15, %r12, %r20, 0;
  setp.lt.u32 %p4, %r14, %r15;
  @%p1 bra NEXT;
  @%p4 trap;
NEXT:
  setp.lt.u32 %p5, %r20, 5;
  @%p5 bra ROUND;
)";
  for (const Schedule& schedule : schedules()) {
    Device device(kernel_text(body, 0));
    const DeviceAddress out = device.upload(std::vector<std::uint32_t>(24), "out");
    LaunchConfig config = geometry(24, 64, schedule);
    config.cooperative = true;
    for (int repeat = 0; repeat < 2; ++repeat) {
      const LaunchResult result = device.run(config, Arguments(out));
      EXPECT_TRUE(result.findings.empty()) << describe(result);
    }
    const auto words = device.download<std::uint32_t>(out, 24);
    for (std::uint32_t b = 0; b < 24; ++b) EXPECT_EQ(words[b], 10 * b);
  }
}

TEST(Progress, groups_meet_again_after_a_branch) {
  // The number of warp instructions shows whether lanes go on together: apart, each would count for itself.
  std::string body;
  for (int i = 0; i < 5; ++i) {
    const std::string n = std::to_string(i);
    body += "and.b32 %r2, %r1, " + std::to_string(1 << i) + ";\n setp.eq.u32 %p1, %r2, 0;\n @%p1 bra A" + n +
            ";\n add.u32 %r3, %r1, 1;\n bra B" + n + ";\nA" + n + ":\n add.u32 %r3, %r1, 2;\nB" + n + ":\n";
  }
  body += "activemask.b32 %r4;\n st.global.u32 [%rd0], %r4;";
  EXPECT_EQ(run_words(body), std::vector<std::uint32_t>(32, 0xffffffffu));
  Device device(kernel_text(body));
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  EXPECT_LT(device.run(1, 32, Arguments(out)).warp_instructions, 60u);
}

}  // namespace
}  // namespace warpcheck::simt::testing

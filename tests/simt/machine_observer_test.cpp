#include <gtest/gtest.h>

#include "tests/simt/machine_fixture.hpp"

// What an observer is told: every access with its space and order, every completed barrier, and when.
namespace warpcheck::simt::testing {
namespace {

struct Seen {
  Access access;
  std::vector<std::uint64_t> addresses;
  WarpPlace place;
};

class Log : public Observer {
 public:
  void launch_begins(const LaunchConfig&) override { events += "launch "; }
  void block_begins(std::uint64_t block) override { events += "begin" + std::to_string(block) + " "; }
  void block_ends(std::uint64_t block) override { events += "end" + std::to_string(block) + " "; }
  void access(const WarpPlace& place, const Access& access) override {
    seen.push_back({access, {access.addresses, access.addresses + 32}, place});
  }
  void barrier_completed(std::uint64_t, std::uint32_t barrier,
                         std::span<const std::uint32_t> participants) override {
    events += "barrier" + std::to_string(barrier) + ":";
    for (const std::uint32_t mask : participants) events += std::to_string(mask) + ",";
    events += " ";
  }
  void warp_barrier_completed(const WarpPlace&, std::uint32_t mask) override {
    events += "warp:" + std::to_string(mask) + " ";
  }
  void launch_ends() override { events += "done"; }
  std::vector<Finding> take_findings() override { return std::move(findings); }

  std::string events;
  std::vector<Seen> seen;
  std::vector<Finding> findings;
};

struct Observed {
  Log log;
  LaunchResult result;
  DeviceAddress out{};
};

std::unique_ptr<Observed> observe(const std::string& body, std::uint32_t threads = 32,
                                  const std::string& before = {}, std::uint32_t blocks = 1) {
  auto observed = std::make_unique<Observed>();
  Device device(kernel_text(body, 4, 80, before));
  device.machine().set_observer(&observed->log);
  observed->out = device.upload(std::vector<std::uint32_t>(threads), "out");
  observed->result = device.run(blocks, threads, Arguments(observed->out));
  device.machine().set_observer(nullptr);
  return observed;
}

std::vector<const Seen*> in_space(const Log& log, ptx::Space space) {
  std::vector<const Seen*> list;
  for (const Seen& one : log.seen) {
    if (one.access.space == space) list.push_back(&one);
  }
  return list;
}

TEST(Observer, sees_an_access_with_its_addresses_and_mask) {
  const auto observed = observe("setp.lt.u32 %p1, %r0, 5;\n @%p1 st.global.v2.u32 [%rd0+-0], {%r0, %r0};\n ");
  // Vectors need 8-byte addresses: threads 1 and 3 are misaligned.
  EXPECT_EQ(observed->result.findings.at(0).kind, FindingKind::misaligned);
  const auto good =
      observe("setp.lt.u32 %p1, %r0, 5;\n @%p1 st.global.u32 [%rd0], %r0;\n ld.global.u32 %r2, [%rd0];");
  const auto seen = in_space(good->log, ptx::Space::global);
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0]->access.operation, Access::Operation::store);
  EXPECT_EQ(seen[0]->access.mask, 0x1fu);
  EXPECT_EQ(seen[0]->access.bytes, 4u);
  EXPECT_EQ(seen[1]->access.operation, Access::Operation::load);
  EXPECT_EQ(seen[1]->access.mask, 0xffffffffu);
  for (std::uint32_t t = 0; t < 5; ++t) EXPECT_EQ(seen[0]->addresses[t], good->out + 4 * t);
}

TEST(Observer, is_told_offsets_of_shared_memory_also_for_generic_addresses) {
  const auto observed = observe(
      "mov.u32 %r2, s;\n mad.lo.u32 %r2, %r0, 4, %r2;\n st.shared.u32 [%r2], %r0;\n cvt.u64.u32 %rd1, %r2;\n "
      "cvta.shared.u64 %rd1, %rd1;\n"
      " ld.u32 %r3, [%rd1];\n atom.u32.add %r3, [%rd1], 1;",
      32, ".shared .align 4 .b8 s[128];\n");
  const auto seen = in_space(observed->log, ptx::Space::shared);
  ASSERT_EQ(seen.size(), 3u);
  EXPECT_EQ(seen[0]->addresses, seen[1]->addresses);
  EXPECT_EQ(seen[0]->addresses, seen[2]->addresses);
  EXPECT_EQ(seen[2]->access.operation, Access::Operation::atomic);
}

TEST(Observer, is_told_order_scope_and_volatility) {
  const auto observed = observe(
      "ld.acquire.gpu.global.u32 %r2, [%rd0];\n st.release.cta.global.u32 [%rd0], %r2;\n "
      "ld.volatile.global.u32 %r2, [%rd0];\n"
      " atom.add.acq_rel.sys.global.u32 %r2, [%rd0], 1;\n red.global.add.u32 [%rd0], 1;\n "
      "ld.relaxed.gpu.global.u32 %r2, [%rd0];\n ld.global.u32 %r2, [%rd0];");
  const auto seen = in_space(observed->log, ptx::Space::global);
  ASSERT_EQ(seen.size(), 7u);
  const auto order = [&](std::size_t i) {
    return std::pair<int, int>(seen[i]->access.semantics, seen[i]->access.scope);
  };
  EXPECT_EQ(order(0), std::pair(2, 3));
  EXPECT_EQ(order(1), std::pair(3, 1));
  EXPECT_TRUE(seen[2]->access.is_volatile);
  EXPECT_EQ(order(3), std::pair(4, 4));
  // An atomic without a word is relaxed at device scope.
  EXPECT_EQ(order(4), std::pair(1, 3));
  EXPECT_EQ(seen[4]->access.operation, Access::Operation::reduction);
  EXPECT_EQ(order(5), std::pair(1, 3));
  EXPECT_EQ(order(6), std::pair(0, 0));
  EXPECT_FALSE(seen[6]->access.is_volatile);
}

TEST(Observer, is_told_which_bytes_of_a_widened_load_count) {
  const auto observed = observe(
      "and.b64 %rd1, %rd0, -16;\n.pragma \"used_bytes_mask 15\";\n ld.global.v4.u32 {%r2, %r3, %r4, %r5}, "
      "[%rd1];");
  const auto seen = in_space(observed->log, ptx::Space::global);
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0]->access.used_bytes, 15u);
  EXPECT_EQ(seen[0]->access.bytes, 16u);
}

TEST(Observer, sees_blocks_and_barriers_in_order) {
  const auto observed = observe("bar.sync 0;\n bar.warp.sync -1;\n", 40, {}, 2);
  EXPECT_EQ(observed->log.events,
            "launch begin0 barrier0:4294967295,255, warp:4294967295 warp:255 end0 "
            "begin1 barrier0:4294967295,255, warp:4294967295 warp:255 end1 done");
}

TEST(Observer, findings_end_up_in_the_result) {
  Device device(kernel_text("st.global.u32 [%rd0], %r0;"));
  Log log;
  Finding finding;
  finding.kind = FindingKind::deadlock;
  finding.message = "an observer's";
  log.findings.push_back(finding);
  device.machine().set_observer(&log);
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  const LaunchResult result = device.run(1, 32, Arguments(out));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].message, "an observer's");
  EXPECT_EQ(result.findings[0].kernel, "k");
  EXPECT_EQ(result.status, LaunchStatus::stopped);
}

TEST(Observer, may_ask_for_a_lane_with_its_call_stack) {
  class Asker : public Observer {
   public:
    void access(const WarpPlace& place, const Access& access) override {
      if (access.space == ptx::Space::global) parties.push_back(machine->party(place, 7));
    }
    const Machine* machine{};
    std::vector<Party> parties;
  };
  Device device(kernel_text(
      ".loc 1 8 1\n call touch, (%rd0);", 4, 80,
      ".file 1 \"k.cu\"\n.func touch(.reg .b64 p) {\n .loc 1 2 1\n st.global.u32 [p], 1;\n ret;\n}\n"));
  Asker asker;
  asker.machine = &device.machine();
  device.machine().set_observer(&asker);
  const DeviceAddress out = device.upload(std::vector<std::uint32_t>(32), "out");
  device.run(1, 32, Arguments(out));
  ASSERT_EQ(asker.parties.size(), 1u);
  EXPECT_EQ(asker.parties[0].thread[0], 7u);
  EXPECT_EQ(asker.parties[0].stack, (std::vector<SourceLine>{{"k.cu", 2, "touch"}, {"k.cu", 8, "k"}}));
}

}  // namespace
}  // namespace warpcheck::simt::testing

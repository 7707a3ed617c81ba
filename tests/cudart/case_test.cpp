// What the worker sees of a case.

#include <gmock/gmock.h>

#include <vector>

#include "tests/cudart/loaded_plugin.hpp"

namespace warpcheck::cudart {
namespace {

using Case = PluginTest;

TEST_F(Case, starts_with_an_empty_record) {
  basics<int(int)>("fault", 1);
  runtime().begin_case(settings());
  const CaseReport report = runtime().end_case();
  EXPECT_TRUE(report.findings.empty());
  EXPECT_EQ(report.launches, 0u);
  EXPECT_EQ(report.sticky_error, 0);
  EXPECT_TRUE(report.api_errors.empty());
  EXPECT_TRUE(report.leaks.empty());
  EXPECT_EQ(report.warp_instructions, 0u);
}

TEST_F(Case, ends_with_its_memory_still_readable) {
  const simt::DeviceAddress out = runtime().memory().allocate(4, simt::AllocationKind::device, "out");
  basics<int(void*, int, std::size_t)>("set_bytes", reinterpret_cast<void*>(out), 1, std::size_t{4});
  runtime().end_case();
  EXPECT_NE(runtime().memory().live_range(out, 4), nullptr);
  runtime().begin_case(settings());
  EXPECT_EQ(runtime().memory().live_range(out, 4), nullptr);
}

TEST_F(Case, merges_findings_of_one_place_over_its_launches) {
  // The faults end the case's other calls, so one case has one; the same fault in two cases is found twice.
  for (int i = 0; i < 2; ++i) {
    runtime().begin_case(settings());
    basics<int(int)>("fault", 3);
    basics<int(int)>("fault", 3);
    const CaseReport report = runtime().end_case();
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].count, 1u);
    EXPECT_EQ(report.findings[0].kernel, "fail_assert(int)");
  }
}

TEST_F(Case, names_every_registered_kernel) {
  plugin_symbol("basics.so", "fault");
  EXPECT_THAT(runtime().kernels(),
              testing::IsSupersetOf({"_Z3addPKfS0_Pfi", "_Z8store_atPii", "_Z12execute_trapv"}));
}

TEST_F(Case, runs_under_its_schedule_and_budget) {
  CaseSettings tight = settings();
  tight.step_budget = 1000;
  runtime().begin_case(tight);
  EXPECT_EQ(basics<int(int)>("fault", 6), 702);
  EXPECT_LE(runtime().end_case().warp_instructions, 2000u);
  for (const auto order : {simt::Schedule::Order::lowest_first, simt::Schedule::Order::highest_first,
                           simt::Schedule::Order::random}) {
    CaseSettings scheduled = settings();
    scheduled.schedule = {order, 17};
    runtime().begin_case(scheduled);
    std::vector<float> a(300, 1.0f), b(300, 2.0f), c(300);
    EXPECT_EQ(
        basics<int(const float*, const float*, float*, int)>("vector_add", a.data(), b.data(), c.data(), 300),
        0);
    EXPECT_EQ(c, std::vector<float>(300, 3.0f));
  }
}

}  // namespace
}  // namespace warpcheck::cudart

// Streams, events, graphs.

#include <gmock/gmock.h>

#include <cmath>

#include "tests/cudart/loaded_plugin.hpp"

namespace warpcheck::cudart {
namespace {

using Streams = PluginTest;

TEST_F(Streams, are_checked_handles) {
  EXPECT_EQ(basics<int()>("destroy_stream_twice"), 400);
  EXPECT_EQ(basics<int()>("launch_in_destroyed_stream"), 400);
  const CaseReport report = runtime().end_case();
  ASSERT_EQ(report.failed_launches.size(), 1u);
  EXPECT_THAT(report.failed_launches[0].message, testing::HasSubstr("is no stream"));
  EXPECT_TRUE(report.findings.empty());
}

TEST_F(Streams, call_host_functions_in_order) {
  int calls = 0;
  EXPECT_EQ(basics<int(int*)>("call_host", &calls), 0);
  EXPECT_EQ(calls, 1);
}

TEST_F(Streams, have_no_time) {
  float milliseconds = 1.0f;
  EXPECT_EQ(basics<int(float*)>("elapsed", &milliseconds), 801);
  EXPECT_TRUE(std::isnan(milliseconds));
  EXPECT_EQ(runtime().end_case().api_errors.at(0).message, "there is no device time on this executor");
}

TEST_F(Streams, are_never_captured) {
  int status = -1;
  EXPECT_EQ(basics<int(int*)>("capture_status", &status), 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(basics<int()>("begin_graph"), 801);
  EXPECT_EQ(runtime().end_case().api_errors.at(0).message,
            "cudaGraphCreate is not implemented on this executor");
}

}  // namespace
}  // namespace warpcheck::cudart

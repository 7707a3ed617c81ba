// Launches and their limits.

#include <gmock/gmock.h>

#include <numeric>
#include <vector>

#include "tests/cudart/loaded_plugin.hpp"

namespace warpcheck::cudart {
namespace {

using testing::HasSubstr;

using Launch = PluginTest;

TEST_F(Launch, adds_vectors_of_any_length) {
  for (const int n : {1, 31, 128, 129, 1000, 5000}) {
    runtime().begin_case(settings());
    std::vector<float> a(n), b(n), c(n, -1.0f);
    for (int i = 0; i < n; ++i) {
      a[i] = static_cast<float>(i);
      b[i] = static_cast<float>(3 * i + 1);
    }
    EXPECT_EQ(
        basics<int(const float*, const float*, float*, int)>("vector_add", a.data(), b.data(), c.data(), n),
        0);
    for (int i = 0; i < n; ++i) ASSERT_EQ(c[i], static_cast<float>(4 * i + 1)) << i << " of " << n;
    const CaseReport report = runtime().end_case();
    EXPECT_EQ(report.launches, 1u);
    EXPECT_TRUE(report.findings.empty());
    EXPECT_TRUE(report.api_errors.empty());
    EXPECT_TRUE(report.leaks.empty());
    EXPECT_TRUE(report.failed_launches.empty());
    EXPECT_GT(report.warp_instructions, 0u);
  }
}

TEST_F(Launch, sums_a_warp_with_shuffles_through_managed_and_pinned_memory) {
  float x[32], result = 0;
  std::iota(x, x + 32, 1.0f);
  EXPECT_EQ(basics<int(const float*, float*)>("warp_sum", x, &result), 0);
  EXPECT_EQ(result, 528.0f);
  const CaseReport report = runtime().end_case();
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(report.leaks.empty());
}

TEST_F(Launch, passes_arguments_of_every_size_and_alignment) {
  double out[5] = {};
  EXPECT_EQ(basics<int(double*)>("pass_arguments", out), 0);
  EXPECT_THAT(out, testing::ElementsAre(7.0, 2.5, -3.0, 65.0, 0.25));
}

using Geometry = int(unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, std::size_t);

TEST_F(Launch, takes_geometries_up_to_the_limits) {
  EXPECT_EQ(basics<Geometry>("launch_add", 1u, 1u, 1u, 1024u, 1u, 1u, 0u), 0);
  EXPECT_EQ(basics<Geometry>("launch_add", 1u, 1u, 1u, 1u, 1024u, 1u, 0u), 0);
  EXPECT_EQ(basics<Geometry>("launch_add", 1u, 1u, 1u, 4u, 4u, 64u, 0u), 0);
  EXPECT_EQ(basics<Geometry>("launch_add", 1u, 300u, 1u, 1u, 1u, 1u, 48u * 1024), 0);
  const CaseReport report = runtime().end_case();
  EXPECT_EQ(report.launches, 4u);
  EXPECT_TRUE(report.failed_launches.empty());
}

struct Refused {
  unsigned geometry[6];
  std::size_t shared;
  int code;
  const char* message;
};

TEST_F(Launch, refuses_what_a_device_refuses_with_its_code) {
  const Refused cases[] = {
      {{0, 1, 1, 32, 1, 1}, 0, 9, "a grid of (0, 1, 1) blocks"},
      {{1, 0, 1, 32, 1, 1}, 0, 9, "a grid of (1, 0, 1) blocks"},
      {{1, 1, 1, 0, 1, 1}, 0, 9, "a block of (0, 1, 1) threads"},
      {{1, 65536, 1, 32, 1, 1}, 0, 9, "each number must be from 1 to (2147483647, 65535, 65535)"},
      {{2147483648u, 1, 1, 32, 1, 1}, 0, 9, "a grid of (2147483648, 1, 1) blocks"},
      {{1, 1, 1, 1025, 1, 1}, 0, 9, "a block of (1025, 1, 1) threads"},
      {{1, 1, 1, 1, 1, 65}, 0, 9, "each number must be from 1 to (1024, 1024, 64)"},
      {{1, 1, 1, 32, 33, 1}, 0, 9, "1056 threads; a block may have 1024"},
      {{1, 1, 1, 32, 1, 1},
       48 * 1024 + 1,
       1,
       "49153 bytes of dynamic shared memory; the kernel may have 49152"},
  };
  for (const Refused& refused : cases) {
    runtime().begin_case(settings());
    const auto& g = refused.geometry;
    EXPECT_EQ(basics<Geometry>("launch_add", g[0], g[1], g[2], g[3], g[4], g[5], refused.shared),
              refused.code)
        << refused.message;
    const CaseReport report = runtime().end_case();
    ASSERT_EQ(report.failed_launches.size(), 1u);
    const FailedLaunch& failed = report.failed_launches[0];
    EXPECT_THAT(failed.message, HasSubstr(refused.message));
    EXPECT_EQ(failed.error, refused.code);
    EXPECT_EQ(failed.kernel, "add(float const*, float const*, float*, int)");
    EXPECT_EQ(failed.grid, (simt::Dim3{g[0], g[1], g[2]}));
    EXPECT_EQ(failed.block, (simt::Dim3{g[3], g[4], g[5]}));
    EXPECT_EQ(failed.dynamic_shared_bytes, refused.shared);
    EXPECT_EQ(report.launches, 1u);
    EXPECT_EQ(report.warp_instructions, 0u);
    EXPECT_EQ(report.sticky_error, 0);
    ASSERT_EQ(report.api_errors.size(), 1u);
    EXPECT_EQ(report.api_errors[0].function, "cudaLaunchKernel");
  }
}

TEST_F(Launch, honours_launch_bounds) {
  EXPECT_EQ(basics<int(int)>("launch_bounded", 128), 0);
  EXPECT_EQ(basics<int(int)>("launch_bounded", 129), 1);
  const CaseReport report = runtime().end_case();
  ASSERT_EQ(report.failed_launches.size(), 1u);
  EXPECT_THAT(report.failed_launches[0].message,
              HasSubstr("129 threads; the kernel was compiled for at most 128"));
}

TEST_F(Launch, gives_more_shared_memory_only_after_it_was_asked_for) {
  using Reverse = int(int*, int, std::size_t, int);
  std::vector<int> x(1024), expected(1024);
  std::iota(x.begin(), x.end(), 0);
  std::iota(expected.rbegin(), expected.rend(), 0);
  const std::vector<int> before = x;
  EXPECT_EQ(basics<Reverse>("reverse_with_shared", x.data(), 1024, 100u * 1024, 0), 1);
  EXPECT_EQ(x, before);
  EXPECT_EQ(basics<Reverse>("reverse_with_shared", x.data(), 1024, 100u * 1024, 100 * 1024), 0);
  EXPECT_EQ(x, expected);
  EXPECT_EQ(basics<Reverse>("reverse_with_shared", x.data(), 1024, 4096u, 163 * 1024), 0);
  EXPECT_EQ(basics<Reverse>("reverse_with_shared", x.data(), 1024, 4096u, 163 * 1024 + 1), 1);
}

TEST_F(Launch, runs_cooperative_grids_that_fit_the_device) {
  using Sum = int(const int*, int, int*);
  std::vector<int> x(20000);
  std::iota(x.begin(), x.end(), 1);
  int result = 0;
  EXPECT_EQ(basics<Sum>("cooperative_sum", x.data(), 40, &result), 0);
  EXPECT_EQ(result, 820);
  // 16 multiprocessors of 32 blocks of 64 threads.
  EXPECT_EQ(basics<Sum>("cooperative_sum", x.data(), 16 * 32 + 1, &result), 720);
}

TEST_F(Launch, knows_kernels_by_handle_and_refuses_other_functions) {
  int value = 0;
  EXPECT_EQ(basics<int(int*)>("launch_by_handle", &value), 0);
  EXPECT_EQ(value, 1);
  EXPECT_EQ(basics<int()>("launch_unregistered"), 98);
}

TEST_F(Launch, takes_clusters_of_one_block_only) {
  EXPECT_EQ(basics<int(unsigned)>("launch_cluster", 1u), 0);
  EXPECT_EQ(basics<int(unsigned)>("launch_cluster", 2u), 801);
}

class Collected : public simt::OutputSink {
 public:
  void write(std::string_view text) override { text_ += text; }
  std::string text_;
};

TEST_F(Launch, sends_what_kernels_print_to_the_sink) {
  Collected output;
  runtime().set_output(&output);
  EXPECT_EQ(basics<int(int)>("print_from_kernel", 5), 0);
  runtime().set_output(nullptr);
  EXPECT_EQ(output.text_, "n = 5, half = 2.50\n");
  EXPECT_EQ(basics<int(int)>("print_from_kernel", 6), 0);
  EXPECT_EQ(output.text_, "n = 5, half = 2.50\n");
}

TEST_F(Launch, tells_function_attributes_and_occupancy) {
  int ptx_version = 0, max_threads = 0, max_dynamic = 0;
  EXPECT_EQ(basics<int(int*, int*, int*)>("function_attributes", &ptx_version, &max_threads, &max_dynamic),
            0);
  EXPECT_EQ(ptx_version, 80);
  EXPECT_EQ(max_threads, 128);
  EXPECT_EQ(max_dynamic, 48 * 1024);

  // sm_80: 2,048 threads, 32 blocks and 164 KiB a multiprocessor, of which a block takes 1 KiB unasked.
  using Occupancy = int(int, std::size_t, int*);
  const auto blocks = [](int threads, std::size_t shared) {
    int result = -1;
    EXPECT_EQ(basics<Occupancy>("occupancy", threads, shared, &result), 0);
    return result;
  };
  EXPECT_EQ(blocks(1024, 0), 2);
  EXPECT_EQ(blocks(256, 0), 8);
  EXPECT_EQ(blocks(33, 0), 32);
  EXPECT_EQ(blocks(32, 0), 32);
  EXPECT_EQ(blocks(128, 40 * 1024), 4);
  EXPECT_EQ(blocks(128, 163 * 1024), 1);
  EXPECT_EQ(blocks(128, 200 * 1024), 0);
  EXPECT_EQ(blocks(1025, 0), 0);
  int result = 0;
  EXPECT_EQ(basics<Occupancy>("occupancy", 0, std::size_t{0}, &result), 1);
}

}  // namespace
}  // namespace warpcheck::cudart

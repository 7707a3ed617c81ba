#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <sstream>

#include "tests/simt/machine_fixture.hpp"

// Kernels as nvcc compiles them. The sums are of small integers, so every order gives the same float.
namespace warpcheck::simt::testing {
namespace {

using ::testing::HasSubstr;

std::string read_file(const char* path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// The line of the source that ends in "// line: <marker>".
std::uint32_t line_of(const std::string& marker) {
  std::istringstream source(read_file(WARPCHECK_MACHINE_CU));
  std::string line;
  for (std::uint32_t number = 1; std::getline(source, line); ++number) {
    if (line.ends_with("// line: " + marker)) return number;
  }
  ADD_FAILURE() << "no line '" << marker << "'";
  return 0;
}

class Nvcc : public ::testing::Test {
 protected:
  Device device_{read_file(WARPCHECK_MACHINE_PTX)};

  std::vector<float> numbers(std::size_t n) {
    std::vector<float> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = static_cast<float>((i * 37 + 11) % 23) - 7.0f;
    return x;
  }
  static float sum_of(const std::vector<float>& x) { return std::accumulate(x.begin(), x.end(), 0.0f); }

  LaunchConfig geometry(std::uint32_t blocks, std::uint32_t threads) {
    LaunchConfig config;
    config.grid = {blocks};
    config.block = {threads};
    config.step_budget = 20'000'000;
    return config;
  }
  /// The kernel whose demangled name begins with `name(`.
  LaunchResult run(const std::string& name, const LaunchConfig& config, const Arguments& arguments) {
    for (const EntryInfo& info : Machine::entries(device_.program())) {
      if (info.demangled.starts_with(name + "(")) return device_.run(config, arguments, info.name);
    }
    ADD_FAILURE() << "no kernel " << name;
    return {};
  }
};

TEST_F(Nvcc, every_kernel_can_be_run) {
  EXPECT_EQ(Machine::entries(device_.program()).size(), 14u);
  for (const EntryInfo& info : Machine::entries(device_.program()))
    EXPECT_EQ(info.unsupported, "") << info.demangled;
}

struct Case {
  int n;
  std::uint32_t threads;
};

TEST_F(Nvcc, a_block_tree_is_exact_under_every_schedule) {
  for (const Schedule::Order order :
       {Schedule::Order::lowest_first, Schedule::Order::highest_first, Schedule::Order::random}) {
    for (const Case c : {Case{1, 32}, Case{100, 64}, Case{256, 256}, Case{1000, 128}}) {
      const auto x = numbers(static_cast<std::size_t>(c.n));
      const std::uint32_t blocks = (static_cast<std::uint32_t>(c.n) + c.threads - 1) / c.threads;
      const DeviceAddress dx = device_.upload(x, "x"),
                          out = device_.upload(std::vector<float>(blocks), "sums");
      LaunchConfig config = geometry(blocks, c.threads);
      config.schedule = {order, 5};
      const LaunchResult result = run("tree", config, Arguments(dx, c.n, out));
      EXPECT_TRUE(result.findings.empty()) << describe(result);
      EXPECT_EQ(sum_of(device_.download<float>(out, blocks)), sum_of(x));
    }
  }
}

TEST_F(Nvcc, a_shared_overrun_is_named_with_its_line) {
  const DeviceAddress x = device_.upload(numbers(256), "x"),
                      out = device_.upload(std::vector<float>(1), "sums");
  const LaunchResult result = run("tree_too_far", geometry(1, 256), Arguments(x, 256, out));
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::out_of_bounds);
  EXPECT_EQ(finding.object, "s[256]");
  EXPECT_THAT(finding.message, HasSubstr("s[256], 4 bytes past the end of s (1024 bytes)"));
  EXPECT_EQ(finding.kernel, "tree_too_far(float const*, int, float*)");
  EXPECT_EQ(finding.parties[0].stack[0].line, line_of("shared overrun"));
  EXPECT_THAT(finding.parties[0].stack[0].file, HasSubstr("machine_kernels.cu"));
}

TEST_F(Nvcc, a_global_overrun_is_named_with_its_line) {
  const DeviceAddress x = device_.upload(numbers(1000), "x"),
                      out = device_.upload(std::vector<float>(1024), "out");
  const LaunchResult result = run("unguarded", geometry(4, 256), Arguments(x, 1000, out));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].object, "x[1000]");
  EXPECT_THAT(result.findings[0].message, HasSubstr("thread (232,0,0) of block (3,0,0) reads 4 bytes at "
                                                    "x[1000], 4 bytes past the end of x (4000 bytes)"));
  EXPECT_EQ(result.findings[0].parties[0].stack[0].line, line_of("global overrun"));
  EXPECT_TRUE(run("unguarded", geometry(4, 250), Arguments(x, 1000, out)).findings.empty());
}

TEST_F(Nvcc, shuffles_dynamic_shared_memory_and_constants) {
  const auto [weights, size] = Machine::variable(device_.program(), "weights");
  ASSERT_EQ(size, 16u);
  const float values[] = {1, 2, 3, -1};
  std::memcpy(device_.memory().host(weights), values, sizeof values);
  const auto x = numbers(777);
  float expected = 0;
  for (std::size_t i = 0; i < x.size(); ++i) expected += x[i] * values[i & 3];
  const DeviceAddress dx = device_.upload(x, "x"), out = device_.upload(std::vector<float>(1), "sum");
  for (const std::uint32_t threads : {32u, 64u, 96u, 256u, 1024u}) {
    LaunchConfig config = geometry(1, threads);
    config.dynamic_shared_bytes = threads / 32 * 4;
    const LaunchResult result = run("shuffle_two_pass", config, Arguments(dx, 777, out));
    EXPECT_TRUE(result.findings.empty()) << describe(result);
    EXPECT_EQ(device_.download<float>(out, 1)[0], expected);
  }
}

TEST_F(Nvcc, leaving_before_a_barrier_names_both_lines) {
  const DeviceAddress x = device_.upload(numbers(64), "x"),
                      out = device_.upload(std::vector<float>(1), "sum");
  const LaunchResult result = run("early_return", geometry(1, 64), Arguments(x, 40, out));
  ASSERT_EQ(result.findings.size(), 1u);
  const Finding& finding = result.findings[0];
  EXPECT_EQ(finding.kind, FindingKind::exited_before_barrier);
  ASSERT_EQ(finding.parties.size(), 2u);
  EXPECT_EQ(finding.parties[1].stack[0].line, line_of("barrier"));
  EXPECT_EQ(finding.count, 24u);
  EXPECT_TRUE(run("early_return", geometry(1, 64), Arguments(x, 64, out)).findings.empty());
}

TEST_F(Nvcc, a_barrier_in_both_arms_is_divergence) {
  const DeviceAddress x = device_.upload(numbers(64), "x"),
                      out = device_.upload(std::vector<float>(64), "sum");
  const LaunchResult result = run("barrier_in_branch", geometry(1, 64), Arguments(x, 1, out));
  ASSERT_EQ(result.findings.size(), 1u) << describe(result);
  EXPECT_EQ(result.findings[0].kind, FindingKind::barrier_divergence);
  EXPECT_TRUE(run("barrier_in_branch", geometry(1, 32), Arguments(x, 1, out)).findings.empty());
}

TEST_F(Nvcc, the_last_block_finishes_the_sum_and_resets_its_ticket) {
  const auto x = numbers(3000);
  const DeviceAddress dx = device_.upload(x, "x"),
                      partials = device_.upload(std::vector<float>(9), "partials");
  const DeviceAddress out = device_.upload(std::vector<float>(1), "sum");
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    LaunchConfig config = geometry(9, 32);
    config.schedule = {seed == 0 ? Schedule::Order::lowest_first : Schedule::Order::random, seed};
    const LaunchResult result = run("last_block", config, Arguments(dx, 3000, partials, out));
    EXPECT_TRUE(result.findings.empty()) << describe(result);
    EXPECT_EQ(device_.download<float>(out, 1)[0], sum_of(x));
  }
}

TEST_F(Nvcc, cooperative_groups_synchronise_the_grid) {
  const auto x = numbers(3000);
  const DeviceAddress dx = device_.upload(x, "x"),
                      partials = device_.upload(std::vector<float>(512), "partials");
  const DeviceAddress out = device_.upload(std::vector<float>(1), "sum");
  for (const Schedule::Order order :
       {Schedule::Order::lowest_first, Schedule::Order::highest_first, Schedule::Order::random}) {
    LaunchConfig config = geometry(8, 64);
    config.cooperative = true;
    config.schedule = {order, 3};
    const LaunchResult result = run("grid_sync", config, Arguments(dx, 3000, partials, out));
    EXPECT_TRUE(result.findings.empty()) << describe(result);
    EXPECT_EQ(device_.download<float>(out, 1)[0], sum_of(x));
  }
}

TEST_F(Nvcc, cooperative_groups_reduce_tiles_and_coalesced_lanes) {
  std::vector<int> x(100);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<int>(i * 13 % 31) - 9;
  const DeviceAddress dx = device_.upload(x, "x"), out = device_.upload(std::vector<int>(128), "sums");
  const LaunchResult result = run("tile_reduce", geometry(1, 128), Arguments(dx, 100, out));
  EXPECT_TRUE(result.findings.empty()) << describe(result);
  const auto sums = device_.download<int>(out, 128);
  x.resize(128);
  for (std::size_t i = 0; i < 128; ++i) {
    const auto begin8 = static_cast<std::ptrdiff_t>(i / 8 * 8),
               begin32 = static_cast<std::ptrdiff_t>(i / 32 * 32);
    const int eight = std::accumulate(x.begin() + begin8, x.begin() + begin8 + 8, 0);
    const int most = *std::max_element(x.begin() + begin32, x.begin() + begin32 + 32);
    const int odd = std::accumulate(x.begin() + begin32, x.begin() + begin32 + 32, 0,
                                    [](int s, int v) { return v & 1 ? s + v : s; });
    EXPECT_EQ(sums[i], x[i] & 1 ? odd : eight * 1000 + most) << i;
  }
}

TEST_F(Nvcc, virtual_functions_and_recursion) {
  const std::vector<int> x{3, -2, 5, 7, 4};
  const DeviceAddress dx = device_.upload(x, "x"), out = device_.upload(std::vector<int>(32), "out");
  const LaunchResult result = run("virtual_calls", geometry(1, 32), Arguments(dx, out));
  EXPECT_TRUE(result.findings.empty()) << describe(result);
  const auto values = device_.download<int>(out, 32);
  for (std::size_t t = 0; t < 32; ++t) {
    int expected = x[0];
    for (std::size_t i = 1; i < 1 + t % 5; ++i) expected = t & 1 ? expected * x[i] : expected + x[i];
    EXPECT_EQ(values[t], expected) << t;
  }
}

TEST_F(Nvcc, printf_and_assert) {
  const DeviceAddress x = device_.upload(std::vector<int>{5}, "x");
  EXPECT_TRUE(run("checked", geometry(1, 32), Arguments(x, 99)).findings.empty());
  EXPECT_EQ(device_.output(), "n = 99, first value 2.500\n");
  const LaunchResult result = run("checked", geometry(1, 32), Arguments(x, 100));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::assertion_failed);
  EXPECT_THAT(result.findings[0].message, HasSubstr("`n < 100`"));
  EXPECT_EQ(result.findings[0].parties[0].stack[0].line, line_of("assertion"));
}

TEST_F(Nvcc, atomics_in_shared_and_global_memory) {
  std::vector<unsigned char> x(5000);
  std::vector<std::uint32_t> expected(16);
  double total = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<unsigned char>(i * i >> 3);
    ++expected[x[i] % 16];
    total += x[i];
  }
  const DeviceAddress dx = device_.upload(x, "x"),
                      counts = device_.upload(std::vector<std::uint32_t>(16), "counts");
  const DeviceAddress sum = device_.upload(std::vector<double>(1), "total");
  const LaunchResult result = run("histogram", geometry(3, 96), Arguments(dx, 5000, counts, sum));
  EXPECT_TRUE(result.findings.empty()) << describe(result);
  EXPECT_EQ(device_.download<std::uint32_t>(counts, 16), expected);
  EXPECT_EQ(device_.download<double>(sum, 1)[0], total);
}

TEST_F(Nvcc, a_mask_from_a_ballot_is_silent) {
  std::vector<int> x(32);
  for (std::size_t i = 0; i < 32; ++i) x[i] = static_cast<int>(i * 7 % 32);
  const DeviceAddress dx = device_.upload(x, "x"), out = device_.upload(std::vector<int>(32, -1), "out");
  const LaunchResult result = run("partial_warp", geometry(1, 32), Arguments(dx, out));
  EXPECT_TRUE(result.findings.empty()) << describe(result);
  const auto values = device_.download<int>(out, 32);
  int count[2]{};
  for (const int v : x) count[v & 1] += v > 10;
  for (std::size_t i = 0; i < 32; ++i) EXPECT_EQ(values[i], x[i] > 10 ? 31 + count[x[i] & 1] : -1);
}

TEST_F(Nvcc, a_spin_on_a_flag_that_nobody_sets_times_out) {
  const DeviceAddress flag = device_.upload(std::vector<int>(1), "flag");
  LaunchConfig config = geometry(2, 64);
  config.step_budget = 100'000;
  const LaunchResult result = run("never_ends", config, Arguments(flag));
  ASSERT_EQ(result.findings.size(), 1u);
  EXPECT_EQ(result.findings[0].kind, FindingKind::time_out);
  EXPECT_EQ(result.findings[0].parties[0].stack[0].line, line_of("spin"));
}

}  // namespace
}  // namespace warpcheck::simt::testing

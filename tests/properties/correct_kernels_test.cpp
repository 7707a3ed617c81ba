#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

#include "generators/generator.hpp"
#include "tests/properties/contracts.hpp"
#include "tests/properties/fake_executor.hpp"
#include "tests/properties/host_sums.hpp"

namespace warpcheck::properties {
namespace {

struct Counts {
  std::size_t holds = 0, inapplicable = 0, no_power = 0;
};

/// Judges every property on its generators' cases and fails on any false alarm.
std::map<std::string, Counts, std::less<>> judge_everything(const KernelInfo& kernel,
                                                            const FakeExecutor::Function& function,
                                                            std::uint64_t seeds) {
  std::map<std::string, Counts, std::less<>> counts;
  for (const Property* property : all_properties()) {
    if (!property->inapplicable_to(kernel).empty()) continue;
    const std::vector<std::string> names = property->generators();
    for (const Generator* generator : all_generators()) {
      if (!names.empty() && std::find(names.begin(), names.end(), generator->name()) == names.end()) continue;
      std::vector<Case> cases = generator->required(kernel);
      for (std::uint64_t seed = 0; seed < seeds; ++seed) {
        Case drawn = generator->draw(kernel, seed);
        // Long arrays make this slow and show nothing that short ones do not.
        if (drawn.n() <= 2000) cases.push_back(std::move(drawn));
      }
      FakeExecutor executor(function);
      for (const Case& c : cases) {
        const std::uint64_t before = executor.runs();
        const Verdict verdict = property->judge(kernel, c, executor);
        EXPECT_FALSE(verdict.falsified())
            << property->name() << " cries wolf over " << kernel.name << " for " << c.family
            << " with n = " << c.n() << ": " << verdict.reason << "; expected " << verdict.expected
            << ", got " << verdict.got << ", bound " << verdict.bound;
        if (verdict.falsified()) return counts;
        EXPECT_NE(verdict.kind, VerdictKind::not_run);
        EXPECT_EQ(verdict.reason.empty(), verdict.kind == VerdictKind::holds) << property->name();
        // Within a verdict that says something, every run is counted.
        if (verdict.kind == VerdictKind::holds) {
          EXPECT_EQ(verdict.runs, executor.runs() - before) << property->name();
        }
        Counts& count = counts[std::string(property->name())];
        if (verdict.kind == VerdictKind::holds) ++count.holds;
        if (verdict.kind == VerdictKind::inapplicable) ++count.inapplicable;
        if (verdict.kind == VerdictKind::no_power) ++count.no_power;
      }
    }
  }
  return counts;
}

/// Every property held, and for most of the cases that its generators made for it.
void expect_all_to_hold(const std::map<std::string, Counts, std::less<>>& counts, std::size_t properties) {
  EXPECT_EQ(counts.size(), properties);
  for (const auto& [name, count] : counts) {
    EXPECT_GT(count.holds, 4 * count.no_power) << name;
    EXPECT_GT(2 * count.holds, count.inapplicable) << name << " says too little";
    EXPECT_GE(count.holds, 5u) << name;
  }
}

constexpr std::uint64_t kSeeds = 60;

TEST(CorrectKernels, satisfy_every_property_when_one_thread_adds) {
  expect_all_to_hold(judge_everything(serial_kernel(), correct_serial<float>(), kSeeds), 14);
}

TEST(CorrectKernels, satisfy_every_property_when_blocks_halve) {
  expect_all_to_hold(judge_everything(tree_kernel(), correct_tree<float>(), kSeeds), 13);
}

TEST(CorrectKernels, satisfy_every_property_when_warps_shuffle) {
  expect_all_to_hold(judge_everything(shuffle_kernel(), correct_shuffle<float>(), kSeeds), 13);
}

TEST(CorrectKernels, satisfy_every_property_when_additions_are_wider_than_elements) {
  expect_all_to_hold(judge_everything(mixed_kernel(), correct_shuffle<double>(), kSeeds), 13);
}

TEST(CorrectKernels, satisfy_every_property_in_double_precision) {
  expect_all_to_hold(judge_everything(double_kernel(), correct_tree<double>(), kSeeds), 13);
}

TEST(CorrectKernels, satisfy_every_property_when_the_output_is_narrower) {
  expect_all_to_hold(judge_everything(narrowing_kernel(), correct_tree<double>(), kSeeds), 12);
}

TEST(CorrectKernels, satisfy_every_property_that_applies_when_the_order_changes_from_run_to_run) {
  const auto any_order = host_function<float>([](std::vector<float> x, const Launch& launch) {
    std::mt19937_64 random(launch.serial_number);
    std::shuffle(x.begin(), x.end(), random);
    return serial_sum(x);
  });
  const auto counts = judge_everything(atomic_kernel(), any_order, kSeeds);
  EXPECT_EQ(counts.size(), 9u);
  EXPECT_FALSE(counts.contains("run_to_run_equal"));
  EXPECT_FALSE(counts.contains("negation"));
  EXPECT_GT(counts.at("within_proved_bound").holds, 400u);
  EXPECT_GT(counts.at("exact_window").holds, 60u);
  // Judged only where no order can round.
  EXPECT_GT(counts.at("recycled_memory").holds, 100u);
  EXPECT_GT(counts.at("recycled_memory").inapplicable, 100u);
}

TEST(CorrectKernels, satisfy_the_bound_over_thousands_of_cases) {
  const Property* property = find_property("within_proved_bound");
  FakeExecutor executor(correct_shuffle<float>());
  const KernelInfo kernel = shuffle_kernel();
  std::size_t holds = 0, blind = 0, judged = 0;
  double worst = 0;
  for (const Generator* generator : all_generators()) {
    for (std::uint64_t seed = 1000; seed < 1400; ++seed) {
      const Case c = generator->draw(kernel, seed);
      if (c.n() > 2000) continue;
      const Verdict verdict = property->judge(kernel, c, executor);
      ASSERT_FALSE(verdict.falsified()) << c.family << ": " << verdict.got << " for " << verdict.expected;
      ++judged;
      if (verdict.kind != VerdictKind::holds) continue;
      ++holds;
      if (verdict.measures.zero_blind) ++blind;
      worst = std::max(worst, verdict.measures.error_over_tolerance);
    }
  }
  EXPECT_GT(holds, judged * 8 / 10);
  EXPECT_GT(blind, 50u) << "cancelling input is blind to the answer zero, and that is counted";
  EXPECT_LT(blind, judged / 3);
  EXPECT_GT(worst, 0.05) << "a bound that no case comes near is no test";
  EXPECT_LE(worst, 1.0);
}

}  // namespace
}  // namespace warpcheck::properties

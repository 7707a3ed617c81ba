#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <set>

#include "framework/engine/check.hpp"
#include "framework/engine/session.hpp"

namespace warpcheck {
namespace {

/// A planted fault, who must catch it and how, and how small its counterexample must become.
struct Fault {
  std::string_view kernel;
  std::string_view property;
  FailureClass failure;
  std::optional<FindingKind> finding;
  std::uint64_t n;      ///< at most
  std::uint32_t grid;   ///< at most
  std::uint32_t block;  ///< at most
};

using enum FailureClass;
using Kind = FindingKind;

/// Sizes follow from the faults. A partial last warp needs a block of 33 and its 33rd element; a second block
/// needs an element beyond the first block's 32; and so on.
constexpr Fault kFaults[] = {
    // Shapes.
    {"partial_warp_floor", "exact_window", wrong_value, {}, 33, 1, 33},
    {"partial_warp_floor", "within_proved_bound", over_bound, {}, 33, 1, 33},
    {"partial_warp_full_mask", "exact_window", wrong_value, {}, 33, 1, 33},
    {"partial_warp_full_mask", "within_proved_bound", over_bound, {}, 33, 1, 33},
    {"last_element_dropped", "exact_window", wrong_value, {}, 2, 1, 32},
    {"last_element_dropped", "within_proved_bound", over_bound, {}, 2, 1, 32},
    {"last_element_dropped", "one_hot", wrong_value, {}, 2, 1, 32},
    {"last_element_dropped", "single_element_exact", wrong_value, {}, 1, 1, 32},
    {"read_past_the_end", "within_proved_bound", contract_violation, Kind::out_of_bounds, 1, 1, 32},
    {"final_pass_skipped", "exact_window", wrong_value, {}, 33, 2, 32},
    {"final_pass_skipped", "within_proved_bound", over_bound, {}, 33, 2, 32},
    {"partial_in_wrong_slot", "within_proved_bound", over_bound, {}, 33, 2, 32},
    {"final_pass_of_block_size", "within_proved_bound", special_value, {}, 1, 1, 64},
    {"nothing_written_for_empty", "empty_gives_identity", stale_output, {}, 0, 1, 32},
    {"empty_grid_for_empty", "empty_gives_identity", launch_error, {}, 0, 1, 32},
    // Collectives.
    {"collective_in_bounds_check", "within_proved_bound", contract_violation, Kind::barrier_divergence, 1, 1,
     32},
    {"return_before_barrier", "within_proved_bound", contract_violation, Kind::exited_before_barrier, 1, 1,
     32},
    {"warps_return_undeclared", "within_proved_bound", contract_violation, Kind::exited_before_barrier, 1, 1,
     64},
    {"shuffle_from_unnamed_lanes", "exact_window", wrong_value, {}, 17, 1, 32},
    // Precision, order, host code.
    // Three values that cancel, and a zero that keeps them where they are added in the order that rounds.
    {"narrow_accumulation", "within_proved_bound", over_bound, {}, 4, 1, 32},
    {"output_not_cleared", "within_proved_bound", special_value, {}, 1, 1, 32},
    {"host_reads_device_memory", "within_proved_bound", crash, {}, 2, 1, 32},
    {"never_ends", "within_proved_bound", time_out, {}, 101, 1, 32},
    {"input_overwritten", "input_unchanged", contract_violation, Kind::write_to_const, 1, 1, 32},
};

/// Beside the faults, and not to be blamed by anyone: each says in its contract what looks like a fault.
constexpr std::string_view kCorrect[] = {"atomic_an_element", "warps_return_as_declared"};

engine::Session& session() {
  static engine::Session* const instance = [] {
    auto* made = new engine::Session("cpu");
    made->add_plugin(MUTANTS_PLUGIN);
    return made;
  }();
  return *instance;
}

const KernelInfo* find_kernel(std::string_view name) {
  const auto& kernels = session().kernels();
  const auto found = std::find_if(kernels.begin(), kernels.end(),
                                  [&](const KernelInfo& kernel) { return kernel.name == name; });
  return found == kernels.end() ? nullptr : &*found;
}

class Mutant : public testing::TestWithParam<Fault> {};

TEST_P(Mutant, is_caught_and_reduced) {
  const Fault& fault = GetParam();
  const KernelInfo* const kernel = find_kernel(fault.kernel);
  ASSERT_NE(kernel, nullptr);
  const Property* const property = find_property(fault.property);
  ASSERT_NE(property, nullptr);

  const engine::CheckResult result = engine::check(*kernel, *property, session().executor(), {});
  ASSERT_EQ(result.verdict, VerdictKind::falsified) << result.reason;
  ASSERT_TRUE(result.counterexample.has_value());
  const engine::Counterexample& counterexample = *result.counterexample;
  const std::string& text = counterexample.text;
  EXPECT_EQ(result.failure, fault.failure) << name_of(result.failure) << "\n" << text;
  if (fault.finding) {
    const Finding* const finding = counterexample.verdict.error_finding();
    ASSERT_NE(finding, nullptr) << text;
    EXPECT_EQ(finding->kind, *fault.finding) << text;
    ASSERT_FALSE(finding->parties.empty()) << text;
    ASSERT_FALSE(finding->parties.front().stack.empty()) << text;
    EXPECT_THAT(finding->parties.front().stack.front().file, testing::HasSubstr("mutants")) << text;
    EXPECT_GT(finding->parties.front().stack.front().line, 0u) << text;
  }
  EXPECT_LE(counterexample.reduced.n(), fault.n) << text;
  EXPECT_LE(counterexample.reduced.geometry.grid, fault.grid) << text;
  EXPECT_LE(counterexample.reduced.geometry.block, fault.block) << text;
  EXPECT_EQ(counterexample.verdict.failure, counterexample.original_verdict.failure)
      << "the reduction changed the class";
  EXPECT_FALSE(counterexample.flaky);
}

INSTANTIATE_TEST_SUITE_P(All, Mutant, testing::ValuesIn(kFaults),
                         [](const testing::TestParamInfo<Fault>& each) {
                           return std::string(each.param.kernel) + "__" + std::string(each.param.property);
                         });

TEST(Mutants, every_kernel_of_the_plugin_is_in_the_table_or_named_here) {
  std::set<std::string_view> known(std::begin(kCorrect), std::end(kCorrect));
  for (const Fault& fault : kFaults) known.insert(fault.kernel);
  for (const KernelInfo& kernel : session().kernels())
    EXPECT_TRUE(known.contains(kernel.name)) << kernel.name;
}

TEST(Mutants, kernels_that_declare_what_they_do_are_not_blamed_by_any_property) {
  for (const std::string_view name : kCorrect) {
    for (const Property* property : all_properties()) {
      const engine::CheckResult result =
          engine::check(*find_kernel(name), *property, session().executor(), {});
      EXPECT_TRUE(result.verdict == VerdictKind::holds || result.verdict == VerdictKind::inapplicable)
          << name << ", " << property->name() << ": " << name_of(result.verdict) << " " << result.reason
          << (result.counterexample ? result.counterexample->text : "");
    }
  }
}

Case ones(std::uint64_t n, Geometry geometry) {
  Case result;
  result.input = make_input(std::vector<float>(n, 1.0f));
  result.geometry = geometry;
  return result;
}

TEST(Mutants, a_chain_of_2_to_the_24_additions_has_no_power_and_does_not_pass) {
  const Property& property = *find_property("within_proved_bound");
  const Case beyond = ones((1u << 24) + 2, {64, 1024});
  EXPECT_EQ(beyond.input->reference().rounded(numeric::Format::fp64), numeric::value_of(16777218.0));
  const Verdict verdict = property.judge(*find_kernel("atomic_an_element"), beyond, session().executor());
  EXPECT_EQ(verdict.kind, VerdictKind::no_power) << verdict.reason;

  const Verdict within =
      property.judge(*find_kernel("atomic_an_element"), ones(1000, {2, 64}), session().executor());
  EXPECT_EQ(within.kind, VerdictKind::holds) << within.reason;
}

TEST(Mutants, block_sizes_that_are_multiples_of_a_warp_do_not_show_the_partial_warp) {
  const Property& property = *find_property("within_proved_bound");
  for (const std::string_view name : {"partial_warp_floor", "partial_warp_full_mask"}) {
    for (const std::uint32_t block : {32u, 192u}) {
      EXPECT_EQ(property.judge(*find_kernel(name), ones(block, {1, block}), session().executor()).kind,
                VerdictKind::holds);
    }
    for (const std::uint32_t block : {33u, 45u, 48u, 129u, 159u, 180u}) {
      EXPECT_EQ(property.judge(*find_kernel(name), ones(block, {1, block}), session().executor()).failure,
                over_bound)
          << name << " with " << block << " threads";
    }
  }
}

TEST(Mutants, values_of_the_partial_warp_are_those_of_the_public_reports) {
  const auto sum = [](std::string_view name, std::uint32_t block) {
    const Case test_case = ones(block, {1, block});
    return numeric::to_double(session().executor().run_once(*find_kernel(name), {&test_case}).output);
  };
  EXPECT_EQ(sum("partial_warp_floor", 180), 160);
  EXPECT_EQ(sum("partial_warp_full_mask", 180), 192);
}

TEST(Mutants, a_final_pass_of_block_size_is_right_only_with_as_many_partials_as_threads) {
  const Property& property = *find_property("within_proved_bound");
  const KernelInfo& kernel = *find_kernel("final_pass_of_block_size");
  EXPECT_EQ(property.judge(kernel, ones(65536, {1, 256}), session().executor()).kind, VerdictKind::holds);
  EXPECT_EQ(property.judge(kernel, ones(65536, {1, 128}), session().executor()).failure, over_bound);
  EXPECT_EQ(property.judge(kernel, ones(65536, {1, 512}), session().executor()).kind, VerdictKind::falsified);
}

}  // namespace
}  // namespace warpcheck

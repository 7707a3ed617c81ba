#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <random>

#include "framework/contract/property.hpp"
#include "framework/engine/check.hpp"
#include "framework/engine/session.hpp"
#include "tests/kernels/host_twins.hpp"

namespace warpcheck {
namespace {

engine::Session& session() {
  static engine::Session* const instance = [] {
    auto* made = new engine::Session("cpu");
    made->add_plugin(engine::builtin_kernels_plugin());
    return made;
  }();
  return *instance;
}

const KernelInfo& kernel(std::string_view name) {
  const auto& kernels = session().kernels();
  return *std::find_if(kernels.begin(), kernels.end(),
                       [&](const KernelInfo& info) { return info.name == name; });
}

TEST(BuiltinKernels, are_these_four) {
  std::vector<std::string> names;
  for (const KernelInfo& info : session().kernels()) names.push_back(info.name);
  EXPECT_THAT(names, testing::UnorderedElementsAre("serial", "tree_two_pass", "shuffle_two_pass",
                                                   "shuffle_two_pass_fp64"));
}

/// Every built-in kernel with every property: what is not inapplicable holds, without a finding.
class EveryProperty : public testing::TestWithParam<std::string_view> {};

TEST_P(EveryProperty, holds_or_is_inapplicable_without_any_finding) {
  for (const Property* property : all_properties()) {
    engine::CheckOptions options;
    options.seed = 2;
    const engine::CheckResult result =
        engine::check(kernel(GetParam()), *property, session().executor(), options);
    EXPECT_TRUE(result.verdict == VerdictKind::holds || result.verdict == VerdictKind::inapplicable)
        << property->name() << ": " << name_of(result.verdict) << " " << result.reason
        << (result.counterexample ? result.counterexample->text : "");
    EXPECT_EQ(result.warnings, 0u) << property->name();
    if (result.verdict == VerdictKind::holds) {
      EXPECT_GT(result.cases, 0u) << property->name();
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Builtin, EveryProperty,
                         testing::Values("serial", "tree_two_pass", "shuffle_two_pass",
                                         "shuffle_two_pass_fp64"),
                         [](const testing::TestParamInfo<std::string_view>& each) {
                           return std::string(each.param);
                         });

/// Arrays whose sums depend on every detail of the order.
std::vector<float> rough_values(std::size_t n, std::mt19937_64& random) {
  std::vector<float> values(n);
  std::uniform_real_distribution<float> mantissa(-1, 1);
  std::uniform_int_distribution<int> exponent(-20, 20);
  for (float& value : values) value = std::ldexp(mantissa(random), exponent(random));
  return values;
}

template <class Twin>
void compare_bits(std::string_view name, std::initializer_list<std::uint32_t> blocks, Twin twin) {
  std::mt19937_64 random(7);
  for (const std::uint32_t block : blocks) {
    for (const std::uint32_t grid : {1u, 2u, 3u, 7u}) {
      for (const std::size_t n : {0u, 1u, 2u, 31u, 32u, 33u, 63u, 100u, 257u, 1000u, 4099u}) {
        const std::vector<float> values = rough_values(n, random);
        Case test_case;
        test_case.input = make_input(values);
        test_case.geometry = {grid, block};
        const Outcome outcome = session().executor().run_once(kernel(name), {&test_case});
        ASSERT_EQ(outcome.status, RunStatus::completed) << outcome.detail;
        ASSERT_EQ(outcome.output, numeric::value_of(twin(values, test_case.geometry)))
            << "n = " << n << ", grid " << grid << ", block " << block;
      }
    }
  }
}

TEST(Bits, of_serial_are_those_of_a_loop) {
  compare_bits("serial", {32}, [](const auto& values, const Geometry&) { return serial_twin(values); });
}

TEST(Bits, of_tree_two_pass_are_those_of_its_data_flow) {
  compare_bits("tree_two_pass", {2, 3, 32, 33, 100, 256}, tree_two_pass_twin);
}

TEST(Bits, of_shuffle_two_pass_are_those_of_its_data_flow) {
  compare_bits("shuffle_two_pass", {32, 64, 96, 256, 1024}, shuffle_two_pass_twin);
}

TEST(Bits, of_shuffle_two_pass_fp64_are_those_of_its_data_flow) {
  compare_bits("shuffle_two_pass_fp64", {32, 64, 96, 256}, shuffle_two_pass_fp64_twin);
}

/// 2^24 + 2 ones: a chain of additions stalls at 2^24, a tree does not, and neither may pass unseen.
TEST(LongSums, of_ones_have_no_power_in_a_chain_and_are_exact_in_a_tree) {
  Case ones;
  ones.input = make_input(std::vector<float>((1u << 24) + 2, 1.0f));
  ones.geometry = {256, 256};
  const Property& property = *find_property("within_proved_bound");
  EXPECT_EQ(property.judge(kernel("serial"), ones, session().executor()).kind, VerdictKind::no_power);
  const Verdict shuffled = property.judge(kernel("shuffle_two_pass"), ones, session().executor());
  EXPECT_EQ(shuffled.kind, VerdictKind::holds) << shuffled.reason;
}

}  // namespace
}  // namespace warpcheck

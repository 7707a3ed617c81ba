#include "framework/engine/reduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "framework/numeric/bound.hpp"
#include "framework/numeric/judge.hpp"
#include "tests/engine/example.hpp"

namespace warpcheck::engine::testing {
namespace {

using numeric::Format;
using numeric::Value;

std::vector<float> floats_of(const Case& test_case) {
  std::vector<float> values;
  for (const Value value : test_case.input->values())
    values.push_back(static_cast<float>(numeric::to_double(value)));
  return values;
}

/// A kernel that adds what `elements` leaves of the array, judged by the proved bound of any order.
template <class Elements>
Judge judge_sum_of(const Elements& elements) {
  return [elements](const Case& test_case) {
    float sum = 0;
    for (const float value : elements(test_case)) sum += value;
    numeric::SumModel model;
    model.any_order = true;
    const auto tolerance = numeric::tolerance(model, test_case.input->reference());
    const auto accuracy = numeric::judge(numeric::value_of(sum), test_case.input->reference(), tolerance);
    Verdict verdict;
    verdict.runs = 1;
    if (!accuracy.judged || accuracy.within) return verdict;
    verdict.kind = VerdictKind::falsified;
    verdict.failure = FailureClass::over_bound;
    verdict.measures.error_over_sum_abs = accuracy.error_over_sum_abs;
    verdict.measures.error_over_tolerance = accuracy.error_over_tolerance;
    return verdict;
  };
}

/// A fault that shows exactly where the condition holds, with no measure.
template <class Condition>
Judge fails_where(const Condition& condition) {
  return [condition](const Case& test_case) {
    Verdict verdict;
    verdict.runs = 1;
    if (!condition(test_case)) return verdict;
    verdict.kind = VerdictKind::falsified;
    verdict.failure = FailureClass::special_value;
    return verdict;
  };
}

/// Reduces and checks what must hold of every reduction: it fails still, in the same class, it is accepted by
/// the contract, it took no more judgements than allowed, it is deterministic, and reducing it again changes
/// nothing.
Reduction reduce_checked(const Case& original, const Judge& judge,
                         const KernelContract& contract = any_kernel().contract) {
  const Verdict verdict = judge(original);
  EXPECT_TRUE(verdict.falsified()) << "the original must fail";
  std::uint64_t calls = 0;
  const Judge counting = [&](const Case& candidate) {
    ++calls;
    EXPECT_TRUE(contract.accepts(candidate.geometry));
    return judge(candidate);
  };
  const Reduction reduction = reduce(original, verdict, contract, counting);
  EXPECT_EQ(calls, reduction.judgements);
  EXPECT_LE(reduction.judgements, ReductionLimits{}.judgements);
  EXPECT_FALSE(reduction.limit_reached);
  EXPECT_TRUE(reduction.confirmed);
  EXPECT_TRUE(verdict.same_fault(judge(reduction.reduced)));
  EXPECT_TRUE(verdict.same_fault(reduction.verdict));

  const auto expect_equal = [](const Reduction& a, const Reduction& b, const char* what) {
    EXPECT_TRUE(std::ranges::equal(a.reduced.input->bytes(), b.reduced.input->bytes())) << what;
    EXPECT_EQ(a.reduced.geometry, b.reduced.geometry) << what;
    EXPECT_EQ(a.reduced.schedule, b.reduced.schedule) << what;
    EXPECT_EQ(a.reduced.pointer_offset, b.reduced.pointer_offset) << what;
  };
  expect_equal(reduction, reduce(original, verdict, contract, judge), "not deterministic");
  expect_equal(reduction, reduce(reduction.reduced, reduction.verdict, contract, judge), "not idempotent");
  return reduction;
}

std::vector<float> all_but_last(const Case& test_case) {
  std::vector<float> values = floats_of(test_case);
  if (!values.empty()) values.pop_back();
  return values;
}

std::vector<float> first_pass_only(const Case& test_case) {
  std::vector<float> values = floats_of(test_case);
  values.resize(std::min<std::size_t>(values.size(), test_case.geometry.threads()));
  return values;
}

TEST(Reduce, leaves_one_element_of_value_one_where_the_last_is_dropped) {
  for (const std::uint64_t n : {2u, 31u, 300u, 5000u}) {
    std::vector<float> values = random_floats(n, n);
    values.back() = -1234567.8f;
    const Reduction reduction = reduce_checked(case_of(values, {7, 192}), judge_sum_of(all_but_last));
    EXPECT_EQ(floats_of(reduction.reduced), std::vector<float>{1});
    EXPECT_EQ(reduction.reduced.geometry, (Geometry{1, 32}));
    EXPECT_LT(reduction.judgements, 400u);
  }
}

TEST(Reduce, finds_the_first_element_beyond_the_smallest_launch) {
  const Reduction reduction =
      reduce_checked(case_of(random_floats(2000, 5), {3, 96}), judge_sum_of(first_pass_only));
  std::vector<float> expected(33, 0.0f);
  expected.back() = 1;
  EXPECT_EQ(floats_of(reduction.reduced), expected);
  EXPECT_EQ(reduction.reduced.geometry, (Geometry{1, 32}));
}

TEST(Reduce, finds_the_smallest_power_of_two_that_fails) {
  const Judge judge = fails_where([](const Case& c) {
    return std::ranges::any_of(floats_of(c), [](float x) { return std::fabs(x) >= 1048576; });
  });
  std::vector<float> values = random_floats(300, 9);
  values[211] = -3.7e9f;
  const Reduction reduction = reduce_checked(case_of(values, {2, 64}), judge);
  EXPECT_EQ(floats_of(reduction.reduced), std::vector<float>{1048576});
}

TEST(Reduce, goes_up_to_a_power_of_two_where_going_down_does_not_fail) {
  const Judge judge = fails_where(
      [](const Case& c) { return std::ranges::any_of(floats_of(c), [](float x) { return x >= 1000; }); });
  const Reduction reduction = reduce_checked(case_of({5, 1023.7f, -2}), judge);
  EXPECT_EQ(floats_of(reduction.reduced), std::vector<float>{1024});
}

TEST(Reduce, keeps_the_position_of_the_element_that_matters) {
  const Judge judge = fails_where([](const Case& c) { return c.n() > 37 && floats_of(c)[37] != 0; });
  for (const std::uint64_t n : {38u, 64u, 1000u}) {
    const Reduction reduction = reduce_checked(case_of(random_floats(n, n)), judge);
    std::vector<float> expected(38, 0.0f);
    expected[37] = 1;
    EXPECT_EQ(floats_of(reduction.reduced), expected);
  }
}

TEST(Reduce, keeps_the_place_in_the_block_of_the_element_that_matters) {
  const Judge judge = fails_where([](const Case& c) {
    const std::vector<float> values = floats_of(c);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i % c.geometry.block == 31 && values[i] > 100) return true;
    }
    return false;
  });
  std::vector<float> values = random_floats(1000, 4);
  values[128 * 5 + 31] = 12345.678f;
  const Reduction reduction = reduce_checked(case_of(values, {4, 128}), judge);
  std::vector<float> expected(32, 0.0f);
  expected[31] = 128;
  EXPECT_EQ(floats_of(reduction.reduced), expected);
}

TEST(Reduce, finds_a_threshold_of_the_length_exactly) {
  const Judge judge = fails_where([](const Case& c) { return c.n() >= 1000; });
  for (const std::uint64_t n : {1000u, 1001u, 1500u, 70'000u}) {
    const Reduction reduction = reduce_checked(case_of(random_floats(n, n), {5, 256}), judge);
    EXPECT_EQ(floats_of(reduction.reduced), std::vector<float>(1000, 0.0f));
    EXPECT_EQ(reduction.reduced.geometry, (Geometry{1, 32}));
  }
}

TEST(Reduce, keeps_what_cancels_together) {
  // The kernel loses a 1 that stands between +M and −M.
  const Judge judge = fails_where([](const Case& c) {
    const std::vector<float> values = floats_of(c);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (std::fabs(values[i]) < 16777216) continue;
      bool lost = false;
      for (std::size_t j = i + 1; j < values.size(); ++j) {
        if (values[j] == -values[i] && lost) return true;
        lost = lost || (values[j] != 0 && std::fabs(values[j]) <= 1);
      }
    }
    return false;
  });
  std::vector<float> values = random_floats(300, 21);
  values[40] = -1.2345e9f;
  values[55] = 1;
  values[190] = 1.2345e9f;
  const Reduction reduction = reduce_checked(case_of(values, {2, 64}), judge);
  EXPECT_LE(reduction.reduced.n(), 4u);
  const std::vector<float> expected{16777216, 1, -16777216};
  const std::vector<float> opposite{-16777216, 1, 16777216};
  EXPECT_TRUE(floats_of(reduction.reduced) == expected || floats_of(reduction.reduced) == opposite);
}

TEST(Reduce, drops_pairs_that_must_go_together) {
  // Fails while what there is cancels exactly: a single deletion never works.
  const Judge judge = fails_where([](const Case& c) {
    const auto& reference = c.input->reference();
    return c.n() >= 2 && reference.sum.is_zero() && !reference.sum_abs.is_zero();
  });
  std::vector<float> values;
  for (int i = 1; i <= 20; ++i) values.push_back(static_cast<float>(i) * 1.1f);
  for (int i = 1; i <= 20; ++i) values.push_back(static_cast<float>(i) * -1.1f);
  const Reduction reduction = reduce_checked(case_of(values), judge);
  ASSERT_EQ(reduction.reduced.n(), 2u);
  EXPECT_EQ(std::fabs(floats_of(reduction.reduced)[0]), 1);
}

TEST(Reduce, never_changes_the_class) {
  const Judge judge = [](const Case& test_case) {
    Verdict verdict = Verdict::falsified_as(
        test_case.n() < 5 ? FailureClass::crash : FailureClass::over_bound, "always wrong");
    verdict.measures.error_over_tolerance = 2;
    return verdict;
  };
  const Reduction reduction = reduce_checked(case_of(random_floats(200, 2)), judge);
  EXPECT_EQ(reduction.verdict.failure, FailureClass::over_bound);
  EXPECT_EQ(reduction.reduced.n(), 5u);
}

TEST(Reduce, never_changes_the_kind_of_violation) {
  const Judge judge = [](const Case& test_case) {
    Verdict verdict = Verdict::falsified_as(FailureClass::contract_violation, "always wrong");
    Finding finding;
    finding.kind = test_case.n() <= 64 ? FindingKind::deadlock : FindingKind::out_of_bounds;
    verdict.findings.push_back(finding);
    return verdict;
  };
  EXPECT_EQ(reduce_checked(case_of(random_floats(200, 2)), judge).reduced.n(), 65u);
}

TEST(Reduce, never_makes_a_gross_error_a_rounding_error) {
  // Grossly wrong where a large element is dropped; where there is none, a rounding error just over the
  // bound.
  const Judge judge = [](const Case& test_case) {
    Verdict verdict = Verdict::falsified_as(FailureClass::over_bound, "too far");
    float largest = 0;
    for (const float value : floats_of(test_case)) largest = std::max(largest, std::fabs(value));
    verdict.measures.error_over_tolerance = std::max(1.25, static_cast<double>(largest) * 10);
    return verdict;
  };
  const Case original = case_of({1, 2, 100, 3});
  const Reduction reduction = reduce(original, judge(original), any_kernel().contract, judge);
  EXPECT_GE(severity(reduction.verdict), 1000.0 / 8);
  EXPECT_EQ(floats_of(reduction.reduced), std::vector<float>{16});
}

TEST(Reduce, keeps_an_eighth_of_a_wrong_value_and_an_infinite_severity) {
  const auto verdict_of = [](FailureClass failure, double ratio) {
    Verdict verdict = Verdict::falsified_as(failure, "");
    verdict.measures.error_over_tolerance = verdict.measures.error_over_sum_abs = ratio;
    return verdict;
  };
  const double inf = HUGE_VAL;
  const auto over = FailureClass::over_bound;
  const auto wrong = FailureClass::wrong_value;
  EXPECT_TRUE(severity_kept(verdict_of(over, 800), verdict_of(over, 100)));
  EXPECT_FALSE(severity_kept(verdict_of(over, 800), verdict_of(over, 99)));
  EXPECT_FALSE(severity_kept(verdict_of(over, 2), verdict_of(over, 0.5)));
  EXPECT_FALSE(severity_kept(verdict_of(over, inf), verdict_of(over, 1e30)));
  EXPECT_TRUE(severity_kept(verdict_of(over, inf), verdict_of(over, inf)));
  EXPECT_TRUE(severity_kept(verdict_of(wrong, 0.5), verdict_of(wrong, 0.0625)));
  EXPECT_FALSE(severity_kept(verdict_of(wrong, 0.5), verdict_of(wrong, 0.06)));
  EXPECT_TRUE(severity_kept(verdict_of(FailureClass::crash, 9), verdict_of(FailureClass::crash, 0)));
}

TEST(Reduce, respects_any_limit_and_returns_what_it_has) {
  const Judge judge = judge_sum_of(first_pass_only);
  const Case failing = case_of(random_floats(700, 8), {4, 128});
  const Verdict verdict = judge(failing);
  ASSERT_TRUE(verdict.falsified());
  std::uint64_t last_n = failing.n();
  for (const std::uint64_t limit : {0u, 1u, 2u, 3u, 4u, 5u, 10u, 20u, 30u}) {
    std::uint64_t calls = 0;
    const Judge counting = [&](const Case& candidate) {
      ++calls;
      return judge(candidate);
    };
    const Reduction reduction =
        reduce(failing, verdict, any_kernel().contract, counting, {limit, std::nullopt});
    EXPECT_LE(calls, limit);
    EXPECT_EQ(calls, reduction.judgements);
    EXPECT_TRUE(reduction.limit_reached) << limit;
    EXPECT_EQ(reduction.confirmed, limit > 0);
    EXPECT_TRUE(judge(reduction.reduced).falsified());
    EXPECT_LE(reduction.reduced.n(), last_n) << "more judgements gave a longer array";
    last_n = reduction.reduced.n();
  }
  EXPECT_LT(last_n, 600u);
}

TEST(Reduce, stops_at_its_deadline) {
  const Judge judge = fails_where([](const Case&) { return true; });
  const Case original = case_of(random_floats(100, 1));
  const Reduction reduction = reduce(original, judge(original), any_kernel().contract, judge,
                                     {3000, std::chrono::steady_clock::now()});
  EXPECT_TRUE(reduction.limit_reached);
  EXPECT_EQ(reduction.judgements, 1u);
  EXPECT_EQ(reduction.reduced.n(), 100u);
}

TEST(Reduce, shortens_a_million_elements_within_the_limit) {
  const std::uint64_t n = std::uint64_t{1} << 20;
  const Judge judge = fails_where(
      [](const Case& c) { return c.n() > 77'777 && numeric::to_double((*c.input)[77'777]) != 0; });
  const Case original = case_of(random_floats(n, 77), {64, 256});
  const Reduction reduction = reduce(original, judge(original), any_kernel().contract, judge);
  EXPECT_FALSE(reduction.limit_reached);
  EXPECT_EQ(reduction.reduced.n(), 77'778u);
  EXPECT_EQ(numeric::to_double((*reduction.reduced.input)[77'777]), 1);
  EXPECT_EQ(reduction.reduced.input->reference().sum_abs, numeric::Decimal(1));
  EXPECT_LT(reduction.judgements, 2000u);
}

TEST(Reduce, moves_length_and_launch_together) {
  // Wrong where every thread has exactly one element.
  const Judge judge = fails_where([](const Case& c) { return c.n() == c.geometry.threads(); });
  const Reduction reduction = reduce_checked(case_of(random_floats(1024, 3), {8, 128}), judge);
  EXPECT_EQ(reduction.reduced.geometry, (Geometry{1, 32}));
  EXPECT_EQ(floats_of(reduction.reduced), std::vector<float>(32, 0.0f));
}

TEST(Reduce, keeps_to_the_geometries_that_the_contract_accepts) {
  KernelContract contract = any_kernel().contract;
  contract.min_block = 50;
  contract.max_block = 300;
  contract.block_multiple = 48;
  const Judge judge =
      fails_where([](const Case& c) { return c.geometry.grid >= 3 && c.n() > c.geometry.block; });
  const Reduction reduction = reduce_checked(case_of(random_floats(3000, 3), {40, 288}), judge, contract);
  EXPECT_EQ(reduction.reduced.geometry, (Geometry{3, 96}));
  EXPECT_EQ(reduction.reduced.n(), 97u);
}

TEST(Reduce, finds_the_smallest_block_that_is_no_power_of_two) {
  KernelContract contract = any_kernel().contract;
  contract.min_block = 1;
  contract.block_multiple = 1;
  const Judge judge =
      fails_where([](const Case& c) { return (c.geometry.block & (c.geometry.block - 1)) != 0; });
  EXPECT_EQ(reduce_checked(case_of({1, 2}, {2, 700}), judge, contract).reduced.geometry, (Geometry{1, 3}));
}

TEST(Reduce, takes_offset_and_schedule_back_as_far_as_they_do_not_matter) {
  Case original = case_of(random_floats(40, 3));
  original.pointer_offset = 3;
  original.schedule = {Schedule::Order::random, 987654321};
  const Judge always = fails_where([](const Case&) { return true; });
  EXPECT_EQ(reduce_checked(original, always).reduced.schedule, Schedule{});
  EXPECT_EQ(reduce_checked(original, always).reduced.pointer_offset, 0u);
  const Judge misaligned = fails_where([](const Case& c) { return c.pointer_offset >= 2; });
  EXPECT_EQ(reduce_checked(original, misaligned).reduced.pointer_offset, 2u);
  const Judge odd = fails_where([](const Case& c) { return c.schedule.seed % 2 == 1; });
  EXPECT_EQ(reduce_checked(original, odd).reduced.schedule, (Schedule{Schedule::Order::random, 1}));
}

TEST(Reduce, simplifies_doubles_subnormals_and_nan) {
  Case original = case_of({});
  const std::vector<double> values{0.1, -5e-324, 1e300, 3e-310};
  original.input = make_input(std::span<const double>(values));
  const Judge subnormal = fails_where([](const Case& c) {
    return std::ranges::any_of(c.input->values(), [](Value v) { return numeric::is_subnormal(v); });
  });
  const Reduction small = reduce_checked(original, subnormal);
  ASSERT_EQ(small.reduced.n(), 1u);
  EXPECT_EQ(numeric::to_double((*small.reduced.input)[0]), 0x1p-1023);

  const std::vector<Value> with_nan{numeric::value_of(2.5f), Value{Format::fp32, 0xffc01234},
                                    numeric::infinity(Format::fp32, true)};
  original.input = make_input(Format::fp32, with_nan);
  const Judge nan = fails_where([](const Case& c) { return c.input->reference().has_nan; });
  const Reduction quiet = reduce_checked(original, nan);
  ASSERT_EQ(quiet.reduced.n(), 1u);
  EXPECT_EQ((*quiet.reduced.input)[0], numeric::quiet_nan(Format::fp32));
  const Judge infinite = fails_where([](const Case& c) { return c.input->reference().nonfinite_count > 0; });
  EXPECT_EQ((*reduce_checked(original, infinite).reduced.input)[0], numeric::infinity(Format::fp32));
}

TEST(Reduce, keeps_the_empty_array_and_a_case_that_cannot_be_simpler) {
  const Judge always = fails_where([](const Case&) { return true; });
  EXPECT_EQ(reduce_checked(case_of({}), always).reduced.n(), 0u);
  EXPECT_EQ(reduce_checked(case_of({}), always).judgements, 1u);
}

TEST(Reduce, returns_the_original_where_the_fault_does_not_come_back) {
  const Case original = case_of(random_floats(50, 6));
  int calls = 0;
  const Judge judge = [&](const Case&) {
    return ++calls <= 2 ? Verdict::falsified_as(FailureClass::nondeterministic, "") : Verdict::holding();
  };
  const Reduction reduction =
      reduce(original, Verdict::falsified_as(FailureClass::nondeterministic, "the first"),
             any_kernel().contract, judge);
  EXPECT_FALSE(reduction.confirmed);
  EXPECT_EQ(reduction.reduced.n(), 50u);
  EXPECT_EQ(reduction.verdict.reason, "the first");
}

TEST(Reduce, reports_an_exception_of_the_judge_and_keeps_what_it_has) {
  const Case original = case_of(random_floats(50, 6));
  int calls = 0;
  const Judge judge = [&](const Case&) -> Verdict {
    if (++calls > 2) throw std::runtime_error("no worker can be had");
    return Verdict::falsified_as(FailureClass::crash, "");
  };
  const Reduction reduction =
      reduce(original, Verdict::falsified_as(FailureClass::crash, ""), any_kernel().contract, judge);
  EXPECT_EQ(reduction.stopped_by, "no worker can be had");
  EXPECT_FALSE(reduction.confirmed);
  EXPECT_LT(reduction.reduced.n(), 50u);
}

}  // namespace
}  // namespace warpcheck::engine::testing

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <optional>
#include <random>

#include "framework/numeric/text.hpp"
#include "generators/generator.hpp"
#include "tests/properties/contracts.hpp"
#include "tests/properties/fake_executor.hpp"
#include "tests/properties/host_sums.hpp"

namespace warpcheck::properties {
namespace {

/// The first verdict of `property` that falsifies `function`, among the required cases and some random ones.
std::optional<Verdict> hunt(std::string_view property_name, const KernelInfo& kernel,
                            const FakeExecutor::Function& function) {
  const Property* property = find_property(property_name);
  if (property == nullptr || !property->inapplicable_to(kernel).empty()) return std::nullopt;
  const std::vector<std::string> names = property->generators();
  FakeExecutor executor(function);
  for (const Generator* generator : all_generators()) {
    if (!names.empty() && std::find(names.begin(), names.end(), generator->name()) == names.end()) continue;
    std::vector<Case> cases = generator->required(kernel);
    for (std::uint64_t seed = 0; seed < 100; ++seed) cases.push_back(generator->draw(kernel, seed));
    for (const Case& c : cases) {
      if (c.n() > 2000) continue;
      Verdict verdict = property->judge(kernel, c, executor);
      if (verdict.falsified()) return verdict;
    }
  }
  return std::nullopt;
}

void expect_killed(std::string_view property, const KernelInfo& kernel,
                   const FakeExecutor::Function& function, FailureClass failure) {
  const auto verdict = hunt(property, kernel, function);
  ASSERT_TRUE(verdict) << property << " lets the fault pass";
  EXPECT_EQ(name_of(verdict->failure), name_of(failure)) << verdict->reason;
  EXPECT_FALSE(verdict->reason.empty());
  EXPECT_EQ(verdict->reason.find('\n'), std::string::npos);
  if (failure == FailureClass::wrong_value || failure == FailureClass::over_bound ||
      failure == FailureClass::nondeterministic || failure == FailureClass::special_value) {
    EXPECT_FALSE(verdict->expected.empty());
    EXPECT_FALSE(verdict->got.empty());
  }
  EXPECT_GE(verdict->runs, 1u);
}

// Faults, each a real-world mistake.

FakeExecutor::Function drops_the_last_element() {
  return host_function<float>([](std::vector<float> x, const Launch& l) {
    if (!x.empty()) x.pop_back();
    return shuffle_sum(x, l.geometry());
  });
}

/// A remainder that halving without care forgets: the odd one out.
FakeExecutor::Function halves_odd_lengths_down() {
  return host_function<float>([](std::vector<float> x, const Launch&) {
    while (x.size() > 1) {
      for (std::size_t i = 0; i < x.size() / 2; ++i) x[i] += x[i + x.size() / 2];
      x.resize(x.size() / 2);
    }
    return x.empty() ? 0.0f : x[0];
  });
}

FakeExecutor::Function counts_the_first_element_of_the_second_block_twice() {
  return host_function<float>([](std::vector<float> x, const Launch& l) {
    if (x.size() > l.geometry().block) x.push_back(x[l.geometry().block]);
    return shuffle_sum(x, l.geometry());
  });
}

/// The last warp counts only if it is full: floor in place of ceiling.
FakeExecutor::Function forgets_the_partial_last_warp_of_the_block() {
  return host_function<float>([](const std::vector<float>& x, const Launch& l) {
    const Geometry& g = l.geometry();
    std::vector<float> partials;
    for (std::uint32_t index = 0; index < g.grid; ++index) {
      std::vector<float> threads = thread_sums(x, g.grid, g.block, index);
      threads.resize(threads.size() / 32 * 32);
      partials.push_back(block_sum(threads));
    }
    return serial_sum(partials);
  });
}

/// The second pass reads one partial sum a block of the grid; only blocks with elements have written theirs.
FakeExecutor::Function reads_partials_that_no_block_wrote() {
  return [](const Launch& l) {
    const Geometry& g = l.geometry();
    const std::vector<float> x = elements_of<float>(l.test_case);
    float total = 0;
    for (std::uint32_t index = 0; index < g.grid; ++index) {
      std::byte* const partial = l.scratch.data() + std::size_t{index} * sizeof(float);
      if (std::size_t{index} * g.block < x.size() || index == 0) {
        const float sum = block_sum(thread_sums(x, g.grid, g.block, index));
        std::memcpy(partial, &sum, sizeof sum);
      }
      float read = 0;
      std::memcpy(&read, partial, sizeof read);
      // What a fresh allocation happens to hold on many a machine.
      total += std::isnan(read) ? 0 : read;
    }
    return completed(numeric::value_of(total));
  };
}

FakeExecutor::Function adds_to_what_the_output_held() {
  return host_function<float>([](const std::vector<float>& x, const Launch& l) {
    const auto held = static_cast<float>(numeric::to_double(l.poison_value(Format::fp32)));
    return shuffle_sum(x, l.geometry()) + (std::isnan(held) ? 0 : held);
  });
}

FakeExecutor::Function order_changes_from_run_to_run() {
  return host_function<float>([](std::vector<float> x, const Launch& l) {
    std::mt19937_64 random(l.serial_number);
    std::shuffle(x.begin(), x.end(), random);
    return serial_sum(x);
  });
}

FakeExecutor::Function order_follows_the_schedule() {
  return host_function<float>([](std::vector<float> x, const Launch& l) {
    if (l.test_case.schedule.order == Schedule::Order::highest_first) std::reverse(x.begin(), x.end());
    return shuffle_sum(x, l.geometry());
  });
}

FakeExecutor::Function rounds_towards_minus_infinity() {
  return host_function<float>([](const std::vector<float>& x, const Launch&) {
    float total = 0;
    for (const float element : x) {
      const double exact = static_cast<double>(total) + static_cast<double>(element);
      const auto nearest = static_cast<float>(exact);
      total = static_cast<double>(nearest) > exact ? std::nextafter(nearest, -INFINITY) : nearest;
    }
    return total;
  });
}

FakeExecutor::Function flushes_subnormals() {
  return host_function<float>([](std::vector<float> x, const Launch& l) {
    for (float& element : x) {
      if (std::abs(element) < 0x1p-126f) element = 0;
    }
    return shuffle_sum(x, l.geometry());
  });
}

FakeExecutor::Function ignores_what_is_below_a_threshold() {
  return host_function<float>([](std::vector<float> x, const Launch& l) {
    for (float& element : x) {
      if (std::abs(element) < 1e-3f) element = 0;
    }
    return shuffle_sum(x, l.geometry());
  });
}

FakeExecutor::Function accumulates_in_half_precision() {
  return host_function<float>([](const std::vector<float>& x, const Launch&) {
    float total = 0;
    for (const float element : x) {
      total += element;
      if (total == 0 || !std::isfinite(total)) continue;
      const float scale = std::ldexp(1.0f, std::ilogb(total) - 10);
      total = std::nearbyint(total / scale) * scale;
    }
    return total;
  });
}

FakeExecutor::Function skips_nan() {
  return host_function<float>([](std::vector<float> x, const Launch& l) {
    for (float& element : x) {
      if (std::isnan(element)) element = 0;
    }
    return shuffle_sum(x, l.geometry());
  });
}

FakeExecutor::Function divides_zero_by_zero_when_the_sum_is_zero() {
  return host_function<float>([](const std::vector<float>& x, const Launch& l) {
    const float sum = shuffle_sum(x, l.geometry());
    return sum == 0 ? std::nanf("") : sum;
  });
}

/// A maximum in place of a sum gets every array of one element right.
FakeExecutor::Function gives_the_largest_element() {
  return host_function<float>([](const std::vector<float>& x, const Launch&) {
    return x.empty() ? 0.0f : *std::max_element(x.begin(), x.end());
  });
}

FakeExecutor::Function loses_every_forty_first_element() {
  return host_function<float>([](std::vector<float> x, const Launch& l) {
    for (std::size_t i = 40; i < x.size(); i += 41) x[i] = 0;
    return shuffle_sum(x, l.geometry());
  });
}

FakeExecutor::Function writes_nothing_when_there_is_nothing() {
  return [](const Launch& l) {
    Outcome outcome = correct_shuffle<float>()(l);
    if (l.n() == 0) {
      outcome.output = l.poison_value(Format::fp32);
      outcome.output_written = false;
    }
    return outcome;
  };
}

FakeExecutor::Function launches_a_grid_of_no_blocks_when_there_is_nothing() {
  return [](const Launch& l) {
    Outcome outcome = correct_shuffle<float>()(l);
    if (l.n() == 0) {
      outcome.status = RunStatus::launch_error;
      outcome.detail = "cudaErrorInvalidConfiguration: a grid of 0 blocks";
    }
    return outcome;
  };
}

FakeExecutor::Function starts_from_minus_zero() {
  return host_function<float>([](const std::vector<float>& x, const Launch& l) {
    return x.empty() ? -0.0f : shuffle_sum(x, l.geometry());
  });
}

FakeExecutor::Function reduces_in_place() {
  return [](const Launch& l) {
    Outcome outcome = correct_shuffle<float>()(l);
    outcome.input_changed = l.n() > l.geometry().block;
    return outcome;
  };
}

FakeExecutor::Function reads_past_the_end() {
  return [](const Launch& l) {
    Outcome outcome = correct_shuffle<float>()(l);
    if (l.n() % 32 == 1) {
      Finding finding;
      finding.kind = FindingKind::out_of_bounds;
      finding.message = "x[" + std::to_string(l.n()) + "] is read, one past the end";
      outcome.findings.push_back(finding);
      outcome.status = RunStatus::violation;
    }
    return outcome;
  };
}

/// Lanes of the last warp that do not exist enter as ones.
FakeExecutor::Function gives_other_answers_in_blocks_of_odd_size() {
  return host_function<float>([](const std::vector<float>& x, const Launch& l) {
    return shuffle_sum(x, l.geometry()) + (l.geometry().block == 96 && !x.empty() ? 1.0f : 0.0f);
  });
}

TEST(WithinProvedBound, kills_a_dropped_last_element) {
  expect_killed("within_proved_bound", shuffle_kernel(), drops_the_last_element(), FailureClass::over_bound);
}
TEST(WithinProvedBound, kills_a_narrower_accumulation_than_declared) {
  expect_killed("within_proved_bound", shuffle_kernel(), accumulates_in_half_precision(),
                FailureClass::over_bound);
}
TEST(WithinProvedBound, kills_a_nan_out_of_finite_elements) {
  expect_killed("within_proved_bound", shuffle_kernel(), divides_zero_by_zero_when_the_sum_is_zero(),
                FailureClass::special_value);
}
TEST(WithinProvedBound, kills_a_nan_that_is_passed_over) {
  expect_killed("within_proved_bound", shuffle_kernel(), skips_nan(), FailureClass::special_value);
}
TEST(WithinProvedBound, kills_a_float_chain_declared_as_double) {
  expect_killed("within_proved_bound", mixed_kernel(), correct_shuffle<float>(), FailureClass::over_bound);
}
TEST(WithinProvedBound, kills_a_chain_declared_as_a_tree) {
  expect_killed("within_proved_bound", tree_kernel(), correct_serial<float>(), FailureClass::over_bound);
}
TEST(WithinProvedBound, kills_a_maximum_in_place_of_a_sum) {
  expect_killed("within_proved_bound", shuffle_kernel(), gives_the_largest_element(),
                FailureClass::over_bound);
}

TEST(EmptyGivesIdentity, kills_an_output_that_is_never_written) {
  expect_killed("empty_gives_identity", shuffle_kernel(), writes_nothing_when_there_is_nothing(),
                FailureClass::stale_output);
}
TEST(EmptyGivesIdentity, kills_a_grid_of_no_blocks) {
  expect_killed("empty_gives_identity", shuffle_kernel(),
                launches_a_grid_of_no_blocks_when_there_is_nothing(), FailureClass::launch_error);
}
TEST(EmptyGivesIdentity, kills_minus_zero) {
  expect_killed("empty_gives_identity", shuffle_kernel(), starts_from_minus_zero(),
                FailureClass::wrong_value);
}

TEST(SingleElementExact, kills_a_dropped_element) {
  expect_killed("single_element_exact", shuffle_kernel(), drops_the_last_element(),
                FailureClass::wrong_value);
}
TEST(SingleElementExact, kills_flushed_subnormals) {
  expect_killed("single_element_exact", shuffle_kernel(), flushes_subnormals(), FailureClass::wrong_value);
}
TEST(SingleElementExact, kills_a_nan_for_zero) {
  expect_killed("single_element_exact", shuffle_kernel(), divides_zero_by_zero_when_the_sum_is_zero(),
                FailureClass::special_value);
}

TEST(ExactWindow, kills_the_odd_one_out_of_halving) {
  expect_killed("exact_window", shuffle_kernel(), halves_odd_lengths_down(), FailureClass::wrong_value);
}
TEST(ExactWindow, kills_an_element_counted_twice) {
  expect_killed("exact_window", shuffle_kernel(), counts_the_first_element_of_the_second_block_twice(),
                FailureClass::wrong_value);
}
TEST(ExactWindow, kills_a_forgotten_partial_warp) {
  KernelInfo kernel = shuffle_kernel();
  kernel.contract.block_multiple = 1;
  expect_killed("exact_window", kernel, forgets_the_partial_last_warp_of_the_block(),
                FailureClass::wrong_value);
}
TEST(ExactWindow, kills_what_goes_wrong_in_another_geometry_than_the_cases_own) {
  Case c;
  c.input = make_input(std::vector<float>{1, 2, 3});
  c.geometry = {1, 32};
  FakeExecutor executor(gives_other_answers_in_blocks_of_odd_size());
  const Verdict verdict = find_property("exact_window")->judge(shuffle_kernel(), c, executor);
  EXPECT_EQ(verdict.failure, FailureClass::wrong_value);
  EXPECT_NE(verdict.reason.find("of 96 threads"), std::string::npos) << verdict.reason;
  EXPECT_EQ(verdict.expected, "6, exact in every order");
  EXPECT_EQ(verdict.got, "7, 2097152 ulp from it");
  EXPECT_GE(verdict.runs, 3u);
  EXPECT_EQ(executor.calls(), 1u);
}
TEST(ExactWindow, kills_every_single_loss_of_an_element) {
  // Nothing can hide below a tolerance: whichever element is lost, it shows.
  const Generator* generator = find_generator("exact_window");
  const Property* property = find_property("exact_window");
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Case c = generator->draw(shuffle_kernel(), seed);
    if (c.n() > 2000) continue;
    const std::uint64_t lost = seed * 2654435761u % c.n();
    FakeExecutor loses(host_function<float>([lost](std::vector<float> x, const Launch& l) {
      x[lost] = 0;
      return shuffle_sum(x, l.geometry());
    }));
    EXPECT_TRUE(property->judge(shuffle_kernel(), c, loses).falsified())
        << "element " << lost << " of " << c.n();
    FakeExecutor doubles(host_function<float>([lost](std::vector<float> x, const Launch& l) {
      x.push_back(x[lost]);
      return shuffle_sum(x, l.geometry());
    }));
    EXPECT_TRUE(property->judge(shuffle_kernel(), c, doubles).falsified())
        << "element " << lost << " of " << c.n();
  }
}

TEST(OneHot, kills_a_lost_position_and_names_it) {
  const auto verdict = hunt("one_hot", shuffle_kernel(), loses_every_forty_first_element());
  ASSERT_TRUE(verdict);
  EXPECT_EQ(verdict->failure, FailureClass::wrong_value);
  EXPECT_EQ(verdict->reason, "element 40 of 64, the only one that is not zero, was lost");
}
TEST(OneHot, kills_flushed_subnormals) {
  expect_killed("one_hot", shuffle_kernel(), flushes_subnormals(), FailureClass::wrong_value);
}
TEST(OneHot, runs_every_position_of_a_short_array_in_one_call) {
  Case c;
  c.input = make_input(std::vector<float>{0, 0, 7, 0, 0});
  FakeExecutor executor(correct_shuffle<float>());
  const Verdict verdict = find_property("one_hot")->judge(shuffle_kernel(), c, executor);
  EXPECT_EQ(verdict.kind, VerdictKind::holds);
  EXPECT_EQ(verdict.runs, 5u);
  EXPECT_EQ(executor.runs(), 5u);
  EXPECT_EQ(executor.calls(), 1u);
}

TEST(Negation, kills_a_directed_rounding) {
  expect_killed("negation", serial_kernel(), rounds_towards_minus_infinity(), FailureClass::wrong_value);
}
TEST(Negation, kills_a_maximum_in_place_of_a_sum) {
  expect_killed("negation", shuffle_kernel(), gives_the_largest_element(), FailureClass::wrong_value);
}

TEST(ScalingByPowersOfTwo, kills_an_absolute_threshold) {
  expect_killed("scaling_by_powers_of_two", shuffle_kernel(), ignores_what_is_below_a_threshold(),
                FailureClass::wrong_value);
}
TEST(ScalingByPowersOfTwo, kills_flushed_subnormals) {
  expect_killed("scaling_by_powers_of_two", shuffle_kernel(), flushes_subnormals(),
                FailureClass::wrong_value);
}

TEST(PermutationsWithinBound, kills_an_order_that_loses_an_element) {
  // Right only while the elements rise.
  const auto stops_at_a_fall = host_function<float>([](const std::vector<float>& x, const Launch&) {
    float total = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (i > 1 && x[i] < x[i - 1] && x[i - 1] < x[i - 2]) continue;
      total += x[i];
    }
    return total;
  });
  expect_killed("permutations_within_bound", serial_kernel(), stops_at_a_fall, FailureClass::over_bound);
}
TEST(PermutationsWithinBound, tries_each_distinct_order_once) {
  Case c;
  c.input = make_input(std::vector<float>{1e8f, 1, -1e8f, 1});
  std::vector<std::vector<float>> seen;
  FakeExecutor executor(host_function<float>([&seen](const std::vector<float>& x, const Launch&) {
    seen.push_back(x);
    return serial_sum(x);
  }));
  const Verdict verdict = find_property("permutations_within_bound")->judge(serial_kernel(), c, executor);
  EXPECT_EQ(verdict.kind, VerdictKind::holds);
  EXPECT_TRUE(verdict.measures.zero_blind);
  EXPECT_EQ(verdict.runs, 12u);
  EXPECT_EQ(executor.calls(), 2u) << "the first order alone, then the others together";
  EXPECT_EQ(seen.at(0), (std::vector<float>{1e8f, 1, -1e8f, 1})) << "the case's own order first";
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::unique(seen.begin(), seen.end()), seen.end());
}
TEST(PermutationsWithinBound, does_not_go_on_after_a_crash_of_the_first_order) {
  Case c;
  c.input = make_input(std::vector<float>{1, 2, 3, 4, 5, 6});
  FakeExecutor executor([](const Launch&) {
    Outcome outcome;
    outcome.status = RunStatus::crash;
    return outcome;
  });
  EXPECT_EQ(find_property("permutations_within_bound")->judge(serial_kernel(), c, executor).failure,
            FailureClass::crash);
  EXPECT_EQ(executor.runs(), 1u);
}

TEST(PermutationsWithinBound, samples_the_same_orders_again_beyond_six_elements) {
  Case c;
  c.input = make_input(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  const auto orders = [&c] {
    std::vector<std::vector<float>> seen;
    FakeExecutor executor(host_function<float>([&seen](const std::vector<float>& x, const Launch&) {
      seen.push_back(x);
      return serial_sum(x);
    }));
    find_property("permutations_within_bound")->judge(serial_kernel(), c, executor);
    return seen;
  };
  EXPECT_EQ(orders(), orders());
  EXPECT_EQ(orders().size(), 64u);
}

TEST(RunToRunEqual, kills_an_order_that_changes_from_run_to_run) {
  expect_killed("run_to_run_equal", serial_kernel(), order_changes_from_run_to_run(),
                FailureClass::nondeterministic);
}
TEST(RunToRunEqual, kills_a_dependence_on_previous_content) {
  expect_killed("run_to_run_equal", shuffle_kernel(), adds_to_what_the_output_held(),
                FailureClass::nondeterministic);
}

TEST(IndependentOfPoison, kills_an_output_that_is_not_cleared) {
  expect_killed("independent_of_poison", shuffle_kernel(), adds_to_what_the_output_held(),
                FailureClass::nondeterministic);
  // Even where the contract promises nothing of the kind, by arrays that no order can round.
  expect_killed("independent_of_poison", atomic_kernel(), adds_to_what_the_output_held(),
                FailureClass::nondeterministic);
}
TEST(IndependentOfPoison, kills_partial_sums_that_no_block_wrote) {
  expect_killed("independent_of_poison", shuffle_kernel(), reads_partials_that_no_block_wrote(),
                FailureClass::nondeterministic);
}
TEST(IndependentOfPoison, does_not_blame_memory_for_differences_between_equal_runs) {
  EXPECT_FALSE(
      hunt("independent_of_poison", serial_kernel(), host_function<float>([](const auto& x, const Launch& l) {
             return serial_sum(x) + static_cast<float>(l.serial_number);
           })));
}

TEST(InputUnchanged, kills_a_reduction_in_place) {
  expect_killed("input_unchanged", shuffle_kernel(), reduces_in_place(), FailureClass::input_changed);
}

TEST(RecycledMemory, kills_partial_sums_of_an_earlier_run) {
  // With memory fresh and full of NaN the mistake hides; on recycled memory the old sums come back.
  expect_killed("recycled_memory", shuffle_kernel(), reads_partials_that_no_block_wrote(),
                FailureClass::nondeterministic);
}
TEST(RecycledMemory, runs_a_smaller_case_after_a_larger_one_in_one_call) {
  std::vector<std::uint64_t> lengths;
  FakeExecutor executor([&lengths](const Launch& l) {
    lengths.push_back(l.n());
    return correct_shuffle<float>()(l);
  });
  Case c;
  c.input = make_input(std::vector<float>{1, 2, 3, 4, 5});
  EXPECT_EQ(find_property("recycled_memory")->judge(shuffle_kernel(), c, executor).kind, VerdictKind::holds);
  EXPECT_EQ(lengths, (std::vector<std::uint64_t>{2, 5, 2}));
  EXPECT_EQ(executor.calls(), 1u);
}

TEST(EqualAcrossSchedules, kills_an_order_that_follows_the_schedule) {
  expect_killed("equal_across_schedules", shuffle_kernel(), order_follows_the_schedule(),
                FailureClass::nondeterministic);
}
TEST(EqualAcrossGeometries, kills_a_tree_declared_independent_of_the_geometry) {
  KernelInfo kernel = tree_kernel();
  kernel.contract.determinism = Determinism::geometries;
  expect_killed("equal_across_geometries", kernel, correct_tree<float>(), FailureClass::nondeterministic);
}

TEST(EveryProperty, kills_a_rule_broken_while_running_and_reports_its_finding) {
  for (const Property* property : all_properties()) {
    KernelInfo kernel = serial_kernel();
    // Every generator but the empty one makes lengths of 1 modulo 32.
    if (property->name() == "empty_gives_identity") continue;
    if (property->name() == "permutations_within_bound") continue;
    const auto verdict = hunt(property->name(), kernel, reads_past_the_end());
    ASSERT_TRUE(verdict) << property->name();
    EXPECT_EQ(verdict->failure, FailureClass::contract_violation) << property->name();
    ASSERT_NE(verdict->error_finding(), nullptr) << property->name();
    EXPECT_EQ(verdict->error_finding()->kind, FindingKind::out_of_bounds);
    EXPECT_NE(verdict->reason.find("one past the end"), std::string::npos);
  }
}

TEST(EveryProperty, kills_crashes_time_outs_and_errors_of_any_kind) {
  const std::vector<std::pair<RunStatus, FailureClass>> statuses{
      {RunStatus::crash, FailureClass::crash},
      {RunStatus::time_out, FailureClass::time_out},
      {RunStatus::launch_error, FailureClass::launch_error},
      {RunStatus::violation, FailureClass::contract_violation}};
  for (const Property* property : all_properties()) {
    for (const auto& [status, failure] : statuses) {
      const auto verdict = hunt(property->name(), serial_kernel(), [status = status](const Launch&) {
        Outcome outcome;
        outcome.status = status;
        return outcome;
      });
      ASSERT_TRUE(verdict) << property->name();
      EXPECT_EQ(verdict->failure, failure) << property->name();
    }
    const auto stale = hunt(property->name(), serial_kernel(), [](const Launch& l) {
      Outcome outcome;
      outcome.output = l.poison_value(Format::fp32);
      return outcome;
    });
    ASSERT_TRUE(stale) << property->name();
    EXPECT_EQ(stale->failure, FailureClass::stale_output) << property->name();
  }
}

TEST(EveryProperty, calls_an_unsupported_instruction_not_run) {
  for (const Property* property : all_properties()) {
    const Generator* generator =
        find_generator(property->generators().empty() ? "exact_window" : property->generators().front());
    FakeExecutor executor([](const Launch&) {
      Outcome outcome;
      outcome.status = RunStatus::violation;
      Finding finding;
      finding.kind = FindingKind::unsupported;
      finding.message = "the instruction brx.idx is not implemented";
      outcome.findings.push_back(finding);
      return outcome;
    });
    const Verdict verdict =
        property->judge(serial_kernel(), generator->required(serial_kernel()).back(), executor);
    EXPECT_EQ(verdict.kind, VerdictKind::not_run) << property->name();
    EXPECT_NE(verdict.reason.find("brx.idx"), std::string::npos) << property->name();
  }
}

TEST(EveryProperty, keeps_warnings_without_being_falsified_by_them) {
  for (const Property* property : all_properties()) {
    const Generator* generator =
        find_generator(property->generators().empty() ? "exact_window" : property->generators().front());
    FakeExecutor executor([](const Launch& l) {
      Outcome outcome = correct_serial<float>()(l);
      Finding finding;
      finding.kind = FindingKind::shuffle_delta;
      finding.message = "a distance of 32";
      outcome.findings.push_back(finding);
      return outcome;
    });
    const Verdict verdict =
        property->judge(serial_kernel(), generator->required(serial_kernel()).back(), executor);
    EXPECT_EQ(verdict.kind, VerdictKind::holds) << property->name() << ": " << verdict.reason;
    EXPECT_EQ(verdict.findings.size(), 1u) << property->name() << ": equal warnings are told once";
  }
}

TEST(Silence, of_properties_about_cases_that_are_not_theirs) {
  Case two;
  two.input = make_input(std::vector<float>{0.1f, 1e8f});
  FakeExecutor executor(correct_serial<float>());
  for (const std::string_view name :
       {"empty_gives_identity", "single_element_exact", "exact_window", "one_hot"}) {
    EXPECT_EQ(find_property(name)->judge(serial_kernel(), two, executor).kind, VerdictKind::inapplicable)
        << name;
  }
  EXPECT_EQ(executor.runs(), 0u);
}

TEST(Silence, of_properties_about_promises_that_were_not_made) {
  for (const std::string_view name : {"run_to_run_equal", "equal_across_schedules", "equal_across_geometries",
                                      "negation", "scaling_by_powers_of_two"}) {
    EXPECT_FALSE(find_property(name)->inapplicable_to(atomic_kernel()).empty()) << name;
  }
  EXPECT_TRUE(find_property("equal_across_schedules")->inapplicable_to(shuffle_kernel()).empty());
  EXPECT_FALSE(find_property("equal_across_geometries")->inapplicable_to(shuffle_kernel()).empty());
}

TEST(SignOfZero, is_free_where_the_identity_may_have_been_added) {
  // -0 summed from +0 is +0, and from the first element it is -0: both are right.
  Case c;
  c.input = make_input(std::vector<float>{-0.0f});
  for (const float result : {-0.0f, 0.0f}) {
    FakeExecutor executor([result](const Launch&) { return completed(numeric::value_of(result)); });
    EXPECT_EQ(find_property("single_element_exact")->judge(serial_kernel(), c, executor).kind,
              VerdictKind::holds);
    EXPECT_EQ(find_property("within_proved_bound")->judge(serial_kernel(), c, executor).kind,
              VerdictKind::holds);
    EXPECT_EQ(find_property("exact_window")->judge(serial_kernel(), c, executor).kind, VerdictKind::holds);
    EXPECT_EQ(find_property("negation")->judge(serial_kernel(), c, executor).kind, VerdictKind::holds);
  }
}

}  // namespace
}  // namespace warpcheck::properties

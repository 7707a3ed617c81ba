#include "framework/engine/search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <stdexcept>

#include "framework/engine/store.hpp"
#include "tests/engine/example.hpp"
#include "tests/engine/fakes.hpp"
#include "tests/engine/temporary_folder.hpp"

namespace warpcheck::engine::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const IntegerGenerator few("few", 3);
const IntegerGenerator more("more", 5);
const std::vector<const Generator*> both{&few, &more};

CheckResult search_both(const Property& property, Executor& executor, const CheckOptions& options = {}) {
  return search(any_kernel(), property, executor, options, both);
}

CheckResult search_both(const ScriptedProperty::Script& script, const CheckOptions& options = {}) {
  HostExecutor executor(serial_sum());
  return search_both(ScriptedProperty(script), executor, options);
}

Verdict no_power() {
  Verdict verdict;
  verdict.kind = VerdictKind::no_power;
  verdict.reason = "the tolerance is as large as A";
  return verdict;
}

TEST(Search, holds_for_a_right_kernel_and_counts_what_it_did) {
  HostExecutor executor(serial_sum());
  const CheckResult result = search_both(ExactSumProperty(), executor);
  EXPECT_EQ(result.verdict, VerdictKind::holds);
  EXPECT_EQ(result.kernel, "my_sum");
  EXPECT_EQ(result.property, "test_exact_sum");
  EXPECT_EQ(result.executor, "cpu");
  EXPECT_EQ(result.cases, 200u);
  EXPECT_EQ(result.required_cases, 8u);
  EXPECT_EQ(result.runs, 200u);
  EXPECT_EQ(executor.runs(), 200u);
  EXPECT_EQ(result.worst.condition, 1);
  EXPECT_FALSE(result.counterexample);
  EXPECT_THAT(result.notes, IsEmpty());
}

TEST(Search, judges_required_cases_first_and_then_each_generator_in_turn) {
  std::vector<std::string> families;
  std::vector<std::uint64_t> progress;
  CheckOptions options;
  options.cases = 12;
  options.progress = [&](std::uint64_t done) { progress.push_back(done); };
  const auto script = [&](const Case& test_case) {
    families.push_back(test_case.family + (families.size() < 8 ? std::to_string(test_case.n()) : ""));
    return Verdict::holding();
  };
  search_both(script, options);
  EXPECT_THAT(families, ElementsAre("few1", "few2", "few3", "more1", "more2", "more3", "more4", "more5",
                                    "few", "more", "few", "more"));
  EXPECT_THAT(progress, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
}

std::vector<std::vector<std::byte>> arrays_seen(const CheckOptions& options, std::string kernel = "my_sum") {
  std::vector<std::vector<std::byte>> arrays;
  HostExecutor executor(serial_sum());
  const ScriptedProperty property([&](const Case& test_case) {
    const auto bytes = test_case.input->bytes();
    arrays.emplace_back(bytes.begin(), bytes.end());
    return Verdict::holding();
  });
  search(any_kernel(std::move(kernel)), property, executor, options, both);
  return arrays;
}

TEST(Search, draws_the_same_cases_for_the_same_seed_and_others_for_another) {
  CheckOptions options;
  options.cases = 50;
  const auto cases = arrays_seen(options);
  EXPECT_EQ(cases, arrays_seen(options));
  EXPECT_NE(cases, arrays_seen(options, "another_kernel"));
  // More cases begin with the same ones.
  options.cases = 60;
  const auto longer = arrays_seen(options);
  EXPECT_TRUE(std::equal(cases.begin(), cases.end(), longer.begin()));
  options.cases = 50;
  options.seed = 2;
  EXPECT_NE(cases, arrays_seen(options));
}

TEST(Search, refuses_fewer_cases_than_are_required) {
  CheckOptions options;
  options.cases = 7;
  try {
    search_both([](const Case&) { return Verdict::holding(); }, options);
    FAIL() << "accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()),
              "7 cases are too few for my_sum × scripted, which requires 8; ask for 8 or more");
  }
  options.cases = 8;
  EXPECT_EQ(search_both([](const Case&) { return Verdict::holding(); }, options).cases, 8u);
}

TEST(Search, judges_nothing_where_the_property_does_not_apply_to_the_kernel) {
  HostExecutor executor(serial_sum());
  const ScriptedProperty property([](const Case&) { return Verdict::holding(); },
                                  "the contract promises nothing");
  const CheckResult result = search_both(property, executor);
  EXPECT_EQ(result.verdict, VerdictKind::inapplicable);
  EXPECT_EQ(result.reason, "the contract promises nothing");
  EXPECT_EQ(result.cases, 0u);
}

TEST(Search, never_counts_no_power_or_inapplicable_as_holding) {
  const CheckResult blind = search_both([](const Case&) { return no_power(); });
  EXPECT_EQ(blind.verdict, VerdictKind::no_power);
  EXPECT_EQ(blind.reason, "the tolerance is as large as A");
  EXPECT_EQ(blind.no_power_cases, blind.cases);

  const CheckResult nothing =
      search_both([](const Case&) { return Verdict::inapplicable("overflow is possible"); });
  EXPECT_EQ(nothing.verdict, VerdictKind::inapplicable);
  EXPECT_EQ(nothing.reason, "overflow is possible");
  EXPECT_EQ(nothing.cases, 0u);
  EXPECT_GT(nothing.inapplicable_cases, 200u);

  const CheckResult mixed = search_both([](const Case& test_case) {
    if (test_case.n() % 3 == 0) return no_power();
    if (test_case.n() % 3 == 1) return Verdict::inapplicable("n mod 3 is 1");
    return Verdict::holding();
  });
  EXPECT_EQ(mixed.verdict, VerdictKind::holds);
  EXPECT_EQ(mixed.cases, 200u);
  EXPECT_GT(mixed.no_power_cases, 20u);
  EXPECT_GT(mixed.inapplicable_cases, 20u);
}

TEST(Search, takes_the_greatest_of_every_measure) {
  int calls = 0;
  const CheckResult result = search_both([&](const Case&) {
    ++calls;
    Verdict verdict;
    verdict.measures.abs_error = calls == 10 ? 5 : 1;
    verdict.measures.error_over_tolerance = calls == 20 ? 0.9 : std::nan("");
    verdict.measures.condition = calls == 30 ? HUGE_VAL : 1;
    if (calls == 40) verdict.measures.height = 17;
    if (calls == 50) verdict.measures.ulps = 3;
    verdict.measures.zero_blind = calls % 2 == 0;
    Finding warning;
    warning.kind = FindingKind::shuffle_delta;
    if (calls <= 4) verdict.findings = {warning};
    return verdict;
  });
  EXPECT_EQ(result.worst.abs_error, 5);
  EXPECT_EQ(result.worst.error_over_tolerance, 0.9);
  EXPECT_EQ(result.worst.condition, HUGE_VAL);
  EXPECT_EQ(result.worst.height, 17u);
  EXPECT_EQ(result.worst.ulps, 3u);
  EXPECT_EQ(result.zero_blind_cases, 100u);
  EXPECT_EQ(result.warnings, 4u);
}

TEST(Search, reduces_and_describes_what_falsifies) {
  HostExecutor executor(serial_sum(1));
  const CheckResult result = search_both(ExactSumProperty(), executor);
  EXPECT_EQ(result.verdict, VerdictKind::falsified);
  EXPECT_EQ(result.failure, FailureClass::wrong_value);
  EXPECT_EQ(result.cases, 1u);
  EXPECT_EQ(result.runs, executor.runs());
  ASSERT_TRUE(result.counterexample);
  const Counterexample& found = *result.counterexample;
  EXPECT_FALSE(found.flaky);
  EXPECT_EQ(found.reduced.n(), 1u);
  EXPECT_EQ(found.original.family, "few");
  EXPECT_EQ(found.contract_hash, any_kernel().contract.hash());
  EXPECT_EQ(found.verdict.expected, "1");
  EXPECT_EQ(found.verdict.got, "0");
  EXPECT_GT(found.reduction_runs, 0u);
  EXPECT_THAT(found.text, StartsWith("test_exact_sum is falsified by my_sum on cpu: wrong value\n"));
  EXPECT_THAT(found.text, HasSubstr("warpcheck run my_sum --property test_exact_sum --seed 1"));
  EXPECT_TRUE(result.stored_as.empty());
}

TEST(Search, tells_a_flaky_fault) {
  int calls = 0;
  const CheckResult result = search_both([&](const Case&) {
    ++calls;
    return calls % 2 == 1 ? Verdict::falsified_as(FailureClass::nondeterministic, "") : Verdict::holding();
  });
  EXPECT_EQ(result.verdict, VerdictKind::falsified);
  ASSERT_TRUE(result.counterexample);
  EXPECT_TRUE(result.counterexample->flaky);
  EXPECT_TRUE(result.counterexample->verdict.falsified());
}

TEST(Search, stores_and_replays_first) {
  const TemporaryFolder temporary;
  CheckOptions options;
  options.store = temporary.path() / "store";
  HostExecutor wrong(serial_sum(1));
  const CheckResult first = search_both(ExactSumProperty(), wrong, options);
  EXPECT_EQ(first.stored_as, store_path(options.store, *first.counterexample));
  EXPECT_THAT(first.counterexample->text, HasSubstr("warpcheck replay " + first.stored_as.string()));
  EXPECT_TRUE(same(read_counterexample(first.stored_as), *first.counterexample));

  HostExecutor still_wrong(serial_sum(1));
  const CheckResult second = search_both(ExactSumProperty(), still_wrong, options);
  EXPECT_EQ(second.verdict, VerdictKind::falsified);
  EXPECT_TRUE(second.from_store);
  EXPECT_EQ(second.cases, 1u);
  EXPECT_EQ(still_wrong.runs(), 1u) << "a stored counterexample needs no second reduction";
  EXPECT_EQ(second.stored_as, first.stored_as);

  HostExecutor right(serial_sum());
  const CheckResult third = search_both(ExactSumProperty(), right, options);
  EXPECT_EQ(third.verdict, VerdictKind::holds);
  EXPECT_EQ(third.cases, 200u);
  EXPECT_THAT(third.notes, ElementsAre(first.stored_as.string() + ": no longer fails"));
  EXPECT_TRUE(std::filesystem::exists(first.stored_as));
}

TEST(Search, reduces_a_stored_case_again_where_it_fails_in_another_way) {
  const TemporaryFolder temporary;
  CheckOptions options;
  options.store = temporary.path();
  Counterexample stored = plain_counterexample();
  stored.property = "scripted";
  stored.reduced = case_of({4, 5, 6});
  store(options.store, stored);
  const CheckResult result = search_both(
      [](const Case&) { return Verdict::falsified_as(FailureClass::crash, "signal 11"); }, options);
  EXPECT_EQ(result.failure, FailureClass::crash);
  EXPECT_TRUE(result.from_store);
  EXPECT_EQ(result.counterexample->reduced.n(), 0u);
  EXPECT_EQ(result.counterexample->original.n(), 3u);
  EXPECT_THAT(result.stored_as.string(), HasSubstr("crash"));
  EXPECT_EQ(list_store(options.store).found.size(), 2u);
}

TEST(Search, says_when_the_contract_has_changed_since_it_was_stored) {
  const TemporaryFolder temporary;
  CheckOptions options;
  options.store = temporary.path();
  Counterexample stored = plain_counterexample();
  stored.property = "scripted";
  stored.contract_hash = "0000000000000000";
  const auto path = store(options.store, stored).string();
  const CheckResult result = search_both([](const Case&) { return Verdict::holding(); }, options);
  EXPECT_THAT(result.notes, ElementsAre(path + ": the contract of my_sum has changed since it was stored",
                                        path + ": no longer fails"));

  stored.reduced.geometry = {1, 33};
  store(options.store, stored);
  const CheckResult unfit = search_both([](const Case&) { return Verdict::holding(); }, options);
  EXPECT_THAT(unfit.notes,
              ElementsAre(path + ": not replayed: the contract of my_sum does not accept the case's "
                                 "grid 1, block 33"));
}

TEST(Search, does_not_call_a_stored_fault_repaired_where_nothing_was_judged) {
  const TemporaryFolder temporary;
  CheckOptions options;
  options.store = temporary.path();
  Counterexample stored = plain_counterexample();
  stored.property = "scripted";
  const auto path = store(options.store, stored).string();
  const CheckResult result =
      search_both([](const Case&) { return Verdict::inapplicable("overflow"); }, options);
  EXPECT_EQ(result.verdict, VerdictKind::inapplicable);
  EXPECT_THAT(result.notes, ElementsAre(path + ": says nothing now: inapplicable"));
  const CheckResult unavailable =
      search_both([](const Case&) { return Verdict::not_run("no CUDA device"); }, options);
  EXPECT_EQ(unavailable.verdict, VerdictKind::not_run);
  EXPECT_THAT(unavailable.notes, IsEmpty());
}

TEST(Search, loses_no_verdict_to_a_damaged_or_unwritable_store) {
  const TemporaryFolder temporary;
  std::ofstream(temporary.path() / "my_sum.scripted.broken.json") << "{";
  CheckOptions options;
  options.store = temporary.path();
  const CheckResult holds = search_both([](const Case&) { return Verdict::holding(); }, options);
  EXPECT_EQ(holds.verdict, VerdictKind::holds);
  ASSERT_EQ(holds.notes.size(), 1u);
  EXPECT_THAT(holds.notes[0], HasSubstr("my_sum.scripted.broken.json: truncated"));

  std::ofstream(temporary.path() / "file") << "in the way";
  options.store = temporary.path() / "file" / "store";
  const CheckResult result =
      search_both([](const Case&) { return Verdict::falsified_as(FailureClass::crash, ""); }, options);
  EXPECT_EQ(result.verdict, VerdictKind::falsified);
  ASSERT_TRUE(result.counterexample);
  EXPECT_TRUE(result.stored_as.empty());
  EXPECT_THAT(result.notes, Contains(HasSubstr("the counterexample is not stored: cannot make the folder")));
  EXPECT_THAT(result.counterexample->text, HasSubstr("warpcheck run my_sum"));
}

TEST(Search, is_not_run_where_no_worker_can_be_had) {
  const CheckResult thrown = search_both(
      [](const Case&) -> Verdict { throw std::runtime_error("warpcheck-worker-cpu is missing"); });
  EXPECT_EQ(thrown.verdict, VerdictKind::not_run);
  EXPECT_EQ(thrown.reason, "warpcheck-worker-cpu is missing");
  const CheckResult said = search_both([](const Case&) { return Verdict::not_run("no CUDA device"); });
  EXPECT_EQ(said.verdict, VerdictKind::not_run);
  EXPECT_EQ(said.reason, "no CUDA device");
  EXPECT_EQ(said.cases, 0u);
}

TEST(Search, keeps_a_failure_when_the_worker_is_lost_afterwards) {
  int calls = 0;
  const CheckResult result = search_both([&](const Case&) -> Verdict {
    if (++calls > 4) throw std::runtime_error("no worker");
    return Verdict::falsified_as(FailureClass::crash, "signal 11");
  });
  EXPECT_EQ(result.verdict, VerdictKind::falsified);
  ASSERT_TRUE(result.counterexample);
  EXPECT_TRUE(result.counterexample->verdict.falsified());
  EXPECT_THAT(result.notes, ElementsAre("the reduction was cut short: no worker"));
}

TEST(Search, starts_no_case_after_the_deadline) {
  CheckOptions options;
  options.deadline = std::chrono::steady_clock::now();
  const CheckResult result = search_both([](const Case&) { return Verdict::holding(); }, options);
  EXPECT_EQ(result.verdict, VerdictKind::not_run);
  EXPECT_EQ(result.reason, "the time budget ended before the first case");

  int calls = 0;
  options.deadline = std::chrono::steady_clock::now() + std::chrono::hours(1);
  const auto script = [&](const Case&) {
    if (++calls == 20) options.deadline = std::chrono::steady_clock::now();
    return Verdict::holding();
  };
  const CheckResult part = search_both(script, options);
  EXPECT_EQ(part.verdict, VerdictKind::holds);
  EXPECT_EQ(part.cases, 20u);
  EXPECT_THAT(part.notes, ElementsAre("the time budget ended the search after 20 of 200 cases"));
}

TEST(Search, says_when_the_reduction_ended_at_its_limit) {
  CheckOptions options;
  options.max_reduction_runs = 5;
  const CheckResult result = search_both(
      [](const Case& test_case) {
        return test_case.n() < 50 ? Verdict::holding() : Verdict::falsified_as(FailureClass::crash, "");
      },
      options);
  EXPECT_EQ(result.verdict, VerdictKind::falsified);
  EXPECT_THAT(
      result.notes,
      ElementsAre("the reduction ended at its limit after 3 judgements; a smaller counterexample may exist"));
}

}  // namespace
}  // namespace warpcheck::engine::testing

#include "framework/contract/verdict.hpp"

#include <gtest/gtest.h>

#include <set>

namespace warpcheck {
namespace {

Finding finding(FindingKind kind) {
  Finding result;
  result.kind = kind;
  return result;
}

Verdict violation(std::vector<FindingKind> kinds) {
  Verdict verdict = Verdict::falsified_as(FailureClass::contract_violation, "a rule was broken");
  for (const FindingKind kind : kinds) verdict.findings.push_back(finding(kind));
  return verdict;
}

TEST(Names, of_verdicts_read_back) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(VerdictKind::not_run); ++i) {
    const auto kind = static_cast<VerdictKind>(i);
    EXPECT_TRUE(names.insert(name_of(kind)).second);
    EXPECT_EQ(verdict_kind_from_name(name_of(kind)), kind);
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"holds", "falsified", "no power", "inapplicable", "not run"}));
  EXPECT_EQ(verdict_kind_from_name("passed"), std::nullopt);
}

TEST(Names, of_failure_classes_read_back) {
  std::set<std::string_view> names;
  for (int i = 0; i <= static_cast<int>(FailureClass::time_out); ++i) {
    const auto failure = static_cast<FailureClass>(i);
    EXPECT_TRUE(names.insert(name_of(failure)).second);
    EXPECT_EQ(failure_class_from_name(name_of(failure)), failure);
  }
  EXPECT_EQ(names, (std::set<std::string_view>{"none", "wrong value", "over the bound", "contract violation",
                                               "nondeterministic", "special value", "launch error",
                                               "stale output", "input changed", "crash", "time-out"}));
  EXPECT_EQ(failure_class_from_name(""), std::nullopt);
}

TEST(Verdict, holds_unless_something_is_said) {
  EXPECT_EQ(Verdict::holding().kind, VerdictKind::holds);
  EXPECT_FALSE(Verdict::holding().falsified());
  EXPECT_EQ(Verdict::inapplicable("why").kind, VerdictKind::inapplicable);
  EXPECT_EQ(Verdict::inapplicable("why").reason, "why");
  EXPECT_EQ(Verdict::not_run("no device").kind, VerdictKind::not_run);
  const Verdict wrong = Verdict::falsified_as(FailureClass::wrong_value, "lost an element");
  EXPECT_TRUE(wrong.falsified());
  EXPECT_EQ(wrong.failure, FailureClass::wrong_value);
  EXPECT_EQ(wrong.reason, "lost an element");
}

TEST(Verdict, first_error_finding_passes_over_warnings) {
  EXPECT_EQ(Verdict::holding().error_finding(), nullptr);
  EXPECT_EQ(violation({FindingKind::shuffle_delta}).error_finding(), nullptr);
  const Verdict both = violation({FindingKind::shuffle_delta, FindingKind::deadlock, FindingKind::trap});
  ASSERT_NE(both.error_finding(), nullptr);
  EXPECT_EQ(both.error_finding()->kind, FindingKind::deadlock);
}

TEST(SameFault, needs_two_falsified_verdicts_of_one_class) {
  const Verdict wrong = Verdict::falsified_as(FailureClass::wrong_value, "one");
  const Verdict also_wrong = Verdict::falsified_as(FailureClass::wrong_value, "another");
  const Verdict crash = Verdict::falsified_as(FailureClass::crash, "signal 11");
  EXPECT_TRUE(wrong.same_fault(also_wrong));
  EXPECT_FALSE(wrong.same_fault(crash));
  EXPECT_FALSE(wrong.same_fault(Verdict::holding()));
  EXPECT_FALSE(Verdict::holding().same_fault(wrong));
  EXPECT_FALSE(Verdict::holding().same_fault(Verdict::holding()));
  EXPECT_FALSE(Verdict::inapplicable("").same_fault(Verdict::inapplicable("")));
}

TEST(SameFault, compares_the_kind_of_the_first_error_of_violations) {
  const Verdict bounds = violation({FindingKind::out_of_bounds});
  EXPECT_TRUE(bounds.same_fault(violation({FindingKind::shuffle_delta, FindingKind::out_of_bounds})));
  EXPECT_TRUE(bounds.same_fault(violation({FindingKind::out_of_bounds, FindingKind::trap})));
  EXPECT_FALSE(bounds.same_fault(violation({FindingKind::misaligned})));
  EXPECT_FALSE(bounds.same_fault(violation({})));
  EXPECT_TRUE(violation({}).same_fault(violation({})));
}

}  // namespace
}  // namespace warpcheck

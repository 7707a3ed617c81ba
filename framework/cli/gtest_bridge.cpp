#include "framework/cli/gtest_bridge.hpp"

#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace warpcheck::cli {

namespace {

class CheckTest : public testing::Test {
 public:
  CheckTest(const KernelInfo& kernel, const Property& property, const Judge& judge)
      : kernel_(kernel), property_(property), judge_(judge) {}

  void TestBody() override { report_to_googletest(judge_(kernel_, property_), kernel_); }

 private:
  const KernelInfo& kernel_;
  const Property& property_;
  const Judge& judge_;
};

void record(const engine::CheckResult& check) {
  const auto put = [](const char* key, const std::string& value) {
    testing::Test::RecordProperty(key, value);
  };
  put("verdict", std::string(name_of(check.verdict)));
  put("executor", check.executor);
  put("cases", fmt::format("{}", check.cases));
  put("kernel_runs", fmt::format("{}", check.runs));
  put("zero_blind_cases", fmt::format("{}", check.zero_blind_cases));
  put("worst_error_over_tolerance", fmt::format("{}", check.worst.error_over_tolerance));
  put("worst_error_over_sum_abs", fmt::format("{}", check.worst.error_over_sum_abs));
  if (!check.stored_as.empty()) put("counterexample", check.stored_as.string());
}

}  // namespace

void register_checks(std::span<const KernelInfo* const> kernels, std::span<const Property* const> properties,
                     const Judge& judge) {
  // The factories keep a reference; one copy for the life of the program serves every test.
  static std::vector<std::unique_ptr<const Judge>> judges;
  const Judge& kept = *judges.emplace_back(std::make_unique<const Judge>(judge));
  for (const KernelInfo* kernel : kernels) {
    for (const Property* property : properties) {
      testing::RegisterTest(
          kernel->name.c_str(), std::string(property->name()).c_str(), nullptr, nullptr, kernel->file.c_str(),
          static_cast<int>(kernel->line),
          [kernel, property, &kept]() -> testing::Test* { return new CheckTest(*kernel, *property, kept); });
    }
  }
}

void report_to_googletest(const engine::CheckResult& check, const KernelInfo& kernel) {
  record(check);
  switch (check.verdict) {
    case VerdictKind::holds:
      return;
    case VerdictKind::falsified:
      ADD_FAILURE_AT(kernel.file.c_str(), static_cast<int>(kernel.line)) << failure_text(check);
      return;
    case VerdictKind::no_power:
    case VerdictKind::inapplicable:
    case VerdictKind::not_run:
      GTEST_SKIP() << name_of(check.verdict) << ": " << check.reason;
  }
}

std::string failure_text(const engine::CheckResult& check) {
  if (check.counterexample) return check.counterexample->text;
  return fmt::format("{} fails for {} on {} ({})\n{}\n", check.property, check.kernel, check.executor,
                     name_of(check.failure), check.reason);
}

engine::CheckResult not_run_check(const KernelInfo& kernel, const Property& property, std::string executor,
                                  std::string reason) {
  engine::CheckResult check;
  check.kernel = kernel.name;
  check.property = property.name();
  check.executor = std::move(executor);
  check.verdict = VerdictKind::not_run;
  check.reason = std::move(reason);
  return check;
}

}  // namespace warpcheck::cli

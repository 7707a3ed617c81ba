#include "generators/coverage.hpp"

#include <gtest/gtest.h>

#include <set>

#include "generators/generator.hpp"
#include "tests/generators/contracts.hpp"

namespace warpcheck::generators {
namespace {

std::vector<Case> required_of_all(const KernelInfo& kernel) {
  std::vector<Case> cases;
  for (const Generator* generator : all_generators()) {
    for (Case& required : generator->required(kernel)) cases.push_back(std::move(required));
  }
  return cases;
}

TEST(Coverage, the_required_cases_contain_every_class_that_the_contract_allows) {
  for (const KernelInfo& kernel : many_contracts()) {
    const std::vector<Case> cases = required_of_all(kernel);
    for (const CoverageClass& wanted : coverage_classes()) {
      if (!wanted.possible(kernel)) continue;
      bool found = false;
      for (const Case& c : cases) found = found || wanted.contains(kernel, c);
      EXPECT_TRUE(found) << "\"" << wanted.name << "\" for " << kernel.name;
    }
  }
}

TEST(Coverage, every_class_is_possible_for_the_built_in_kernels) {
  for (const KernelInfo& kernel : built_in_contracts()) {
    for (const CoverageClass& wanted : coverage_classes()) {
      EXPECT_TRUE(wanted.possible(kernel)) << wanted.name << " for " << kernel.name;
    }
  }
}

TEST(Coverage, an_impossible_class_really_is_empty) {
  for (const KernelInfo& kernel : many_contracts()) {
    for (const CoverageClass& wanted : coverage_classes()) {
      // "Too large a launch" is the other reason, and no emptiness.
      if (wanted.possible(kernel) || kernel.contract.max_grid > 1000) continue;
      for (const Generator* generator : all_generators()) {
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
          EXPECT_FALSE(wanted.contains(kernel, generator->draw(kernel, seed)))
              << wanted.name << " for " << kernel.name << " by " << generator->name();
        }
      }
    }
  }
}

TEST(Coverage, classes_have_names_of_their_own_and_none_holds_every_case) {
  const KernelInfo kernel = built_in_contracts()[1];
  const std::vector<Case> cases = required_of_all(kernel);
  std::set<std::string_view> names;
  for (const CoverageClass& wanted : coverage_classes()) {
    EXPECT_TRUE(names.insert(wanted.name).second) << wanted.name;
    bool missed = false;
    for (const Case& c : cases) missed = missed || !wanted.contains(kernel, c);
    EXPECT_TRUE(missed) << wanted.name << " says nothing";
  }
  EXPECT_GE(names.size(), 40u);
}

TEST(Coverage, the_required_cases_are_few_and_quick) {
  for (const KernelInfo& kernel : many_contracts()) {
    std::size_t count = 0;
    std::uint64_t elements = 0;
    for (const Case& c : required_of_all(kernel)) {
      ++count;
      elements += c.n();
    }
    EXPECT_LE(count, 320u) << kernel.name;
    EXPECT_LE(elements, 120000u) << kernel.name;
  }
}

}  // namespace
}  // namespace warpcheck::generators

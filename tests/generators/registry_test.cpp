#include <gtest/gtest.h>
#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

#include <algorithm>

#include "generators/draw.hpp"
#include "generators/generator.hpp"
#include "tests/generators/contracts.hpp"

namespace warpcheck {
namespace {

bool identical(const Case& a, const Case& b) {
  return a.input->format() == b.input->format() &&
         std::equal(a.input->bytes().begin(), a.input->bytes().end(), b.input->bytes().begin(),
                    b.input->bytes().end()) &&
         a.geometry == b.geometry && a.pointer_offset == b.pointer_offset && a.schedule == b.schedule &&
         a.family == b.family && a.parameters == b.parameters;
}

TEST(GeneratorRegistry, holds_every_family_sorted_by_name) {
  std::vector<std::string_view> names;
  for (const Generator* generator : all_generators()) names.push_back(generator->name());
  EXPECT_EQ(names, (std::vector<std::string_view>{"alternating_sign", "boundary_lengths", "cancellation",
                                                  "constant", "empty", "exact_window", "near_overflow",
                                                  "one_hot", "permutations", "single", "small_integers",
                                                  "sorted", "special_values", "wide_exponents"}));
}

TEST(GeneratorRegistry, finds_by_name) {
  ASSERT_NE(find_generator("one_hot"), nullptr);
  EXPECT_EQ(find_generator("one_hot")->name(), "one_hot");
  EXPECT_EQ(find_generator("two_hot"), nullptr);
}

TEST(GeneratorRegistry, describes_each_in_one_line) {
  for (const Generator* generator : all_generators()) {
    EXPECT_GT(generator->description().size(), 10u) << generator->name();
    EXPECT_EQ(generator->description().find('\n'), std::string_view::npos) << generator->name();
  }
}

class Impostor : public Generator {
 public:
  std::string_view name() const override { return "empty"; }
  std::string_view description() const override { return "not the first of its name"; }
  std::vector<Case> required(const KernelInfo&) const override { return {}; }

 protected:
  Case make(const KernelInfo&, generators::Draw&) const override { return {}; }
};

TEST(GeneratorRegistryDeathTest, a_second_generator_of_one_name_ends_the_program_with_a_message) {
  EXPECT_EXIT(GeneratorRegistration{std::make_unique<Impostor>()}, testing::ExitedWithCode(2),
              "two generators are named \"empty\"");
}

TEST(Generator, the_same_seed_gives_the_same_case_and_another_seed_another) {
  for (const KernelInfo& kernel : generators::many_contracts()) {
    for (const Generator* generator : all_generators()) {
      int different = 0;
      for (std::uint64_t seed = 0; seed < 50; ++seed) {
        ASSERT_TRUE(identical(generator->draw(kernel, seed), generator->draw(kernel, seed)))
            << generator->name();
        if (!identical(generator->draw(kernel, seed), generator->draw(kernel, seed + 1))) ++different;
      }
      EXPECT_GT(different, 25) << generator->name() << " on " << kernel.name;
    }
  }
}

TEST(Generator, the_required_cases_are_the_same_each_time) {
  for (const KernelInfo& kernel : generators::many_contracts()) {
    for (const Generator* generator : all_generators()) {
      const std::vector<Case> first = generator->required(kernel);
      const std::vector<Case> second = generator->required(kernel);
      EXPECT_FALSE(first.empty()) << generator->name();
      EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin(), second.end(), identical))
          << generator->name();
    }
  }
}

TEST(Generator, as_a_rapidcheck_generator_depends_on_the_random_state_and_not_on_the_size) {
  const KernelInfo kernel = generators::built_in_contracts()[1];
  for (const Generator* generator : all_generators()) {
    const rc::Gen<Case> cases = generator->cases(kernel);
    rc::Random random(2718);
    int different = 0;
    for (int i = 0; i < 20; ++i) {
      const rc::Random here = random.split();
      const rc::Random there = random.split();
      const Case drawn = cases(here, 0).value();
      EXPECT_TRUE(identical(drawn, cases(here, 100).value())) << generator->name();
      if (!identical(drawn, cases(there, 100).value())) ++different;
    }
    EXPECT_GT(different, 5) << generator->name();
  }
}

TEST(Generator, as_a_rapidcheck_generator_has_no_shrinks) {
  const rc::Gen<Case> cases = find_generator("constant")->cases(generators::built_in_contracts()[0]);
  EXPECT_FALSE(cases(rc::Random(1), 100).shrinks().next());
}

}  // namespace
}  // namespace warpcheck

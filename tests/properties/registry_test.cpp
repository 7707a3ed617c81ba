#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "framework/contract/property.hpp"
#include "generators/generator.hpp"

namespace warpcheck {
namespace {

TEST(PropertyRegistry, holds_every_property_sorted_by_name) {
  std::vector<std::string_view> names;
  for (const Property* property : all_properties()) names.push_back(property->name());
  EXPECT_EQ(names, (std::vector<std::string_view>{
                       "empty_gives_identity", "equal_across_geometries", "equal_across_schedules",
                       "exact_window", "independent_of_poison", "input_unchanged", "negation", "one_hot",
                       "permutations_within_bound", "recycled_memory", "run_to_run_equal",
                       "scaling_by_powers_of_two", "single_element_exact", "within_proved_bound"}));
}

TEST(PropertyRegistry, claims_are_single_lines_and_generators_exist) {
  for (const Property* property : all_properties()) {
    EXPECT_GT(property->claim().size(), 20u) << property->name();
    EXPECT_EQ(property->claim().find('\n'), std::string_view::npos) << property->name();
    for (const std::string& generator : property->generators()) {
      EXPECT_NE(find_generator(generator), nullptr) << property->name() << " uses " << generator;
    }
  }
}

}  // namespace
}  // namespace warpcheck

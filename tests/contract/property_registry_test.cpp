#include <gtest/gtest.h>

#include "framework/contract/property.hpp"

namespace warpcheck {
namespace {

class Named : public Property {
 public:
  explicit Named(std::string_view name) : name_(name) {}
  std::string_view name() const override { return name_; }
  std::string_view claim() const override { return "holds always"; }
  Verdict judge(const KernelInfo&, const Case&, Executor&) const override { return Verdict::holding(); }

 private:
  std::string_view name_;
};

const PropertyRegistration second{std::make_unique<Named>("second")};
const PropertyRegistration first{std::make_unique<Named>("first")};

TEST(PropertyRegistry, is_sorted_by_name_and_found_by_name) {
  const std::vector<const Property*> properties = all_properties();
  ASSERT_EQ(properties.size(), 2u);
  EXPECT_EQ(properties[0]->name(), "first");
  EXPECT_EQ(properties[1]->name(), "second");
  EXPECT_EQ(find_property("second"), properties[1]);
  EXPECT_EQ(find_property("third"), nullptr);
}

TEST(PropertyRegistry, a_property_applies_everywhere_unless_it_says_otherwise) {
  EXPECT_TRUE(find_property("first")->generators().empty());
  EXPECT_TRUE(find_property("first")->inapplicable_to(KernelInfo{}).empty());
}

TEST(PropertyRegistryDeathTest, a_second_property_of_one_name_ends_the_program_with_a_message) {
  EXPECT_EXIT(PropertyRegistration{std::make_unique<Named>("first")}, testing::ExitedWithCode(2),
              "two properties are named \"first\"");
}

}  // namespace
}  // namespace warpcheck

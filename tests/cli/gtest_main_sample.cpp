#include <gtest/gtest.h>

TEST(OwnTest, runs_as_well) {
  EXPECT_EQ(1 + 1, 2);
}

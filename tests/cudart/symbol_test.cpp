// Module variables.

#include <gmock/gmock.h>

#include "tests/cudart/loaded_plugin.hpp"

namespace warpcheck::cudart {
namespace {

using Symbols = PluginTest;
using Use = int(float, int, float*, int*);

TEST_F(Symbols, can_be_read_and_written_by_name) {
  float out[4] = {};
  int count = -1;
  EXPECT_EQ(basics<Use>("use_symbols", 10.0f, 2, out, &count), 0);
  EXPECT_THAT(out, testing::ElementsAre(2.0f, 4.0f, 20.0f, 8.0f));
  EXPECT_EQ(count, 1);
  EXPECT_EQ(basics<Use>("use_symbols", 0.0f, 0, out, &count), 0);
  EXPECT_THAT(out, testing::ElementsAre(2.0f, 4.0f, 20.0f, 8.0f));
  EXPECT_EQ(count, 2);
}

TEST_F(Symbols, have_their_initial_values_in_every_case) {
  for (int i = 0; i < 3; ++i) {
    runtime().begin_case(settings());
    float out[4] = {};
    int count = -1;
    EXPECT_EQ(basics<Use>("use_symbols", 0.0f, 0, out, &count), 0);
    EXPECT_THAT(out, testing::ElementsAre(7.0f, 14.0f, 21.0f, 28.0f));
    EXPECT_EQ(count, 1);
    EXPECT_EQ(basics<Use>("use_symbols", 50.0f, 3, out, &count), 0);
    EXPECT_EQ(out[2], 150.0f);
    EXPECT_EQ(count, 2);
  }
}

TEST_F(Symbols, are_restored_when_another_module_changed_them) {
  auto* const increment = reinterpret_cast<int (*)(int*)>(plugin_symbol("tiny.so", "run_increment"));
  void* address = nullptr;
  EXPECT_EQ(basics<int(void**)>("counter_address", &address), 0);
  EXPECT_EQ(increment(static_cast<int*>(address)), 0);
  for (int i = 0; i < 2; ++i) {
    float out[4] = {};
    int count = -1;
    EXPECT_EQ(basics<Use>("use_symbols", 0.0f, 0, out, &count), 0);
    EXPECT_EQ(count, i == 0 ? 2 : 1);
    runtime().begin_case(settings());
  }
  // The address is known: it may be used again without being asked for.
  runtime().begin_case(settings());
  EXPECT_EQ(increment(static_cast<int*>(address)), 0);
  runtime().begin_case(settings());
  float out[4] = {};
  int count = -1;
  EXPECT_EQ(basics<Use>("use_symbols", 0.0f, 0, out, &count), 0);
  EXPECT_EQ(count, 1);
}

TEST_F(Symbols, that_are_managed_have_one_value_for_host_and_kernels) {
  using Managed = int(int, int*);
  for (int i = 0; i < 2; ++i) {
    runtime().begin_case(settings());
    int result = 0;
    EXPECT_EQ(basics<Managed>("use_managed_variable", 0, &result), 0);
    EXPECT_EQ(result, 10);
    EXPECT_EQ(basics<Managed>("use_managed_variable", 3, &result), 0);
    EXPECT_EQ(result, 26);
  }
}

TEST_F(Symbols, survive_a_change_of_the_device) {
  using Managed = int(int, int*);
  int result = 0;
  EXPECT_EQ(basics<Managed>("use_managed_variable", 0, &result), 0);
  runtime().configure(simt::DeviceModel::for_sm(90), std::uint64_t{1} << 30);
  runtime().begin_case(settings());
  EXPECT_EQ(basics<Managed>("use_managed_variable", 1, &result), 0);
  EXPECT_EQ(result, 12);
  float out[4] = {};
  int count = -1;
  EXPECT_EQ(basics<Use>("use_symbols", 0.0f, 0, out, &count), 0);
  EXPECT_EQ(count, 1);
  runtime().configure(simt::DeviceModel::for_sm(80), std::uint64_t{8} << 30);
}

}  // namespace
}  // namespace warpcheck::cudart

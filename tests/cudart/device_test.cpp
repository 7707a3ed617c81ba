// The virtual device.

#include <gmock/gmock.h>

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "framework/cudart/cuda_abi.hpp"
#include "tests/cudart/loaded_plugin.hpp"

extern "C" {
int cudaGetDeviceProperties_v2(warpcheck::cudart::abi::DeviceProperties12*, int);
int cudaPointerGetAttributes(warpcheck::cudart::abi::PointerAttributes*, const void*);
}

namespace warpcheck::cudart {
namespace {

using Device = PluginTest;

struct Numbers {
  std::uint32_t sm;
  int shared_optin;
};

TEST_F(Device, says_the_same_by_properties_and_attributes) {
  // Opt-in shared memory a block by compute capability: CUDA programming guide, technical specifications.
  for (const Numbers& model : {Numbers{75, 64 * 1024}, Numbers{90, 227 * 1024}, Numbers{80, 163 * 1024}}) {
    runtime().configure(simt::DeviceModel::for_sm(model.sm), std::uint64_t{8} << 30);
    runtime().begin_case(settings());
    int properties[6] = {}, attributes[6] = {};
    EXPECT_EQ(basics<int(int*, int*)>("device_numbers", properties, attributes), 0);
    EXPECT_THAT(properties, testing::ElementsAre(runtime().model().multiprocessors, 32, 1024, 48 * 1024,
                                                 model.shared_optin, static_cast<int>(model.sm)));
    EXPECT_THAT(attributes, testing::ElementsAreArray(properties));
  }
}

TEST_F(Device, is_the_only_one) {
  EXPECT_EQ(basics<int(int)>("other_device", 0), 0);
  EXPECT_EQ(basics<int(int)>("other_device", 1), 101);
  EXPECT_EQ(basics<int(int)>("other_device", -1), 101);
}

TEST_F(Device, has_a_runtime_of_cuda_13) {
  int runtime_version = 0, driver = 0;
  EXPECT_EQ(basics<int(int*, int*)>("versions", &runtime_version, &driver), 0);
  EXPECT_EQ(runtime_version, 13000);
  EXPECT_EQ(driver, 13000);
}

TEST(DeviceForCuda12, writes_no_further_than_its_structures) {
  // sizeof(cudaDeviceProp) and sizeof(cudaPointerAttributes) in CUDA 12.
  constexpr std::size_t kProperties = 1032, kAttributes = 24;
  constexpr std::byte kUntouched{0xa5};
  alignas(16) std::byte room[2048];
  const auto untouched_from = [&](std::size_t first) {
    return std::all_of(room + first, std::end(room), [&](std::byte b) { return b == kUntouched; });
  };
  std::fill(std::begin(room), std::end(room), kUntouched);
  auto* const properties = reinterpret_cast<abi::DeviceProperties12*>(room);
  Runtime::instance().begin_case({});
  EXPECT_EQ(cudaGetDeviceProperties_v2(properties, 0), 0);
  EXPECT_EQ(properties->warp_size, 32);
  EXPECT_EQ(properties->shared_per_block_optin, Runtime::instance().model().shared_per_block_optin);
  EXPECT_EQ(properties->unified_function_pointers, 1);
  EXPECT_TRUE(untouched_from(kProperties));
  std::fill(std::begin(room), std::end(room), kUntouched);
  EXPECT_EQ(cudaPointerGetAttributes(reinterpret_cast<abi::PointerAttributes*>(room), room), 0);
  EXPECT_TRUE(untouched_from(kAttributes));
}

TEST_F(Device, refuses_a_binary_for_later_devices_and_runs_it_on_one) {
  auto* const run = reinterpret_cast<int (*)(int*)>(plugin_symbol("future.so", "run_increment"));
  const auto value = [&] {
    const simt::DeviceAddress address = runtime().memory().allocate(4, simt::AllocationKind::managed, "x");
    auto* const x = reinterpret_cast<int*>(address);
    *x = 41;
    const int code = run(x);
    return std::pair(code, *x);
  };
  EXPECT_EQ(value(), std::pair(209, 41));
  runtime().configure(simt::DeviceModel::for_sm(90), std::uint64_t{8} << 30);
  runtime().begin_case(settings());
  EXPECT_EQ(value(), std::pair(0, 42));
  runtime().configure(simt::DeviceModel::for_sm(80), std::uint64_t{8} << 30);
}

}  // namespace
}  // namespace warpcheck::cudart

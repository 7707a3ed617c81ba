// Copies and sets.

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <numeric>

#include "tests/cudart/loaded_plugin.hpp"

namespace warpcheck::cudart {
namespace {

using testing::HasSubstr;

class Copy : public PluginTest {
 protected:
  void SetUp() override {
    PluginTest::SetUp();
    if (IsSkipped()) return;
    device_ = reinterpret_cast<char*>(runtime().memory().allocate(256, simt::AllocationKind::device, "x"));
    managed_ = reinterpret_cast<char*>(runtime().memory().allocate(256, simt::AllocationKind::managed, "m"));
  }

  static int copy(void* to, const void* from, std::size_t bytes, int kind) {
    return basics<int(void*, const void*, std::size_t, int)>("copy", to, from, bytes, kind);
  }

  std::string message() { return runtime().end_case().api_errors.at(0).message; }

  char* device_{};
  char* managed_{};
};

TEST_F(Copy, moves_bytes_both_ways_and_within_the_device) {
  std::array<unsigned char, 100> in, out{};
  std::iota(in.begin(), in.end(), static_cast<unsigned char>(3));
  EXPECT_EQ(copy(device_ + 10, in.data(), 100, 1), 0);
  EXPECT_EQ(copy(device_ + 120, device_ + 10, 100, 3), 0);
  EXPECT_EQ(copy(managed_, device_ + 120, 100, 4), 0);
  EXPECT_EQ(std::memcmp(managed_, in.data(), 100), 0);
  EXPECT_EQ(copy(out.data(), managed_, 100, 2), 0);
  EXPECT_EQ(in, out);
  out = {};
  EXPECT_EQ(copy(out.data(), in.data(), 100, 0), 0);
  EXPECT_EQ(in, out);
  EXPECT_TRUE(runtime().end_case().api_errors.empty());
}

TEST_F(Copy, refuses_ranges_that_leave_their_allocation) {
  char host[300] = {};
  EXPECT_EQ(copy(device_, host, 256, 1), 0);
  EXPECT_EQ(copy(device_, host, 257, 1), 1);
  EXPECT_EQ(message(), "257 bytes at byte 0 of x, which has 256");
  EXPECT_EQ(copy(device_ + 256, host, 1, 1), 1);
  EXPECT_EQ(copy(device_ - 1, host, 1, 1), 1);
  EXPECT_EQ(copy(host, device_ + 200, 57, 2), 1);
  EXPECT_EQ(copy(device_, host, 0, 1), 0);
}

TEST_F(Copy, refuses_freed_memory_and_null_pointers) {
  char host[16] = {};
  runtime().memory().free(reinterpret_cast<simt::DeviceAddress>(device_));
  EXPECT_EQ(copy(device_ + 4, host, 16, 1), 1);
  EXPECT_EQ(message(), "16 bytes at byte 4 of x, which was freed");
  EXPECT_EQ(copy(nullptr, host, 16, 1), 1);
  EXPECT_EQ(copy(host, nullptr, 16, 2), 1);
}

TEST_F(Copy, refuses_pointers_of_the_wrong_side) {
  char host[16] = {};
  EXPECT_EQ(copy(host, host, 8, 1), 1);
  EXPECT_THAT(message(), HasSubstr("is not a device address"));
  EXPECT_EQ(copy(device_, host, 8, 2), 1);
  EXPECT_EQ(copy(device_, device_ + 8, 8, 1), 1);
  EXPECT_EQ(message(), fmt::format("{} is not a device address", fmt::ptr(host)));
  EXPECT_EQ(copy(device_, device_ + 8, 8, 0), 1);
  EXPECT_EQ(message(), "x is device memory, not the host's");
  EXPECT_EQ(copy(managed_, host, 8, 1), 0);
  EXPECT_EQ(copy(host, managed_, 8, 0), 0);
  for (const int kind : {-1, 5}) EXPECT_EQ(copy(device_, host, 8, kind), 21);
}

TEST_F(Copy, reports_a_write_to_a_constant_input) {
  char host[16] = {};
  runtime().memory().set_read_only(reinterpret_cast<simt::DeviceAddress>(device_), true);
  EXPECT_EQ(copy(host, device_, 16, 2), 0);
  EXPECT_EQ(copy(device_, host, 16, 1), 1);
  const CaseReport report = runtime().end_case();
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].kind, FindingKind::write_to_const);
  EXPECT_EQ(report.findings[0].message, "the host writes 16 bytes to x, which is constant");
}

TEST_F(Copy, moves_rows_and_checks_their_last_byte) {
  using Rows = int(void*, std::size_t, const void*, std::size_t, std::size_t, std::size_t, int);
  std::array<char, 24> in;
  std::iota(in.begin(), in.end(), static_cast<char>(1));
  std::array<char, 12> out{};
  EXPECT_EQ(basics<Rows>("copy_2d", device_, 20u, in.data(), 8u, 4u, 3u, 1), 0);
  EXPECT_EQ(basics<Rows>("copy_2d", out.data(), 4u, device_, 20u, 4u, 3u, 2), 0);
  EXPECT_THAT(out, testing::ElementsAre(1, 2, 3, 4, 9, 10, 11, 12, 17, 18, 19, 20));
  EXPECT_EQ(basics<Rows>("copy_2d", device_, 3u, in.data(), 8u, 4u, 3u, 1), 12);
  // 13 rows, 20 bytes apart, end at byte 244 + 16 = 260.
  EXPECT_EQ(basics<Rows>("copy_2d", out.data(), 16u, device_ + 4, 20u, 16u, 13u, 2), 1);
  EXPECT_EQ(basics<Rows>("copy_2d", device_, ~std::size_t{0} / 2, in.data(), 8u, 4u, 3u, 1), 1);
}

TEST_F(Copy, moves_boxes) {
  std::array<unsigned char, 60> out{};
  EXPECT_EQ(basics<int(unsigned char*)>("copy_3d", out.data()), 0);
  for (int z = 0; z < 3; ++z) {
    for (int y = 0; y < 4; ++y) {
      for (int x = 0; x < 5; ++x) {
        const bool inside = x < 3 && y < 2 && z < 2;
        const int from = (z + 1) * 20 + (y + 2) * 5 + (x + 1);
        EXPECT_EQ(out[z * 20 + y * 5 + x], inside ? from : 0xff) << x << ' ' << y << ' ' << z;
      }
    }
  }
}

TEST_F(Copy, sets_bytes_within_an_allocation) {
  using Set = int(void*, int, std::size_t);
  char host[4] = {};
  EXPECT_EQ(basics<Set>("set_bytes", device_ + 252, 0x17, 4u), 0);
  EXPECT_EQ(basics<Set>("set_bytes", device_ + 252, 0x17, 5u), 1);
  EXPECT_EQ(copy(host, device_ + 252, 4, 2), 0);
  EXPECT_THAT(host, testing::ElementsAre(0x17, 0x17, 0x17, 0x17));
  EXPECT_EQ(basics<Set>("set_bytes", host, 0, 4u), 1);
  EXPECT_EQ(basics<Set>("set_bytes", managed_, 1, 4u), 0);
  EXPECT_EQ(managed_[3], 1);
}

}  // namespace
}  // namespace warpcheck::cudart

// Allocation and freeing.

#include <gmock/gmock.h>

#include "tests/cudart/loaded_plugin.hpp"

namespace warpcheck::cudart {
namespace {

using Memory = PluginTest;

int allocate(std::size_t bytes, void** p) {
  return basics<int(std::size_t, void**)>("malloc_and_leak", bytes, p);
}
int release(void* p) {
  return basics<int(void*)>("free_device", p);
}

std::string last_message(const CaseReport& report) {
  return report.api_errors.empty() ? "" : report.api_errors.back().message;
}

TEST_F(Memory, is_device_memory_with_the_fill_of_the_case) {
  CaseSettings with_pattern = settings();
  with_pattern.fill.pattern = 0x12345678;
  runtime().begin_case(with_pattern);
  void* p = nullptr;
  ASSERT_EQ(allocate(10, &p), 0);
  const auto address = reinterpret_cast<simt::DeviceAddress>(p);
  const simt::Allocation* const record = runtime().memory().find(address);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->kind, simt::AllocationKind::device);
  EXPECT_EQ(record->size, 10u);
  EXPECT_EQ(record->name, "cudaMalloc #1");
  std::uint32_t word = 0;
  EXPECT_EQ(basics<int(void*, const void*, std::size_t, int)>("copy", &word, p, std::size_t{4}, 2), 0);
  EXPECT_EQ(word, 0x12345678u);
}

TEST_F(Memory, of_no_bytes_is_a_null_pointer) {
  void* p = &p;
  EXPECT_EQ(allocate(0, &p), 0);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(release(nullptr), 0);
  EXPECT_EQ(allocate(1, nullptr), 1);
}

TEST_F(Memory, runs_out_at_the_devices_capacity) {
  std::size_t free_bytes = 0, total = 0;
  EXPECT_EQ(basics<int(std::size_t*, std::size_t*)>("memory_info", &free_bytes, &total), 0);
  EXPECT_EQ(total, std::size_t{8} << 30);
  void* p = nullptr;
  EXPECT_EQ(allocate(free_bytes + 1, &p), 2);
  EXPECT_EQ(p, nullptr);
  EXPECT_EQ(allocate(~std::size_t{0}, &p), 2);
  EXPECT_EQ(allocate(1 << 20, &p), 0);
  std::size_t left = 0;
  EXPECT_EQ(basics<int(std::size_t*, std::size_t*)>("memory_info", &left, &total), 0);
  EXPECT_EQ(left, free_bytes - (1 << 20));
}

TEST_F(Memory, is_freed_once_at_its_first_byte_by_its_owner) {
  void* p = nullptr;
  ASSERT_EQ(allocate(100, &p), 0);
  EXPECT_EQ(release(static_cast<char*>(p) + 4), 1);
  EXPECT_EQ(basics<int(void*)>("free_host", p), 1);
  EXPECT_EQ(release(p), 0);
  EXPECT_EQ(release(p), 1);
  const CaseReport report = runtime().end_case();
  ASSERT_EQ(report.api_errors.size(), 2u);
  EXPECT_EQ(report.api_errors[0].message, "byte 4 of cudaMalloc #1; free takes its first byte");
  EXPECT_EQ(report.api_errors[0].count, 2u);
  EXPECT_EQ(report.api_errors[1].message, "cudaMalloc #1 belongs to cudaFree");

  runtime().begin_case(settings());
  const simt::DeviceAddress ours = runtime().memory().allocate(64, simt::AllocationKind::device, "input");
  EXPECT_EQ(release(reinterpret_cast<void*>(ours)), 1);
  EXPECT_NE(runtime().memory().live_range(ours, 64), nullptr);
  EXPECT_EQ(last_message(runtime().end_case()), "input was not allocated by the plug-in");
}

TEST_F(Memory, that_was_not_freed_is_reported_in_order_and_gone_in_the_next_case) {
  void *a = nullptr, *b = nullptr, *c = nullptr;
  ASSERT_EQ(allocate(100, &a), 0);
  ASSERT_EQ(allocate(200, &b), 0);
  ASSERT_EQ(allocate(300, &c), 0);
  ASSERT_EQ(release(b), 0);
  const std::size_t live = runtime().memory().live_count();
  const CaseReport report = runtime().end_case();
  ASSERT_EQ(report.leaks.size(), 2u);
  EXPECT_EQ(report.leaks[0].name, "cudaMalloc #1");
  EXPECT_EQ(report.leaks[0].bytes, 100u);
  EXPECT_EQ(report.leaks[1].bytes, 300u);
  EXPECT_EQ(runtime().memory().live_count(), live);
  runtime().begin_case(settings());
  EXPECT_EQ(runtime().memory().live_count(), live - 2);
  EXPECT_EQ(release(a), 1);
}

TEST_F(Memory, of_the_case_before_comes_back_with_its_content_when_that_is_asked_for) {
  for (const bool keep : {false, true}) {
    CaseSettings recycling = settings();
    recycling.fill = {.pattern = 0xffffffffu, .recycle = true};
    runtime().begin_case(recycling);
    void* p = nullptr;
    ASSERT_EQ(allocate(1000, &p), 0);
    EXPECT_EQ(basics<int(void*, int, std::size_t)>("set_bytes", p, 0x5a, std::size_t{1000}), 0);
    recycling.keep_content = keep;
    runtime().begin_case(recycling);
    void* q = nullptr;
    ASSERT_EQ(allocate(1000, &q), 0);
    std::uint32_t word = 0;
    EXPECT_EQ(basics<int(void*, const void*, std::size_t, int)>("copy", &word, q, std::size_t{4}, 2), 0);
    EXPECT_EQ(word, keep ? 0x5a5a5a5au : 0xffffffffu);
  }
}

TEST_F(Memory, has_a_type_that_programs_can_ask_for) {
  const auto type_of = [](const void* p) {
    int type = -1;
    EXPECT_EQ(basics<int(const void*, int*)>("memory_type", p, &type), 0);
    return type;
  };
  void* p = nullptr;
  ASSERT_EQ(allocate(100, &p), 0);
  EXPECT_EQ(type_of(p), 2);
  EXPECT_EQ(type_of(static_cast<char*>(p) + 99), 2);
  EXPECT_EQ(type_of(static_cast<char*>(p) + 100), 0);
  EXPECT_EQ(type_of(&p), 0);
  simt::DeviceMemory& memory = runtime().memory();
  EXPECT_EQ(type_of(reinterpret_cast<void*>(memory.allocate(8, simt::AllocationKind::managed))), 3);
  EXPECT_EQ(type_of(reinterpret_cast<void*>(memory.allocate(8, simt::AllocationKind::host))), 1);
}

TEST_F(Memory, comes_in_rows_with_a_pitch) {
  using Pitch = int(void**, std::size_t*, std::size_t, std::size_t);
  void* p = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(basics<Pitch>("malloc_pitch", &p, &pitch, std::size_t{700}, std::size_t{3}), 0);
  EXPECT_GE(pitch, 700u);
  EXPECT_EQ(pitch % 256, 0u);
  EXPECT_EQ(runtime().memory().find(reinterpret_cast<simt::DeviceAddress>(p))->size, 3 * pitch);
  EXPECT_EQ(basics<Pitch>("malloc_pitch", &p, &pitch, ~std::size_t{0} - 600, ~std::size_t{0}), 2);
}

TEST_F(Memory, can_come_from_the_pool_in_a_stream) {
  int value = 0;
  EXPECT_EQ(basics<int(int*)>("pool_allocation", &value), 0);
  EXPECT_EQ(value, 1);
  EXPECT_TRUE(runtime().end_case().leaks.empty());
}

}  // namespace
}  // namespace warpcheck::cudart

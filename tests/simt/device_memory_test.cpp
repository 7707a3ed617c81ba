#include "framework/simt/device_memory.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <map>
#include <random>
#include <set>
#include <stdexcept>
#include <vector>

namespace warpcheck::simt {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

std::uint32_t word(const DeviceMemory& memory, DeviceAddress address) {
  std::uint32_t value;
  std::memcpy(&value, memory.host(address), sizeof value);
  return value;
}

void set_word(DeviceMemory& memory, DeviceAddress address, std::uint32_t value) {
  std::memcpy(memory.host(address), &value, sizeof value);
}

/// The signal that ends a child process which does `act`; 0 if it exits.
template <class Act>
int signal_of(Act act) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit no_core{0, 0};
    ::setrlimit(RLIMIT_CORE, &no_core);
    // A sanitizer's handler would turn the signal into an exit status.
    ::signal(SIGSEGV, SIG_DFL);
    act();
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// An access to a device address from the host, opaque to the compiler and to sanitizers.
[[gnu::noinline]] void touch(DeviceAddress address, bool write) {
  auto* const byte = reinterpret_cast<volatile char*>(address);
  if (write) {
    *byte = 1;
  } else {
    static_cast<void>(*byte);
  }
}

TEST(DeviceMemory, faults_when_the_host_dereferences_a_device_address) {
  DeviceMemory memory;
  const DeviceAddress address = memory.allocate(64, AllocationKind::device);
  EXPECT_EQ(signal_of([&] { touch(address, false); }), SIGSEGV);
  EXPECT_EQ(signal_of([&] { touch(address, true); }), SIGSEGV);
  const DeviceAddress variable = memory.allocate(64, AllocationKind::variable);
  EXPECT_EQ(signal_of([&] { touch(variable, false); }), SIGSEGV);
}

TEST(DeviceMemory, gives_managed_and_host_memory_one_address_for_both_sides) {
  DeviceMemory memory;
  for (const AllocationKind kind : {AllocationKind::managed, AllocationKind::host}) {
    const DeviceAddress address = memory.allocate(64, kind);
    ASSERT_NE(address, 0u);
    EXPECT_EQ(reinterpret_cast<DeviceAddress>(memory.host(address)), address);
    EXPECT_EQ(signal_of([&] { touch(address, true); }), 0);
  }
}

TEST(DeviceMemory, keeps_a_constant_distance_between_an_address_and_its_bytes) {
  DeviceMemory memory;
  const DeviceAddress first = memory.allocate(10, AllocationKind::device);
  const DeviceAddress second = memory.allocate(100 * kMiB, AllocationKind::device);
  const auto distance = [&](DeviceAddress address) {
    return reinterpret_cast<DeviceAddress>(memory.host(address)) - address;
  };
  EXPECT_NE(distance(first), 0u);
  EXPECT_EQ(distance(first), distance(second));
  EXPECT_EQ(distance(second), distance(second + 100 * kMiB - 1));
}

TEST(DeviceMemory, holds_the_pattern_in_every_word_of_a_block_whatever_its_alignment) {
  DeviceMemory memory;
  memory.set_fill({.pattern = 0x7fc01234u});
  for (const std::uint32_t misalign : {0u, 4u, 12u, 252u}) {
    for (const std::uint64_t words : {1u, 7u, 1000u, 300000u}) {
      const DeviceAddress address = memory.allocate(words * 4, AllocationKind::device, {}, misalign);
      EXPECT_EQ(address % 256, misalign);
      std::uint64_t wrong = 0;
      for (std::uint64_t i = 0; i < words; ++i) wrong += word(memory, address + 4 * i) != 0x7fc01234u;
      EXPECT_EQ(wrong, 0u) << words << " words, misaligned by " << misalign;
    }
  }
}

TEST(DeviceMemory, restores_the_pattern_when_a_slot_is_used_again) {
  DeviceMemory memory;
  memory.set_fill({.pattern = 0xdeadbeefu});
  std::set<DeviceAddress> seen;
  bool reused = false;
  for (int i = 0; i < 200; ++i) {
    const DeviceAddress address = memory.allocate(4096, AllocationKind::device);
    reused |= !seen.insert(address).second;
    for (std::uint64_t at = 0; at < 4096; at += 4) {
      ASSERT_EQ(word(memory, address + at), 0xdeadbeefu);
      set_word(memory, address + at, static_cast<std::uint32_t>(i));
    }
    ASSERT_TRUE(memory.free(address));
  }
  EXPECT_TRUE(reused);
}

TEST(DeviceMemory, restores_the_pattern_after_a_large_block_gave_its_pages_back) {
  DeviceMemory memory;
  memory.set_fill({.pattern = 0x01020304u});
  std::set<DeviceAddress> seen;
  bool reused = false;
  for (int i = 0; i < 4; ++i) {
    const DeviceAddress address = memory.allocate(65 * kMiB, AllocationKind::device);
    reused |= !seen.insert(address).second;
    for (std::uint64_t at = 0; at < 65 * kMiB; at += 4096) ASSERT_EQ(word(memory, address + at), 0x01020304u);
    EXPECT_EQ(word(memory, address + 65 * kMiB - 4), 0x01020304u);
    set_word(memory, address, 5);
    set_word(memory, address + 65 * kMiB - 4, 5);
    memory.free(address);
  }
  EXPECT_TRUE(reused);
}

TEST(DeviceMemory, leaves_at_least_a_mebibyte_between_any_two_allocations) {
  DeviceMemory memory;
  std::mt19937_64 random(7);
  std::map<DeviceAddress, std::uint64_t> live;
  for (int i = 0; i < 300; ++i) {
    const std::uint64_t size = 1 + random() % (i % 10 == 0 ? 15 * kMiB : i % 3 == 0 ? 3 * kMiB : 5000);
    const DeviceAddress address =
        memory.allocate(size, i % 2 == 0 ? AllocationKind::device : AllocationKind::managed);
    ASSERT_NE(address, 0u);
    live[address] = size;
    if (i % 4 == 3) {
      auto victim = live.begin();
      std::advance(victim, random() % live.size());
      ASSERT_TRUE(memory.free(victim->first));
      live.erase(victim);
    }
  }
  DeviceAddress previous_end = 0;
  for (const auto& [begin, size] : live) {
    EXPECT_GE(begin, previous_end + kMiB);
    previous_end = begin + size;
    EXPECT_FALSE(memory.is_device_space(begin - (std::uint64_t{1} << 46)));
    // The gaps belong to the space, to the object's slot, and to no object.
    for (const DeviceAddress outside : {begin - 1, begin - kMiB / 2, begin + size, begin + size + kMiB / 2}) {
      EXPECT_TRUE(memory.is_device_space(outside));
      EXPECT_EQ(memory.find(outside), nullptr);
      ASSERT_NE(memory.nearest(outside), nullptr);
      EXPECT_EQ(memory.nearest(outside)->begin, begin);
    }
  }
}

TEST(DeviceMemory, finds_exactly_the_bytes_that_were_asked_for) {
  DeviceMemory memory;
  const DeviceAddress address = memory.allocate(1001, AllocationKind::device, "x");
  const Allocation* const record = memory.find(address);
  ASSERT_NE(record, nullptr);
  EXPECT_EQ(record->begin, address);
  EXPECT_EQ(record->size, 1001u);
  EXPECT_EQ(record->end(), address + 1001);
  EXPECT_EQ(record->name, "x");
  EXPECT_TRUE(record->live);
  EXPECT_EQ(memory.find(address + 1000), record);
  EXPECT_EQ(memory.find(address + 1001), nullptr);
  EXPECT_EQ(memory.find(address - 1), nullptr);
  EXPECT_EQ(memory.live_range(address, 1001), record);
  EXPECT_EQ(memory.live_range(address, 1002), nullptr);
  EXPECT_EQ(memory.live_range(address + 1000, 1), record);
  EXPECT_EQ(memory.live_range(address + 1000, 2), nullptr);
  EXPECT_EQ(memory.live_range(address - 1, 2), nullptr);
  EXPECT_EQ(memory.live_range(address + 8, ~std::uint64_t{0} - 3), nullptr);
  EXPECT_EQ(memory.slot_record(static_cast<std::uint32_t>(address >> 20)), record);
}

TEST(DeviceMemory, answers_for_addresses_that_are_nobodys) {
  DeviceMemory memory;
  const int on_stack = 0;
  for (const DeviceAddress address :
       {DeviceAddress{0}, DeviceAddress{16}, ~DeviceAddress{0}, reinterpret_cast<DeviceAddress>(&on_stack)}) {
    EXPECT_FALSE(memory.is_device_space(address));
    EXPECT_EQ(memory.find(address), nullptr);
    EXPECT_EQ(memory.nearest(address), nullptr);
    EXPECT_EQ(memory.live_range(address, 1), nullptr);
    EXPECT_FALSE(memory.free(address));
    memory.set_name(address, "nobody");
    memory.set_read_only(address, true);
  }
  EXPECT_EQ(memory.slot_record(0), nullptr);
  EXPECT_EQ(memory.slot_record(0xffffffffu), nullptr);
}

TEST(DeviceMemory, frees_only_what_begins_at_the_address_and_only_once) {
  DeviceMemory memory;
  const DeviceAddress address = memory.allocate(100, AllocationKind::device);
  EXPECT_FALSE(memory.free(address + 4));
  EXPECT_TRUE(memory.free(address));
  EXPECT_FALSE(memory.free(address));
  EXPECT_EQ(memory.live_count(), 0u);
  EXPECT_EQ(memory.bytes_live(), 0u);
}

TEST(DeviceMemory, remembers_a_freed_block_until_its_quarantine_ends) {
  DeviceMemory memory;
  const DeviceAddress address = memory.allocate(100, AllocationKind::device, "workspace");
  memory.free(address);
  for (int i = 0; i < 10; ++i) {
    ASSERT_NE(memory.find(address), nullptr);
    EXPECT_FALSE(memory.find(address)->live);
    EXPECT_EQ(memory.find(address)->name, "workspace");
    EXPECT_EQ(memory.live_range(address, 4), nullptr);
    const DeviceAddress other = memory.allocate(100, AllocationKind::device);
    EXPECT_NE(other, address);
    memory.free(other);
  }
}

TEST(DeviceMemory, recycles_the_smallest_block_that_fits_with_its_old_content) {
  DeviceMemory memory;
  memory.set_fill({.pattern = 0, .recycle = true});
  const DeviceAddress large = memory.allocate(64 * 1024, AllocationKind::device);
  const DeviceAddress small = memory.allocate(2048, AllocationKind::device);
  const DeviceAddress middle = memory.allocate(8192, AllocationKind::device);
  set_word(memory, large, 1);
  set_word(memory, small, 2);
  set_word(memory, middle, 3);
  memory.free(middle);
  memory.free(large);
  memory.free(small);
  const DeviceAddress again = memory.allocate(4000, AllocationKind::device);
  EXPECT_EQ(again, middle);
  EXPECT_EQ(word(memory, again), 3u);
  EXPECT_EQ(memory.find(again)->size, 4000u);
  EXPECT_GE(memory.find(again)->capacity, 8192u);
  EXPECT_EQ(memory.allocate(1, AllocationKind::device), small);
  // Nothing that was freed holds this much: a fresh block, with the pattern.
  const DeviceAddress fresh = memory.allocate(100 * 1024, AllocationKind::device);
  EXPECT_NE(fresh, large);
  EXPECT_EQ(word(memory, fresh), 0u);
}

TEST(DeviceMemory, recycles_the_block_freed_last_among_equals) {
  DeviceMemory memory;
  memory.set_fill({.recycle = true});
  DeviceAddress blocks[3];
  for (DeviceAddress& block : blocks) block = memory.allocate(1024, AllocationKind::device);
  memory.free(blocks[1]);
  memory.free(blocks[2]);
  memory.free(blocks[0]);
  EXPECT_EQ(memory.allocate(1024, AllocationKind::device), blocks[0]);
  EXPECT_EQ(memory.allocate(1024, AllocationKind::device), blocks[2]);
  EXPECT_EQ(memory.allocate(1024, AllocationKind::device), blocks[1]);
}

TEST(DeviceMemory, does_not_recycle_across_kinds_of_address) {
  DeviceMemory memory;
  memory.set_fill({.recycle = true});
  const DeviceAddress device = memory.allocate(1024, AllocationKind::device);
  memory.free(device);
  const DeviceAddress managed = memory.allocate(1024, AllocationKind::managed);
  EXPECT_NE(managed, device);
  EXPECT_EQ(reinterpret_cast<DeviceAddress>(memory.host(managed)), managed);
}

TEST(DeviceMemory, forgets_content_at_free_all_unless_told_to_keep_it) {
  for (const bool keep : {false, true}) {
    DeviceMemory memory;
    memory.set_fill({.pattern = 0xffffffffu, .recycle = true});
    const DeviceAddress freed = memory.allocate(1024, AllocationKind::device);
    const DeviceAddress left = memory.allocate(4096, AllocationKind::device);
    set_word(memory, freed, 11);
    set_word(memory, left, 12);
    memory.free(freed);
    memory.free_all(keep);
    EXPECT_EQ(memory.live_count(), 0u);
    const DeviceAddress first = memory.allocate(1024, AllocationKind::device);
    const DeviceAddress second = memory.allocate(4096, AllocationKind::device);
    EXPECT_EQ(first == freed, keep);
    EXPECT_EQ(second == left, keep);
    EXPECT_EQ(word(memory, first), keep ? 11u : 0xffffffffu);
    EXPECT_EQ(word(memory, second), keep ? 12u : 0xffffffffu);
  }
}

TEST(DeviceMemory, keeps_variables_at_free_all) {
  DeviceMemory memory;
  const DeviceAddress variable = memory.allocate(16, AllocationKind::variable, "counter");
  set_word(memory, variable, 42);
  const DeviceAddress block = memory.allocate(16, AllocationKind::device);
  memory.free_all(false);
  EXPECT_EQ(memory.live_range(block, 1), nullptr);
  ASSERT_NE(memory.live_range(variable, 16), nullptr);
  EXPECT_EQ(word(memory, variable), 42u);
  EXPECT_EQ(memory.bytes_live(), 16u);
  EXPECT_EQ(memory.live_count(), 1u);
}

TEST(DeviceMemory, is_out_of_memory_past_its_capacity_and_never_before) {
  DeviceMemory memory(10 * kMiB);
  EXPECT_EQ(memory.capacity(), 10 * kMiB);
  const DeviceAddress first = memory.allocate(6 * kMiB, AllocationKind::device);
  ASSERT_NE(first, 0u);
  EXPECT_EQ(memory.allocate(4 * kMiB + 1, AllocationKind::device), 0u);
  EXPECT_EQ(memory.allocate(~std::uint64_t{0}, AllocationKind::device), 0u);
  const DeviceAddress second = memory.allocate(4 * kMiB, AllocationKind::host);
  ASSERT_NE(second, 0u);
  EXPECT_EQ(memory.bytes_live(), 10 * kMiB);
  EXPECT_EQ(memory.allocate(1, AllocationKind::device), 0u);
  memory.free(first);
  EXPECT_NE(memory.allocate(1, AllocationKind::device), 0u);
  EXPECT_EQ(memory.allocate(0, AllocationKind::device), 0u);
}

TEST(DeviceMemory, refuses_a_misalignment_of_256_and_more) {
  DeviceMemory memory;
  EXPECT_THROW(memory.allocate(4, AllocationKind::device, {}, 256), std::invalid_argument);
}

TEST(DeviceMemory, stores_names_and_constness_with_the_record) {
  DeviceMemory memory;
  const DeviceAddress address = memory.allocate(16, AllocationKind::device);
  memory.set_name(address, "input");
  memory.set_read_only(address, true);
  EXPECT_EQ(memory.find(address)->name, "input");
  EXPECT_TRUE(memory.find(address)->read_only);
  memory.set_name(address + 1, "not an allocation's begin");
  EXPECT_EQ(memory.find(address)->name, "input");
  memory.free(address);
  memory.set_fill({.recycle = true});
  const DeviceAddress next = memory.allocate(16, AllocationKind::device, "out");
  EXPECT_FALSE(memory.find(next)->read_only);
  EXPECT_GT(memory.find(next)->id, 1u);
}

TEST(DeviceMemory, keeps_records_at_their_place_while_others_come_and_go) {
  DeviceMemory memory;
  const DeviceAddress address = memory.allocate(16, AllocationKind::device, "kept");
  const Allocation* const record = memory.find(address);
  for (int i = 0; i < 2000; ++i) memory.allocate(16, AllocationKind::device);
  EXPECT_EQ(memory.find(address), record);
  EXPECT_EQ(record->name, "kept");
}

/// Runs `act` where the process may have only `bytes` more address space.
template <class Act>
int exit_status_with_address_space(std::uint64_t bytes, Act act) {
  const pid_t child = ::fork();
  if (child == 0) {
    const rlimit limit{bytes, bytes};
    ::setrlimit(RLIMIT_AS, &limit);
    ::_exit(act());
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(DeviceMemory, works_in_a_small_address_space) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer's shadow alone is larger than the limit";
  const int status = exit_status_with_address_space(3 * 1024 * kMiB, [] {
    DeviceMemory memory;
    // More in turn than the reservation can hold at once, of sizes that leave holes.
    for (std::uint64_t round = 0; round < 40; ++round) {
      DeviceAddress blocks[8];
      for (std::uint64_t i = 0; i < 8; ++i) {
        blocks[i] = memory.allocate((1 + (round * 7 + i * 5) % 23) * kMiB, AllocationKind::device);
        if (blocks[i] == 0) return 1;
        if (word(memory, blocks[i]) != 0xffffffffu) return 2;
        set_word(memory, blocks[i], 1);
      }
      for (std::uint64_t i = 0; i < 8; ++i) {
        if (!memory.free(blocks[(i * 3) % 8])) return 3;
      }
    }
    return memory.allocate(300 * kMiB, AllocationKind::device) != 0 ? 0 : 4;
  });
  EXPECT_EQ(status, 0);
}

TEST(DeviceMemory, says_in_one_line_that_no_reservation_fits) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer's shadow alone is larger than the limit";
  const int status = exit_status_with_address_space(64 * kMiB, [] {
    try {
      DeviceMemory memory;
    } catch (const std::runtime_error& error) {
      const std::string text = error.what();
      return text.find("cannot reserve 160 MiB") == 0 && text.find('\n') == std::string::npos ? 0 : 1;
    }
    return 2;
  });
  EXPECT_EQ(status, 0);
}

TEST(DeviceMemory, allocates_small_blocks_without_a_system_call_each) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer keeps freed heap blocks, which takes pages";
  // Not the clock but page faults tell, which do not depend on the machine's load: in the steady state there
  // are none.
  for (const bool recycle : {false, true}) {
    DeviceMemory memory;
    memory.set_fill({.recycle = recycle});
    const auto one_round = [&] {
      const DeviceAddress address = memory.allocate(1000, AllocationKind::device);
      memory.free(address);
    };
    for (int i = 0; i < 100; ++i) one_round();
    rusage before{}, after{};
    ::getrusage(RUSAGE_SELF, &before);
    for (int i = 0; i < 20000; ++i) one_round();
    ::getrusage(RUSAGE_SELF, &after);
    EXPECT_LT(after.ru_minflt - before.ru_minflt, 200) << "recycle " << recycle;
  }
}

TEST(DeviceMemory, agrees_with_a_plain_model_under_random_use) {
  DeviceMemory memory(256 * kMiB);
  std::mt19937_64 random(20240229);
  struct Model {
    std::uint64_t size;
    std::uint32_t stamp;
  };
  std::map<DeviceAddress, Model> live;
  std::uint64_t bytes = 0;
  for (std::uint32_t step = 1; step < 4000; ++step) {
    if (random() % 50 == 0) memory.set_fill({.pattern = 0xabababab, .recycle = random() % 2 == 0});
    if (random() % 3 != 0 || live.empty()) {
      const std::uint64_t size = 4 + random() % (random() % 8 == 0 ? 9 * kMiB : 3000);
      const AllocationKind kind = random() % 4 == 0 ? AllocationKind::host : AllocationKind::device;
      const DeviceAddress address =
          memory.allocate(size, kind, {}, static_cast<std::uint32_t>(random() % 256));
      ASSERT_EQ(address == 0, bytes + size > 256 * kMiB);
      if (address == 0) continue;
      const auto next = live.lower_bound(address);
      if (next != live.end()) {
        ASSERT_LE(address + size + kMiB, next->first);
      }
      if (next != live.begin()) {
        ASSERT_LE(std::prev(next)->first + std::prev(next)->second.size + kMiB, address);
      }
      set_word(memory, address, step);
      live[address] = {size, step};
      bytes += size;
    } else {
      auto victim = live.begin();
      std::advance(victim, random() % live.size());
      ASSERT_EQ(word(memory, victim->first), victim->second.stamp);
      ASSERT_TRUE(memory.free(victim->first));
      bytes -= victim->second.size;
      live.erase(victim);
    }
    ASSERT_EQ(memory.bytes_live(), bytes);
    ASSERT_EQ(memory.live_count(), live.size());
  }
}

}  // namespace
}  // namespace warpcheck::simt

#include "framework/cudart/fatbin.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <fstream>
#include <iterator>
#include <random>
#include <stdexcept>

#include "tests/cudart/fatbin_image.hpp"

namespace warpcheck::cudart {
namespace {

using testing::HasSubstr;

constexpr std::uint64_t kLz4 = 0x2011;
constexpr std::uint64_t kZstd = 0x8011;

std::string lz4(const std::string& text) {
  std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(text.size()))), '\0');
  packed.resize(static_cast<std::size_t>(LZ4_compress_default(
      text.data(), packed.data(), static_cast<int>(text.size()), static_cast<int>(packed.size()))));
  return packed;
}

std::string zstd(const std::string& text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string sample_text() {
  std::string text = "\n\n.version 9.0\n.target sm_80\n.address_size 64\n";
  for (int i = 0; i < 50; ++i) text += "// line " + std::to_string(i) + "\n";
  return text;
}

/// The message of what `act` throws; empty if it does not.
template <class Act>
std::string error_of(Act act) {
  try {
    act();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

TEST(Fatbin, reads_entries_in_order_with_kind_and_architecture) {
  const auto image = fatbin_of({{2, 75, "ELF"}, {1, 80, "text"}, {7, 90, "?"}});
  const auto entries = read_fatbin(image);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].kind, PayloadKind::machine_code);
  EXPECT_EQ(entries[0].sm, 75u);
  EXPECT_EQ(entries[1].kind, PayloadKind::ptx);
  EXPECT_EQ(entries[1].sm, 80u);
  EXPECT_EQ(ptx_text(entries[1]), "text");
  EXPECT_EQ(entries[2].kind, PayloadKind::other);
}

TEST(Fatbin, gives_the_same_text_whatever_the_compression) {
  const std::string text = sample_text();
  const auto image = fatbin_of(
      {{1, 80, text}, {1, 80, lz4(text), kLz4, text.size()}, {1, 80, zstd(text), kZstd, text.size()}});
  const auto entries = read_fatbin(image);
  ASSERT_EQ(entries.size(), 3u);
  EXPECT_EQ(entries[0].compression, Compression::none);
  EXPECT_EQ(entries[1].compression, Compression::lz4);
  EXPECT_EQ(entries[2].compression, Compression::zstd);
  for (const FatbinEntry& entry : entries) EXPECT_EQ(ptx_text(entry), text);
}

TEST(Fatbin, chooses_the_highest_architecture_that_the_device_can_compile) {
  const auto image = fatbin_of({{1, 75, "a"}, {1, 90, "b"}, {1, 80, "c"}, {2, 86, "d"}});
  const auto entries = read_fatbin(image);
  EXPECT_EQ(choose_ptx(entries, 70), nullptr);
  EXPECT_EQ(choose_ptx(entries, 75), &entries[0]);
  EXPECT_EQ(choose_ptx(entries, 79), &entries[0]);
  EXPECT_EQ(choose_ptx(entries, 86), &entries[2]);
  EXPECT_EQ(choose_ptx(entries, 120), &entries[1]);
}

TEST(Fatbin, names_what_is_there_when_no_ptx_fits) {
  const auto image = fatbin_of({{1, 90, "a"}, {2, 80, "b"}});
  EXPECT_EQ(explain_no_ptx(read_fatbin(image), 80),
            "no PTX for sm_80 or lower (there is: PTX for sm_90, machine code for sm_80): compile with "
            "-arch=compute_80");
  EXPECT_EQ(explain_no_ptx({}, 75),
            "no PTX for sm_75 or lower (there is: nothing): compile with -arch=compute_75");
}

TEST(Fatbin, refuses_lengths_that_do_not_fit) {
  const auto good = fatbin_of({{1, 80, "some text here!!"}});
  for (std::size_t length = 0; length < good.size(); ++length) {
    EXPECT_NE(error_of([&] { read_fatbin(std::span(good).first(length)); }), "") << length;
  }
  auto huge = good;
  for (std::size_t i = 24; i < 32; ++i) huge[i] = std::byte{0xff};  // the payload's size
  EXPECT_THAT(error_of([&] { read_fatbin(huge); }), HasSubstr("claims a header of 64 and a payload of"));
}

TEST(Fatbin, refuses_compressed_text_that_is_not_what_it_claims) {
  const std::string text = sample_text();
  for (const bool use_lz4 : {true, false}) {
    const std::string packed = use_lz4 ? lz4(text) : zstd(text);
    const std::uint64_t flags = use_lz4 ? kLz4 : kZstd;
    for (const std::uint64_t claimed :
         {text.size() - 1, text.size() + 1, std::size_t{1} << 40, ~std::size_t{0}}) {
      const auto image = fatbin_of({{1, 80, packed, flags, claimed}});
      const auto entries = read_fatbin(image);
      EXPECT_NE(error_of([&] { ptx_text(entries.at(0)); }), "") << claimed;
    }
    const auto image = fatbin_of({{1, 80, packed.substr(0, packed.size() / 2), flags, text.size()}});
    const auto entries = read_fatbin(image);
    EXPECT_NE(error_of([&] { ptx_text(entries.at(0)); }), "");
  }
  const auto old = fatbin_of({{1, 80, "x", 0x1011, 5}});
  const auto entries = read_fatbin(old);
  EXPECT_THAT(error_of([&] { ptx_text(entries.at(0)); }), HasSubstr("compile with --no-compress"));
}

TEST(Fatbin, finds_the_image_behind_a_wrapper) {
  const auto image = fatbin_of({{1, 80, "text"}});
  FatbinWrapper wrapper;
  wrapper.data = image.data();
  EXPECT_EQ(fatbin_image(&wrapper).size(), image.size());
  EXPECT_EQ(fatbin_image(&wrapper).data(), image.data());
}

TEST(Fatbin, refuses_a_wrapper_that_is_none) {
  EXPECT_THAT(error_of([] { fatbin_image(nullptr); }), HasSubstr("null pointer"));
  FatbinWrapper wrapper;
  EXPECT_THAT(error_of([&] { fatbin_image(&wrapper); }), HasSubstr("holds no data"));
  wrapper.magic = 0x12345678;
  EXPECT_THAT(error_of([&] { fatbin_image(&wrapper); }), HasSubstr("begins with 0x12345678"));
  std::vector<std::byte> image(64);
  FatbinWrapper other;
  other.data = image.data();
  EXPECT_THAT(error_of([&] { fatbin_image(&other); }), HasSubstr("begins with 0x0"));
}

// In the program's own file, whose end the reader can find out.
struct {
  std::uint32_t magic{0xba55ed50};
  std::uint16_t version{1}, header{16};
  std::uint64_t size{std::uint64_t{1} << 31};
} image_in_file;

TEST(Fatbin, refuses_an_image_that_claims_more_than_its_file_holds) {
  FatbinWrapper wrapper;
  wrapper.data = &image_in_file;
  EXPECT_THAT(error_of([&] { fatbin_image(&wrapper); }), HasSubstr("claims 2147483648 bytes, but only"));
}

/// Reads everything in an image; true if nothing was wrong.
bool read_all(const std::vector<std::byte>& image) {
  try {
    for (const FatbinEntry& entry : read_fatbin(image)) {
      if (entry.kind == PayloadKind::ptx) ptx_text(entry);
    }
    return true;
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
    return false;
  }
}

TEST(Fatbin, survives_any_damage) {
  const std::string text = sample_text();
  const auto good = fatbin_of(
      {{1, 75, lz4(text), kLz4, text.size()}, {1, 80, zstd(text), kZstd, text.size()}, {1, 90, text}});
  ASSERT_TRUE(read_all(good));
  std::mt19937 random(11);
  int refused = 0;
  constexpr int kRounds = 20000;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<std::byte> damaged = good;
    const unsigned flips = 1 + random() % 4;
    for (unsigned i = 0; i < flips; ++i) {
      // Headers are small: half of the damage goes there.
      const std::size_t at = random() % 2 == 0 ? random() % 80 : random() % damaged.size();
      damaged[at] = static_cast<std::byte>(random() % 3 == 0 ? 0xff : random() % 256);
    }
    if (random() % 8 == 0) damaged.resize(random() % damaged.size());
    refused += !read_all(damaged);
  }
  EXPECT_GT(refused, kRounds / 4);
  EXPECT_LT(refused, kRounds);
}

std::vector<std::byte> bytes_of_file(const std::string& name) {
  std::ifstream file(std::string(CUDART_ARTEFACTS "/") + name, std::ios::binary);
  EXPECT_TRUE(file) << name;
  const std::vector<char> chars((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<std::byte> bytes;
  for (const char c : chars) bytes.push_back(static_cast<std::byte>(c));
  return bytes;
}

class FatbinOfNvcc : public testing::Test {
 protected:
  void SetUp() override {
#ifndef CUDART_HAS_NVCC
    GTEST_SKIP() << "nvcc was not found when this was built";
#endif
  }
};

TEST_F(FatbinOfNvcc, gives_the_same_text_in_every_compression_mode) {
  const auto plain = bytes_of_file("plain.fatbin");
  const auto entries = read_fatbin(plain);
  const FatbinEntry* const chosen = choose_ptx(entries, 80);
  ASSERT_NE(chosen, nullptr);
  EXPECT_EQ(chosen->compression, Compression::none);
  const std::string text = ptx_text(*chosen);
  EXPECT_THAT(text, HasSubstr(".target sm_80"));
  EXPECT_THAT(text, HasSubstr(".entry _Z9incrementPi"));
  EXPECT_EQ(text.back(), '\n');
  int compressed = 0;
  for (const char* const name : {"default.fatbin", "size.fatbin", "speed.fatbin"}) {
    const auto image = bytes_of_file(name);
    const auto others = read_fatbin(image);
    const FatbinEntry* const other = choose_ptx(others, 80);
    ASSERT_NE(other, nullptr) << name;
    compressed += other->compression != Compression::none;
    EXPECT_EQ(ptx_text(*other), text) << name;
  }
  EXPECT_GE(compressed, 2);
}

TEST_F(FatbinOfNvcc, offers_each_device_its_architecture) {
  const auto image = bytes_of_file("several.fatbin");
  const auto entries = read_fatbin(image);
  for (const std::uint32_t sm : {75u, 80u, 90u}) {
    const FatbinEntry* const chosen = choose_ptx(entries, sm);
    ASSERT_NE(chosen, nullptr);
    EXPECT_EQ(chosen->sm, sm);
    EXPECT_THAT(ptx_text(*chosen), HasSubstr(".target sm_" + std::to_string(sm)));
  }
  const auto machine_code = bytes_of_file("no_ptx.fatbin");
  EXPECT_EQ(choose_ptx(read_fatbin(machine_code), 90), nullptr);
  EXPECT_THAT(explain_no_ptx(read_fatbin(machine_code), 80), HasSubstr("machine code for sm_75"));
}

TEST_F(FatbinOfNvcc, survives_any_damage) {
  const auto good = bytes_of_file("several.fatbin");
  ASSERT_TRUE(read_all(good));
  std::mt19937 random(12);
  for (int round = 0; round < 5000; ++round) {
    std::vector<std::byte> damaged = good;
    for (unsigned i = 0; i < 1 + random() % 3; ++i) {
      damaged[random() % damaged.size()] = static_cast<std::byte>(random() % 256);
    }
    read_all(damaged);
  }
  for (std::size_t length = 0; length < good.size(); length += 7) {
    EXPECT_FALSE(read_all({good.begin(), good.begin() + static_cast<std::ptrdiff_t>(length)}));
  }
}

}  // namespace
}  // namespace warpcheck::cudart

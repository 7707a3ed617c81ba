#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <string>

#include "framework/simt/instr.hpp"
#include "tests/simt/alu_driver.hpp"
#include "tests/simt/alu_reference.hpp"

namespace warpcheck::simt {
namespace {

using namespace alu_test;

bool is_transcendental(std::string_view variant) {
  for (const char* name : {"ex2.", "lg2.", "sin.", "cos.", "tanh."})
    if (variant.starts_with(name)) return true;
  return false;
}

/// Two floats have 112² pairs of special values, all of which arithmetic must meet; elsewhere a part of them
/// will do.
std::size_t input_count(const Meaning& meaning, std::string_view variant) {
  const bool compares = variant.starts_with("set");
  return meaning.sources[0].is_float && !compares && !is_transcendental(variant) ? 13000 : 4000;
}

std::vector<Lane> operands_of(const Row& row) {
  std::vector<Lane> lanes;
  for (Lane lane : row.operands)
    if (lane != Lane::none) lanes.push_back(lane);
  return lanes;
}

TEST(LaneRows, each_variant_stands_once) {
  std::set<std::string_view> seen;
  for (const Row& row : lane_rows()) EXPECT_TRUE(seen.insert(row.variant).second) << row.variant;
  EXPECT_GT(seen.size(), 2000u);
}

TEST(LaneRows, have_every_lane_wise_variant_that_nvcc_was_seen_to_write) {
  std::set<std::string, std::less<>> rows;
  for (const Row& row : lane_rows()) rows.emplace(row.variant);
  std::ifstream file(WARPCHECK_ALU_INVENTORY);
  ASSERT_TRUE(file) << WARPCHECK_ALU_INVENTORY;
  int count = 0;
  for (std::string variant; std::getline(file, variant); ++count)
    EXPECT_TRUE(rows.contains(variant)) << variant;
  EXPECT_GT(count, 300);
}

TEST(LaneRows, have_the_operands_of_the_text) {
  for (const Row& row : lane_rows()) {
    const auto meaning = meaning_of(row.variant);
    ASSERT_TRUE(meaning) << row.variant << " is unknown to the reference";
    EXPECT_EQ(operands_of(row), lanes_of(*meaning)) << row.variant;
    EXPECT_EQ(row.destinations, meaning->destinations.size()) << row.variant;
    EXPECT_NE(row.op, nullptr) << row.variant;
  }
}

TEST(LaneRows, need_no_newer_target_than_the_text_says) {
  for (const Row& row : lane_rows()) {
    const std::string_view v = row.variant;
    const auto contains = [&](std::string_view part) { return v.find(part) != std::string_view::npos; };
    int sm = 0;
    if (contains("16x2") && !v.starts_with("mov")) sm = 90;
    if (contains(".relu")) sm = 90;
    if (contains(".NaN")) sm = 80;
    if (contains(".xorsign")) sm = 86;
    if (v.starts_with("tanh")) sm = 75;
    if (v.starts_with("bmsk") || v.starts_with("szext")) sm = 70;
    if (v.starts_with("dp4a") || v.starts_with("dp2a")) sm = 61;
    if (v.starts_with("lop3")) sm = 50;
    if (v.starts_with("shf")) sm = 32;
    if (v.starts_with("fns") || v.starts_with("vabsdiff4")) sm = 30;
    EXPECT_EQ(row.min_sm, sm) << v;
  }
}

class EveryRow : public testing::TestWithParam<std::string> {};

TEST_P(EveryRow, does_what_the_text_says) {
  std::size_t rows = 0;
  for (const Row& row : lane_rows()) {
    if (std::string(row.variant.substr(0, row.variant.find('.'))) != GetParam()) continue;
    ++rows;
    const auto meaning = meaning_of(row.variant);
    ASSERT_TRUE(meaning) << row.variant;
    const std::size_t count = input_count(*meaning, row.variant);
    const auto difference = first_difference(row.op, *meaning, inputs_for(*meaning, count, rows), rows);
    EXPECT_FALSE(difference) << row.variant << ": " << *difference;
  }
  EXPECT_GT(rows, 0u);
}

std::vector<std::string> opcodes() {
  std::set<std::string> names;
  for (const Row& row : lane_rows()) names.emplace(row.variant.substr(0, row.variant.find('.')));
  return {names.begin(), names.end()};
}

INSTANTIATE_TEST_SUITE_P(LaneRows, EveryRow, testing::ValuesIn(opcodes()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace warpcheck::simt

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "framework/simt/instr.hpp"
#include "tests/simt/alu_driver.hpp"
#include "tests/simt/alu_reference.hpp"

// The tests of the table are themselves tested: whenever two rows are exchanged, they must notice.
namespace warpcheck::simt {
namespace {

using namespace alu_test;

bool is_transcendental(std::string_view variant) {
  for (const char* name : {"ex2.", "lg2.", "sin.", "cos.", "tanh."})
    if (variant.starts_with(name)) return true;
  return false;
}

std::size_t input_count(const Row& row) {
  return is_transcendental(row.variant) ? 120 : 1200;
}

/// Whether the driver of the tests finds nothing to complain of when `op` stands in for the row.
bool passes(const Row& row, LaneOp op) {
  const auto meaning = meaning_of(row.variant);
  return !first_difference(op, *meaning, inputs_for(*meaning, input_count(row), 7), 7);
}

TEST(ExchangedNeighbours, are_noticed_unless_they_are_synonyms) {
  const auto rows = lane_rows();
  int exchanged = 0, noticed = 0, synonyms = 0, other_shape = 0;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const Row& row = rows[i];
    const Row& next = rows[i + 1];
    ++exchanged;
    if (storage_of(*meaning_of(row.variant)) != storage_of(*meaning_of(next.variant))) {
      // Operands of other sizes or numbers: the operation would read registers that are not there.
      ++other_shape;
      continue;
    }
    if (canonical_meaning(row.variant) == canonical_meaning(next.variant)) {
      ++synonyms;
      if (row.op == next.op) continue;
      EXPECT_TRUE(passes(row, next.op) && passes(next, row.op))
          << row.variant << " and " << next.variant << " are called synonyms but differ";
      continue;
    }
    const bool seen = !passes(row, next.op) || !passes(next, row.op);
    EXPECT_TRUE(seen) << row.variant << " and " << next.variant << " could be exchanged";
    noticed += seen ? 1 : 0;
  }
  std::printf("[   INFO   ] %d exchanges: %d noticed, %d synonyms, %d of another shape\n", exchanged, noticed,
              synonyms, other_shape);
  EXPECT_GT(noticed, 1000);
  EXPECT_LT(synonyms + other_shape, exchanged / 2);
}

/// Not only neighbours: over one set of inputs, the operations of an opcode agree exactly where they are
/// synonyms.
TEST(RowsOfOneOpcode, agree_on_all_inputs_if_and_only_if_they_are_synonyms) {
  struct Seen {
    std::string meaning;
    std::string_view variant;
  };
  // By opcode, shape and results; and by opcode, shape and meaning.
  using Shape = std::pair<std::string, std::vector<int>>;
  std::map<std::pair<Shape, std::uint64_t>, Seen> by_results;
  std::map<std::pair<Shape, std::string>, std::pair<std::uint64_t, std::string_view>> by_meaning;
  std::map<std::vector<int>, std::vector<LaneInput>> inputs;

  for (const Row& row : lane_rows()) {
    const auto meaning = meaning_of(row.variant);
    std::vector<int> storage = storage_of(*meaning);
    auto& batch = inputs[storage];
    if (batch.empty()) {
      const std::vector<int> widths(storage.begin() + 1 + storage[0], storage.end());
      batch = inputs_for_widths(widths, 12000, 3);
    }
    // Bits that the text leaves open do not count, and which those are is part of the shape.
    for (const Operand& operand : meaning->destinations)
      storage.push_back(static_cast<int>(operand.care % 251));
    std::uint64_t hash = 0xcbf29ce484222325u;
    for (const auto& result : results_of(row.op, *meaning, batch))
      for (std::size_t k = 0; k < meaning->destinations.size(); ++k)
        hash = (hash ^ (result[k] & meaning->destinations[k].care)) * 0x100000001b3u;

    const Shape shape{std::string(row.variant.substr(0, row.variant.find('.'))), storage};
    const std::string name = canonical_meaning(row.variant);
    const auto [same_results, first_with_results] =
        by_results.try_emplace({shape, hash}, Seen{name, row.variant});
    if (!first_with_results) {
      EXPECT_EQ(same_results->second.meaning, name) << row.variant << " and " << same_results->second.variant
                                                    << " do the same but are not called synonyms";
    }
    const auto [same_meaning, first_with_meaning] = by_meaning.try_emplace({shape, name}, hash, row.variant);
    if (!first_with_meaning) {
      EXPECT_EQ(same_meaning->second.first, hash)
          << row.variant << " and " << same_meaning->second.second << " are called synonyms but differ";
    }
  }
}

}  // namespace
}  // namespace warpcheck::simt

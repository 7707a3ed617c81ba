#include <gtest/gtest.h>

#include <map>
#include <set>

#include "framework/simt/decode.hpp"
#include "tests/simt/machine_fixture.hpp"
#include "tests/simt/machine_row_cases.hpp"

namespace warpcheck::simt::testing {
namespace {

class FenceLog : public Observer {
 public:
  void fence(const WarpPlace&, std::uint8_t semantics, std::uint8_t scope) override {
    text_ += " fence " + std::to_string(semantics) + "/" + std::to_string(scope);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// Runs a case with a table of instructions: the slots' words and the fences, or the finding, or why not.
std::string outcome(const RowCase& one, const InstructionTable& table) {
  DeviceMemory memory(std::uint64_t{1} << 28);
  Machine machine(memory);
  FenceLog fences;
  machine.set_observer(&fences);
  std::shared_ptr<const Program> program;
  try {
    program =
        decode(parse_module(kernel_text(one.body, 8, one.sm, one.before)), memory, machine.model(), table);
  } catch (const std::exception& error) {
    return std::string("error: ") + error.what();
  }
  const DeviceAddress out = memory.allocate(8 * one.threads, AllocationKind::device, "out");
  std::memset(memory.host(out), 0, 8 * one.threads);
  LaunchConfig config;
  config.block = {one.threads};
  config.step_budget = 1'000'000;
  const LaunchResult result = machine.launch(*program, "k", config, Arguments(out).bytes());
  if (!result.findings.empty()) {
    const Finding& finding = result.findings.front();
    return "finding: " + std::string(name_of(finding.kind)) + ": " + finding.message;
  }
  std::vector<std::uint64_t> words(one.threads);
  std::memcpy(words.data(), memory.host(out), 8 * one.threads);
  return words_text(words) + fences.text();
}

bool passes(const RowCase& one, const InstructionTable& table) {
  const std::string result = outcome(one, table);
  // Of a finding a case states the beginning.
  return one.expected.starts_with("finding") ? result.starts_with(one.expected) : result == one.expected;
}

TEST(MachineRows, each_does_what_the_isa_says) {
  for (const RowCase& one : row_cases()) {
    const std::string result = outcome(one, standard_table());
    if (one.expected.starts_with("finding")) {
      EXPECT_EQ(result.substr(0, one.expected.size()), one.expected) << one.variant << "\n" << one.body;
    } else {
      EXPECT_EQ(result, one.expected) << one.variant << "\n" << one.body;
    }
  }
}

TEST(MachineRows, each_row_has_a_case_and_each_case_a_row) {
  std::set<std::string> rows, cases;
  for (const MachineRow& row : machine_rows()) rows.emplace(row.variant);
  for (const RowCase& one : row_cases()) cases.insert(one.variant);
  EXPECT_EQ(rows, cases);
}

TEST(MachineRows, each_variant_stands_once_in_the_whole_table) {
  std::set<std::string> names;
  for (const Row& row : lane_rows()) EXPECT_TRUE(names.emplace(row.variant).second) << row.variant;
  for (const MachineRow& row : machine_rows()) EXPECT_TRUE(names.emplace(row.variant).second) << row.variant;
  EXPECT_EQ(supported_variants().size(), names.size());
}

// The tests themselves are tested: with the handlers of two neighbouring rows exchanged, some case of the two
// must fail, unless the ISA gives both one meaning.
TEST(MachineRows, a_swap_of_two_neighbours_is_noticed) {
  std::multimap<std::string, const RowCase*> cases;
  for (const RowCase& one : row_cases()) cases.emplace(one.variant, &one);
  std::vector<MachineRow> rows(machine_rows().begin(), machine_rows().end());
  int swapped = 0;
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const MachineRow first = rows[i], second = rows[i + 1];
    const bool one_meaning = meaning(std::string(first.variant)) == meaning(std::string(second.variant));
    const bool one_handler = first.kind == second.kind && first.flags == second.flags &&
                             first.op == second.op && first.type == second.type;
    if (one_meaning || one_handler) continue;
    std::swap(rows[i], rows[i + 1]);
    std::swap(rows[i].variant, rows[i + 1].variant);
    std::swap(rows[i].min_sm, rows[i + 1].min_sm);
    const InstructionTable table{lane_rows(), rows};
    bool noticed = false;
    for (const MachineRow& row : {first, second}) {
      const auto [begin, end] = cases.equal_range(std::string(row.variant));
      for (auto at = begin; at != end && !noticed; ++at) noticed = !passes(*at->second, table);
    }
    EXPECT_TRUE(noticed) << "rows '" << first.variant << "' and '" << second.variant << "' exchanged";
    rows[i] = first;
    rows[i + 1] = second;
    ++swapped;
  }
  // Most neighbours differ: the exemptions must not swallow the test.
  EXPECT_GT(swapped, static_cast<int>(rows.size()) / 2);
}

TEST(MachineRows, swapped_synonyms_pass_their_cases) {
  std::vector<MachineRow> rows(machine_rows().begin(), machine_rows().end());
  for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
    const MachineRow first = rows[i], second = rows[i + 1];
    if (meaning(std::string(first.variant)) != meaning(std::string(second.variant))) continue;
    std::swap(rows[i], rows[i + 1]);
    std::swap(rows[i].variant, rows[i + 1].variant);
    std::swap(rows[i].min_sm, rows[i + 1].min_sm);
    for (const RowCase& one : row_cases()) {
      if (one.variant != first.variant && one.variant != second.variant) continue;
      EXPECT_TRUE(passes(one, {lane_rows(), rows})) << one.variant;
    }
    rows[i] = first;
    rows[i + 1] = second;
  }
}

}  // namespace
}  // namespace warpcheck::simt::testing

#include <gtest/gtest.h>

#include <random>
#include <stdexcept>

#include "framework/simt/decode.hpp"
#include "tests/simt/machine_fixture.hpp"
#include "tests/simt/machine_row_cases.hpp"

// Damaged programs end in one line, never in a crash or a hang.
namespace warpcheck::simt::testing {
namespace {

std::vector<std::string> tokens_of(const std::string& text) {
  std::vector<std::string> tokens;
  std::string word;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '%' || c == '.') {
      word += c;
      continue;
    }
    if (!word.empty()) tokens.push_back(std::move(word)), word.clear();
    tokens.emplace_back(1, c);
  }
  if (!word.empty()) tokens.push_back(word);
  return tokens;
}

class Mutator {
 public:
  explicit Mutator(std::uint64_t seed) : random_(seed) {
    for (const RowCase& one : row_cases()) {
      for (std::string& token : tokens_of(one.body)) {
        if (token.size() > 1) vocabulary_.push_back(std::move(token));
      }
    }
    for (const char* extra : {"0", "-1", "0xffffffffffffffff", "1048576", "%p1", "%rd0", "%r0", "_", "out"}) {
      vocabulary_.emplace_back(extra);
    }
  }

  std::string mutate(const std::string& text) {
    std::vector<std::string> tokens = tokens_of(text);
    for (std::size_t edits = 1 + below(3); edits > 0; --edits) {
      const std::size_t at = below(tokens.size());
      switch (below(5)) {
        case 0:
          tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(at));
          break;
        case 1:
          tokens.insert(tokens.begin() + static_cast<std::ptrdiff_t>(at), tokens[below(tokens.size())]);
          break;
        case 2:
          std::swap(tokens[at], tokens[below(tokens.size())]);
          break;
        default:
          // Words go where words were: most of the results are still programs.
          for (std::size_t i = 0; i < tokens.size(); ++i) {
            std::string& token = tokens[(at + i) % tokens.size()];
            if (token.size() < 2) continue;
            token = vocabulary_[below(vocabulary_.size())];
            break;
          }
          break;
      }
      if (tokens.empty()) break;
    }
    std::string mutated;
    for (const std::string& token : tokens) mutated += token;
    return mutated;
  }

 private:
  std::size_t below(std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_); }
  std::mt19937_64 random_;
  std::vector<std::string> vocabulary_;
};

TEST(Robustness, damaged_programs_end_in_one_line) {
  int parsed = 0, refused = 0, ran = 0, found = 0;
  std::uint64_t seed = 1;
  for (const RowCase& one : row_cases()) {
    Mutator mutator(seed++);
    for (int i = 0; i < 8; ++i) {
      const std::string text = kernel_text(mutator.mutate(one.body), 8, 90, one.before);
      ptx::ParseResult result = ptx::parse(text);
      if (!result.module) continue;
      ++parsed;
      DeviceMemory memory(std::uint64_t{1} << 28);
      Machine machine(memory);
      std::shared_ptr<const Program> program;
      try {
        program = machine.load(std::move(*result.module));
      } catch (const std::runtime_error& error) {
        ++refused;
        EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos) << text;
        continue;
      }
      ASSERT_EQ(Machine::entries(*program).size(), 1u) << text;
      const DeviceAddress out = memory.allocate(8 * one.threads, AllocationKind::device, "out");
      LaunchConfig config;
      config.grid = {2};
      config.block = {one.threads};
      config.step_budget = 20'000;
      config.schedule = {i % 2 != 0 ? Schedule::Order::random : Schedule::Order::lowest_first, seed};
      const LaunchResult launched = machine.launch(*program, "k", config, Arguments(out).bytes());
      ++ran;
      found += !launched.findings.empty();
      EXPECT_LT(launched.warp_instructions, 400'000u) << text;
      for (const Finding& finding : launched.findings) {
        EXPECT_FALSE(finding.message.empty()) << text;
        EXPECT_EQ(finding.message.find('\n'), std::string::npos) << text;
      }
    }
  }
  // The mutations must be mild enough to reach the machine, and hard enough to hurt.
  EXPECT_GT(parsed, 400);
  EXPECT_GT(refused, 20);
  EXPECT_GT(ran, 200);
  EXPECT_GT(found, 50);
}

}  // namespace
}  // namespace warpcheck::simt::testing

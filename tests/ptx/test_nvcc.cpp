// Real compiler output against a second reading of it that shares nothing with the parser: lines, regular
// expressions and splitting at semicolons.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {
namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const auto comment = line.find("//");
    lines.push_back(comment == std::string::npos ? line : line.substr(0, comment));
  }
  return lines;
}

bool begins(const std::string& line, std::string_view word) {
  const auto first = line.find_first_not_of(" \t");
  return first != std::string::npos && std::string_view(line).substr(first).starts_with(word);
}

/// Number of instructions: pieces between separators that begin with a small letter or a guard and a small
/// letter, in lines that are no data, locations or debugging sections.
std::size_t instructions_in(const std::vector<std::string>& lines) {
  std::string code;
  for (std::string line : lines) {
    if (begins(line, ".section")) break;
    if (begins(line, ".loc\t") || begins(line, ".file") || begins(line, ".global") || begins(line, ".const"))
      continue;
    for (auto at = line.find("::"); at != std::string::npos; at = line.find("::")) line.replace(at, 2, "__");
    code += line + "\n";
  }
  std::size_t count = 0;
  for (std::size_t begin = 0; begin < code.size();) {
    const std::size_t end = std::min(code.find_first_of(";:{}", begin), code.size());
    const bool is_label = end < code.size() && code[end] == ':';
    std::string piece = code.substr(begin, end - begin);
    begin = end + 1;
    if (is_label) continue;
    std::size_t i = piece.find_first_not_of(" \t\n");
    if (i != std::string::npos && piece[i] == '@')
      i = piece.find_first_not_of(" \t", std::min(piece.find_first_of(" \t", i), piece.size()));
    if (i != std::string::npos && piece[i] >= 'a' && piece[i] <= 'z') ++count;
  }
  return count;
}

/// The bytes of .debug_str from each label on, up to the zero.
std::map<std::string, std::string> debug_strings(const std::vector<std::string>& lines) {
  std::map<std::string, std::string> result;
  std::vector<std::string> open;
  bool inside = false;
  for (const std::string& line : lines) {
    if (begins(line, ".section")) inside = line.find(".debug_str") != std::string::npos;
    if (!inside) continue;
    if (const auto colon = line.find(':'); colon != std::string::npos) open.push_back(line.substr(0, colon));
    if (!begins(line, ".b8")) continue;
    std::istringstream numbers(std::regex_replace(line, std::regex("[^0-9]+"), " ").substr(1));
    std::string ignored;
    numbers >> ignored;  // the 8 of .b8
    for (int number; numbers >> number;) {
      if (number == 0)
        open.clear();
      else
        for (const std::string& label : open) result[label] += static_cast<char>(number);
    }
  }
  return result;
}

class CompiledPtx : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string folder = WARPCHECK_PTX_FOLDER;
    if (folder.empty()) GTEST_SKIP() << "no nvcc when this was configured";
    std::ifstream file(folder + "/" + GetParam());
    ASSERT_TRUE(file) << GetParam();
    std::stringstream content;
    content << file.rdbuf();
    text = content.str();
    ParseResult result = parse(text);
    ASSERT_FALSE(result.error) << GetParam() << ":" << result.error->line << ":" << result.error->column
                               << ": " << result.error->message;
    module = std::move(*result.module);
    lines = lines_of(text);
  }

  const Function& function(std::string_view part) const {
    for (const Function& candidate : module.functions)
      if (candidate.is_defined && candidate.name.find(part) != std::string::npos) return candidate;
    ADD_FAILURE() << "no function " << part;
    return module.functions.front();
  }

  const Variable& variable(std::string_view name) const {
    for (const Variable& candidate : module.variables)
      if (candidate.name == name) return candidate;
    ADD_FAILURE() << "no variable " << name;
    return module.variables.front();
  }

  std::string text;
  std::vector<std::string> lines;
  Module module;
};

TEST_P(CompiledPtx, points_at_nothing_missing) {
  EXPECT_EQ(dangling(module), "");
}

TEST_P(CompiledPtx, has_as_many_instructions_as_its_text) {
  std::size_t parsed_instructions = 0;
  for (const Function& f : module.functions) parsed_instructions += f.body.size();
  EXPECT_GT(parsed_instructions, 0u);
  EXPECT_EQ(parsed_instructions, instructions_in(lines));
}

TEST_P(CompiledPtx, has_as_many_functions_variables_and_registers_as_its_text) {
  std::size_t definitions = 0, functions = 0, globals = 0, registers = 0;
  const std::regex count("\\.reg\\s+\\.[a-z0-9]+\\s+%[a-z]+<([0-9]+)>;");
  int depth = 0;
  for (const std::string& line : lines) {
    std::smatch match;
    if (std::regex_search(line, match, count)) registers += std::stoul(match[1]);
    if (depth == 0 && std::regex_search(line, std::regex("\\.(entry|func)\\b"))) ++functions;
    if (depth == 0 &&
        std::regex_search(line, std::regex("^\\.((extern|visible|weak) )?\\.?(global|const|shared)")))
      ++globals;
    if (line == "{") ++definitions;
    if (line == "{") ++depth;
    if (line == "}") --depth;
  }
  EXPECT_EQ(module.functions.size(), functions);
  EXPECT_EQ(module.variables.size(), globals);
  std::size_t defined = 0, numbered = 0;
  for (const Function& f : module.functions) {
    if (f.is_defined) ++defined;
    for (const Register& r : f.registers)
      if (std::regex_match(r.name, std::regex("%[a-z]+[0-9]+"))) ++numbered;
  }
  EXPECT_EQ(defined, definitions);
  EXPECT_EQ(numbered, registers);
}

TEST_P(CompiledPtx, branches_go_where_their_label_stands) {
  std::map<std::string, std::uint32_t> line_of_label;
  for (std::uint32_t i = 0; i < lines.size(); ++i) {
    std::smatch match;
    if (!std::regex_match(lines[i], match, std::regex("(\\$L__BB[0-9_]+):"))) continue;
    EXPECT_TRUE(line_of_label.emplace(match[1], i + 1).second) << "label defined twice: " << match[1];
  }
  std::size_t branches = 0;
  for (const Function& f : module.functions) {
    for (const Instruction& instruction : f.body) {
      std::smatch match;
      const std::string& line = lines.at(instruction.source_line - 1);
      if (instruction.opcode != "bra" ||
          !std::regex_search(line, match, std::regex("bra\\S*\\s+(\\$L\\w+);")))
        continue;
      ++branches;
      const std::uint32_t label = line_of_label.at(match[1]);
      const std::uint32_t target = instruction.operands.at(0).target;
      if (target > 0) {
        EXPECT_LT(f.body.at(target - 1).source_line, label) << line;
      }
      if (target < f.body.size()) {
        EXPECT_GT(f.body.at(target).source_line, label) << line;
      }
    }
  }
  std::size_t expected = 0;
  for (const std::string& line : lines)
    if (std::regex_search(line, std::regex("\\bbra(\\.uni)?\\s+\\$L"))) ++expected;
  EXPECT_EQ(branches, expected);
}

TEST_P(CompiledPtx, instructions_have_the_location_before_them) {
  const auto names = debug_strings(lines);
  const std::regex form(
      "\\s*\\.loc\\s+(\\d+) (\\d+) (\\d+)(?:, function_name ([$\\w]+), inlined_at (\\d+) (\\d+) "
      "(\\d+))?\\s*");
  std::size_t checked = 0;
  for (const Function& f : module.functions) {
    // Walk the text back from each instruction to its .loc, which stands in the same function.
    std::uint32_t scanned = f.source_line;
    std::smatch last;
    for (const Instruction& instruction : f.body) {
      for (; scanned < instruction.source_line; ++scanned) {
        std::smatch match;
        if (begins(lines[scanned - 1], ".loc\t")) {
          ASSERT_TRUE(std::regex_match(lines[scanned - 1], match, form)) << lines[scanned - 1];
          last = match;
        }
      }
      ASSERT_EQ(instruction.location >= 0, !last.empty()) << instruction.source_line;
      if (last.empty()) continue;
      const Location& location = f.locations.at(instruction.location);
      EXPECT_EQ(location.file, std::stoul(last[1])) << instruction.source_line;
      EXPECT_EQ(location.line, std::stoul(last[2])) << instruction.source_line;
      EXPECT_EQ(location.column, std::stoul(last[3])) << instruction.source_line;
      EXPECT_EQ(location.function, last[4].matched ? names.at(last[4]) : "") << instruction.source_line;
      ASSERT_EQ(location.inlined_at >= 0, last[5].matched) << instruction.source_line;
      ++checked;
      if (!last[5].matched) continue;
      const Location& parent = f.locations.at(location.inlined_at);
      EXPECT_EQ(parent.file, std::stoul(last[5]));
      EXPECT_EQ(parent.line, std::stoul(last[6]));
      EXPECT_EQ(parent.column, std::stoul(last[7]));
    }
  }
  EXPECT_GT(checked, 0u);
}

TEST_P(CompiledPtx, opcodes_stand_in_their_line) {
  for (const Function& f : module.functions)
    for (const Instruction& instruction : f.body)
      EXPECT_NE(lines.at(instruction.source_line - 1).find(instruction.full_name()), std::string::npos)
          << instruction.source_line << ": " << instruction.full_name();
}

INSTANTIATE_TEST_SUITE_P(OfNvcc, CompiledPtx,
                         testing::Values("tree.ptx", "calls.ptx", "data.ptx", "inline_assembly.ptx",
                                         "groups.ptx", "device_reduce.ptx"),
                         [](const auto& parameter) {
                           const std::string name = parameter.param;
                           return name.substr(0, name.find('.'));
                         });

class Tree : public CompiledPtx {};

TEST_P(Tree, chains_of_inlining_lead_to_the_kernel) {
  const Function& kernel = function("shuffle_two_pass");
  std::size_t shuffles = 0;
  for (const Instruction& instruction : kernel.body) {
    if (instruction.opcode != "shfl") continue;
    ++shuffles;
    std::vector<std::string> names;
    std::vector<std::uint32_t> files;
    for (std::int32_t i = instruction.location; i >= 0; i = kernel.locations[i].inlined_at) {
      names.push_back(kernel.locations[i].function);
      files.push_back(kernel.locations[i].file);
    }
    // shfl stands in __shfl_down_sync in warp_sum in block_sum in the kernel.
    ASSERT_EQ(names.size(), 4u) << instruction.source_line;
    EXPECT_NE(names[0].find("__shfl_down_sync"), std::string::npos) << names[0];
    EXPECT_EQ(demangle(names[1]), "warp_sum(float)");
    EXPECT_EQ(demangle(names[2]), "block_sum(float, float*)");
    EXPECT_EQ(names[3], "");
    EXPECT_TRUE(module.files.at(files[3]).ends_with("tree.cu"));
    EXPECT_FALSE(module.files.at(files[0]).ends_with("tree.cu"));
  }
  EXPECT_EQ(shuffles, 10u) << "five in each pass";
}

TEST_P(Tree, launch_bounds_and_shared_variables_are_those_of_the_source) {
  const Function& tree = function("_Z4tree");
  EXPECT_EQ(tree.max_threads[0], 256u);
  EXPECT_EQ(tree.min_blocks_per_sm, 2u);
  std::uint64_t size = 0;
  const auto look = [&](const std::vector<Variable>& variables) {
    for (const Variable& v : variables)
      if (v.space == Space::shared && demangle(v.name) == "tree(float const*, float*, int)::s") size = v.size;
  };
  look(module.variables);
  look(tree.variables);
  EXPECT_EQ(size, 1024u);
  EXPECT_TRUE(variable("partial").is_extern);
}
INSTANTIATE_TEST_SUITE_P(OfNvcc, Tree, testing::Values("tree.ptx"));

class Data : public CompiledPtx {};
TEST_P(Data, initialisers_are_those_of_the_source) {
  const auto as = [this]<class T>(std::string_view name, T) {
    const auto& bytes = variable(name).initial_bytes;
    std::vector<T> values(variable(name).size / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  };
  EXPECT_EQ(as("counter", int{}), (std::vector<int>{41}));
  const auto table = as("table", float{});
  EXPECT_EQ(table, (std::vector<float>{1, 2, 3, 4, 5.5f, -0.0f, 0, 0, 1e-40f, 0, 0, 0}));
  EXPECT_TRUE(std::signbit(table.at(5)));
  EXPECT_EQ(as("weights", double{}), (std::vector<double>{0.5, 0.25, 1.0 / 3}));
  EXPECT_EQ(as("offsets", short{}), (std::vector<short>{-1, 2, -3, 0, 0}));
  EXPECT_EQ(as("big", std::int64_t{}), (std::vector<std::int64_t>{-1, 0x0123456789abcdef, 0, 0}));
  EXPECT_EQ(variable("big").alignment, 64u);
  EXPECT_EQ(variable("offsets").space, Space::constant);
  EXPECT_EQ(as("managed_value", int{}), (std::vector<int>{3}));
}

TEST_P(Data, pointers_are_those_of_the_source) {
  const auto& head = variable("head").relocations;
  ASSERT_EQ(head.size(), 1u);
  EXPECT_EQ(head[0].offset, 8u);
  EXPECT_EQ(head[0].symbol, "tail");
  EXPECT_EQ(head[0].addend, 0);
  EXPECT_TRUE(head[0].generic);
  const auto& into = variable("into_table").relocations;
  ASSERT_EQ(into.size(), 1u);
  EXPECT_EQ(into[0].addend, 24) << "table[1][2]";
  const auto& name = variable("name").relocations;
  ASSERT_EQ(name.size(), 1u);
  const auto& string = variable(name[0].symbol).initial_bytes;
  EXPECT_EQ(std::string(string.begin(), string.end()), "sum");
}

TEST_P(Data, parameters_have_the_size_of_their_structure) {
  struct Arguments {
    const float* in;
    float scale[37];
    char tag;
  };
  const Function& use = function("_Z3use");
  ASSERT_EQ(use.parameters.size(), 3u);
  EXPECT_EQ(use.variables.at(use.parameters[0]).size, sizeof(Arguments));
  EXPECT_EQ(use.variables.at(use.parameters[0]).alignment, alignof(Arguments));
  EXPECT_EQ(use.variables.at(use.parameters[2]).size, 4u);
}
INSTANTIATE_TEST_SUITE_P(OfNvcc, Data, testing::Values("data.ptx"));

class CallsOf : public CompiledPtx {};
TEST_P(CallsOf, the_source_in_every_form) {
  const Function& indirect = function("indirect");
  std::size_t through_register = 0;
  for (const Instruction& instruction : indirect.body) {
    if (instruction.opcode != "call") continue;
    ++through_register;
    ASSERT_GE(instruction.prototype, 0);
    const Prototype& prototype = indirect.prototypes.at(instruction.prototype);
    EXPECT_EQ(prototype.parameters.size(), 2u);
    EXPECT_EQ(prototype.returns.size(), 1u);
  }
  EXPECT_GT(through_register, 0u);
  const auto callees = [](const Function& f) {
    std::multiset<std::string> names;
    for (const Instruction& instruction : f.body)
      for (const Operand& operand : instruction.operands)
        if (instruction.opcode == "call" && operand.kind == OperandKind::function)
          names.insert(demangle(operand.name));
    return names;
  };
  const auto names = callees(function("recursive"));
  for (const std::string name : {"vprintf", "__assertfail", "pairwise(float const*, int)"})
    EXPECT_EQ(names.count(name), 1u) << name;
  EXPECT_EQ(callees(function("pairwise")).count("pairwise(float const*, int)"), 2u);
  const Function& combine = function("combine");
  ASSERT_EQ(combine.returns.size(), 1u);
  EXPECT_EQ(combine.variables.at(combine.returns[0]).size, 24u);
  EXPECT_FALSE(module.find("vprintf")->is_defined);
}
INSTANTIATE_TEST_SUITE_P(OfNvcc, CallsOf, testing::Values("calls.ptx"));

class Assembly : public CompiledPtx {};
TEST_P(Assembly, instantiated_twice_has_registers_and_labels_of_its_own) {
  const Function& kernel = function("assembly");
  const auto named = [&](const std::string& name) {
    return std::count_if(kernel.registers.begin(), kernel.registers.end(),
                         [&](const Register& r) { return r.name == name; });
  };
  EXPECT_EQ(named("r0"), 2);
  EXPECT_EQ(named("i"), 4) << "two scopes in each of two copies";
  std::set<std::uint32_t> targets;
  for (std::uint32_t i = 0; i < kernel.body.size(); ++i) {
    if (kernel.body[i].opcode != "bra") continue;
    const std::uint32_t target = kernel.body[i].operands.at(0).target;
    EXPECT_LT(target, i);
    EXPECT_EQ(kernel.body.at(target).full_name(), "sub.s32");
    targets.insert(target);
  }
  EXPECT_EQ(targets.size(), 2u);
}
INSTANTIATE_TEST_SUITE_P(OfNvcc, Assembly, testing::Values("inline_assembly.ptx"));

}  // namespace
}  // namespace warpcheck::ptx

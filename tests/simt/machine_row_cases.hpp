#pragma once

#include <cstdint>
#include <string>
#include <vector>

/// Each instruction of the machine as a small kernel and what it must leave behind, computed from the PTX
/// text's words.
namespace warpcheck::simt::testing {

struct RowCase {
  std::string variant;   ///< the row it is about
  std::string body;      ///< of kernel_text, 8 bytes a slot
  std::string expected;  ///< outcome(): see there
  std::uint32_t threads{32};
  int sm{90};
  std::string before{};  ///< declarations in front of the kernel
};

const std::vector<RowCase>& row_cases();

/// What the row does, in words that are equal for rows with one meaning by the ISA's text.
std::string meaning(const std::string& variant);

/// "words: 1 2 3" for slots without findings, otherwise "finding: <kind>"; then what observers saw of fences.
std::string words_text(const std::vector<std::uint64_t>& words);

}  // namespace warpcheck::simt::testing

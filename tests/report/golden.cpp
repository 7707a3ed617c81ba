#include "tests/report/golden.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "framework/report/look.hpp"

void expect_golden(std::string_view name, const std::string& text) {
  const std::string path = std::string(WARPCHECK_GOLDEN_DIR "/") + std::string(name);
  if (std::getenv("WARPCHECK_WRITE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << text;
    ADD_FAILURE() << "wrote " << path << "; read it, then run again without WARPCHECK_WRITE_GOLDEN";
    return;
  }
  std::ifstream file(path, std::ios::binary);
  ASSERT_TRUE(file) << "no golden file " << path;
  std::ostringstream content;
  content << file.rdbuf();
  EXPECT_EQ(content.str(), text) << "differs from " << path;
}

void expect_plain_lines(const std::string& text, std::size_t width) {
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(warpcheck::report::display_width(line), width) << line;
    EXPECT_FALSE(line.ends_with(' ')) << '"' << line << '"';
  }
}

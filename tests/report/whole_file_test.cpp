#include "framework/report/whole_file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace warpcheck::report {
namespace {

namespace fs = std::filesystem;

class WholeFile : public testing::Test {
 protected:
  WholeFile() {
    std::string pattern = (fs::temp_directory_path() / "warpcheck-report-XXXXXX").string();
    folder_ = mkdtemp(pattern.data());
  }
  ~WholeFile() override { fs::remove_all(folder_); }

  static std::string content(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  fs::path folder_;
};

TEST_F(WholeFile, replaces_the_old_content_and_leaves_nothing_else_behind) {
  const fs::path path = folder_ / "out.json";
  write_whole_file(path, "first, and longer");
  write_whole_file(path, std::string("sec\0nd", 6));
  EXPECT_EQ(content(path), std::string("sec\0nd", 6));
  EXPECT_EQ(entries(), 1u);
}

TEST_F(WholeFile, has_the_permissions_of_an_ordinary_file) {
  const mode_t mask = umask(027);
  write_whole_file(folder_ / "out", "x");
  umask(mask);
  struct stat status {};
  ASSERT_EQ(stat((folder_ / "out").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777u, 0640u);
}

TEST_F(WholeFile, a_path_that_cannot_be_written_is_named_in_one_line) {
  try {
    write_whole_file(folder_ / "missing" / "out", "x");
    FAIL();
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot write " + (folder_ / "missing" / "out").string() + ": No such file or directory");
  }
  EXPECT_THROW(write_whole_file(folder_, "x"), std::runtime_error);
  EXPECT_EQ(entries(), 0u);
}

TEST_F(WholeFile, a_device_is_written_to_and_not_replaced) {
  write_whole_file("/dev/null", "x");
  struct stat status {};
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

}  // namespace
}  // namespace warpcheck::report

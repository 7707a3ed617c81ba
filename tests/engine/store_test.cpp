#include "framework/engine/store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <set>

#include "tests/engine/example.hpp"
#include "tests/engine/temporary_folder.hpp"

namespace warpcheck::engine::testing {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

void write_text(const fs::path& path, std::string_view text) {
  std::ofstream(path, std::ios::binary) << text;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::set<std::string> names_in(const fs::path& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
  return names;
}

TEST(Store, gives_back_what_was_put_in_and_leaves_nothing_else) {
  const TemporaryFolder temporary;
  const fs::path folder = temporary.path() / "not" / "there yet";
  const Counterexample example = full_counterexample();
  const fs::path path = store(folder, example);
  EXPECT_EQ(path, store_path(folder, example));
  EXPECT_EQ(names_in(folder).size(), 1u);
  const StoreListing listing = list_store(folder);
  ASSERT_EQ(listing.found.size(), 1u);
  EXPECT_EQ(listing.found[0].path, path);
  EXPECT_TRUE(same(listing.found[0].counterexample, example));
  EXPECT_THAT(listing.notes, IsEmpty());
}

TEST(Store, names_files_after_kernel_property_and_fault) {
  EXPECT_THAT(store_path("s", plain_counterexample()).string(),
              StartsWith("s/my_sum.within_proved_bound.over_the_bound-"));
  EXPECT_THAT(store_path("s", full_counterexample()).string(),
              StartsWith("s/my_sum_float_.within_proved_bound.out_of_bounds-"));
}

TEST(Store, keeps_one_file_for_each_kernel_property_and_fault) {
  const TemporaryFolder temporary;
  Counterexample example = plain_counterexample();
  store(temporary.path(), example);
  example.reduced = case_of({1, 2});
  const fs::path replaced = store(temporary.path(), example);
  EXPECT_EQ(names_in(temporary.path()).size(), 1u);
  EXPECT_TRUE(same(read_counterexample(replaced), example));

  example.kernel = "my_sum ";  // the same as a file name, another kernel
  store(temporary.path(), example);
  example.kernel = "my_sum_";
  store(temporary.path(), example);
  example.property = "negation";
  store(temporary.path(), example);
  example.verdict.failure = FailureClass::crash;
  store(temporary.path(), example);
  EXPECT_EQ(names_in(temporary.path()).size(), 5u);
  EXPECT_EQ(list_store(temporary.path()).found.size(), 5u);
}

TEST(Store, makes_names_from_any_text) {
  const TemporaryFolder temporary;
  Counterexample example = plain_counterexample();
  example.kernel = "../../etc/<x>\n é" + std::string(500, 'k');
  const fs::path path = store(temporary.path(), example);
  EXPECT_EQ(path.parent_path(), temporary.path());
  EXPECT_EQ(list_store(temporary.path(), example.kernel, example.property).found.size(), 1u);
}

TEST(Store, skips_damaged_and_foreign_files_by_name_and_leaves_them_alone) {
  const TemporaryFolder temporary;
  const fs::path good = store(temporary.path(), plain_counterexample());
  const std::string text = read_text(good);
  write_text(temporary.path() / "a_truncated.json", text.substr(0, text.size() / 2));
  write_text(temporary.path() / "b_foreign.json", "{\"name\": \"package\"}");
  write_text(temporary.path() / "c_empty.json", "");
  fs::create_directory(temporary.path() / "d_folder.json");
  ASSERT_EQ(::mkfifo((temporary.path() / "e_pipe.json").c_str(), 0600), 0);
  write_text(temporary.path() / "README.txt", "not ours");
  write_text(temporary.path() / ".hidden.json", "left by an editor");
  const std::set<std::string> before = names_in(temporary.path());

  const StoreListing listing = list_store(temporary.path());
  ASSERT_EQ(listing.found.size(), 1u);
  EXPECT_EQ(listing.found[0].path, good);
  const std::string folder = temporary.path().string();
  EXPECT_THAT(listing.notes, ElementsAre(StartsWith(folder + "/a_truncated.json: truncated: "),
                                         StartsWith(folder + "/b_foreign.json: not a counterexample: "),
                                         folder + "/c_empty.json: the file is empty; skipped",
                                         folder + "/d_folder.json: is no regular file; skipped",
                                         folder + "/e_pipe.json: is no regular file; skipped"));
  EXPECT_EQ(names_in(temporary.path()), before);
  EXPECT_EQ(read_text(temporary.path() / "b_foreign.json"), "{\"name\": \"package\"}");
}

TEST(Store, opens_only_what_may_concern_a_kernel_and_property) {
  const TemporaryFolder temporary;
  Counterexample example = plain_counterexample();
  const fs::path mine = store(temporary.path(), example);
  example.kernel = "other";
  const fs::path others = store(temporary.path(), example);
  write_text(others, "damaged");
  // A file that somebody has renamed is still found, and another kernel's is not reported.
  fs::rename(mine, temporary.path() / "from a colleague.json");
  const StoreListing listing = list_store(temporary.path(), "my_sum", "within_proved_bound");
  ASSERT_EQ(listing.found.size(), 1u);
  EXPECT_EQ(listing.found[0].path, temporary.path() / "from a colleague.json");
  EXPECT_THAT(listing.notes, IsEmpty());
  EXPECT_EQ(list_store(temporary.path(), "other", "within_proved_bound").notes.size(), 1u);
}

TEST(Store, is_empty_where_there_is_no_folder_and_says_when_it_is_none) {
  const TemporaryFolder temporary;
  EXPECT_THAT(list_store(temporary.path() / "absent").found, IsEmpty());
  EXPECT_THAT(list_store(temporary.path() / "absent").notes, IsEmpty());
  write_text(temporary.path() / "file", "");
  EXPECT_THAT(list_store(temporary.path() / "file").notes,
              ElementsAre("cannot read the folder " + temporary.path().string() + "/file: Not a directory"));
}

TEST(Store, says_in_one_line_why_it_cannot_write_and_harms_nothing) {
  const TemporaryFolder temporary;
  write_text(temporary.path() / "file", "in the way");
  try {
    store(temporary.path() / "file", plain_counterexample());
    FAIL() << "stored in a file";
  } catch (const std::runtime_error& error) {
    EXPECT_THAT(error.what(), HasSubstr("cannot make the folder " + temporary.path().string() + "/file"));
  }
  // A folder stands where the file should go: the rename fails, the temporary file goes away.
  const fs::path target = store_path(temporary.path(), plain_counterexample());
  fs::create_directory(target);
  try {
    store(temporary.path(), plain_counterexample());
    FAIL() << "stored in a folder";
  } catch (const std::runtime_error& error) {
    EXPECT_EQ(std::string(error.what()), "cannot write " + target.string() + ": Is a directory");
  }
  EXPECT_THAT(names_in(temporary.path()), ElementsAre("file", target.filename().string()));
}

TEST(Store, reads_one_file_or_names_it) {
  const TemporaryFolder temporary;
  try {
    read_counterexample(temporary.path() / "absent.json");
    FAIL() << "read what is not there";
  } catch (const std::invalid_argument& error) {
    EXPECT_EQ(std::string(error.what()), temporary.path().string() + "/absent.json: there is no such file");
  }
}

}  // namespace
}  // namespace warpcheck::engine::testing

#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "framework/record/counterexample.hpp"

namespace warpcheck::engine {

using record::Counterexample;

// A store is a folder with one JSON file for each kernel, property and fault (class, and kind of finding for
// contract violations). A later counterexample of the same fault replaces the earlier one; nothing is ever
// deleted.

/// Where a counterexample of this kernel, property and fault belongs:
/// "my_sum.within_proved_bound.over_the_bound-" and eight hex digits that tell names apart which look the
/// same as file names.
std::filesystem::path store_path(const std::filesystem::path& folder, const Counterexample& counterexample);

/// Writes the counterexample to its place in the folder, which is made if it is missing, and returns the
/// path. Readers see the old file or the new one, never a part: it is written under another name,
/// synchronised and renamed. Throws std::runtime_error with one line that names the path and the system's
/// reason; the old file is then unharmed.
std::filesystem::path store(const std::filesystem::path& folder, const Counterexample& counterexample);

struct StoredCounterexample {
  std::filesystem::path path;
  Counterexample counterexample;
};

/// What a folder holds, sorted by path. Files that cannot be read or are no counterexamples are left alone
/// and named in `notes`, one line each.
struct StoreListing {
  std::vector<StoredCounterexample> found;
  std::vector<std::string> notes;
};

/// All counterexamples in a folder; none if the folder does not exist. Only regular files that end in ".json"
/// and do not begin with a dot are looked at. Never throws for what is in the folder.
StoreListing list_store(const std::filesystem::path& folder);

/// Those of one kernel and property. Files whose names show that they belong to another are not opened.
StoreListing list_store(const std::filesystem::path& folder, std::string_view kernel,
                        std::string_view property);

/// Reads one file. Throws std::invalid_argument with one line that begins with the path.
Counterexample read_counterexample(const std::filesystem::path& path);

}  // namespace warpcheck::engine

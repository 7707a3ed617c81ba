#include "framework/engine/store.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <system_error>

#include "framework/engine/stable_hash.hpp"

namespace warpcheck::engine {

using record::counterexample_from_json;
namespace {

namespace fs = std::filesystem;

constexpr std::size_t hash_digits = 8;

/// Letters, digits and underscores only, and short enough for every file system.
std::string file_word(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string word;
  for (const char c : text.substr(0, longest)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    word += plain ? c : '_';
  }
  return word;
}

std::string prefix_of(std::string_view kernel, std::string_view property) {
  return file_word(kernel) + "." + file_word(property) + ".";
}

/// The name of the fault that a verdict shows, as same_fault sees it.
std::string fault_of(const Verdict& verdict) {
  const Finding* finding =
      verdict.failure == FailureClass::contract_violation ? verdict.error_finding() : nullptr;
  return std::string(finding != nullptr ? name_of(finding->kind) : name_of(verdict.failure));
}

/// true if the name looks as if store_path had made it.
bool is_store_name(const std::string& name) {
  const std::string stem = name.substr(0, name.size() - std::string_view(".json").size());
  if (std::count(stem.begin(), stem.end(), '.') != 2 || stem.size() <= hash_digits) return false;
  const std::string hash = stem.substr(stem.size() - hash_digits);
  return stem[stem.size() - hash_digits - 1] == '-' &&
         hash.find_first_not_of("0123456789abcdef") == std::string::npos;
}

[[noreturn]] void fail(const fs::path& path, const std::string& what, int error) {
  throw std::runtime_error("cannot " + what + " " + path.string() + ": " +
                           std::generic_category().message(error));
}

/// A file being written under a temporary name; removed unless it was put in its place.
class PendingFile {
 public:
  PendingFile(const fs::path& target) : target_(target) {
    temporary_ = target.parent_path() / fmt::format(".{}.{}.tmp", target.filename().string(), ::getpid());
    // What a crashed process of the same number has left is in the way; nobody else uses that name.
    ::unlink(temporary_.c_str());
    descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(target_, "write", errno);
  }
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;
  ~PendingFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!placed_) ::unlink(temporary_.c_str());
  }

  void write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t written = ::write(descriptor_, text.data(), text.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) fail(target_, "write", errno);
      text.remove_prefix(static_cast<std::size_t>(written));
    }
  }

  void put_in_place() {
    if (::fsync(descriptor_) != 0) fail(target_, "write", errno);
    const int closed = ::close(descriptor_);
    descriptor_ = -1;
    if (closed != 0) fail(target_, "write", errno);
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(target_, "write", errno);
    placed_ = true;
    // The name survives a power failure only once the folder is synchronised too; without it the file is
    // still whole.
    const int folder = ::open(target_.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0) {
      ::fsync(folder);
      ::close(folder);
    }
  }

 private:
  fs::path target_, temporary_;
  int descriptor_ = -1;
  bool placed_ = false;
};

StoreListing list_where(const fs::path& folder, const std::function<bool(const std::string&)>& wanted) {
  StoreListing listing;
  std::error_code error;
  if (!fs::exists(folder, error) && !error) return listing;
  std::vector<fs::path> paths;
  fs::directory_iterator entry(folder, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (!name.starts_with('.') && name.ends_with(".json") && wanted(name)) paths.push_back(entry->path());
  }
  if (error) listing.notes.push_back("cannot read the folder " + folder.string() + ": " + error.message());
  std::sort(paths.begin(), paths.end());
  for (const fs::path& path : paths) {
    try {
      listing.found.push_back({path, read_counterexample(path)});
    } catch (const std::exception& failure) {
      listing.notes.push_back(std::string(failure.what()) + "; skipped");
    }
  }
  return listing;
}

}  // namespace

fs::path store_path(const fs::path& folder, const Counterexample& counterexample) {
  const std::string fault = fault_of(counterexample.verdict);
  const std::uint64_t hash =
      StableHash().add(counterexample.kernel).add(counterexample.property).add(fault).value();
  std::string digits;
  for (std::size_t i = 0; i < hash_digits; ++i) digits += "0123456789abcdef"[(hash >> (60 - 4 * i)) & 15];
  return folder / (prefix_of(counterexample.kernel, counterexample.property) + file_word(fault) + "-" +
                   digits + ".json");
}

fs::path store(const fs::path& folder, const Counterexample& counterexample) {
  const std::string text = to_json(counterexample);
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw std::runtime_error("cannot make the folder " + folder.string() + ": " + error.message());
  const fs::path path = store_path(folder, counterexample);
  PendingFile file(path);
  file.write(text);
  file.put_in_place();
  return path;
}

StoreListing list_store(const fs::path& folder) {
  return list_where(folder, [](const std::string&) { return true; });
}

StoreListing list_store(const fs::path& folder, std::string_view kernel, std::string_view property) {
  const std::string prefix = prefix_of(kernel, property);
  StoreListing listing = list_where(
      folder, [&](const std::string& name) { return name.starts_with(prefix) || !is_store_name(name); });
  std::erase_if(listing.found, [&](const StoredCounterexample& stored) {
    return stored.counterexample.kernel != kernel || stored.counterexample.property != property;
  });
  return listing;
}

Counterexample read_counterexample(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  if (!fs::exists(status)) throw std::invalid_argument(path.string() + ": there is no such file");
  // Opening a pipe would wait for somebody to write to it.
  if (!fs::is_regular_file(status)) throw std::invalid_argument(path.string() + ": is no regular file");
  std::ifstream file(path, std::ios::binary);
  std::string text;
  if (file) text.assign(std::istreambuf_iterator<char>(file), {});
  if (!file) throw std::invalid_argument(path.string() + ": cannot be read: " + std::strerror(errno));
  try {
    return counterexample_from_json(text);
  } catch (const std::invalid_argument& failure) {
    throw std::invalid_argument(path.string() + ": " + failure.what());
  }
}

}  // namespace warpcheck::engine

#include "framework/cli/output.hpp"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "framework/cli/usage_error.hpp"
#include "framework/report/whole_file.hpp"

namespace warpcheck::cli {

namespace fs = std::filesystem;

void print(std::string_view text) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0) {
    throw CannotRun(fmt::format("cannot write standard output: {}", std::generic_category().message(errno)));
  }
}

void print_error(std::string_view line) {
  std::fflush(stdout);
  const std::string text = fmt::format("warpcheck: {}\n", line);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

void demand_writable(std::string_view option, const std::string& path) {
  if (path.empty() || path == "-") return;
  struct stat status {};
  const bool exists = ::stat(path.c_str(), &status) == 0;
  if (exists && S_ISDIR(status.st_mode))
    throw UsageError(fmt::format("{}: {} is a folder; name a file", option, path));
  // A regular file is replaced, so it is its folder that counts.
  const fs::path folder = fs::path(path).parent_path();
  const std::string place = exists && !S_ISREG(status.st_mode) ? path
                            : folder.empty()                   ? "."
                                                               : folder.string();
  if (::access(place.c_str(), W_OK) != 0) {
    throw UsageError(
        fmt::format("{}: cannot write {}: {}", option, path, std::generic_category().message(errno)));
  }
}

void write_report(std::string_view option, const std::string& path, std::string_view text) {
  if (path.empty()) return;
  try {
    report::write_whole_file(path, text);
  } catch (const std::runtime_error& error) {
    throw UsageError(fmt::format("{}: {}", option, error.what()));
  }
}

}  // namespace warpcheck::cli

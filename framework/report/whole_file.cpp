#include "framework/report/whole_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace warpcheck::report {

namespace {

std::string error_text(int error) {
  return std::generic_category().message(error);
}

/// 0, or the error that stopped it.
int write_all(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      return errno;
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return 0;
}

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw std::runtime_error(fmt::format("cannot write {}: {}", path.string(), error_text(error)));
}

}  // namespace

void write_whole_file(const std::filesystem::path& path, std::string_view text) {
  if (path == "-") {
    std::fflush(stdout);
    if (const int error = write_all(STDOUT_FILENO, text); error != 0) {
      throw std::runtime_error(fmt::format("cannot write standard output: {}", error_text(error)));
    }
    return;
  }

  struct stat status {};
  if (::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) {
    const int descriptor = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail(path, errno);
    const int error = write_all(descriptor, text);
    ::close(descriptor);
    if (error != 0) fail(path, error);
    return;
  }

  std::string temporary = path.string() + ".XXXXXX";
  const int descriptor = ::mkostemp(temporary.data(), O_CLOEXEC);
  if (descriptor < 0) fail(path, errno);
  int error = write_all(descriptor, text);
  const mode_t mask = ::umask(0);
  ::umask(mask);
  if (error == 0 && ::fchmod(descriptor, 0666 & ~mask) != 0) error = errno;
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error == 0 && std::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(temporary.c_str());
    fail(path, error);
  }
}

}  // namespace warpcheck::report

#pragma once

#include <stdexcept>

namespace warpcheck::cli {

/// Wrong use or bad input: one line that names the value and what would be right. The program ends with
/// status 2.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Something that was asked for could not be run: one line. The program ends with status 3.
class CannotRun : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace warpcheck::cli

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpcheck::cli {

/// One line on a terminal that is written over again and again; nothing at all anywhere else.
class Progress {
 public:
  /// Shows itself on standard error if that is a terminal.
  Progress();
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Shows a line, at most ten times a second and cut to the width of the terminal.
  void show(std::string_view line);

  /// Takes the line away.
  void clear();

 private:
  bool terminal_;
  std::size_t shown_ = 0;
  std::int64_t last_ms_ = 0;
};

}  // namespace warpcheck::cli

#pragma once

#include <string>
#include <string_view>

namespace warpcheck::cli {

/// Writes to standard output at once. Throws CannotRun when it is full or closed.
void print(std::string_view text);

/// "warpcheck: LINE" on standard error.
void print_error(std::string_view line);

/// Throws UsageError when the file cannot be written, so that this is known before a long run. Nothing is
/// changed; empty and "-" are fine.
void demand_writable(std::string_view option, const std::string& path);

/// Writes a report where `--json` or `--junit` says. Throws UsageError when it cannot be written.
void write_report(std::string_view option, const std::string& path, std::string_view text);

}  // namespace warpcheck::cli

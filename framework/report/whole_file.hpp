#pragma once

#include <filesystem>
#include <string_view>

namespace warpcheck::report {

/// Makes `path` hold exactly `text`, or leaves it as it was: the text goes to a temporary file beside it,
/// which is then renamed. "-" is standard output. A path that is no regular file ("/dev/null", a pipe) is
/// written to directly. Throws std::runtime_error with one line that names the path and why it could not be
/// written.
void write_whole_file(const std::filesystem::path& path, std::string_view text);

}  // namespace warpcheck::report

#pragma once

#include <string>

namespace warpcheck::worker {

/// Runs the reduced case of a stored counterexample once in this process and prints its outcome: for
/// debuggers. Returns 0 if it completed, 1 if the run itself failed (a violation, an error code), 3 if there
/// is nothing to run it on, which one line on standard error says. Throws std::exception with one line, which
/// names the file, for a file or plug-in that cannot be used.
int debug_replay(const std::string& file);

}  // namespace warpcheck::worker

#pragma once

#include <string>

namespace warpcheck::worker {

/// Runs the reduced case of a stored counterexample once in this process and prints its outcome: for
/// debuggers. Returns 1 if the run itself failed (a violation, an error code), 0 if it completed. Throws
/// std::exception with one line for a file or plug-in that cannot be used.
int debug_replay(const std::string& file);

}  // namespace warpcheck::worker

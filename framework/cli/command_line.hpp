#pragma once

#include <span>
#include <string>

namespace warpcheck::cli {

/// The whole program: reads the arguments (without the program's name), carries the command out and returns
/// the exit status: 0 all hold; 1 something was falsified; 2 wrong use or bad input; 3 something asked for
/// could not run. Errors are one line each on standard error. Throws nothing.
int command_line(std::span<const std::string> arguments);

}  // namespace warpcheck::cli

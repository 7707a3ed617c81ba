#pragma once

#include <filesystem>
#include <string>

#include "framework/record/counterexample.hpp"

namespace warpcheck::engine {

using record::Counterexample;

/// The text that tells people about a falsified property, in plain lines of at most 80 columns (words that
/// are longer stand alone), ending with a line end. In this order: property, kernel, executor and class;
/// input, n and geometry; expected; got; bound; findings with their source lines and threads; reason; κ; what
/// it was reduced from; the command that shows it again. What does not exist has no line.
///
/// `stored_as` is the file that holds the counterexample; empty if there is none, and then the command
/// repeats the search.
std::string describe(const Counterexample& counterexample, const std::filesystem::path& stored_as = {});

/// The command alone, on one line.
std::string reproduce_command(const Counterexample& counterexample,
                              const std::filesystem::path& stored_as = {});

}  // namespace warpcheck::engine

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace warpcheck::cli {

/// The arguments of `permutations`, told apart before anything takes "-inf" for options.
struct ValueArguments {
  std::vector<std::string> values;  ///< in their order; not yet parsed
  std::vector<std::string> others;  ///< options with their values, in their order
};

/// An argument is a value if it does not begin with '-', or follows "--", or is '-' and then a digit, a point
/// and a digit, or inf, infinity or nan in any case of letters. The argument after one of
/// `options_with_value` belongs to that option, whatever it is.
ValueArguments take_values(std::span<const std::string> arguments,
                           std::span<const std::string> options_with_value);

}  // namespace warpcheck::cli

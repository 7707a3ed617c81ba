#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

/// What the PTX text promises of approximate instructions. The rows of the table return the correctly rounded
/// value of the exact function; a device may be off by as much as is said here.
namespace warpcheck::simt {

/// One bound and the operands for which it holds.
struct ErrorBound {
  enum class Measure : std::uint8_t {
    undocumented,  ///< the text gives no bound; `bound` is infinite
    ulp,           ///< in units in the last place of the result
    relative,      ///< to the exact value
    absolute,
  };
  Measure measure{};
  double bound{};
  std::string_view where;  ///< condition on the operands, empty: all of them
};

/// One or two bounds; the first whose condition holds counts. Beyond them nothing is promised.
struct ApproximationError {
  std::array<ErrorBound, 2> bounds;
  std::uint8_t count{};
};

/// The documented error of an approximate variant ("ex2.approx.ftz.f32"); empty for every other one, which is
/// exact or correctly rounded. Source: the tables of PTX ISA 9.7.3.8 and 9.7.3.13 to 9.7.3.22.
std::optional<ApproximationError> documented_error(std::string_view variant);

}  // namespace warpcheck::simt

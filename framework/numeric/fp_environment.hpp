#pragma once

#include <optional>
#include <string>

namespace warpcheck::numeric {

/// nullopt when this thread's float and double arithmetic is that of IEEE 754 as every bitwise check
/// here assumes: round to nearest even, subnormals kept as operands and as results, no excess
/// precision. Otherwise one line that names what is wrong and how to set it right.
///
/// It computes, rather than asks: a library that was loaded may have set flush-to-zero behind our back.
std::optional<std::string> floating_point_fault();

}  // namespace warpcheck::numeric

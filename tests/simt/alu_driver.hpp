#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "framework/simt/instr.hpp"
#include "tests/simt/alu_reference.hpp"

/// Runs an operation on chosen registers and looks at everything it did.
namespace warpcheck::simt::alu_test {

/// One value per source, for one lane: raw elements.
using LaneInput = std::array<std::uint64_t, 4>;

/// Inputs for operands of a meaning: the cross product of special values for one or two sources, a sample of
/// it for more, random bits, and values related to each other (equal, negated, next to, cancelling). At least
/// `count`.
std::vector<LaneInput> inputs_for(const Meaning& meaning, std::size_t count, std::uint64_t seed);

/// The same, knowing only how many bits each source's element has, so that variants can be compared.
std::vector<LaneInput> inputs_for_widths(const std::vector<int>& widths, std::size_t count,
                                         std::uint64_t seed);

/// The results of an operation for full warps of inputs: one element per destination and input.
std::vector<std::array<std::uint64_t, 4>> results_of(LaneOp op, const Meaning& meaning,
                                                     const std::vector<LaneInput>& inputs);

/// Checks an operation against a meaning on these inputs, 32 lanes at a time: every result bit that the text
/// defines, under full, partial and empty masks, with sources among registers and constants, with
/// destinations that are also sources, with garbage above narrow values and in masked lanes; and that nothing
/// else in memory, nor the rounding mode, has changed. Returns a description of the first difference, or
/// nothing.
std::optional<std::string> first_difference(LaneOp op, const Meaning& meaning,
                                            const std::vector<LaneInput>& inputs, std::uint64_t seed);

/// Lane classes of a meaning in the order of Row::operands.
std::vector<Lane> lanes_of(const Meaning& meaning);

/// Bits that each operand's storage has in a register: 32 or 64, and 1 for masks. Two rows whose storage
/// differs cannot be exchanged without the decoder noticing.
std::vector<int> storage_of(const Meaning& meaning);

}  // namespace warpcheck::simt::alu_test

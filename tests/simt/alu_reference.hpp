#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "framework/simt/instr.hpp"

/// What the PTX text says that a lane-wise instruction does, computed from the variant's name by exact
/// integer arithmetic, bit by bit. Slow, and shares nothing with the table under test.
namespace warpcheck::simt::alu_test {

/// An operand as the text has it.
struct Operand {
  Lane lane{};
  int bits{};  ///< width of the value; 1 for predicates and carries
  bool is_float{};
  bool is_amount{};      ///< a shift amount, position or length: small values matter
  bool is_immediate{};   ///< the same in all lanes and never a register
  std::uint64_t care{};  ///< destinations: bits of the element that the text defines
};

/// The meaning of one variant for one lane.
///
/// `evaluate` reads one raw element per source, in the order of `sources` (predicates as 0 or 1), and writes
/// one per destination; bits outside `care` are free.
struct Meaning {
  std::vector<Operand> destinations;
  std::vector<Operand> sources;
  std::function<void(const std::uint64_t* sources, std::uint64_t* destinations)> evaluate;
  bool destinations_may_be_absent{};  ///< the text allows the sink _, or one destination of two
};

/// Empty if the name is no variant that this reference knows.
std::optional<Meaning> meaning_of(std::string_view variant);

/// Variants with the same operand widths and the same canonical meaning do the same to every input; others of
/// the same opcode differ for some input. The text's synonyms ("behaviour is the same for unsigned and
/// signed") and those that follow from it (a rounding mode where nothing is rounded) end up with one name.
std::string canonical_meaning(std::string_view variant);

}  // namespace warpcheck::simt::alu_test

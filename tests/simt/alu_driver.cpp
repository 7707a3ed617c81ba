#include "tests/simt/alu_driver.hpp"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <cstring>
#include <limits>
#include <memory>

namespace warpcheck::simt::alu_test {
namespace {

using Random = std::mt19937_64;

constexpr std::uint64_t special_f32[] = {
    0x00000000, 0x00000001, 0x00000002, 0x00400000, 0x007fffff, 0x00800000, 0x00800001, 0x00ffffff,
    0x01000000, 0x0c800000, 0x1f800000, 0x33800000, 0x34000000, 0x3e800000, 0x3effffff, 0x3f000000,
    0x3f000001, 0x3f3504f3, 0x3f7fffff, 0x3f800000, 0x3f800001, 0x3fc00000, 0x40000000, 0x40200000,
    0x40400000, 0x40490fdb, 0x42fe0000, 0x43000000, 0x437f0000, 0x43808000, 0x46fffe00, 0x477fff00,
    0x477fff80, 0x4b000000, 0x4b000001, 0x4b800001, 0x4effffff, 0x4f000000, 0x4f7fffff, 0x4f800000,
    0x5effffff, 0x5f000000, 0x5f7fffff, 0x5f800000, 0x7e800000, 0x7e800001, 0x7f000000, 0x7f7fffff,
    0x7f800000, 0x7f800001, 0x7fc00000, 0x7fc12345, 0x7fffffff};

constexpr std::uint64_t special_f64[] = {
    0x0000000000000000, 0x0000000000000001, 0x0008000000000000, 0x000fffffffffffff, 0x0010000000000000,
    0x0010000000000001, 0x001fffffffffffff, 0x0020000000000000, 0x1ff0000000000000, 0x3690000000000000,
    0x36a0000000000000, 0x36a0000000000001, 0x380fffffe0000000, 0x380fffffffffffff, 0x3810000000000000,
    0x3ca0000000000000, 0x3cb0000000000000, 0x3fdfffffffffffff, 0x3fe0000000000000, 0x3fe0000000000001,
    0x3fefffffffffffff, 0x3ff0000000000000, 0x3ff0000000000001, 0x3ff0000010000000, 0x3ff0000030000000,
    0x3ff8000000000000, 0x4000000000000000, 0x4004000000000000, 0x4008000000000000, 0x405fc00000000000,
    0x406fe00000000000, 0x40dfffe000000000, 0x40efffe000000000, 0x41dfffffffc00000, 0x41dfffffffe00000,
    0x41e0000000000000, 0x41efffffffe00000, 0x41effffffff00000, 0x41f0000000000000, 0x4330000000000000,
    0x4340000000000001, 0x43dfffffffffffff, 0x43e0000000000000, 0x43efffffffffffff, 0x43f0000000000000,
    0x47efffffe0000000, 0x47efffffefffffff, 0x47effffff0000000, 0x47f0000000000000, 0x7fd0000000000001,
    0x7fe0000000000000, 0x7fefffffffffffff, 0x7ff0000000000000, 0x7ff0000000000001, 0x7ff8000000000000,
    0x7ff8000000012345, 0x7fffffffffffffff};

/// Integers around the ends of every width, small ones and patterns.
const std::vector<std::uint64_t>& special_integers() {
  static const std::vector<std::uint64_t> values = [] {
    std::vector<std::uint64_t> list = {3,
                                       5,
                                       7,
                                       10,
                                       0x12345678,
                                       0xdeadbeefcafebabe,
                                       0x5555555555555555,
                                       0xaaaaaaaaaaaaaaaa,
                                       0x00ff00ff00ff00ff,
                                       0x8080808080808080,
                                       0x7f7f7f7f7f7f7f7f,
                                       0x80007fff80007fff};
    for (int shift : {0, 1, 2, 4, 7, 8, 15, 16, 23, 24, 31, 32, 33, 52, 53, 62, 63}) {
      const std::uint64_t power = std::uint64_t{1} << shift;
      for (std::uint64_t value : {power - 1, power, power + 1, ~power, 0 - power, 1 - power})
        list.push_back(value);
    }
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }();
  return values;
}

constexpr std::uint64_t special_amounts[] = {
    0,   1,   2,   7,   8,   15,      16,         17,         23,         24,         30,        31,
    32,  33,  47,  63,  64,  65,      95,         96,         127,        128,        200,       224,
    255, 256, 257, 287, 288, 0x10000, 0x7fffffff, 0x80000000, 0xffffffe0, 0xfffffff0, 0xffffffff};

struct Domain {
  std::vector<std::uint64_t> special;
  int bits{};
  bool is_float{};
  bool is_amount{};
};

Domain domain_of(const Operand& operand) {
  Domain domain{{}, operand.bits, operand.is_float, operand.is_amount};
  if (operand.bits == 1) {
    domain.special = {0, 1};
  } else if (operand.is_float) {
    const int width = operand.bits;
    const auto both_signs = [&](std::uint64_t value) {
      domain.special.push_back(value);
      domain.special.push_back(value | std::uint64_t{1} << (width - 1));
    };
    if (width == 64)
      for (std::uint64_t value : special_f64) both_signs(value);
    else
      for (std::uint64_t value : special_f32) both_signs(value);
  } else if (operand.is_amount) {
    domain.special.assign(std::begin(special_amounts), std::end(special_amounts));
  } else {
    const std::uint64_t kept =
        operand.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << operand.bits) - 1;
    for (std::uint64_t value : special_integers()) domain.special.push_back(value & kept);
    std::sort(domain.special.begin(), domain.special.end());
    domain.special.erase(std::unique(domain.special.begin(), domain.special.end()), domain.special.end());
  }
  return domain;
}

std::uint64_t pick(const std::vector<std::uint64_t>& values, Random& random) {
  return values[random() % values.size()];
}

std::uint64_t random_value(const Domain& domain, Random& random) {
  if (domain.bits == 1) return random() & 1;
  switch (random() % 4) {
    case 0:
      return pick(domain.special, random);
    case 1:
      return pick(domain.special, random) + random() % 5 - 2;
    case 2:
      if (domain.is_amount) return random() % 72;
      if (!domain.is_float) return random() >> (random() % 64);
      // Exponents near the middle, where operands meet each other.
      return domain.bits == 64 ? (random() & 0x800fffffffffffffu) | (0x3d0 + random() % 0x60) << 52
                               : (random() & 0x807fffffu) | (0x68 + random() % 0x30) << 23;
    default:
      return random();
  }
}

float as_float(std::uint64_t bits) {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
}
std::uint64_t from_float(float value) {
  return std::bit_cast<std::uint32_t>(value);
}

/// Makes the last source that is no predicate depend on another one.
void relate(const std::vector<Domain>& domains, LaneInput& input, Random& random) {
  std::size_t last = domains.size() - 1;
  if (domains[last].bits == 1 && last > 0) --last;
  const std::size_t other = random() % domains.size();
  if (other == last || domains[other].bits != domains[last].bits || domains[last].bits == 1) return;
  const std::uint64_t sign = std::uint64_t{1} << (domains[last].bits - 1);
  const std::uint64_t nudge = random() % 3 - 1;
  if (domains[last].is_float && last == 2) {
    // Cancels the product of the first two.
    if (domains[last].bits == 64)
      input[2] =
          std::bit_cast<std::uint64_t>(-(std::bit_cast<double>(input[0]) * std::bit_cast<double>(input[1])));
    else
      input[2] = from_float(-(as_float(input[0]) * as_float(input[1])));
    input[2] += nudge;
    return;
  }
  const std::uint64_t choice = random() % 4;
  input[last] = choice == 0   ? input[other] + nudge
                : choice == 1 ? (input[other] ^ sign) + nudge
                              : input[other];
}

std::vector<LaneInput> inputs_for_domains(const std::vector<Domain>& domains, std::size_t count,
                                          std::uint64_t seed) {
  Random random(seed);
  std::vector<LaneInput> inputs;
  if (domains.size() == 1) {
    for (std::uint64_t a : domains[0].special) inputs.push_back({a});
  } else if (domains.size() == 2) {
    for (std::uint64_t a : domains[0].special)
      for (std::uint64_t b : domains[1].special) inputs.push_back({a, b});
  } else {
    for (std::size_t i = 0; i < count / 2; ++i) {
      LaneInput input{};
      for (std::size_t k = 0; k < domains.size(); ++k) input[k] = pick(domains[k].special, random);
      inputs.push_back(input);
    }
  }
  // A thinned cross product, if it is larger than asked for.
  if (inputs.size() > count) {
    std::shuffle(inputs.begin(), inputs.end(), random);
    inputs.resize(count);
  }
  const std::size_t wanted = inputs.size() + count / 2;
  while (inputs.size() < wanted || inputs.size() % kWarpSize != 0) {
    LaneInput input{};
    for (std::size_t k = 0; k < domains.size(); ++k) input[k] = random_value(domains[k], random);
    if (random() % 3 == 0) relate(domains, input, random);
    inputs.push_back(input);
  }
  // In blocks, whose first lane gives an immediate to all.
  std::shuffle(inputs.begin(), inputs.end(), random);
  return inputs;
}

bool is_mask(Lane lane) {
  return lane == Lane::pred || lane == Lane::carry;
}
bool is_wide(Lane lane) {
  return lane == Lane::w64 || lane == Lane::f64;
}

constexpr std::size_t kSlot = 256 + 64;  // a register of 32 wide elements and a gap
constexpr std::size_t kSlots = 8;

/// A register file and a constant area, each a row of slots with gaps.
struct Memory {
  alignas(64) std::array<std::array<std::byte, kSlot * kSlots>, 2> areas;

  LaneContext context() { return {{areas[0].data(), areas[1].data()}}; }
  std::byte* at(OperandRef ref) { return areas[ref & 1u].data() + (ref & ~1u); }
};

struct Element {
  static std::uint64_t read(Memory& memory, OperandRef ref, Lane lane, int i) {
    if (is_mask(lane)) {
      std::uint32_t word;
      std::memcpy(&word, memory.at(ref), 4);
      return (word >> i) & 1u;
    }
    if (is_wide(lane)) {
      std::uint64_t value;
      std::memcpy(&value, memory.at(ref) + 8 * i, 8);
      return value;
    }
    std::uint32_t value;
    std::memcpy(&value, memory.at(ref) + 4 * i, 4);
    return value;
  }

  static void write(Memory& memory, OperandRef ref, Lane lane, int i, std::uint64_t value) {
    if (is_mask(lane)) {
      std::uint32_t word;
      std::memcpy(&word, memory.at(ref), 4);
      word = (word & ~(1u << i)) | static_cast<std::uint32_t>(value & 1) << i;
      std::memcpy(memory.at(ref), &word, 4);
    } else if (is_wide(lane)) {
      std::memcpy(memory.at(ref) + 8 * i, &value, 8);
    } else {
      const auto narrow = static_cast<std::uint32_t>(value);
      std::memcpy(memory.at(ref) + 4 * i, &narrow, 4);
    }
  }
};

struct Registers {
  std::array<OperandRef, 4> destinations{kNoOperand, kNoOperand, kNoOperand, kNoOperand};
  std::array<OperandRef, 4> sources{kNoOperand, kNoOperand, kNoOperand, kNoOperand};
};

/// The rule of instr.hpp and alu_table.hpp: destinations in d, d2, a, b; sources in a, b, c, e, or in c if
/// there are more than two destinations.
Instr instruction(LaneOp op, const Meaning& meaning, const Registers& registers) {
  Instr instr;
  instr.op = op;
  OperandRef* const all[] = {&instr.d, &instr.d2, &instr.a, &instr.b, &instr.c, &instr.e};
  const std::size_t destinations = meaning.destinations.size();
  for (std::size_t k = 0; k < destinations; ++k) *all[k] = registers.destinations[k];
  const std::size_t first = destinations > 2 ? destinations : 2;
  for (std::size_t k = 0; k < meaning.sources.size(); ++k) *all[first + k] = registers.sources[k];
  return instr;
}

void fill_with_garbage(Memory& memory, Random& random) {
  for (auto& area : memory.areas)
    for (std::size_t i = 0; i < area.size(); i += 8) {
      const std::uint64_t word = random();
      std::memcpy(area.data() + i, &word, 8);
    }
}

std::uint64_t element_bits(const Operand& operand) {
  return operand.bits == 1 ? 1 : operand.bits == 64 ? ~std::uint64_t{0} : 0xffffffffu;
}

/// Puts the low bits of the inputs below whatever garbage the element holds.
void write_source(Memory& memory, OperandRef ref, const Operand& operand, int i, std::uint64_t value) {
  const std::uint64_t kept = operand.bits == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << operand.bits) - 1;
  const std::uint64_t old = Element::read(memory, ref, operand.lane, i);
  Element::write(memory, ref, operand.lane, i, (old & ~kept) | (value & kept));
}

OperandRef slot(std::size_t index, bool constant) {
  return static_cast<OperandRef>(index * kSlot) | (constant ? 1u : 0u);
}

bool same_storage(const Operand& a, const Operand& b) {
  return is_mask(a.lane) == is_mask(b.lane) && is_wide(a.lane) == is_wide(b.lane);
}

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

}  // namespace

std::vector<LaneInput> inputs_for(const Meaning& meaning, std::size_t count, std::uint64_t seed) {
  std::vector<Domain> domains;
  for (const Operand& operand : meaning.sources) domains.push_back(domain_of(operand));
  return inputs_for_domains(domains, count, seed);
}

std::vector<LaneInput> inputs_for_widths(const std::vector<int>& widths, std::size_t count,
                                         std::uint64_t seed) {
  std::vector<Domain> domains;
  for (int width : widths) {
    Domain domain = domain_of({Lane::w32, width, false, false, false, 0});
    if (width > 1) {
      const auto floats = domain_of({Lane::w32, width, true, false, false, 0}).special;
      domain.special.insert(domain.special.end(), floats.begin(), floats.end());
      domain.special.insert(domain.special.end(), std::begin(special_amounts), std::end(special_amounts));
    }
    domains.push_back(domain);
  }
  return inputs_for_domains(domains, count, seed);
}

std::vector<std::array<std::uint64_t, 4>> results_of(LaneOp op, const Meaning& meaning,
                                                     const std::vector<LaneInput>& inputs) {
  Random random(1);
  Memory memory;
  fill_with_garbage(memory, random);
  Registers registers;
  for (std::size_t k = 0; k < meaning.destinations.size(); ++k) registers.destinations[k] = slot(k, false);
  for (std::size_t k = 0; k < meaning.sources.size(); ++k) registers.sources[k] = slot(4 + k, false);
  const Instr instr = instruction(op, meaning, registers);
  std::vector<std::array<std::uint64_t, 4>> results;
  for (std::size_t first = 0; first + kWarpSize <= inputs.size(); first += kWarpSize) {
    for (std::size_t k = 0; k < meaning.sources.size(); ++k)
      for (int i = 0; i < kWarpSize; ++i) {
        const std::size_t from =
            meaning.sources[k].is_immediate ? first : first + static_cast<std::size_t>(i);
        write_source(memory, registers.sources[k], meaning.sources[k], i, inputs[from][k]);
      }
    op(memory.context(), instr, kAllLanes);
    for (int i = 0; i < kWarpSize; ++i) {
      std::array<std::uint64_t, 4> result{};
      for (std::size_t k = 0; k < meaning.destinations.size(); ++k)
        result[k] = Element::read(memory, registers.destinations[k], meaning.destinations[k].lane, i);
      results.push_back(result);
    }
  }
  return results;
}

std::optional<std::string> first_difference(LaneOp op, const Meaning& meaning,
                                            const std::vector<LaneInput>& inputs, std::uint64_t seed) {
  Random random(seed);
  // Garbage once; every warp then writes its sources below it and leaves its results for the next.
  Memory memory;
  fill_with_garbage(memory, random);
  for (std::size_t first = 0, warp = 0; first + kWarpSize <= inputs.size(); first += kWarpSize, ++warp) {
    Registers registers;
    for (std::size_t k = 0; k < meaning.sources.size(); ++k)
      registers.sources[k] = slot(4 + k, meaning.sources[k].is_immediate || random() % 4 == 0);
    for (std::size_t k = 0; k < meaning.destinations.size(); ++k) {
      registers.destinations[k] = slot(k, false);
      // Sometimes a destination is one of the sources' registers: another one for each destination.
      const std::size_t source = (warp + k) % meaning.sources.size();
      const bool is_register = (registers.sources[source] & 1u) == 0;
      bool taken = false;
      for (std::size_t j = 0; j < k; ++j)
        taken = taken || registers.destinations[j] == registers.sources[source];
      if (random() % 3 == 0 && is_register && !taken &&
          same_storage(meaning.destinations[k], meaning.sources[source]))
        registers.destinations[k] = registers.sources[source];
      if (meaning.destinations_may_be_absent && random() % 4 == 0) registers.destinations[k] = kNoOperand;
    }
    LaneMask mask = kAllLanes;
    if (warp % 4 == 1) mask = static_cast<LaneMask>(random());
    if (warp % 4 == 3) mask = static_cast<LaneMask>(random() & random() & random());
    if (warp % 32 == 5) mask = 0;

    std::uint64_t sources[kWarpSize][4]{};
    for (std::size_t k = 0; k < meaning.sources.size(); ++k)
      for (int i = 0; i < kWarpSize; ++i) {
        const std::size_t from =
            meaning.sources[k].is_immediate ? first : first + static_cast<std::size_t>(i);
        write_source(memory, registers.sources[k], meaning.sources[k], i, inputs[from][k]);
        sources[i][k] = Element::read(memory, registers.sources[k], meaning.sources[k].lane, i);
      }
    Memory expected = memory;
    op(memory.context(), instruction(op, meaning, registers), mask);

    for (int i = 0; i < kWarpSize; ++i) {
      if (((mask >> i) & 1u) == 0) continue;
      std::uint64_t results[4]{};
      meaning.evaluate(sources[i], results);
      for (std::size_t k = 0; k < meaning.destinations.size(); ++k) {
        if (registers.destinations[k] == kNoOperand) continue;
        const Operand& operand = meaning.destinations[k];
        const std::uint64_t got = Element::read(memory, registers.destinations[k], operand.lane, i);
        if (((got ^ results[k]) & operand.care & element_bits(operand)) != 0) {
          std::string text = "destination " + std::to_string(k) + " is " + hexadecimal(got) +
                             ", the text says " + hexadecimal(results[k] & operand.care) + " for sources";
          for (std::size_t j = 0; j < meaning.sources.size(); ++j)
            text.append(" ").append(hexadecimal(sources[i][j]));
          return text + " (lane " + std::to_string(i) + ", mask " + hexadecimal(mask) + ")";
        }
        Element::write(expected, registers.destinations[k], operand.lane, i, got);
      }
    }
    if (std::memcmp(expected.areas.data(), memory.areas.data(), sizeof memory.areas) != 0)
      return "something but the lanes of the mask has changed (mask " + hexadecimal(mask) + ", warp " +
             std::to_string(warp) + ")";
    if (std::fegetround() != FE_TONEAREST) return "the rounding mode was left changed";
  }
  return std::nullopt;
}

std::vector<Lane> lanes_of(const Meaning& meaning) {
  std::vector<Lane> lanes;
  // An implicit carry-out is d2, which is where it stands among the destinations.
  for (const Operand& operand : meaning.destinations) lanes.push_back(operand.lane);
  for (const Operand& operand : meaning.sources) lanes.push_back(operand.lane);
  return lanes;
}

std::vector<int> storage_of(const Meaning& meaning) {
  std::vector<int> storage = {static_cast<int>(meaning.destinations.size())};
  for (Lane lane : lanes_of(meaning)) storage.push_back(is_mask(lane) ? 1 : is_wide(lane) ? 64 : 32);
  return storage;
}

}  // namespace warpcheck::simt::alu_test

#include "tests/simt/alu_reference.hpp"

#include <boost/multiprecision/cpp_int.hpp>
#include <stdexcept>

#include "tests/simt/alu_reference_float.hpp"
#include "tests/simt/alu_reference_name.hpp"

namespace warpcheck::simt::alu_test {
namespace {

using Raw = std::uint64_t;
using Wide = boost::multiprecision::int256_t;
using Evaluate = std::function<void(const Raw*, Raw*)>;

// ---- integers
// -------------------------------------------------------------------------------------------------

Wide power_of_two(int exponent) {
  return Wide(1) << exponent;
}

/// Bits low … low + count - 1 of a two's complement number.
Raw bits_of(Wide value, int low, int count) {
  if (value < 0) value += power_of_two(220);
  return static_cast<Raw>((value >> low) & (power_of_two(count) - 1));
}

Wide value_of(Raw raw, const NamedType& type) {
  Wide value = Wide(raw) & (power_of_two(type.bits) - 1);
  if (type.is_signed() && value >= power_of_two(type.bits - 1)) value -= power_of_two(type.bits);
  return value;
}

Wide lowest(const NamedType& type) {
  return type.is_signed() ? Wide(-power_of_two(type.bits - 1)) : Wide(0);
}
Wide highest(const NamedType& type) {
  return power_of_two(type.is_signed() ? type.bits - 1 : type.bits) - 1;
}
Wide clamp(const Wide& value, const NamedType& type) {
  return std::min(highest(type), std::max(lowest(type), value));
}

bool bit(Raw raw, int index) {
  return ((raw >> index) & 1) != 0;
}

Raw byte(Raw raw, int index) {
  return (raw >> (8 * index)) & 0xff;
}

Raw ones(int bits) {
  return bits == 64 ? ~Raw{0} : (Raw{1} << bits) - 1;
}

// ---- operands
// -------------------------------------------------------------------------------------------------

Operand operand(const NamedType& type) {
  return {type.lane(), type.bits, type.is_float(), false, false, ones(type.bits)};
}
Operand amount() {
  return {Lane::w32, 32, false, true, false, ones(32)};
}
Operand predicate() {
  return {Lane::pred, 1, false, false, false, 1};
}
Operand carry() {
  return {Lane::carry, 1, false, false, false, 1};
}

constexpr NamedType kU32{'u', 32}, kB32{'b', 32};
constexpr NamedType kF32{'f', 32};

Meaning make(std::vector<Operand> destinations, std::vector<Operand> sources, Evaluate evaluate) {
  return {std::move(destinations), std::move(sources), std::move(evaluate), false};
}

/// d = f(sources) for operands of one integer type.
Meaning same_type(const NamedType& type, int sources, std::function<Wide(const Wide*)> function) {
  return make({operand(type)}, std::vector<Operand>(static_cast<std::size_t>(sources), operand(type)),
              [=](const Raw* s, Raw* d) {
                Wide values[4];
                for (int i = 0; i < sources; ++i) values[i] = value_of(s[i], type);
                d[0] = bits_of(function(values), 0, type.bits);
              });
}

std::optional<Meaning> integer_meaning(const VariantName& name) {
  const std::string& op = name.opcode;
  const NamedType type = name.types[0];
  const bool saturating = name.has("sat");
  const bool relu = name.has("relu");

  if (op == "add" || op == "sub")
    return same_type(type, 2, [=](const Wide* s) {
      const Wide result = op == "add" ? Wide(s[0] + s[1]) : Wide(s[0] - s[1]);
      return saturating ? clamp(result, type) : result;
    });
  if (op == "mul24" || op == "mad24") {
    const bool high = name.has("hi");
    return same_type(type, op == "mad24" ? 3 : 2, [=](const Wide* s) {
      const NamedType narrow{type.kind, 24};
      const Wide t = value_of(bits_of(s[0], 0, 24), narrow) * value_of(bits_of(s[1], 0, 24), narrow);
      const Wide half = value_of(bits_of(t, high ? 16 : 0, 32), type);
      const Wide result = op == "mad24" ? Wide(half + s[2]) : half;
      return saturating ? clamp(result, type) : result;
    });
  }
  if (op == "mul" || op == "mad") {
    const bool wide = name.has("wide"), high = name.has("hi");
    const NamedType result_type = wide ? NamedType{type.kind, 2 * type.bits} : type;
    std::vector<Operand> sources = {operand(type), operand(type)};
    if (op == "mad") sources.push_back(operand(result_type));
    return make({operand(result_type)}, sources, [=](const Raw* s, Raw* d) {
      const Wide t = value_of(s[0], type) * value_of(s[1], type);
      Wide result = wide ? t : value_of(bits_of(t, high ? type.bits : 0, type.bits), type);
      if (op == "mad") result += value_of(s[2], result_type);
      if (saturating) result = clamp(result, type);
      d[0] = bits_of(result, 0, result_type.bits);
    });
  }
  if (op == "sad")
    return same_type(type, 3,
                     [](const Wide* s) { return Wide(s[2] + (s[0] < s[1] ? s[1] - s[0] : s[0] - s[1])); });
  if (op == "div" || op == "rem")
    return same_type(type, 2, [=](const Wide* s) {
      if (s[1] == 0) return Wide(-1);
      return op == "div" ? Wide(s[0] / s[1]) : Wide(s[0] % s[1]);
    });
  if (op == "abs") return same_type(type, 1, [](const Wide* s) { return s[0] < 0 ? Wide(-s[0]) : s[0]; });
  if (op == "neg") return same_type(type, 1, [](const Wide* s) { return Wide(-s[0]); });
  if (op == "min" || op == "max")
    return same_type(type, 2, [=](const Wide* s) {
      const Wide chosen = op == "min" ? std::min(s[0], s[1]) : std::max(s[0], s[1]);
      return relu && chosen < 0 ? Wide(0) : chosen;
    });
  return std::nullopt;
}

/// add.cc … madc.hi.cc
Meaning carry_meaning(const VariantName& name) {
  const NamedType type = name.types[0];
  const std::string& op = name.opcode;
  const bool reads = op.back() == 'c';
  const bool writes = name.has("cc");
  const bool product = op.starts_with("mad");
  const bool subtracts = op.starts_with("sub");
  const bool high = name.has("hi");
  std::vector<Operand> destinations = {operand(type)}, sources(product ? 3 : 2, operand(type));
  if (writes) destinations.push_back(carry());
  if (reads) sources.push_back(carry());
  return make(destinations, sources, [=](const Raw* s, Raw* d) {
    const NamedType plain{'u', type.bits};
    Wide x = value_of(s[0], plain);
    Wide y = value_of(s[1], plain);
    if (product) {
      const Wide t = value_of(s[0], type) * value_of(s[1], type);
      x = bits_of(t, high ? type.bits : 0, type.bits);
      y = value_of(s[2], plain);
    }
    if (reads) y += s[product ? 3 : 2];
    const Wide result = subtracts ? Wide(x - y) : Wide(x + y);
    d[0] = bits_of(result, 0, type.bits);
    if (writes) d[1] = result < 0 || result >= power_of_two(type.bits) ? 1 : 0;
  });
}

// ---- bits
// -----------------------------------------------------------------------------------------------------

std::optional<Meaning> bit_meaning(const VariantName& name) {
  const std::string& op = name.opcode;
  const NamedType type = name.types[0];
  const int width = type.bits;
  const bool wrap = name.has("wrap");

  if (op == "popc" || op == "clz")
    return make({operand(kU32)}, {operand(type)}, [=](const Raw* s, Raw* d) {
      d[0] = 0;
      if (op == "popc") {
        for (int i = 0; i < width; ++i) d[0] += bit(s[0], i) ? 1 : 0;
      } else {
        while (d[0] < static_cast<Raw>(width) && !bit(s[0], width - 1 - static_cast<int>(d[0]))) ++d[0];
      }
    });
  if (op == "brev")
    return make({operand(type)}, {operand(type)}, [=](const Raw* s, Raw* d) {
      d[0] = 0;
      for (int i = 0; i < width; ++i)
        if (bit(s[0], i)) d[0] |= Raw{1} << (width - 1 - i);
    });
  if (op == "bfind") {
    const bool shift_amount = name.has("shiftamt");
    return make({operand(kU32)}, {operand(type)}, [=](const Raw* s, Raw* d) {
      Raw a = s[0];
      if (type.is_signed() && bit(a, width - 1)) a = ~a;
      d[0] = 0xffffffffu;
      for (int i = width - 1; i >= 0; --i)
        if (bit(a, i)) {
          d[0] = static_cast<Raw>(shift_amount ? width - 1 - i : i);
          break;
        }
    });
  }
  if (op == "fns") {
    return make({operand(kB32)}, {operand(kB32), amount(), amount()}, [](const Raw* s, Raw* d) {
      d[0] = 0xffffffffu;
      if (s[1] > 31) return;  // undefined in the text; the table says so and finds nothing
      const auto offset = static_cast<std::int64_t>(static_cast<std::int32_t>(s[2]));
      if (offset == 0) {
        if (bit(s[0], static_cast<int>(s[1]))) d[0] = s[1];
        return;
      }
      std::int64_t count = (offset < 0 ? -offset : offset) - 1;
      for (int pos = static_cast<int>(s[1]); pos >= 0 && pos<32; pos += offset> 0 ? 1 : -1)
        if (bit(s[0], pos) && count-- == 0) {
          d[0] = static_cast<Raw>(pos);
          return;
        }
    });
  }
  if (op == "bfe")
    return make({operand(type)}, {operand(type), amount(), amount()}, [=](const Raw* s, Raw* d) {
      const int msb = width - 1;
      const int pos = static_cast<int>(s[1] & 0xff), len = static_cast<int>(s[2] & 0xff);
      const bool sbit = type.is_signed() && len != 0 && bit(s[0], std::min(pos + len - 1, msb));
      d[0] = 0;
      for (int i = 0; i <= msb; ++i)
        if (i < len && pos + i <= msb ? bit(s[0], pos + i) : sbit) d[0] |= Raw{1} << i;
    });
  if (op == "bfi")
    return make({operand(type)}, {operand(type), operand(type), amount(), amount()},
                [=](const Raw* s, Raw* d) {
                  const int msb = width - 1;
                  const int pos = static_cast<int>(s[2] & 0xff), len = static_cast<int>(s[3] & 0xff);
                  d[0] = s[1];
                  for (int i = 0; i < len && pos + i <= msb; ++i) {
                    d[0] &= ~(Raw{1} << (pos + i));
                    if (bit(s[0], i)) d[0] |= Raw{1} << (pos + i);
                  }
                });
  if (op == "bmsk")
    return make({operand(kB32)}, {amount(), amount()}, [=](const Raw* s, Raw* d) {
      const Raw first = wrap ? s[0] % 32 : s[0];
      const Raw count = wrap ? s[1] % 32 : std::min<Raw>(s[1], 32);
      d[0] = 0;
      for (Raw i = first; i < 32 && i < first + count; ++i) d[0] |= Raw{1} << i;
    });
  if (op == "szext")
    return make({operand(type)}, {operand(type), amount()}, [=](const Raw* s, Raw* d) {
      const Raw n = wrap ? s[1] % 32 : s[1];
      if (n >= 32)
        d[0] = s[0];
      else if (n == 0)
        d[0] = 0;
      else
        d[0] = bits_of(value_of(s[0], NamedType{type.kind, static_cast<int>(n)}), 0, 32);
    });
  return std::nullopt;
}

/// Bytes 3, 2, 1, 0 of the result for selectors 0 to 3, as the table of 9.7.9.7 prints them.
const char* permute_table(const VariantName& name) {
  if (name.has("f4e"))
    return "3210"
           "4321"
           "5432"
           "6543";
  if (name.has("b4e"))
    return "5670"
           "6701"
           "7012"
           "0123";
  if (name.has("rc8"))
    return "0000"
           "1111"
           "2222"
           "3333";
  if (name.has("ecl"))
    return "3210"
           "3211"
           "3222"
           "3333";
  if (name.has("ecr"))
    return "0000"
           "1110"
           "2210"
           "3210";
  if (name.has("rc16"))
    return "1010"
           "3232"
           "1010"
           "3232";
  return nullptr;
}

std::optional<Meaning> byte_meaning(const VariantName& name) {
  const std::string& op = name.opcode;
  if (op == "prmt") {
    const char* const modes = permute_table(name);
    return make({operand(kB32)}, {operand(kB32), operand(kB32), operand(kB32)}, [=](const Raw* s, Raw* d) {
      const Raw bytes = s[1] << 32 | (s[0] & 0xffffffffu);
      d[0] = 0;
      for (int to = 0; to < 4; ++to) {
        Raw value;
        if (modes != nullptr) {
          value = byte(bytes, modes[4 * (s[2] & 3) + static_cast<Raw>(3 - to)] - '0');
        } else {
          const Raw control = (s[2] >> (4 * to)) & 0xf;
          value = byte(bytes, static_cast<int>(control & 7));
          if ((control & 8) != 0) value = value >= 0x80 ? 0xff : 0;
        }
        d[0] += value << (8 * to);
      }
    });
  }
  if (op == "dp4a" || op == "dp2a") {
    const NamedType at = name.types[0], bt = name.types[1];
    const int terms = op == "dp4a" ? 4 : 2;
    const int first = name.has("hi") ? 2 : 0;
    return make({operand(kB32)}, {operand(kB32), operand(kB32), operand(kB32)}, [=](const Raw* s, Raw* d) {
      Wide sum = value_of(s[2], kU32);
      for (int i = 0; i < terms; ++i) {
        const int size = 32 / terms;
        sum += value_of(s[0] >> (size * i), {at.kind, size}) * value_of(byte(s[1], first + i), {bt.kind, 8});
      }
      d[0] = bits_of(sum, 0, 32);
    });
  }
  if (op == "vabsdiff4") {
    const NamedType dt = name.types[0], at = name.types[1], bt = name.types[2];
    const bool accumulates = name.has("add"), saturating = name.has("sat");
    return make({operand(kB32)}, {operand(kB32), operand(kB32), operand(kB32)}, [=](const Raw* s, Raw* d) {
      Wide sum = accumulates ? value_of(s[2], kU32) : Wide(0);
      for (int i = 0; i < 4; ++i) {
        Wide t = abs(Wide(value_of(byte(s[0], i), {at.kind, 8}) - value_of(byte(s[1], i), {bt.kind, 8})));
        if (saturating) t = clamp(t, {dt.kind, 8});
        sum += accumulates ? t : Wide(Wide(bits_of(t, 0, 8)) << (8 * i));
      }
      d[0] = bits_of(sum, 0, 32);
    });
  }
  const bool halves_unsigned = name.has("u16x2");
  if (halves_unsigned || name.has("s16x2")) {
    const NamedType half{halves_unsigned ? 'u' : 's', 16};
    const bool relu = name.has("relu");
    return make({operand(kB32)}, {operand(kB32), operand(kB32)}, [=](const Raw* s, Raw* d) {
      d[0] = 0;
      for (int i = 0; i < 2; ++i) {
        const Wide x = value_of(s[0] >> (16 * i), half), y = value_of(s[1] >> (16 * i), half);
        Wide t = op == "add" ? Wide(x + y) : op == "min" ? std::min(x, y) : std::max(x, y);
        if (relu && t < 0) t = 0;
        d[0] |= bits_of(t, 0, 16) << (16 * i);
      }
    });
  }
  return std::nullopt;
}

std::optional<Meaning> logic_meaning(const VariantName& name) {
  const std::string& op = name.opcode;
  const NamedType type = name.types[0];
  if (op == "and" || op == "or" || op == "xor")
    return make({operand(type)}, {operand(type), operand(type)}, [=](const Raw* s, Raw* d) {
      d[0] = 0;
      for (int i = 0; i < type.bits; ++i) {
        const int both = (bit(s[0], i) ? 1 : 0) + (bit(s[1], i) ? 1 : 0);
        const bool set = op == "and" ? both == 2 : op == "or" ? both >= 1 : both == 1;
        if (set) d[0] |= Raw{1} << i;
      }
    });
  if (op == "not")
    return make({operand(type)}, {operand(type)},
                [=](const Raw* s, Raw* d) { d[0] = ones(type.bits) - (s[0] & ones(type.bits)); });
  if (op == "cnot")
    return make({operand(type)}, {operand(type)},
                [=](const Raw* s, Raw* d) { d[0] = (s[0] & ones(type.bits)) == 0 ? 1 : 0; });
  if (op == "lop3") {
    Operand table = operand(kB32);
    table.is_immediate = true;
    return make({operand(kB32)}, {operand(kB32), operand(kB32), operand(kB32), table},
                [](const Raw* s, Raw* d) {
                  d[0] = 0;
                  for (int i = 0; i < 32; ++i) {
                    // immLut = F(0xF0, 0xCC, 0xAA): the position where those three have the bits (a, b, c).
                    for (int k = 0; k < 8; ++k)
                      if (bit(0xf0, k) == bit(s[0], i) && bit(0xcc, k) == bit(s[1], i) &&
                          bit(0xaa, k) == bit(s[2], i) && bit(s[3], k))
                        d[0] |= Raw{1} << i;
                  }
                });
  }
  return std::nullopt;
}

std::optional<Meaning> shift_meaning(const VariantName& name) {
  const std::string& op = name.opcode;
  const NamedType type = name.types[0];
  if (op == "shl" || op == "shr")
    return make({operand(type)}, {operand(type), amount()}, [=](const Raw* s, Raw* d) {
      const Raw n = std::min<Raw>(s[1] & 0xffffffffu, static_cast<Raw>(type.bits));
      const bool fill = op == "shr" && type.is_signed() && bit(s[0], type.bits - 1);
      d[0] = 0;
      for (int i = 0; i < type.bits; ++i) {
        const int from = op == "shl" ? i - static_cast<int>(n) : i + static_cast<int>(n);
        const bool inside = from >= 0 && from < type.bits;
        if (inside ? bit(s[0], from) : fill) d[0] |= Raw{1} << i;
      }
    });
  const bool left = name.has("l"), wrap = name.has("wrap");
  return make({operand(kB32)}, {operand(kB32), operand(kB32), amount()}, [=](const Raw* s, Raw* d) {
    const Raw c = s[2] & 0xffffffffu;
    const int n = static_cast<int>(wrap ? c % 32 : std::min<Raw>(c, 32));
    d[0] = 0;
    for (int i = 0; i < 32; ++i) {
      const int from = left ? 32 + i - n : i + n;  // in the 64 bits of [b, a]
      if (from < 32 ? bit(s[0], from) : bit(s[1], from - 32)) d[0] |= Raw{1} << i;
    }
  });
}

// ---- comparison and selection
// ---------------------------------------------------------------------------------

Format format_of(const NamedType& type) {
  return type.bits == 64 ? kBinary64 : kBinary32;
}

bool holds(const std::string& relation, const NamedType& type, bool flushes, Raw a, Raw b) {
  int order = 0;
  if (type.is_float()) {
    const Format format = format_of(type);
    if (flushes) {
      a = flush(format, a);
      b = flush(format, b);
    }
    const bool unordered = is_nan(format, a) || is_nan(format, b);
    if (relation == "num") return !unordered;
    if (relation == "nan") return unordered;
    if (unordered) return relation.size() == 3;  // equ, neu, ltu …
    order = compare_values(format, a, b);
  } else {
    const Wide x = value_of(a, type), y = value_of(b, type);
    order = x < y ? -1 : x > y ? 1 : 0;
  }
  const std::string base = relation.substr(0, 2);
  if (base == "eq") return order == 0;
  if (base == "ne") return order != 0;
  if (base == "lt" || base == "lo") return order < 0;
  if (base == "le" || base == "ls") return order <= 0;
  if (base == "gt" || base == "hi") return order > 0;
  if (base == "ge" || base == "hs") return order >= 0;
  throw std::logic_error("reference: no comparison " + relation);
}

bool combined(const std::string& combine, bool t, Raw c) {
  if (combine == "and") return t && c != 0;
  if (combine == "or") return t || c != 0;
  if (combine == "xor") return t != (c != 0);
  return t;
}

std::optional<Meaning> compare_meaning(const VariantName& name) {
  const bool to_predicate = name.opcode == "setp";
  const NamedType type = name.types.back();
  const std::string relation = name.modifiers[0];
  const bool flushes = name.has("ftz");
  std::string combine;
  for (const char* candidate : {"and", "or", "xor"})
    if (name.has(candidate)) combine = candidate;
  std::vector<Operand> sources = {operand(type), operand(type)};
  if (!combine.empty()) sources.push_back(predicate());
  if (to_predicate) {
    Meaning meaning = make({predicate(), predicate()}, sources, [=](const Raw* s, Raw* d) {
      const bool t = holds(relation, type, flushes, s[0], s[1]);
      d[0] = combined(combine, t, s[2]) ? 1 : 0;
      d[1] = combined(combine, !t, s[2]) ? 1 : 0;
    });
    meaning.destinations_may_be_absent = true;
    return meaning;
  }
  const Raw if_true = name.types[0].is_float() ? 0x3f800000u : 0xffffffffu;
  return make({operand(name.types[0])}, sources, [=](const Raw* s, Raw* d) {
    d[0] = combined(combine, holds(relation, type, flushes, s[0], s[1]), s[2]) ? if_true : 0;
  });
}

std::optional<Meaning> select_meaning(const VariantName& name) {
  const NamedType type = name.types[0];
  if (name.opcode == "selp")
    return make({operand(type)}, {operand(type), operand(type), predicate()},
                [](const Raw* s, Raw* d) { d[0] = s[2] == 1 ? s[0] : s[1]; });
  const NamedType control = name.types[1];
  const bool flushes = name.has("ftz");
  return make({operand(type)}, {operand(type), operand(type), operand(control)},
              [=](const Raw* s, Raw* d) { d[0] = holds("ge", control, flushes, s[2], 0) ? s[0] : s[1]; });
}

std::optional<Meaning> move_meaning(const VariantName& name) {
  const NamedType type = name.types[0];
  for (const std::string& modifier : name.modifiers) {
    const bool packs = modifier.starts_with("pack");
    if (!packs && !modifier.starts_with("unpack")) return std::nullopt;
    const std::size_t x = modifier.find('x');
    const int count = modifier[x - 1] - '0';
    const int bits = std::stoi(modifier.substr(x + 1));
    if (count * bits != type.bits) return std::nullopt;
    const std::vector<Operand> parts(static_cast<std::size_t>(count), operand({'b', bits}));
    if (packs)
      return make({operand(type)}, parts, [=](const Raw* s, Raw* d) {
        d[0] = 0;
        for (int i = 0; i < count; ++i) d[0] += (s[i] & ones(bits)) << (i * bits);
      });
    Meaning meaning = make(parts, {operand(type)}, [=](const Raw* s, Raw* d) {
      for (int i = 0; i < count; ++i) d[i] = (s[0] >> (i * bits)) & ones(bits);
    });
    meaning.destinations_may_be_absent = true;
    return meaning;
  }
  return make({operand(type)}, {operand(type)}, [](const Raw* s, Raw* d) { d[0] = s[0]; });
}

// ---- floats
// ---------------------------------------------------------------------------------------------------

Mode mode_of(const VariantName& name) {
  for (const std::string& modifier : name.modifiers)
    for (const char* rounding : {"rn", "rz", "rm", "rp", "rni", "rzi", "rmi", "rpi"})
      if (modifier == rounding) return mode_from_name(modifier);
  return Mode::nearest;
}

/// d = f(sources) for operands of one float type, with .ftz and .sat around it.
Meaning float_function(const VariantName& name, int sources,
                       std::function<Raw(const Format&, const Raw*)> function) {
  const NamedType type = name.types[0];
  const Format format = format_of(type);
  const bool flushes = name.has("ftz"), saturating = name.has("sat");
  return make({operand(type)}, std::vector<Operand>(static_cast<std::size_t>(sources), operand(type)),
              [=](const Raw* s, Raw* d) {
                Raw values[3]{};
                for (int i = 0; i < sources; ++i) values[i] = flushes ? flush(format, s[i]) : s[i];
                Raw result = function(format, values);
                if (flushes) result = flush(format, result);
                d[0] = saturating ? saturate(format, result) : result;
              });
}

/// min and max by the text's pseudo code.
Raw extreme(const VariantName& name, const Format& format, Raw a, Raw b) {
  const Raw operands[] = {a, b};
  const Raw sign = is_negative(format, a) != is_negative(format, b) ? negate(format, 0) : 0;
  const bool nan_a = is_nan(format, a), nan_b = is_nan(format, b);
  if (name.has("NaN") ? nan_a || nan_b : nan_a && nan_b) return nan_result(format, operands, 2);
  if (name.has("abs")) {
    a = magnitude(format, a);
    b = magnitude(format, b);
  }
  int order = nan_a || nan_b ? 0 : compare_values(format, a, b);
  if (order == 0) order = is_negative(format, a) ? -1 : 1;  // -0 < +0; otherwise both are the same
  Raw result = (order < 0) == (name.opcode == "min") ? a : b;
  if (nan_a) result = b;
  if (nan_b) result = a;
  return name.has("xorsign") ? magnitude(format, result) | sign : result;
}

std::optional<Meaning> float_meaning(const VariantName& name) {
  const std::string& op = name.opcode;
  const NamedType type = name.types[0];
  const Mode mode = mode_of(name);
  const bool approximate = name.has("approx");
  const Raw one = type.bits == 64 ? 0x3ff0000000000000u : 0x3f800000u;

  if (type.bits == 64 && approximate && name.has("ftz"))
    return make({operand(type)}, {operand(type)}, [=](const Raw* s, Raw* d) {
      d[0] = op == "rcp" ? upper_word_reciprocal(s[0]) : upper_word_reciprocal_root(s[0]);
    });
  if (op == "add")
    return float_function(name, 2, [=](const Format& f, const Raw* s) { return add(f, mode, s[0], s[1]); });
  if (op == "sub")
    return float_function(name, 2, [=](const Format& f, const Raw* s) {
      // A NaN operand is passed on as it is, not with its sign changed.
      if (is_nan(f, s[0]) || is_nan(f, s[1])) return nan_result(f, s, 2);
      return add(f, mode, s[0], negate(f, s[1]));
    });
  if (op == "mul")
    return float_function(name, 2,
                          [=](const Format& f, const Raw* s) { return multiply(f, mode, s[0], s[1]); });
  if (op == "fma" || op == "mad")
    return float_function(name, 3,
                          [=](const Format& f, const Raw* s) { return fused(f, mode, s[0], s[1], s[2]); });
  if (op == "div")
    return float_function(name, 2, [=](const Format& f, const Raw* s) {
      const bool large = compare_values(f, magnitude(f, s[1]), 0x7e800000u) > 0 && !is_infinite(f, s[1]);
      if (approximate && large && !is_nan(f, s[0]) && !is_nan(f, s[1])) {
        if (is_infinite(f, s[0])) return nan_result(f, nullptr, 0);
        return is_negative(f, s[0]) != is_negative(f, s[1]) ? negate(f, 0) : Raw{0};
      }
      return divide(f, mode, s[0], s[1]);
    });
  if (op == "rcp")
    return float_function(name, 1, [=](const Format& f, const Raw* s) {
      return is_nan(f, s[0]) ? nan_result(f, s, 1) : divide(f, mode, one, s[0]);
    });
  if (op == "sqrt")
    return float_function(name, 1, [=](const Format& f, const Raw* s) { return square_root(f, mode, s[0]); });
  if (op == "rsqrt")
    return float_function(name, 1, [](const Format& f, const Raw* s) { return reciprocal_root(f, s[0]); });
  if (op == "ex2" || op == "lg2" || op == "sin" || op == "cos" || op == "tanh")
    return float_function(name, 1, [=](const Format&, const Raw* s) { return transcendental(op, s[0]); });
  if (op == "abs")
    return float_function(name, 1, [](const Format& f, const Raw* s) {
      return f.bits == 64 && is_nan(f, s[0]) ? s[0] : magnitude(f, s[0]);
    });
  if (op == "neg")
    return float_function(name, 1, [](const Format& f, const Raw* s) { return negate(f, s[0]); });
  if (op == "copysign")
    return float_function(name, 2, [](const Format& f, const Raw* s) {
      return is_negative(f, s[0]) != is_negative(f, s[1]) ? negate(f, s[1]) : s[1];
    });
  if (op == "min" || op == "max")
    return float_function(name, 2,
                          [=](const Format& f, const Raw* s) { return extreme(name, f, s[0], s[1]); });
  if (op == "testp") {
    const Format format = format_of(type);
    const std::string property = name.modifiers[0];
    return make({predicate()}, {operand(type)}, [=](const Raw* s, Raw* d) {
      const bool nan = is_nan(format, s[0]), infinite = is_infinite(format, s[0]);
      const bool subnormal = is_subnormal(format, s[0]);
      const bool result = property == "finite"       ? !nan && !infinite
                          : property == "infinite"   ? infinite
                          : property == "number"     ? !nan
                          : property == "notanumber" ? nan
                          : property == "subnormal"  ? subnormal
                                                     : !nan && !infinite && !subnormal;
      d[0] = result ? 1 : 0;
    });
  }
  return std::nullopt;
}

// ---- conversion
// -----------------------------------------------------------------------------------------------

std::optional<Meaning> convert_meaning(const VariantName& name) {
  const NamedType to = name.types[0], from = name.types[1];
  const Mode mode = mode_of(name);
  const bool saturating = name.has("sat"), flushes = name.has("ftz");
  bool integral = false;
  for (const char* rounding : {"rni", "rzi", "rmi", "rpi"}) integral = integral || name.has(rounding);
  Operand destination = operand(to);
  // "sign-extended to the destination register width for signed integers, and zero-extended … for unsigned"
  if (!to.is_float()) destination.care = ones(to.bits == 64 ? 64 : 32);
  const auto flushed = [=](const NamedType& type, Raw raw) {
    return flushes && type == kF32 ? flush(kBinary32, raw) : raw;
  };
  return make({destination}, {operand(from)}, [=](const Raw* s, Raw* d) {
    const int register_bits = to.bits == 64 ? 64 : 32;
    if (!to.is_float() && !from.is_float()) {
      Wide value = value_of(s[0], from);
      if (saturating) value = clamp(value, to);
      d[0] = bits_of(value_of(bits_of(value, 0, to.bits), to), 0, register_bits);
      return;
    }
    const Raw a = flushed(from, s[0]);
    if (!to.is_float()) {
      const Raw value = to_integer(format_of(from), mode, a, to.bits, to.is_signed());
      d[0] = bits_of(value_of(value, to), 0, register_bits);
      return;
    }
    Raw result;
    if (!from.is_float())
      result = from_integer(format_of(to), mode, a, from.bits, from.is_signed());
    else if (integral)
      result = to_integral(format_of(to), mode, a);
    else if (from == to)
      result = is_nan(format_of(to), a) ? nan_result(format_of(to), &a, 1) : a;
    else
      result = convert(format_of(from), format_of(to), mode, a);
    result = flushed(to, result);
    d[0] = saturating ? saturate(format_of(to), result) : result;
  });
}

}  // namespace

std::optional<Meaning> meaning_of(std::string_view variant) {
  const VariantName name = take_apart(variant);
  const std::string& op = name.opcode;
  if (name.has("u16x2") || name.has("s16x2")) return byte_meaning(name);
  if (name.types.empty()) return std::nullopt;
  if (is_one_of(op, {"addc", "subc", "madc"}) || name.has("cc")) return carry_meaning(name);
  if (is_one_of(op, {"prmt", "dp4a", "dp2a", "vabsdiff4"})) return byte_meaning(name);
  if (is_one_of(op, {"and", "or", "xor", "not", "cnot", "lop3"})) return logic_meaning(name);
  if (is_one_of(op, {"shl", "shr", "shf"})) return shift_meaning(name);
  if (is_one_of(op, {"popc", "clz", "brev", "bfind", "fns", "bfe", "bfi", "bmsk", "szext"}))
    return bit_meaning(name);
  if (is_one_of(op, {"setp", "set"})) return compare_meaning(name);
  if (is_one_of(op, {"selp", "slct"})) return select_meaning(name);
  if (op == "mov") return move_meaning(name);
  if (op == "cvt") return convert_meaning(name);
  if (name.types[0].is_float()) return float_meaning(name);
  return integer_meaning(name);
}

}  // namespace warpcheck::simt::alu_test

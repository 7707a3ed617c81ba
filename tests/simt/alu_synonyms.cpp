#include <algorithm>
#include <string>

#include "tests/simt/alu_reference.hpp"
#include "tests/simt/alu_reference_name.hpp"

namespace warpcheck::simt::alu_test {

namespace {

/// The least value of an integer type is -2^below, or 0 if that is -1; the greatest is 2^above - 1.
int below(const NamedType& type) {
  return type.is_signed() ? type.bits - 1 : -1;
}
int above(const NamedType& type) {
  return type.is_signed() ? type.bits - 1 : type.bits;
}

std::string canonical_integer_conversion(const VariantName& name) {
  const NamedType to = name.types[0], from = name.types[1];
  const int storage = to.bits == 64 ? 64 : 32;
  const auto text = [](const NamedType& type) { return type.kind + std::to_string(type.bits); };
  if (name.has("sat")) {
    // Only the range that both types share counts, and the register that receives the result.
    const int low = std::min(below(to), below(from)), high = std::min(above(to), above(from));
    return "cvt.clamp." + std::to_string(low) + ".." + std::to_string(high) + "." + text(from) + " to " +
           std::to_string(storage);
  }
  // The low bits that survive, then how they are extended.
  NamedType kept = from.bits < to.bits ? from : to;
  if (below(to) >= below(from) && above(to) >= above(from)) kept = from;
  std::string then;
  if (from.bits < to.bits && to.bits < 32 && from.is_signed() && !to.is_signed())
    then = " zero-extended from " + text(to);
  if (kept.bits >= storage) kept.kind = 'b';
  return "cvt.low." + text(kept) + then + " to " + std::to_string(storage);
}

void canonicalise_conversion(VariantName& name) {
  NamedType& to = name.types[0];
  const NamedType from = name.types[1];
  const int digits = to.bits == 64 ? 53 : 24;
  if (from.is_float() && !to.is_float()) {
    name.drop("sat");                                 // "the result is clamped by default"
    if (!to.is_signed()) name.replace("rmi", "rzi");  // they differ on negative values only, which become 0
    if (name.has("rni") || name.has("rzi")) name.drop("ftz");  // a subnormal becomes 0 anyway
  } else if (!from.is_float() && to.is_float()) {
    name.drop("ftz");  // no integer converts to a subnormal
    const bool exact = from.bits - (from.is_signed() ? 1 : 0) <= digits;
    // With .sat the result is 1 for positive integers and 0 for the others.
    for (const char* rounding : {"rn", "rz", "rm", "rp"})
      if (exact || name.has("sat")) name.drop(rounding);
    if (!from.is_signed()) name.replace("rm", "rz");
  } else if (from.is_float() && from == to) {
    if (name.has("sat")) name.replace("rmi", "rzi");
    if (name.has("rni") || name.has("rzi")) name.drop("ftz");
  }
}

}  // namespace

std::string canonical_meaning(std::string_view variant) {
  VariantName name = take_apart(variant);
  std::string& op = name.opcode;
  const auto untyped = [](NamedType& type) { type.kind = 'b'; };
  const bool carries = is_one_of(op, {"addc", "subc", "madc"}) || name.has("cc");
  if (name.types.empty()) {
    if (op == "add") name.replace("s16x2", "u16x2");
    return put_together(name);
  }
  const bool is_float = name.types[0].is_float();
  if (op == "cvt") {
    if (!is_float && !name.types[1].is_float()) return canonical_integer_conversion(name);
    canonicalise_conversion(name);
  }
  if (!is_float && !name.has("sat") && !name.has("hi") && !name.has("wide") &&
      (is_one_of(op, {"add", "sub", "mul", "mad"}) || carries))
    untyped(name.types[0]);
  if (is_one_of(op, {"mov", "selp", "slct"})) untyped(name.types[0]);
  if (op == "shr" && !name.types[0].is_signed()) untyped(name.types[0]);
  if (op == "vabsdiff4") {
    // The destination's type matters only to .sat, and 255 is out of reach unless the sources' types differ.
    const bool reaches = name.types[1] != name.types[2];
    if (name.has("sat") && !name.types[0].is_signed() && !reaches) name.drop("sat");
    if (!name.has("sat")) name.types[0].kind = 'u';
  }
  if (op == "setp" || op == "set") {
    NamedType& type = name.types.back();
    std::string& relation = name.modifiers[0];
    if (op == "set" && !is_float) untyped(name.types[0]);
    if (!type.is_float() && (relation == "eq" || relation == "ne")) untyped(type);
    if (relation == "lo") relation = "lt";
    if (relation == "ls") relation = "le";
    if (relation == "hi") relation = "gt";
    if (relation == "hs") relation = "ge";
    if (relation == "num" || relation == "nan") name.drop("ftz");  // flushing makes no NaN
  }
  if (is_float) {
    if (op == "mad") op = "fma";
    const bool rounds = is_one_of(op, {"add", "sub", "mul"});
    if (rounds && !name.has("rn") && !name.has("rz") && !name.has("rm") && !name.has("rp"))
      name.modifiers.insert(name.modifiers.begin(), "rn");
    if (op == "sqrt" || name.has("sat"))
      name.replace("rm", "rz");  // no negative result but -0, or none at all
    // These approximations are returned correctly rounded, which makes them what the rounded forms are.
    if (op == "sqrt" || (op == "rcp" && name.types[0].bits == 32)) name.replace("approx", "rn");
    if (op == "div") name.replace("full", "rn");
    if (op == "cos") name.drop("ftz");  // cos is 1 for every subnormal, and is never that small itself
  }
  return put_together(name);
}

}  // namespace warpcheck::simt::alu_test

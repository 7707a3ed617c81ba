#include "framework/ptx/initializer.hpp"

#include <bit>
#include <optional>
#include <string>

#include "framework/ptx/constant.hpp"

namespace warpcheck::ptx {
namespace {

using Kind = Constant::Kind;

bool is_opaque(Type type) {
  return size_of(type) == 0;
}

/// Types that take integer constants.
bool is_integral(Type type) {
  return type >= Type::b8 && type <= Type::s64;
}

/// The bits of a constant in a variable's type; none if the type does not take it.
std::optional<std::uint64_t> converted(Type type, Constant value) {
  if (value.is_integer()) return is_integral(type) ? std::optional(value.bits) : std::nullopt;
  if (value.kind == Kind::f32) {
    const auto exact = std::bit_cast<float>(static_cast<std::uint32_t>(value.bits));
    if (type == Type::f32 || type == Type::b32) return value.bits;
    if (type == Type::f64) return std::bit_cast<std::uint64_t>(static_cast<double>(exact));
    return std::nullopt;
  }
  if (type == Type::f64 || type == Type::b64) return value.bits;
  if (type == Type::f32)
    return std::bit_cast<std::uint32_t>(static_cast<float>(std::bit_cast<double>(value.bits)));
  return std::nullopt;
}

/// Which byte of an address a mask selects: 0xFF is byte 0, 0xFF00 byte 1 …
std::optional<std::uint8_t> byte_of_mask(std::uint64_t mask) {
  for (std::uint8_t byte = 0; byte < 8; ++byte)
    if (mask == std::uint64_t{0xff} << 8 * byte) return byte;
  return std::nullopt;
}

/// Whether `next` continues `first` in the variable and in the address.
bool continues(const Variable::Relocation& first, const Variable::Relocation& next) {
  return first.offset + first.size == next.offset && first.first_byte + first.size == next.first_byte &&
         first.symbol == next.symbol && first.addend == next.addend && first.generic == next.generic;
}

class Initializer {
 public:
  Initializer(Cursor& cursor, const Declarator& declarator, Variable& variable, std::vector<Token>& used,
              std::uint64_t& zeros)
      : cursor_(cursor), variable_(variable), used_(used), zeros_(zeros), extents_(declarator.extents) {
    if (variable.vector_width > 1) extents_.push_back(variable.vector_width);
    strides_.assign(extents_.size(), size_of(variable.type));
    for (std::size_t i = extents_.size(); i-- > 1;) strides_[i - 1] = strides_[i] * extents_[i];
  }

  void parse() {
    if (extents_.empty())
      element(0);
    else
      level(0, 0);
  }

 private:
  /// One brace of the nesting, which matches the declared dimensions.
  void level(std::size_t dimension, std::uint64_t offset) {
    const bool is_open = dimension == 0 && extents_[0] == 0;
    const bool is_vector = variable_.vector_width > 1 && dimension + 1 == extents_.size();
    cursor_.expect(mark("{"), "'{' of the initialiser");
    std::uint64_t count = 0;
    while (true) {
      if (!is_open && count == extents_[dimension])
        fail(cursor_.peek(), "more than the " + std::to_string(count) + " initial values that '" +
                                 variable_.name + "' has room for");
      const std::uint64_t here = offset + count * strides_[dimension];
      if (dimension + 1 < extents_.size())
        level(dimension + 1, here);
      else
        element(here);
      ++count;
      if (cursor_.at(mark("}"))) break;
      cursor_.expect(mark(","), "',' or '}' after an initial value");
    }
    if (is_vector && count != extents_[dimension])
      fail(cursor_.peek(), "expected " + std::to_string(extents_[dimension]) +
                               " values for a vector, found " + std::to_string(count));
    cursor_.take();
    if (is_open) variable_.size = count * strides_[0];
  }

  void element(std::uint64_t offset) {
    const Token at = cursor_.peek();
    const std::uint32_t size = size_of(variable_.type);
    if (at.kind == TokenKind::identifier && at.text != "WARP_SZ") {
      if (size != 4 && size != 8)
        fail(at,
             "an address needs 4 or 8 bytes, or the mask operator as in 0xFF(" + std::string(at.text) + ")");
      address(offset, static_cast<std::uint8_t>(size), 0);
    } else if (at.kind == TokenKind::integer && cursor_.peek_second().is(mark("("))) {
      masked(offset);
    } else {
      const Constant value = parse_constant(cursor_);
      const auto bits = converted(variable_.type, value);
      if (!bits)
        fail(at,
             "initial value " + quoted(at) + " does not suit type ." + std::string(name_of(variable_.type)));
      const bool is_negative = value.kind == Kind::s64 && static_cast<std::int64_t>(value.bits) < 0;
      write(at, offset, size, *bits, is_negative);
    }
  }

  /// `0xFF00(symbol + 4)`: one byte of an address or of a constant.
  void masked(std::uint64_t offset) {
    const Token at = cursor_.take();
    const auto byte = byte_of_mask(at.bits);
    if (!byte) fail(at, "expected a mask of one whole byte such as 0xFF00, found " + quoted(at));
    if (size_of(variable_.type) != 1) fail(at, "the mask operator needs elements of one byte");
    cursor_.take();
    if (cursor_.peek().kind == TokenKind::identifier && cursor_.peek().text != "WARP_SZ") {
      address(offset, 1, *byte);
    } else {
      const std::uint64_t value = parse_integer_constant(cursor_);
      write(at, offset, 1, value >> 8 * *byte, false);
    }
    cursor_.expect(mark(")"), "')' after the mask operator's operand");
  }

  /// `symbol + 4`, `generic(symbol) + 4`
  void address(std::uint64_t offset, std::uint8_t size, std::uint8_t first_byte) {
    Token name = cursor_.take();
    const bool is_generic = name.text == "generic" && cursor_.accept(mark("("));
    std::int64_t addend = 0;
    if (is_generic) {
      name = cursor_.expect_identifier("a variable's or function's name");
      addend = parse_offset(cursor_);
      cursor_.expect(mark(")"), "')' after generic's operand");
    }
    addend = static_cast<std::int64_t>(static_cast<std::uint64_t>(addend) +
                                       static_cast<std::uint64_t>(parse_offset(cursor_)));
    used_.push_back(name);
    write(name, offset, size, 0, false);
    Variable::Relocation relocation{offset, std::string(name.text), addend, is_generic, size, first_byte};
    auto& known = variable_.relocations;
    if (!known.empty() && continues(known.back(), relocation))
      known.back().size = static_cast<std::uint8_t>(known.back().size + size);
    else
      known.push_back(std::move(relocation));
  }

  void write(const Token& at, std::uint64_t offset, std::uint32_t size, std::uint64_t bits,
             bool is_negative) {
    auto& bytes = variable_.initial_bytes;
    const std::uint64_t skipped = offset - bytes.size();
    if (skipped > zeros_) fail(at, "the module's initialisers skip over more than 2^26 bytes");
    zeros_ -= skipped;
    bytes.resize(offset + size, 0);
    for (std::uint32_t i = 0; i < size; ++i)
      bytes[offset + i] = static_cast<std::uint8_t>(i < 8 ? bits >> 8 * i : is_negative ? 0xffu : 0u);
  }

  Cursor& cursor_;
  Variable& variable_;
  std::vector<Token>& used_;
  std::uint64_t& zeros_;
  std::vector<std::uint64_t> extents_;
  std::vector<std::uint64_t> strides_;
};

/// `{ addr_mode_0 = wrap, … }` of samplers and textures.
void skip_properties(Cursor& cursor) {
  cursor.expect(mark("{"), "'{' of the properties");
  while (!cursor.accept(mark("}"))) {
    if (cursor.peek().kind == TokenKind::end) fail_expected(cursor.peek(), "'}' after the properties");
    cursor.take();
  }
}

}  // namespace

void parse_initializer(Cursor& cursor, const Declarator& declarator, Variable& variable,
                       std::vector<Token>& used, std::uint64_t& zeros) {
  if (is_opaque(variable.type)) return skip_properties(cursor);
  Initializer(cursor, declarator, variable, used, zeros).parse();
}

}  // namespace warpcheck::ptx

#include "framework/ptx/function_parser.hpp"

#include <charconv>
#include <string>
#include <utility>

#include "framework/ptx/constant.hpp"
#include "framework/ptx/special_registers.hpp"

namespace warpcheck::ptx {
namespace {

constexpr std::size_t deepest_scope = 256;
constexpr std::uint64_t most_registers = std::uint64_t{1} << 20;
constexpr std::uint32_t any_number = 0xffffffff;

/// Owner of a LabelUse that is an operand of an instruction; other owners are target lists.
constexpr std::uint32_t list_owner = std::uint32_t{1} << 31;

Operand of_kind(OperandKind kind) {
  Operand operand;
  operand.kind = kind;
  return operand;
}

Operand register_operand(std::uint32_t index) {
  Operand operand = of_kind(OperandKind::reg);
  operand.reg = index;
  return operand;
}

/// 0…3 for .x .y .z .w, also written .r .g .b .a; -1 for other words.
int vector_component(std::string_view word) {
  if (word.size() != 2) return -1;
  for (const std::string_view letters : {"xyzw", "rgba"})
    if (const auto place = letters.find(word[1]); place != std::string_view::npos)
      return static_cast<int>(place);
  return -1;
}

/// The value of the mask in "used_bytes_mask 0x…"; none if the pragma is another.
std::optional<std::uint32_t> used_bytes(std::string_view pragma) {
  constexpr std::string_view name = "used_bytes_mask";
  if (!pragma.starts_with(name)) return std::nullopt;
  pragma.remove_prefix(name.size());
  while (pragma.starts_with(' ') || pragma.starts_with('\t')) pragma.remove_prefix(1);
  int base = 10;
  if (pragma.starts_with("0x") || pragma.starts_with("0X")) {
    pragma.remove_prefix(2);
    base = 16;
  }
  std::uint32_t mask = 0;
  const auto [end, error] = std::from_chars(pragma.data(), pragma.data() + pragma.size(), mask, base);
  if (error != std::errc{} || end != pragma.data() + pragma.size()) return std::nullopt;
  return mask;
}

Variable prototype_variable(const Parameter& parameter) {
  return make_variable(parameter.head, parameter.declarator);
}

}  // namespace

// Declarations

void FunctionParser::declare(const Token& name, Symbol symbol) {
  if (!scopes_.declare(name.text, symbol))
    fail(name, "name " + quoted(name) + " is declared twice in one scope");
}

void FunctionParser::declare_returns(const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters)
    declare_parameter(parameter, function_.returns, function_.return_is_reg);
}

void FunctionParser::declare_parameters(const std::vector<Parameter>& parameters) {
  for (const Parameter& parameter : parameters)
    declare_parameter(parameter, function_.parameters, function_.parameter_is_reg);
}

void FunctionParser::declare_parameter(const Parameter& parameter, std::vector<std::uint32_t>& indices,
                                       std::vector<bool>& is_reg) {
  const Token& name = parameter.declarator.name;
  const bool in_register = parameter.head.space == Space::reg;
  Symbol symbol;
  if (in_register) {
    if (!parameter.declarator.extents.empty()) fail(name, "a parameter in a register cannot be an array");
    symbol.kind = Symbol::Kind::reg;
    symbol.width = static_cast<std::uint8_t>(parameter.head.width);
    symbol.index = add_registers(name, parameter.head.type, parameter.head.width, 1, false);
  } else {
    symbol.kind = Symbol::Kind::variable;
    symbol.index = static_cast<std::uint32_t>(function_.variables.size());
    function_.variables.push_back(make_variable(parameter.head, parameter.declarator));
  }
  indices.push_back(symbol.index);
  is_reg.push_back(in_register);
  if (name.text != "_") declare(name, symbol);
}

std::uint32_t FunctionParser::add_registers(const Token& name, Type type, std::uint32_t width,
                                            std::uint32_t count, bool numbered) {
  constexpr std::string_view components[] = {".x", ".y", ".z", ".w"};
  const std::uint64_t total = std::uint64_t{count} * width;
  if (function_.registers.size() + total > most_registers)
    fail(name, "with " + quoted(name) + " the function declares more than 2^20 registers");
  symbols_.count_registers(name, total);
  if (width > 4 || width * size_of(type) > 16)
    fail(name, "vector register " + quoted(name) + " is wider than 128 bits");
  if (size_of(type) == 0 && type != Type::pred) fail(name, "registers cannot have an opaque type");
  const auto first = static_cast<std::uint32_t>(function_.registers.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    std::string full(name.text);
    if (numbered) full += std::to_string(i);
    for (std::uint32_t j = 0; j < width; ++j)
      function_.registers.push_back({width == 1 ? full : full + std::string(components[j]), type});
  }
  return first;
}

void FunctionParser::registers() {
  const DeclarationHead head = parse_declaration_head(cursor_);
  do {
    const Declarator declarator = parse_declarator(cursor_);
    const Token& name = declarator.name;
    if (!declarator.extents.empty()) fail(name, "registers cannot be arrays, as " + quoted(name) + " is");
    const std::uint32_t count = declarator.count.value_or(1);
    Symbol symbol{Symbol::Kind::reg, static_cast<std::uint8_t>(head.width), 0};
    symbol.index = add_registers(name, head.type, head.width, count, declarator.count.has_value());
    if (!declarator.count)
      declare(name, symbol);
    else if (!scopes_.declare_range(name.text, count, symbol))
      fail(name, "names " + quoted(name) + " with numbers are declared twice in one scope");
  } while (cursor_.accept(mark(",")));
  cursor_.expect(mark(";"), "',' or ';' after the declaration");
}

void FunctionParser::variables(const DeclarationHead& head) {
  const bool is_of_module = head.space == Space::global || head.space == Space::constant;
  for (DeclaredVariable& declared : parse_variables(cursor_, symbols_, head)) {
    const Declarator& declarator = declared.declarator;
    Symbol symbol;
    symbol.kind = is_of_module ? Symbol::Kind::module_variable : Symbol::Kind::variable;
    symbol.index =
        static_cast<std::uint32_t>(is_of_module ? module_.variables.size() : function_.variables.size());
    const std::string prefix = declared.variable.name;
    for (std::uint32_t i = 0; i < declarator.count.value_or(1); ++i) {
      if (declarator.count) declared.variable.name = prefix + std::to_string(i);
      if (is_of_module)
        symbols_.add_unnamed_variable(declared.variable);
      else
        function_.variables.push_back(declared.variable);
    }
    if (!declarator.count)
      declare(declarator.name, symbol);
    else if (!scopes_.declare_range(declarator.name.text, *declarator.count, symbol))
      fail(declarator.name,
           "names " + quoted(declarator.name) + " with numbers are declared twice in one scope");
  }
}

// Statements

void FunctionParser::parse_body() {
  cursor_.expect(mark("{"), "'{' or ';' after the function's head");
  while (true) {
    if (cursor_.at(mark("}")) && scopes_.depth() == 1) break;
    statement();
  }
  cursor_.take();
  finish();
}

void FunctionParser::finish() {
  const auto left = scopes_.pop([this](const LabelUse& use, std::uint32_t target) { resolve(use, target); });
  if (!left.empty()) {
    const LabelUse* first = &left.front();
    for (const LabelUse& use : left)
      if (std::pair(use.name.line, use.name.column) < std::pair(first->name.line, first->name.column))
        first = &use;
    fail(first->name, "undefined label " + quoted(first->name) + " in function '" + function_.name + "'");
  }
  for (const auto& [instruction, list] : indexed_branches_)
    function_.body[instruction].branch_targets = target_lists_[list];
}

void FunctionParser::resolve(const LabelUse& use, std::uint32_t target) {
  if ((use.owner & list_owner) != 0)
    target_lists_[use.owner & ~list_owner][use.entry] = target;
  else
    function_.body[use.owner].operands[use.entry].target = target;
}

void FunctionParser::statement() {
  const Token& token = cursor_.peek();
  switch (token.kind) {
    case TokenKind::word:
      return directive();
    case TokenKind::identifier:
      if (cursor_.peek_second().is(mark(":"))) return label();
      return instruction();
    case TokenKind::mark:
      if (token.is(mark("@"))) return instruction();
      if (token.is(mark("{"))) return open_scope();
      if (token.is(mark("}"))) return close_scope();
      break;
    case TokenKind::end:
      fail(token, "the text ends inside function '" + function_.name + "': expected '}'");
    default:
      break;
  }
  fail_expected(token, "an instruction, directive, label or '}'");
}

void FunctionParser::open_scope() {
  if (scopes_.depth() >= deepest_scope) fail(cursor_.peek(), "scopes are nested more than 256 deep");
  cursor_.take();
  scopes_.push();
}

void FunctionParser::close_scope() {
  cursor_.take();
  scopes_.pop([this](const LabelUse& use, std::uint32_t target) { resolve(use, target); });
}

void FunctionParser::directive() {
  const Token& word = cursor_.peek();
  if (word.text == ".loc") return location();
  if (word.text == ".reg") return registers();
  if (word.text == ".pragma") return pragma();
  const bool is_extern = word.text == ".extern";
  if (is_extern) cursor_.take();
  if (!space_from_word(cursor_.peek().text))
    fail_expected(cursor_.peek(), "a declaration, .loc or .pragma inside a function");
  DeclarationHead head = parse_declaration_head(cursor_);
  head.is_extern = is_extern;
  variables(head);
}

void FunctionParser::location() {
  cursor_.take();
  const auto place = [this] {
    Place result;
    result.file = static_cast<std::uint32_t>(cursor_.expect_integer("a file number", any_number));
    result.line = static_cast<std::uint32_t>(cursor_.expect_integer("a line number", any_number));
    result.column = static_cast<std::uint32_t>(cursor_.expect_integer("a column number", any_number));
    return result;
  };
  const Place here = place();
  std::optional<Inlining> inlining;
  if (cursor_.accept(mark(","))) {
    inlining.emplace();
    const Token attribute = cursor_.expect_identifier("'function_name'");
    if (attribute.text != "function_name") fail_expected(attribute, "'function_name'");
    if (cursor_.peek().kind != TokenKind::identifier && !cursor_.peek().is_word(".debug_str"))
      fail_expected(cursor_.peek(), "a label of section .debug_str");
    inlining->name = cursor_.take();
    if (cursor_.accept(mark("+"))) inlining->offset = cursor_.expect_integer("an offset", any_number);
    cursor_.expect(mark(","), "',' and 'inlined_at' after the function's name");
    const Token keyword = cursor_.expect_identifier("'inlined_at'");
    if (keyword.text != "inlined_at") fail_expected(keyword, "'inlined_at'");
    inlining->at = place();
  }
  location_ = locations_.add(here, inlining);
}

void FunctionParser::pragma() {
  cursor_.take();
  do {
    if (const auto mask = used_bytes(cursor_.expect_string("a string after .pragma").text))
      used_bytes_mask_ = mask;
  } while (cursor_.accept(mark(",")));
  cursor_.expect(mark(";"), "';' after .pragma");
}

void FunctionParser::label() {
  const Token name = cursor_.take();
  cursor_.take();
  if (cursor_.accept_word(".branchtargets")) return branch_target_list(name);
  if (cursor_.accept_word(".calltargets")) return call_target_list(name);
  if (cursor_.accept_word(".callprototype")) return call_prototype(name);
  declare(name, {Symbol::Kind::label, 1, static_cast<std::uint32_t>(function_.body.size())});
}

void FunctionParser::branch_target_list(const Token& label) {
  const auto list = static_cast<std::uint32_t>(target_lists_.size());
  auto& targets = target_lists_.emplace_back();
  do {
    const Token name = cursor_.expect_identifier("a label");
    if (!cursor_.accept(mark("<"))) {
      scopes_.use_label({name, list | list_owner, static_cast<std::uint32_t>(targets.size())});
      targets.push_back(0);
      continue;
    }
    const auto count = static_cast<std::uint32_t>(cursor_.expect_integer("a number of labels", any_number));
    cursor_.expect(mark(">"), "'>' after the number of labels");
    symbols_.count_names(name, count);
    for (std::uint32_t i = 0; i < count; ++i) {
      scopes_.use_label(
          {symbols_.numbered(name, i), list | list_owner, static_cast<std::uint32_t>(targets.size())});
      targets.push_back(0);
    }
  } while (cursor_.accept(mark(",")));
  cursor_.expect(mark(";"), "',' or ';' after the label");
  declare(label, {Symbol::Kind::branch_targets, 1, list});
}

void FunctionParser::call_target_list(const Token& label) {
  Prototype prototype;
  bool is_first = true;
  do {
    const Token name = cursor_.expect_identifier("a function");
    const auto found = symbols_.find(name.text);
    if (!found || !found->is_function) fail_expected(name, "a function that is declared before this place");
    // All of them have one signature (PTX ISA §11.3.2), so the first is the prototype.
    if (std::exchange(is_first, false)) {
      const Function& target = module_.functions[found->index];
      const auto copy = [&](const std::vector<std::uint32_t>& indices, const std::vector<bool>& is_reg,
                            std::vector<Variable>& result) {
        for (std::size_t i = 0; i < indices.size(); ++i) {
          if (!is_reg[i]) {
            result.push_back(target.variables[indices[i]]);
            continue;
          }
          Variable variable;
          variable.name = target.registers[indices[i]].name;
          variable.space = Space::reg;
          variable.type = target.registers[indices[i]].type;
          variable.size = variable.alignment = size_of(variable.type);
          result.push_back(std::move(variable));
        }
      };
      copy(target.returns, target.return_is_reg, prototype.returns);
      copy(target.parameters, target.parameter_is_reg, prototype.parameters);
      symbols_.count_names(name, prototype.returns.size() + prototype.parameters.size());
    }
  } while (cursor_.accept(mark(",")));
  cursor_.expect(mark(";"), "',' or ';' after the function");
  add_prototype(label, std::move(prototype));
}

void FunctionParser::call_prototype(const Token& label) {
  Prototype prototype;
  if (cursor_.at(mark("(")))
    for (const Parameter& parameter : parse_parameters(cursor_))
      prototype.returns.push_back(prototype_variable(parameter));
  const Token name = cursor_.expect_identifier("'_' of the prototype");
  if (name.text != "_") fail_expected(name, "'_' in place of the prototype's name");
  if (cursor_.at(mark("(")))
    for (const Parameter& parameter : parse_parameters(cursor_))
      prototype.parameters.push_back(prototype_variable(parameter));
  while (!cursor_.at(mark(";"))) {
    if (cursor_.accept_word(".noreturn")) continue;
    if (!cursor_.accept_word(".abi_preserve") && !cursor_.accept_word(".abi_preserve_control"))
      fail_expected(cursor_.peek(), "';' after the prototype");
    cursor_.expect_integer("a number of registers", any_number);
  }
  cursor_.take();
  add_prototype(label, std::move(prototype));
}

void FunctionParser::add_prototype(const Token& label, Prototype prototype) {
  prototype.label = label.text;
  declare(label, {Symbol::Kind::prototype, 1, static_cast<std::uint32_t>(function_.prototypes.size())});
  function_.prototypes.push_back(std::move(prototype));
}

// Instructions

void FunctionParser::instruction() {
  Instruction& result = function_.body.emplace_back();
  result.source_line = cursor_.peek().line;
  result.location = location_;
  if (cursor_.accept(mark("@"))) result.guard = guard();
  result.opcode = cursor_.expect_identifier("an instruction").text;
  while (cursor_.peek().kind == TokenKind::word) result.modifiers.emplace_back(cursor_.take().text.substr(1));
  if (result.opcode == "ld" || result.opcode == "ldu") result.used_bytes_mask = used_bytes_mask_;
  used_bytes_mask_.reset();
  if (result.opcode == "bra")
    branch_operands(result);
  else if (result.opcode == "brx")
    indexed_branch_operands(result);
  else if (result.opcode == "call")
    call_operands(result);
  else if (!cursor_.at(mark(";")))
    operands(result);
  cursor_.expect(mark(";"), "',' or ';' after an operand");
}

Guard FunctionParser::guard() {
  Guard result;
  result.negated = cursor_.accept(mark("!"));
  const Token name = cursor_.expect_identifier("a predicate register");
  const auto symbol = scopes_.find(name.text);
  if (!symbol) fail(name, "undefined register " + quoted(name) + ": expected a predicate");
  if (symbol->kind != Symbol::Kind::reg || function_.registers[symbol->index].type != Type::pred)
    fail_expected(name, "a predicate register");
  result.reg = symbol->index;
  return result;
}

void FunctionParser::operands(Instruction& instruction) {
  do {
    instruction.operands.push_back(operand(instruction));
    if (cursor_.peek().kind == TokenKind::word) address_suffix(instruction);
  } while (cursor_.accept(mark(",")));
}

/// `[a].unified` of ld (PTX ISA §9.7.9.8)
void FunctionParser::address_suffix(Instruction& instruction) {
  if (instruction.operands.back().kind == OperandKind::address && cursor_.accept_word(".unified"))
    instruction.modifiers.emplace_back("unified");
}

void FunctionParser::branch_operands(Instruction& instruction) {
  const Token name = cursor_.expect_identifier("a label");
  instruction.operands.push_back(of_kind(OperandKind::label));
  scopes_.use_label({name, static_cast<std::uint32_t>(function_.body.size() - 1), 0});
}

Symbol FunctionParser::symbol_of_label(const Token& name, Symbol::Kind kind,
                                       std::string_view description) const {
  const auto symbol = scopes_.find(name.text);
  if (!symbol) fail(name, "undefined label " + quoted(name) + ": expected " + std::string(description));
  if (symbol->kind != kind) fail_expected(name, description);
  return *symbol;
}

void FunctionParser::indexed_branch_operands(Instruction& instruction) {
  instruction.operands.push_back(operand(instruction));
  cursor_.expect(mark(","), "',' and a label of .branchtargets");
  const Token name = cursor_.expect_identifier("a label of .branchtargets");
  const Symbol list =
      symbol_of_label(name, Symbol::Kind::branch_targets, "a label of .branchtargets before this place");
  symbols_.count_names(name, target_lists_[list.index].size());
  indexed_branches_.emplace_back(static_cast<std::uint32_t>(function_.body.size() - 1), list.index);
}

void FunctionParser::call_operands(Instruction& instruction) {
  if (cursor_.at(mark("("))) {
    instruction.operands.push_back(call_list());
    cursor_.expect(mark(","), "',' after the returned values");
  }
  const Token name = cursor_.expect_identifier("a function or a register that holds its address");
  Operand target = named(name);
  if (target.kind != OperandKind::reg && target.kind != OperandKind::function)
    fail_expected(name, "a function or a register that holds its address");
  const bool is_direct = target.kind == OperandKind::function;
  instruction.operands.push_back(std::move(target));
  bool has_more = cursor_.accept(mark(","));
  if (has_more && cursor_.at(mark("("))) {
    instruction.operands.push_back(call_list());
    has_more = cursor_.accept(mark(","));
  }
  if (has_more) {
    const Token label = cursor_.expect_identifier("the label of a prototype");
    const Symbol prototype = symbol_of_label(label, Symbol::Kind::prototype,
                                             "a label of .callprototype or .calltargets before this place");
    instruction.prototype = static_cast<std::int32_t>(prototype.index);
  } else if (!is_direct) {
    fail_expected(cursor_.peek(), "',' and the label of the prototype of an indirect call");
  }
}

/// `(a, b)` of a call
Operand FunctionParser::call_list() {
  cursor_.take();
  Operand list = of_kind(OperandKind::list);
  if (cursor_.accept(mark(")"))) return list;
  do {
    list.elements.push_back(simple_operand());
  } while (cursor_.accept(mark(",")));
  cursor_.expect(mark(")"), "',' or ')' after the argument");
  return list;
}

// Operands

Operand FunctionParser::operand(const Instruction& instruction) {
  const Token& token = cursor_.peek();
  if (token.kind == TokenKind::mark) {
    if (token.is(mark("["))) return address_operand();
    if (token.is(mark("{"))) return vector_operand();
    if (token.is(mark("!"))) return negated_operand();
    if (token.is(mark("-")) && instruction.opcode == "vmad" &&
        cursor_.peek_second().kind == TokenKind::identifier)
      return negated_operand();
  }
  Operand result = simple_operand();
  if (cursor_.at(mark("|")) && (result.kind == OperandKind::reg || result.kind == OperandKind::sink)) {
    cursor_.take();
    Operand pair = of_kind(OperandKind::pair);
    const Token at = cursor_.peek();
    pair.elements.push_back(std::move(result));
    pair.elements.push_back(simple_operand());
    const OperandKind second = pair.elements[1].kind;
    if (second != OperandKind::reg && second != OperandKind::sink) fail_expected(at, "a register after '|'");
    return pair;
  }
  if (cursor_.at(mark("[")) && result.kind == OperandKind::variable) array_index(instruction, result);
  return result;
}

/// A register, constant, special register, variable or function: what may also stand in braces and call
/// lists.
Operand FunctionParser::simple_operand() {
  const Token& token = cursor_.peek();
  if (token.kind != TokenKind::identifier) return constant_operand();
  if (token.text == "_") {
    cursor_.take();
    return of_kind(OperandKind::sink);
  }
  if (token.text == "WARP_SZ" && !scopes_.find(token.text)) {
    const Token& next = cursor_.peek_second();
    if (!next.is(mark(",")) && !next.is(mark(";")) && !next.is(mark("}")) && !next.is(mark(")")))
      return constant_operand();
  }
  return name_operand();
}

Operand FunctionParser::constant_operand() {
  const Token at = cursor_.peek();
  const bool begins_constant =
      at.kind == TokenKind::integer || at.kind == TokenKind::decimal || at.kind == TokenKind::exact_f32 ||
      at.kind == TokenKind::exact_f64 || at.kind == TokenKind::identifier ||
      (at.kind == TokenKind::mark && std::string_view("+-~!(").find(at.text) != std::string_view::npos);
  if (!begins_constant) fail_expected(at, "an operand");
  const Constant value = parse_constant(cursor_);
  Operand result = of_kind(OperandKind::integer);
  if (value.kind == Constant::Kind::f32) result.kind = OperandKind::f32;
  if (value.kind == Constant::Kind::f64) result.kind = OperandKind::f64;
  result.bits = value.bits;
  return result;
}

Operand FunctionParser::name_operand() {
  const Token name = cursor_.take();
  const auto symbol = scopes_.find(name.text);
  if (symbol && symbol->kind == Symbol::Kind::reg) {
    if (cursor_.peek().kind != TokenKind::word) return whole_register(*symbol);
    Operand result = register_operand(symbol->index);
    component(name, *symbol, result);
    return result;
  }
  Operand result = named(name);
  if (result.kind == OperandKind::special && is_special_vector(name.text) &&
      cursor_.peek().kind == TokenKind::word) {
    const Token word = cursor_.take();
    const int index = vector_component(word.text);
    if (index < 0) fail_expected(word, "component .x, .y, .z or .w");
    result.name.append(1, '.').append(1, "xyzw"[index]);
  }
  if (result.kind == OperandKind::variable) result.bits = static_cast<std::uint64_t>(parse_offset(cursor_));
  return result;
}

/// What a name stands for where it is read; registers whole.
Operand FunctionParser::named(const Token& name) {
  if (const auto symbol = scopes_.find(name.text)) {
    Operand result = of_kind(OperandKind::variable);
    result.variable = symbol->index;
    switch (symbol->kind) {
      case Symbol::Kind::reg:
        return whole_register(*symbol);
      case Symbol::Kind::variable:
        result.scope = VariableScope::function;
        return result;
      case Symbol::Kind::module_variable:
        result.scope = VariableScope::module;
        return result;
      default:
        fail(name, quoted(name) + " is a label: expected a register, variable, constant or function");
    }
  }
  if (const auto entry = symbols_.find(name.text)) {
    Operand result = of_kind(entry->is_function ? OperandKind::function : OperandKind::variable);
    if (entry->is_function)
      result.name = name.text;
    else
      result.variable = entry->index;
    return result;
  }
  if (is_special_register(name.text)) {
    Operand result = of_kind(OperandKind::special);
    result.name = name.text;
    return result;
  }
  fail(name, "undefined name " + quoted(name) +
                 ": expected a register, variable or function declared before this place");
}

Operand FunctionParser::whole_register(const Symbol& symbol) const {
  if (symbol.width == 1) return register_operand(symbol.index);
  Operand vector = of_kind(OperandKind::vector);
  for (std::uint32_t i = 0; i < symbol.width; ++i)
    vector.elements.push_back(register_operand(symbol.index + i));
  return vector;
}

void FunctionParser::component(const Token& name, const Symbol& symbol, Operand& operand) {
  const Token word = cursor_.take();
  if (symbol.width > 1) {
    const int index = vector_component(word.text);
    if (index < 0 || index >= symbol.width)
      fail_expected(word, "a component of the vector register " + quoted(name));
    operand.reg += static_cast<std::uint32_t>(index);
    return;
  }
  constexpr std::string_view parts[] = {".b0", ".b1", ".b2", ".b3", ".h0", ".h1"};
  for (std::uint8_t i = 0; i < 6; ++i) {
    if (word.text != parts[i]) continue;
    operand.component = static_cast<std::uint8_t>(16 + i);
    return;
  }
  fail(word, "register " + quoted(name) + " is no vector: expected ',' or ';', found " + quoted(word));
}

/// `!p` of a predicate, and `-a` of vmad, the only instruction that negates a register (PTX ISA §9.7.18)
Operand FunctionParser::negated_operand() {
  const Token& next = cursor_.peek_second();
  if (next.kind != TokenKind::identifier || (next.text == "WARP_SZ" && !scopes_.find(next.text)))
    return constant_operand();
  const bool is_logical = cursor_.take().is(mark("!"));
  const Token name = cursor_.peek();
  Operand result = simple_operand();
  if (result.kind != OperandKind::reg) fail_expected(name, "a register after the negation");
  if (is_logical != (function_.registers[result.reg].type == Type::pred))
    fail_expected(
        name, is_logical ? "a predicate register after '!'" : "a register that is no predicate after '-'");
  result.negated = true;
  return result;
}

Operand FunctionParser::vector_operand() {
  cursor_.take();
  Operand vector = of_kind(OperandKind::vector);
  do {
    vector.elements.push_back(simple_operand());
  } while (cursor_.accept(mark(",")));
  cursor_.expect(mark("}"), "',' or '}' after the vector's element");
  return vector;
}

Operand FunctionParser::address_operand() {
  cursor_.take();
  Operand address = of_kind(OperandKind::address);
  const Token at = cursor_.peek();
  if (at.kind == TokenKind::identifier && at.text != "WARP_SZ") {
    Operand base = named(cursor_.take());
    if (base.kind != OperandKind::reg && base.kind != OperandKind::variable)
      fail_expected(at, "a register, variable or constant as an address");
    address.elements.push_back(std::move(base));
    address.bits = static_cast<std::uint64_t>(parse_offset(cursor_));
  } else {
    Operand base = constant_operand();
    if (base.kind != OperandKind::integer) fail_expected(at, "a register, variable or integer as an address");
    address.elements.push_back(std::move(base));
  }
  while (cursor_.accept(mark(",")))
    address.elements.push_back(cursor_.at(mark("{")) ? vector_operand() : simple_operand());
  cursor_.expect(mark("]"), "']' after the address");
  return address;
}

/// `a[3]`: the address of an element to `mov`, the element itself to instructions that access memory
/// (PTX ISA §6.4.2).
void FunctionParser::array_index(const Instruction& instruction, Operand& operand) {
  cursor_.take();
  const Variable& variable = variable_of(operand);
  const std::uint64_t element = std::uint64_t{size_of(variable.type)} * variable.vector_width;
  operand.bits += parse_integer_constant(cursor_) * element;
  cursor_.expect(mark("]"), "']' after the index, which must be a constant");
  if (instruction.opcode == "mov") return;
  Operand address = of_kind(OperandKind::address);
  address.bits = std::exchange(operand.bits, 0);
  address.elements.push_back(std::move(operand));
  operand = std::move(address);
}

const Variable& FunctionParser::variable_of(const Operand& operand) const {
  return operand.scope == VariableScope::module ? module_.variables[operand.variable]
                                                : function_.variables[operand.variable];
}

}  // namespace warpcheck::ptx

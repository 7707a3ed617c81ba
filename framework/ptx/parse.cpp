#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "framework/ptx/cursor.hpp"
#include "framework/ptx/declaration.hpp"
#include "framework/ptx/function_parser.hpp"
#include "framework/ptx/locations.hpp"
#include "framework/ptx/module.hpp"
#include "framework/ptx/module_symbols.hpp"

namespace warpcheck::ptx {
namespace {

constexpr std::uint64_t most_files = std::uint64_t{1} << 16;
constexpr std::uint64_t any_number = 0xffffffff;

/// "sm_90a" → 90; also "compute_80".
std::optional<std::uint32_t> architecture(std::string_view target) {
  const std::size_t prefix = target.starts_with("sm_") ? 3 : target.starts_with("compute_") ? 8 : 0;
  if (prefix == 0) return std::nullopt;
  std::uint32_t number = 0;
  const char* const begin = target.data() + prefix;
  const auto [end, error] = std::from_chars(begin, target.data() + target.size(), number);
  if (error != std::errc{} || end == begin || target.data() + target.size() - end > 1) return std::nullopt;
  return number;
}

/// A string's content, with \\ and \" as one character each.
std::string unescaped(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '\\' || text[i + 1] == '"')) ++i;
    result += text[i];
  }
  return result;
}

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : cursor_(text), symbols_(module_) {}

  Module parse() {
    version();
    if (!cursor_.peek().is_word(".target")) fail_expected(cursor_.peek(), ".target after .version");
    target();
    if (cursor_.accept_word(".address_size")) {
      const Token at = cursor_.peek();
      module_.address_size = static_cast<std::uint32_t>(cursor_.expect_integer("32 or 64", 64));
      if (module_.address_size != 32 && module_.address_size != 64)
        fail_expected(at, "an address size of 32 or 64");
    } else {
      module_.address_size = 32;
    }
    while (cursor_.peek().kind != TokenKind::end) statement();
    symbols_.check_used();
    name_locations();
    return std::move(module_);
  }

 private:
  void version() {
    if (!cursor_.accept_word(".version")) fail_expected(cursor_.peek(), ".version at the beginning of PTX");
    const Token number = cursor_.take();
    const char* const stop = number.text.data() + number.text.size();
    const auto [dot, error] = std::from_chars(number.text.data(), stop, module_.version_major);
    if (number.kind != TokenKind::decimal || error != std::errc{} || dot == stop || *dot != '.')
      fail_expected(number, "a version number such as 8.0");
    const auto [end, minor_error] = std::from_chars(dot + 1, stop, module_.version_minor);
    if (minor_error != std::errc{} || end != stop) fail_expected(number, "a version number such as 8.0");
  }

  void target() {
    cursor_.take();
    bool has_architecture = false;
    do {
      const Token name = cursor_.expect_identifier("a target such as sm_80");
      if (const auto sm = architecture(name.text)) {
        has_architecture = true;
        if (*sm < module_.sm) continue;
        module_.sm = *sm;
        module_.target = name.text;
      } else if (name.text == "debug") {
        module_.has_debug = true;
      } else if (name.text != "texmode_unified" && name.text != "texmode_independent" &&
                 name.text != "map_f64_to_f32") {
        fail_expected(name, "a target such as sm_80");
      }
    } while (cursor_.accept(mark(",")));
    if (!has_architecture) fail_expected(cursor_.peek(), "an architecture such as sm_80 in .target");
  }

  void statement() {
    const Token word = cursor_.peek();
    if (word.kind != TokenKind::word) fail_expected(word, "a directive such as .entry, .func or .global");
    if (word.text == ".target") return target();
    if (word.text == ".file") return file();
    if (word.text == ".section") return section();
    if (word.text == ".pragma") return pragma();
    if (word.text == ".alias") return alias();
    bool is_extern = false;
    while (cursor_.peek().is_word(".extern") || cursor_.peek().is_word(".visible") ||
           cursor_.peek().is_word(".weak") || cursor_.peek().is_word(".common"))
      is_extern = cursor_.take().text == ".extern" || is_extern;
    if (cursor_.peek().is_word(".entry") || cursor_.peek().is_word(".func")) return function(is_extern);
    const auto space = space_from_word(cursor_.peek().text);
    if (cursor_.peek().kind != TokenKind::word || !space)
      fail_expected(cursor_.peek(), "a directive such as .entry, .func or .global");
    if (*space == Space::reg || *space == Space::param)
      fail(cursor_.peek(), quoted(cursor_.peek()) + " declarations belong inside a function");
    variables(is_extern);
  }

  void file() {
    cursor_.take();
    const auto number = cursor_.expect_integer("a file number", most_files);
    const Token name = cursor_.expect_string("the file's name");
    if (cursor_.accept(mark(","))) {
      cursor_.expect_integer("the file's time", ~std::uint64_t{0});
      cursor_.expect(mark(","), "',' and the file's size");
      cursor_.expect_integer("the file's size", ~std::uint64_t{0});
    }
    if (module_.files.size() <= number) module_.files.resize(number + 1);
    module_.files[number] = unescaped(name.text);
  }

  void pragma() {
    cursor_.take();
    do {
      cursor_.expect_string("a string after .pragma");
    } while (cursor_.accept(mark(",")));
    cursor_.expect(mark(";"), "';' after .pragma");
  }

  void alias() {
    cursor_.take();
    const Token name = cursor_.expect_identifier("the name of an alias");
    cursor_.expect(mark(","), "',' after the alias");
    const Token target = cursor_.expect_identifier("the function that is given another name");
    cursor_.expect(mark(";"), "';' after .alias");
    for (const Token& token : {name, target}) {
      const auto found = symbols_.find(token.text);
      if (!found || !found->is_function)
        fail_expected(token, "a function that is declared before this place");
    }
    module_.aliases.push_back({std::string(name.text), std::string(target.text)});
  }

  void variables(bool is_extern) {
    DeclarationHead head = parse_declaration_head(cursor_);
    head.is_extern = is_extern;
    for (DeclaredVariable& declared : parse_variables(cursor_, symbols_, head)) {
      const Declarator& declarator = declared.declarator;
      if (!declarator.count) {
        symbols_.add_variable(declarator.name, std::move(declared.variable));
        continue;
      }
      for (std::uint32_t i = 0; i < *declarator.count; ++i) {
        const Token name = symbols_.numbered(declarator.name, i);
        declared.variable.name = name.text;
        symbols_.add_variable(name, declared.variable);
      }
    }
  }

  /// Sections hold debugging information; only the strings matter here.
  void section() {
    cursor_.take();
    const Token name = cursor_.take();
    if (name.kind != TokenKind::word && name.kind != TokenKind::identifier)
      fail_expected(name, "a section's name");
    const bool is_strings = name.text == ".debug_str";
    cursor_.expect(mark("{"), "'{' after the section's name");
    while (!cursor_.accept(mark("}"))) {
      const Token token = cursor_.take();
      if (token.kind == TokenKind::identifier) {
        cursor_.expect(mark(":"), "':' after a section's label");
        if (is_strings && !strings_.add_label(token.text))
          fail(token, "label " + quoted(token) + " is defined twice");
        continue;
      }
      const std::uint32_t size = token.text == ".b8"    ? 1
                                 : token.text == ".b16" ? 2
                                 : token.text == ".b32" ? 4
                                 : token.text == ".b64" ? 8
                                                        : 0;
      if (token.kind != TokenKind::word || size == 0)
        fail_expected(token, "a label, .b8, .b16, .b32, .b64 or '}' in a section");
      do {
        const std::uint64_t value = section_item();
        for (std::uint32_t i = 0; is_strings && i < size; ++i)
          strings_.add_byte(static_cast<std::uint8_t>(value >> 8 * i));
      } while (cursor_.accept(mark(",")));
    }
  }

  /// A number, `label`, `label + 4` or `label1 - label2`; the value of a number, and 0 for the others.
  std::uint64_t section_item() {
    const bool minus = cursor_.accept(mark("-"));
    const Token token = cursor_.take();
    if (token.kind == TokenKind::integer) return minus ? std::uint64_t{0} - token.bits : token.bits;
    if (minus || (token.kind != TokenKind::identifier && token.kind != TokenKind::word))
      fail_expected(token, "a number or label in a section");
    if (cursor_.accept(mark("+")) || cursor_.accept(mark("-"))) {
      cursor_.accept(mark("-"));
      const Token second = cursor_.take();
      if (second.kind != TokenKind::identifier && second.kind != TokenKind::integer &&
          second.kind != TokenKind::word)
        fail_expected(second, "a number or label");
    }
    return 0;
  }

  void function(bool is_extern) {
    Function head;
    head.is_entry = cursor_.take().text == ".entry";
    if (cursor_.accept_word(".attribute")) skip_attribute(cursor_);
    std::vector<Parameter> returns, parameters;
    if (!head.is_entry && cursor_.at(mark("("))) returns = parse_parameters(cursor_);
    const Token name = cursor_.expect_identifier("the function's name");
    head.name = name.text;
    head.source_line = name.line;
    if (cursor_.at(mark("("))) parameters = parse_parameters(cursor_);
    function_directives(head);
    head.is_defined = !cursor_.accept(mark(";"));
    if (head.is_defined && !cursor_.at(mark("{")))
      fail_expected(cursor_.peek(), "'{' or ';' after the function's head");
    if (head.is_defined && is_extern) fail(name, "external function " + quoted(name) + " cannot have a body");
    Function& function = module_.functions[symbols_.add_function(name, std::move(head))];
    FunctionParser parser(cursor_, symbols_, module_, function);
    parser.declare_returns(returns);
    parser.declare_parameters(parameters);
    if (!function.is_defined) return;
    parser.parse_body();
    for (const auto& unnamed : parser.unnamed_locations())
      unnamed_.push_back({static_cast<std::uint32_t>(module_.functions.size() - 1), unnamed});
  }

  void function_directives(Function& head) {
    while (cursor_.peek().kind == TokenKind::word) {
      const Token word = cursor_.peek();
      if (word.text == ".pragma") {
        pragma();
        continue;
      }
      cursor_.take();
      if (word.text == ".noreturn") {
        head.is_noreturn = true;
      } else if (word.text == ".maxntid") {
        extents(head.max_threads);
      } else if (word.text == ".reqntid") {
        extents(head.required_threads);
      } else if (word.text == ".reqnctapercluster") {
        std::uint32_t ignored[3];
        extents(ignored);
      } else if (word.text == ".minnctapersm") {
        head.min_blocks_per_sm =
            static_cast<std::uint32_t>(cursor_.expect_integer("a number of blocks", any_number));
      } else if (word.text == ".maxnreg" || word.text == ".maxnctapersm" || word.text == ".maxclusterrank" ||
                 word.text == ".local_maxnreg" || word.text == ".abi_preserve" ||
                 word.text == ".abi_preserve_control") {
        cursor_.expect_integer("a number", any_number);
      } else if (word.text != ".explicitcluster" && word.text != ".blocksareclusters") {
        fail_expected(word, "'{', ';' or a directive such as .maxntid after the function's head");
      }
    }
  }

  /// One to three numbers; those left out are 1.
  void extents(std::uint32_t (&result)[3]) {
    for (int i = 0; i < 3; ++i) {
      result[i] = 1;
      if (i == 0 || cursor_.accept(mark(",")))
        result[i] =
            static_cast<std::uint32_t>(cursor_.expect_integer("a number of threads or blocks", any_number));
    }
  }

  void name_locations() {
    for (const auto& [function, unnamed] : unnamed_) {
      auto name = strings_.find(unnamed.label.text, unnamed.offset);
      if (!name)
        fail(unnamed.label, "no string at " + quoted(unnamed.label) + " + " + std::to_string(unnamed.offset) +
                                " in section .debug_str");
      // Every location owns its name; a string far longer than the text that refers to it is not a function's
      // name.
      if (name->size() > 4096) name->resize(4096);
      module_.functions[function].locations[unnamed.location].function = std::move(*name);
    }
  }

  struct UnnamedLocation {
    std::uint32_t function;
    LocationTable::Unnamed unnamed;
  };

  Cursor cursor_;
  Module module_;
  ModuleSymbols symbols_;
  DebugStrings strings_;
  std::vector<UnnamedLocation> unnamed_;
};

}  // namespace

ParseResult parse(std::string_view text) {
  ParseResult result;
  try {
    result.module = ModuleParser(text).parse();
  } catch (const Failure& failure) {
    result.error = failure.error;
  }
  return result;
}

}  // namespace warpcheck::ptx

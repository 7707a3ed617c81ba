#include "framework/engine/message.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "framework/record/element_text.hpp"

namespace warpcheck::engine {

using record::array_text;
namespace {

constexpr std::size_t columns = 80;
constexpr std::size_t label_width = 12;
constexpr std::uint64_t most_runs_shown = 16;

/// Columns of UTF-8 text, one for each code point; the texts hold no wide or combining ones.
std::size_t width_of(std::string_view text) {
  std::size_t width = 0;
  for (const char c : text) width += (static_cast<unsigned char>(c) & 0xc0) != 0x80;
  return width;
}

/// Lines of at most `columns`, broken at spaces and continued under their beginning.
class Page {
 public:
  /// "  label     text"; nothing if the text is empty.
  void entry(std::string_view label, std::string_view text) {
    if (text.empty()) return;
    std::string start = "  " + std::string(label);
    start.resize(start.size() + (label_width > width_of(start) ? label_width - width_of(start) : 1), ' ');
    wrap(start, label_width, text);
  }

  /// Text below an entry.
  void below(std::string_view text) {
    if (!text.empty()) wrap(std::string(label_width + 2, ' '), label_width + 4, text);
  }

  void line(std::string_view text) { wrap("", 2, text); }

  /// A line that stays whole, to be copied.
  void whole(std::string_view label, std::string_view text) {
    std::string start = "  " + std::string(label);
    start.resize(std::max(label_width, start.size() + 1), ' ');
    text_ += start + std::string(text) + "\n";
  }

  std::string take() { return std::move(text_); }

 private:
  void wrap(std::string line, std::size_t indent, std::string_view text) {
    bool empty = true;
    while (!text.empty()) {
      const std::size_t space = text.find(' ');
      const std::string_view word = text.substr(0, space);
      text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
      if (word.empty()) continue;
      if (!empty && width_of(line) + 1 + width_of(word) > columns) {
        text_ += line + "\n";
        line = std::string(indent, ' ');
        empty = true;
      }
      if (!empty) line += ' ';
      line += word;
      empty = false;
    }
    text_ += line + "\n";
  }

  std::string text_;
};

/// A ratio or error with four digits: for orientation, the exact texts stand elsewhere.
std::string about(double x) {
  if (std::isnan(x)) return "nan";
  if (std::isinf(x)) return x < 0 ? "-inf" : "inf";
  return fmt::format("{:.4g}", x);
}

std::string geometry_text(const Case& test_case) {
  return "n = " + std::to_string(test_case.n()) + ", grid " + std::to_string(test_case.geometry.grid) +
         ", block " + std::to_string(test_case.geometry.block);
}

std::string launch_text(const Case& test_case) {
  std::string text =
      fmt::format("{}, {}", geometry_text(test_case), numeric::name(test_case.input->format()));
  const std::uint32_t offset = test_case.pointer_offset;
  if (offset != 0) {
    text += fmt::format(", input {} element{} after an aligned address", offset, offset == 1 ? "" : "s");
  }
  return text;
}

std::string schedule_text(const Schedule& schedule) {
  switch (schedule.order) {
    case Schedule::Order::lowest_first:
      return {};
    case Schedule::Order::highest_first:
      return "highest thread first";
    case Schedule::Order::random:
      break;
  }
  return "random, seed " + std::to_string(schedule.seed);
}

std::string family_text(const Case& test_case) {
  std::string text = test_case.family;
  for (const auto& [name, value] : test_case.parameters) text += ", " + name + " " + value;
  return text;
}

std::string triple_text(const std::uint32_t (&triple)[3]) {
  return fmt::format("({},{},{})", triple[0], triple[1], triple[2]);
}

std::string place_text(const SourceLine& place) {
  std::string text = place.file;
  if (place.line != 0) text += fmt::format(":{}", place.line);
  if (!place.function.empty()) text += fmt::format("{}in {}", text.empty() ? "" : " ", place.function);
  return text;
}

void add_finding(const Finding& finding, Page& page) {
  std::string text(name_of(finding.kind));
  if (is_warning(finding.kind)) text += " (warning)";
  if (!finding.message.empty()) text += ": " + finding.message;
  if (finding.count > 1) text += " (" + std::to_string(finding.count) + " times)";
  page.entry("finding", text);
  if (!finding.kernel.empty()) page.below("while " + finding.kernel + " ran");
  if (!finding.object.empty()) page.below("on " + finding.object);
  for (const Party& party : finding.parties) {
    const std::string who = fmt::format("block {}, thread {}, lane {}", triple_text(party.block),
                                        triple_text(party.thread), party.lane);
    bool innermost = true;
    for (const SourceLine& line : party.stack) {
      const std::string place = place_text(line);
      if (place.empty()) continue;
      page.below(innermost ? fmt::format("{}, at {}", who, place) : fmt::format("called from {}", place));
      innermost = false;
    }
    if (innermost) page.below(who);
  }
  page.below(finding.advice);
}

/// A word that a shell reads as it stands, quoted where it must be.
std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::string reproduce_command(const Counterexample& counterexample, const std::filesystem::path& stored_as) {
  // The file says which executor and plug-in.
  if (!stored_as.empty()) return "warpcheck replay " + shell_word(stored_as.string());
  std::string command = "warpcheck run " + shell_word(counterexample.kernel) + " --property " +
                        shell_word(counterexample.property) + " --seed " +
                        std::to_string(counterexample.seed);
  if (counterexample.executor != "cpu") command += " --executor " + shell_word(counterexample.executor);
  if (!counterexample.plugin.empty()) command += " --plugin " + shell_word(counterexample.plugin);
  return command;
}

std::string describe(const Counterexample& counterexample, const std::filesystem::path& stored_as) {
  const Case& reduced = counterexample.reduced;
  const Verdict& verdict = counterexample.verdict;
  const Measures& measures = verdict.measures;
  Page page;
  page.line(counterexample.property + " is falsified by " + counterexample.kernel + " on " +
            counterexample.executor + ": " + std::string(name_of(verdict.failure)));

  page.entry("input", array_text(*reduced.input, most_runs_shown));
  page.entry("launch", launch_text(reduced));
  page.entry("schedule", schedule_text(reduced.schedule));
  page.entry("expected", verdict.expected);
  page.entry("got", verdict.got);
  page.entry("bound", verdict.bound);
  if (measures.abs_error != 0) {
    std::string error = about(measures.abs_error) + " = " + about(measures.error_over_sum_abs) + " × A";
    if (measures.error_over_tolerance != 0)
      error += " = " + about(measures.error_over_tolerance) + " × tolerance";
    page.entry("error", error);
  }
  for (const Finding& finding : verdict.findings) add_finding(finding, page);
  page.entry("reason", verdict.reason);
  if (reduced.input->reference().special() == std::nullopt && measures.condition != 0) {
    page.entry("κ", about(measures.condition) + " = A/|S|" +
                        (measures.zero_blind ? "; the tolerance would let the answer 0 pass" : ""));
  }
  if (counterexample.flaky) page.entry("flaky", "the same case again did not fail every time");
  page.entry("reduced", "from " + geometry_text(counterexample.original) + " in " +
                            std::to_string(counterexample.reduction_runs) +
                            (counterexample.reduction_runs == 1 ? " run" : " runs") + " of the kernel");
  page.entry("found by", family_text(counterexample.original) +
                             (counterexample.original.family.empty() ? "" : "; ") + "seed " +
                             std::to_string(counterexample.seed));
  page.whole("reproduce", reproduce_command(counterexample, stored_as));
  return page.take();
}

}  // namespace warpcheck::engine

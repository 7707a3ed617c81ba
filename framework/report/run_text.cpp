#include "framework/report/run_text.hpp"

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include "framework/report/text_table.hpp"

namespace warpcheck::report {

namespace {

std::string_view sign_of(VerdictKind verdict, const Look& look) {
  switch (verdict) {
    case VerdictKind::holds:
      return look.unicode ? "✓" : "+";
    case VerdictKind::falsified:
      return look.unicode ? "✗" : "X";
    case VerdictKind::no_power:
      return "?";
    case VerdictKind::inapplicable:
      return look.unicode ? "–" : "-";
    case VerdictKind::not_run:
      return look.unicode ? "…" : ".";
  }
  return " ";
}

/// a to z, then aa, ab, …
std::string letter(std::size_t index) {
  std::string text;
  for (++index; index > 0; index = (index - 1) / 26) {
    text.insert(text.begin(), static_cast<char>('a' + (index - 1) % 26));
  }
  return text;
}

/// The values of one member over the checks, each once, in the order of their first appearance.
std::vector<std::string> distinct(std::span<const engine::CheckResult> checks,
                                  std::string engine::CheckResult::*member) {
  std::vector<std::string> values;
  for (const auto& check : checks) {
    if (std::find(values.begin(), values.end(), check.*member) == values.end())
      values.push_back(check.*member);
  }
  return values;
}

}  // namespace

Tone tone_of(VerdictKind verdict) {
  switch (verdict) {
    case VerdictKind::holds:
      return Tone::good;
    case VerdictKind::falsified:
      return Tone::bad;
    case VerdictKind::no_power:
    case VerdictKind::not_run:
      return Tone::doubtful;
    case VerdictKind::inapplicable:
      return Tone::plain;
  }
  return Tone::plain;
}

std::string accuracy_table(std::span<const KernelInfo> kernels, std::span<const engine::CheckResult> checks,
                           const Look& look) {
  TextTable table({{{"kernel"}, Align::left, false, 12},
                   {{"adds", "in"}, Align::left},
                   {{"height"}, Align::right},
                   {{"cases"}, Align::right},
                   {{"worst", "error /", "tolerance"}, Align::right},
                   {{"worst", "error /", "A"}, Align::right},
                   {{"verdict"}, Align::left}});
  for (const engine::CheckResult& check : checks) {
    if (check.property != accuracy_property) continue;
    const auto kernel = std::find_if(kernels.begin(), kernels.end(),
                                     [&](const KernelInfo& k) { return k.name == check.kernel; });
    const bool measured = check.cases > 0;
    table.add_row({{check.kernel},
                   {kernel == kernels.end() ? "" : std::string(name(kernel->contract.accumulation))},
                   {check.worst.height ? fmt::format("{}", *check.worst.height)
                    : kernel != kernels.end() && kernel->contract.order == Order::any ? "any"
                                                                                      : ""},
                   {fmt::format("{}", check.cases)},
                   {measured ? short_number(check.worst.error_over_tolerance) : ""},
                   {measured ? short_number(check.worst.error_over_sum_abs) : ""},
                   {std::string(name_of(check.verdict)), tone_of(check.verdict)}});
  }
  return table.empty() ? std::string() : table.to_string(look);
}

std::string verdict_matrix(std::span<const engine::CheckResult> checks, const Look& look) {
  const std::vector<std::string> kernels = distinct(checks, &engine::CheckResult::kernel);
  const std::vector<std::string> properties = distinct(checks, &engine::CheckResult::property);
  if (kernels.empty()) return {};

  std::map<std::pair<std::string_view, std::string_view>, VerdictKind> verdicts;
  bool used[5] = {};
  for (const auto& check : checks) {
    verdicts[{check.kernel, check.property}] = check.verdict;
    used[static_cast<std::size_t>(check.verdict)] = true;
  }

  std::vector<Column> columns{{{"kernel"}, Align::left}};
  for (std::size_t p = 0; p < properties.size(); ++p) columns.push_back({{letter(p)}, Align::left});
  TextTable table(columns);
  for (const std::string& kernel : kernels) {
    std::vector<Cell> row{{kernel}};
    for (const std::string& property : properties) {
      const auto found = verdicts.find({kernel, property});
      row.push_back(found == verdicts.end()
                        ? Cell{" "}
                        : Cell{std::string(sign_of(found->second, look)), tone_of(found->second)});
    }
    table.add_row(std::move(row));
  }
  std::string text = table.to_string(look);

  // The legend: as many columns of the same width as fit.
  std::size_t widest = 0;
  for (std::size_t p = 0; p < properties.size(); ++p) {
    widest = std::max(widest, letter(p).size() + 1 + display_width(properties[p]));
  }
  const std::size_t across = std::max<std::size_t>(1, (look.width + 2) / (widest + 2));
  text += '\n';
  for (std::size_t p = 0; p < properties.size(); ++p) {
    const std::string entry = fmt::format("{} {}", letter(p), properties[p]);
    const bool last = (p + 1) % across == 0 || p + 1 == properties.size();
    text += entry;
    text += last ? "\n" : std::string(widest + 2 - display_width(entry), ' ');
  }
  std::string signs;
  for (const VerdictKind verdict : {VerdictKind::holds, VerdictKind::falsified, VerdictKind::no_power,
                                    VerdictKind::inapplicable, VerdictKind::not_run}) {
    if (!used[static_cast<std::size_t>(verdict)]) continue;
    signs += fmt::format("{}{} {}", signs.empty() ? "" : "   ", sign_of(verdict, look), name_of(verdict));
  }
  return text + signs + '\n';
}

std::string reasons(std::span<const engine::CheckResult> checks, const Look& look) {
  // A reason that many checks share is said once.
  struct Entry {
    VerdictKind verdict;
    std::string reason;
    std::vector<const engine::CheckResult*> checks;
  };
  std::vector<Entry> entries;
  for (const auto& check : checks) {
    if (check.verdict == VerdictKind::holds || check.verdict == VerdictKind::falsified) continue;
    const auto found = std::find_if(entries.begin(), entries.end(), [&](const Entry& e) {
      return e.verdict == check.verdict && e.reason == check.reason;
    });
    Entry& entry =
        found == entries.end() ? entries.emplace_back(Entry{check.verdict, check.reason, {}}) : *found;
    entry.checks.push_back(&check);
  }

  std::string text;
  for (const Entry& entry : entries) {
    std::string line = fmt::format("{}: {}", name_of(entry.verdict),
                                   entry.reason.empty() ? "no reason given" : entry.reason);
    if (entry.checks.size() == checks.size() && checks.size() > 1) {
      line += " (every check)";
    } else {
      line += " (";
      constexpr std::size_t most = 4;
      for (std::size_t i = 0; i < std::min(most, entry.checks.size()); ++i) {
        line +=
            fmt::format("{}{}.{}", i == 0 ? "" : ", ", entry.checks[i]->kernel, entry.checks[i]->property);
      }
      if (entry.checks.size() > most) line += fmt::format(" and {} more", entry.checks.size() - most);
      line += ")";
    }
    text += wrapped(line, look.width, "  ") + '\n';
  }
  return text;
}

std::string summary(const Tally& tally, const Look& look) {
  std::string counts;
  const auto add = [&](std::uint64_t count, VerdictKind verdict) {
    if (!counts.empty()) counts += ", ";
    counts += toned(fmt::format("{} {}", grouped(count), name_of(verdict)),
                    count > 0 ? tone_of(verdict) : Tone::plain, look);
  };
  add(tally.holds, VerdictKind::holds);
  add(tally.falsified, VerdictKind::falsified);
  add(tally.no_power, VerdictKind::no_power);
  add(tally.inapplicable, VerdictKind::inapplicable);
  add(tally.not_run, VerdictKind::not_run);

  std::string text = fmt::format("{} checks: {}\n", grouped(tally.checks()), counts);
  std::string cases = fmt::format("{} cases judged in {} kernel runs, {:.1f} s", grouped(tally.cases),
                                  grouped(tally.runs), tally.seconds);
  cases +=
      fmt::format("; {} zero-blind (the answer zero would have passed)", grouped(tally.zero_blind_cases));
  if (tally.no_power_cases > 0) cases += fmt::format("; {} without power", grouped(tally.no_power_cases));
  if (tally.inapplicable_cases > 0)
    cases += fmt::format("; {} inapplicable", grouped(tally.inapplicable_cases));
  if (tally.warnings > 0) cases += fmt::format("; {} warnings", grouped(tally.warnings));
  text += wrapped(cases, look.width, "  ") + '\n';
  if (tally.holds > 0) {
    text += wrapped(
                "A pass does not exclude inputs, geometries and schedules that were not tried, nor an error "
                "that stays "
                "inside the tolerance.",
                look.width, "  ") +
            '\n';
  }
  return text;
}

}  // namespace warpcheck::report

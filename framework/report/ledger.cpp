#include "framework/report/ledger.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include "framework/report/number_json.hpp"
#include "framework/report/text_table.hpp"

namespace warpcheck::report {

namespace {

using Json = nlohmann::ordered_json;

constexpr double infinity = std::numeric_limits<double>::infinity();

LedgerRow ledger_row(const KernelContract& contract, std::uint64_t n, const Geometry& geometry) {
  LedgerRow row;
  row.n = n;
  row.geometry = geometry;
  row.height = contract.height(n, geometry);
  row.terms = numeric::bound_terms(contract.model(n, geometry), n);
  if (row.terms) {
    const numeric::BoundTerms& terms = *row.terms;
    // |S| ≤ a·A + s·|S| exactly when κ ≥ (1 − s)/a.
    row.zero_blind_from =
        terms.sum_abs_coefficient > 0 ? (1 - terms.sum_coefficient) / terms.sum_abs_coefficient : infinity;
    const double largest = numeric::to_double(numeric::largest_finite(contract.accumulation));
    row.largest_sum_abs = largest / terms.growth;
  }
  return row;
}

/// The part of a formula that does not depend on n.
std::string general_part(const std::string& formula) {
  return formula.substr(0, formula.find(';'));
}

std::string formats_text(const KernelContract& contract) {
  return fmt::format("{} of {}, adds in {}, gives {}", name_of(contract.operation), name(contract.input),
                     name(contract.accumulation), name(contract.output));
}

}  // namespace

std::string order_text(const KernelContract& contract) {
  switch (contract.order) {
    case Order::any:
      return "any order";
    case Order::height:
      return "height " + contract.order_expression;
    case Order::tree:
      return "tree " + contract.order_expression;
  }
  return {};
}

Geometry usual_geometry(const KernelContract& contract, std::uint64_t n) {
  constexpr std::uint32_t usual_block = 256;
  const std::uint32_t step = contract.block_multiple;
  const std::uint32_t smallest = (contract.min_block + step - 1) / step * step;
  const std::uint32_t largest = contract.max_block / step * step;
  Geometry geometry;
  geometry.block = std::clamp(usual_block / step * step, smallest, largest);
  const std::uint64_t wanted = numeric::ceil_div(std::max<std::uint64_t>(n, 1), geometry.block);
  geometry.grid = static_cast<std::uint32_t>(
      std::min<std::uint64_t>({wanted, 1024, static_cast<std::uint64_t>(contract.max_grid)}));
  return geometry;
}

KernelLedger ledger(const KernelInfo& kernel, std::span<const std::uint64_t> lengths,
                    const std::optional<Geometry>& geometry) {
  KernelLedger result{kernel, {}};
  for (const std::uint64_t n : lengths) {
    result.rows.push_back(
        ledger_row(kernel.contract, n, geometry ? *geometry : usual_geometry(kernel.contract, n)));
  }
  return result;
}

std::string ledger_text(std::span<const KernelLedger> ledgers, const Look& look) {
  std::string text = wrapped(
                         "|got - S| <= a*A + s*|S| + c, with S the exact sum and A the exact sum of "
                         "magnitudes; fixed before any run.",
                         look.width) +
                     "\n";
  for (const KernelLedger& ledger : ledgers) {
    const KernelContract& contract = ledger.kernel.contract;
    text += fmt::format("\n{}\n", toned(ledger.kernel.name, Tone::heading, look));
    text +=
        wrapped(fmt::format("  {}; {}", formats_text(contract), order_text(contract)), look.width, "    ") +
        '\n';

    // A formula and its source once, with the lengths that they are the smallest bound for.
    std::vector<std::pair<std::string, std::string>> formulas;
    for (const LedgerRow& row : ledger.rows) {
      const std::string formula =
          row.terms ? fmt::format("bound: {}   [{}]", general_part(row.terms->formula), row.terms->source)
                    : std::string("no a-priori bound: only the bitwise properties judge");
      const std::string n = grouped(row.n);
      const auto found =
          std::find_if(formulas.begin(), formulas.end(), [&](const auto& f) { return f.first == formula; });
      if (found == formulas.end()) {
        formulas.emplace_back(formula, n);
      } else {
        found->second += "; " + n;
      }
    }
    for (const auto& [formula, lengths] : formulas) {
      text += wrapped(fmt::format("  {}{}", formula,
                                  formulas.size() > 1 ? fmt::format(" for n = {}", lengths) : ""),
                      look.width, "    ") +
              '\n';
    }

    TextTable table({{{"n"}, Align::right},
                     {{"grid"}, Align::right},
                     {{"block"}, Align::right},
                     {{"height"}, Align::right},
                     {{"a (of A)"}, Align::right},
                     {{"s (of |S|)"}, Align::right},
                     {{"c"}, Align::right},
                     {{"zero passes", "from A/|S|"}, Align::right}});
    bool vacuous = false;
    double largest_sum_abs = infinity;
    for (const LedgerRow& row : ledger.rows) {
      const bool bound = row.terms.has_value();
      vacuous = vacuous || (bound && row.terms->vacuous);
      if (bound) largest_sum_abs = std::min(largest_sum_abs, row.largest_sum_abs);
      table.add_row({{grouped(row.n)},
                     {fmt::format("{}", row.geometry.grid)},
                     {fmt::format("{}", row.geometry.block)},
                     {row.height ? grouped(*row.height) : "any"},
                     {bound ? short_number(row.terms->sum_abs_coefficient) : "none"},
                     {bound ? short_number(row.terms->sum_coefficient) : "none"},
                     {bound ? short_number(row.terms->absolute) : "none"},
                     {!bound                            ? "none"
                      : row.terms->vacuous              ? "always"
                      : std::isinf(row.zero_blind_from) ? "never"
                                                        : short_number(row.zero_blind_from)}});
    }
    text += table.to_string(look);
    if (vacuous) {
      text += wrapped(
                  "  no power where a >= 1: no answer short of the absurd could fail, and none is counted as "
                  "a pass",
                  look.width, "    ") +
              '\n';
    }
    if (std::isfinite(largest_sum_abs) && largest_sum_abs > 0) {
      text += wrapped(fmt::format("  assumes A <= {}: no partial sum overflows {}",
                                  short_number(largest_sum_abs), name(contract.accumulation)),
                      look.width, "    ") +
              '\n';
    }
  }
  text += "\nAssumptions: ";
  text += wrapped(
      "each element is added once, in the declared order; additions round to nearest, ties to even, and keep "
      "subnormals; u is the unit roundoff of the accumulation, v = u/(1+u), h the height counted in "
      "additions that "
      "can round; all elements are finite.",
      look.width - 13);
  // The first line is shorter by the heading, the rest may use the same width.
  text += "\nPower: ";
  text += wrapped(
      "an element smaller than twice the tolerance could be lost unseen by this bound alone (exact_window "
      "sees it); "
      "where A/|S| reaches the last column the answer zero would pass, which run counts as zero-blind.",
      look.width - 7);
  return text + '\n';
}

std::string ledger_json(std::span<const KernelLedger> ledgers) {
  Json json;
  json["version"] = 1;
  json["kernels"] = Json::array();
  for (const KernelLedger& ledger : ledgers) {
    const KernelContract& contract = ledger.kernel.contract;
    Json entry;
    entry["kernel"] = ledger.kernel.name;
    entry["input"] = name(contract.input);
    entry["accumulation"] = name(contract.accumulation);
    entry["output"] = name(contract.output);
    entry["order"] = order_text(contract);
    entry["rows"] = Json::array();
    for (const LedgerRow& row : ledger.rows) {
      Json line;
      line["n"] = row.n;
      line["grid"] = row.geometry.grid;
      line["block"] = row.geometry.block;
      line["height"] = row.height ? Json(*row.height) : Json(nullptr);
      const auto with_terms = [&](auto value) { return row.terms ? Json(value(*row.terms)) : Json(nullptr); };
      line["sum_abs_coefficient"] =
          with_terms([](const auto& t) { return number_json(t.sum_abs_coefficient); });
      line["sum_coefficient"] = with_terms([](const auto& t) { return number_json(t.sum_coefficient); });
      line["absolute"] = with_terms([](const auto& t) { return number_json(t.absolute); });
      line["formula"] = with_terms([](const auto& t) { return t.formula; });
      line["source"] = with_terms([](const auto& t) { return t.source; });
      line["vacuous"] = with_terms([](const auto& t) { return t.vacuous; });
      line["zero_blind_from"] = with_terms([&](const auto&) { return number_json(row.zero_blind_from); });
      line["largest_sum_abs"] = with_terms([&](const auto&) { return number_json(row.largest_sum_abs); });
      entry["rows"].push_back(std::move(line));
    }
    json["kernels"].push_back(std::move(entry));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace warpcheck::report

#include "framework/report/orders_report.hpp"

#include <fmt/format.h>

#include "framework/numeric/text.hpp"
#include "framework/report/number_json.hpp"
#include "framework/report/text_table.hpp"

namespace warpcheck::report {

using numeric::Value;

namespace {

using Json = nlohmann::ordered_json;

/// Exact numbers up to this many characters stand in the table as they are.
constexpr std::size_t longest_in_table = 16;

std::string in_table(const numeric::Decimal& number) {
  std::string exact = number.exact_string();
  if (exact.size() <= longest_in_table) return exact;
  return fmt::format("~{}", number.to_string(6));
}

std::string special_text(numeric::SpecialSum special) {
  switch (special) {
    case numeric::SpecialSum::nan:
      return "nan";
    case numeric::SpecialSum::positive_infinity:
      return "inf";
    case numeric::SpecialSum::negative_infinity:
      return "-inf";
  }
  return {};
}

/// The exact sum; forced by non-finite elements where there are any.
std::string reference_text(const OrderStudy& study, bool full) {
  if (const auto special = study.reference.special()) return special_text(*special);
  if (study.reference.all_negative_zero) return "-0";
  return full ? study.reference.sum.exact_string() : in_table(study.reference.sum);
}

std::string sum_abs_text(const OrderStudy& study, bool full) {
  if (study.reference.has_nan) return "nan";
  if (study.reference.nonfinite_count > 0) return "inf";
  return full ? study.reference.sum_abs.exact_string() : in_table(study.reference.sum_abs);
}

std::string error_text(const OrderResult& result) {
  if (!result.fault.empty()) return "";
  if (result.abs_error) return in_table(*result.abs_error);
  return result.forced ? "0" : "inf";
}

std::string joined(std::span<const Value> values, std::string_view separator) {
  std::string text;
  for (const Value value : values) {
    if (!text.empty()) text += separator;
    text += numeric::to_decimal(value);
  }
  return text;
}

std::string set_text(const std::vector<Value>& values) {
  constexpr std::size_t most = 12;
  if (values.size() <= most) return fmt::format("{{{}}}", joined(values, ", "));
  const std::span<const Value> all(values);
  return fmt::format("{{{}, .., {}}} ({} different)", joined(all.first(most - 2), ", "),
                     joined(all.last(2), ", "), values.size());
}

/// The result of a kernel, with its error beside it.
Cell kernel_cell(const OrderResult& result) {
  if (!result.fault.empty()) return {result.fault.substr(0, result.fault.find(':')), Tone::bad};
  return {fmt::format("{}{}", numeric::to_decimal(result.value), result.beyond_bound ? " !" : ""),
          result.beyond_bound ? Tone::bad : Tone::plain};
}

Json error_json(const OrderResult& result) {
  if (!result.fault.empty()) return nullptr;
  if (result.abs_error) return number_json(*result.abs_error);
  if (result.forced) return 0;
  return "inf";
}

Json values_json(std::span<const Value> values) {
  Json json = Json::array();
  for (const Value value : values) json.push_back(number_json(value));
  return json;
}

}  // namespace

std::string orders_text(const OrderStudy& study, const Look& look) {
  std::string text = fmt::format("{} distinct order{} of {} {} value{}", grouped_digits(study.orders),
                                 study.orders == "1" ? "" : "s", study.values.size(),
                                 numeric::name(study.format), study.values.size() == 1 ? "" : "s");
  if (study.sampled) text += fmt::format(", a sample of {}", study.rows.size());
  text += '\n';
  text += wrapped("exact sum: " + reference_text(study, true), look.width, "  ") + '\n';
  text += wrapped("sum of magnitudes: " + sum_abs_text(study, true), look.width, "  ") + '\n';
  text +=
      wrapped(fmt::format("cancellation ratio: {}", short_number(study.reference.condition)), look.width) +
      "\n\n";

  std::size_t widest = 0;
  for (const OrderRow& row : study.rows) widest = std::max(widest, joined(row.inputs, " ").size());
  const bool numbered = widest > look.width / 2;
  if (numbered) {
    for (std::size_t r = 0; r < study.rows.size(); ++r) {
      text +=
          wrapped(fmt::format("#{} {}", r + 1, joined(study.rows[r].inputs, " ")), look.width, "    ") + '\n';
    }
    text += '\n';
  }

  std::vector<Column> columns{{{numbered ? "order" : "inputs"}, Align::left},
                              {{"serial"}, Align::right},
                              {{"pairwise"}, Align::right},
                              {{"reference"}, Align::right},
                              {{"|error|", "serial"}, Align::right},
                              {{"|error|", "pairwise"}, Align::right},
                              {{"sum of", "magnitudes"}, Align::right}};
  for (const KernelInfo& kernel : study.kernels) {
    columns.push_back({{"kernel", kernel.name}, Align::right});
    columns.push_back({{"|error|"}, Align::right, true});
  }
  TextTable table(columns);
  const std::string reference = reference_text(study, false);
  const std::string sum_abs = sum_abs_text(study, false);
  for (std::size_t r = 0; r < study.rows.size(); ++r) {
    const OrderRow& row = study.rows[r];
    std::vector<Cell> cells{{numbered ? fmt::format("#{}", r + 1) : joined(row.inputs, " ")},
                            {numeric::to_decimal(row.serial.value)},
                            {numeric::to_decimal(row.pairwise.value)},
                            {reference},
                            {error_text(row.serial)},
                            {error_text(row.pairwise)},
                            {sum_abs}};
    for (const OrderResult& result : row.kernels) {
      cells.push_back(kernel_cell(result));
      cells.push_back({error_text(result)});
    }
    table.add_row(std::move(cells));
  }
  text += table.to_string(look);

  text += "\noutcomes\n";
  const auto outcome = [&](std::string_view what, const std::vector<Value>& values) {
    text += wrapped(fmt::format("  {} {}", what, set_text(values)), look.width, "      ") + '\n';
  };
  outcome("serial order", serial_outcomes(study));
  outcome("pairwise tree", pairwise_outcomes(study));
  for (std::size_t k = 0; k < study.kernels.size(); ++k) {
    outcome(fmt::format("kernel {}", study.kernels[k].name), kernel_outcomes(study, k));
  }
  if (!study.kernels.empty()) {
    text += "\nkernels\n";
    for (std::size_t k = 0; k < study.kernels.size(); ++k) {
      text += wrapped(fmt::format("  {} with grid {}, block {}: tolerance {}", study.kernels[k].name,
                                  study.geometries[k].grid, study.geometries[k].block, study.tolerances[k]),
                      look.width, "      ") +
              '\n';
      std::size_t faults = 0;
      std::size_t beyond = 0;
      std::string first;
      for (const OrderRow& row : study.rows) {
        const OrderResult& result = row.kernels[k];
        if (!result.fault.empty() && faults++ == 0) first = result.fault;
        beyond += result.beyond_bound ? 1 : 0;
      }
      if (faults > 0) {
        text +=
            wrapped(fmt::format("    {} of {} runs did not complete: {}", faults, study.rows.size(), first),
                    look.width, "      ") +
            '\n';
      }
      if (beyond > 0) {
        text += wrapped(fmt::format("    {} of {} results (marked !) are not what the contract allows",
                                    beyond, study.rows.size()),
                        look.width, "      ") +
                '\n';
      }
    }
  }
  return text;
}

std::string orders_json(const OrderStudy& study) {
  const auto special = study.reference.special();
  const Json reference = special                             ? Json(special_text(*special))
                         : study.reference.all_negative_zero ? Json(-0.0)
                                                             : number_json(study.reference.sum);
  const Json sum_abs = study.reference.nonfinite_count > 0 ? Json(sum_abs_text(study, true))
                                                           : number_json(study.reference.sum_abs);
  Json json;
  json["version"] = 1;
  json["format"] = numeric::name(study.format);
  const bool exact = study.orders.size() < 16;
  json["orders"] = exact ? Json(std::stoull(study.orders)) : Json(study.orders);
  json["sampled"] = study.sampled;
  json["reference"] = reference;
  json["sum_abs"] = sum_abs;
  json["condition"] = number_json(study.reference.condition);
  json["rows"] = Json::array();
  for (const OrderRow& row : study.rows) {
    Json entry;
    entry["inputs"] = values_json(row.inputs);
    entry["serial"] = number_json(row.serial.value);
    entry["pairwise"] = number_json(row.pairwise.value);
    entry["reference"] = reference;
    entry["serial_abs_error"] = error_json(row.serial);
    entry["pairwise_abs_error"] = error_json(row.pairwise);
    entry["sum_abs"] = sum_abs;
    entry["kernels"] = Json::object();
    entry["kernel_abs_errors"] = Json::object();
    for (std::size_t k = 0; k < study.kernels.size(); ++k) {
      const OrderResult& result = row.kernels[k];
      entry["kernels"][study.kernels[k].name] =
          result.fault.empty() ? number_json(result.value) : Json(result.fault);
      entry["kernel_abs_errors"][study.kernels[k].name] = error_json(result);
    }
    json["rows"].push_back(std::move(entry));
  }
  json["serial_results"] = values_json(serial_outcomes(study));
  json["pairwise_results"] = values_json(pairwise_outcomes(study));
  json["kernel_results"] = Json::object();
  for (std::size_t k = 0; k < study.kernels.size(); ++k) {
    json["kernel_results"][study.kernels[k].name] = values_json(kernel_outcomes(study, k));
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace warpcheck::report

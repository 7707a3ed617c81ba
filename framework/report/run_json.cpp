#include "framework/report/run_json.hpp"

#include <algorithm>

#include "framework/report/inputs_text.hpp"
#include "framework/report/number_json.hpp"
#include "framework/report/tally.hpp"

namespace warpcheck::report {

namespace {

using Json = nlohmann::ordered_json;

std::string identifier(std::string_view words) {
  std::string text(words);
  std::replace(text.begin(), text.end(), ' ', '_');
  return text;
}

Json counterexample_json(const engine::CheckResult& check) {
  if (!check.counterexample) return nullptr;
  const engine::Counterexample& found = *check.counterexample;
  Json json;
  json["file"] = check.stored_as.empty() ? Json(nullptr) : Json(check.stored_as.string());
  json["n"] = found.reduced.n();
  json["grid"] = found.reduced.geometry.grid;
  json["block"] = found.reduced.geometry.block;
  json["family"] = found.reduced.family;
  json["inputs"] = inputs_text(*found.reduced.input);
  json["expected"] = found.verdict.expected;
  json["got"] = found.verdict.got;
  json["bound"] = found.verdict.bound;
  json["reason"] = found.verdict.reason;
  json["flaky"] = found.flaky;
  json["reduction_runs"] = found.reduction_runs;
  return json;
}

Json check_json(const engine::CheckResult& check) {
  Json json;
  json["kernel"] = check.kernel;
  json["property"] = check.property;
  json["executor"] = check.executor;
  json["verdict"] = identifier(name_of(check.verdict));
  json["class"] =
      check.verdict == VerdictKind::falsified ? Json(identifier(name_of(check.failure))) : Json(nullptr);
  json["reason"] = check.reason;
  json["cases"] = check.cases;
  json["inapplicable_cases"] = check.inapplicable_cases;
  json["no_power_cases"] = check.no_power_cases;
  json["zero_blind_cases"] = check.zero_blind_cases;
  json["required_cases"] = check.required_cases;
  json["runs"] = check.runs;
  json["warnings"] = check.warnings;
  json["seconds"] = number_json(check.seconds);
  json["worst"] = Json{{"abs_error", number_json(check.worst.abs_error)},
                       {"error_over_sum_abs", number_json(check.worst.error_over_sum_abs)},
                       {"error_over_tolerance", number_json(check.worst.error_over_tolerance)},
                       {"condition", number_json(check.worst.condition)},
                       {"height", check.worst.height ? Json(*check.worst.height) : Json(nullptr)}};
  json["notes"] = check.notes;
  json["counterexample"] = counterexample_json(check);
  return json;
}

}  // namespace

std::string run_json(std::uint64_t seed, std::string_view executor,
                     std::span<const engine::CheckResult> checks) {
  Json json;
  json["version"] = 1;
  json["program"] = "warpcheck " WARPCHECK_VERSION;
  json["seed"] = seed;
  json["executor"] = executor;
  json["checks"] = Json::array();
  for (const auto& check : checks) json["checks"].push_back(check_json(check));
  const Tally sum = tally(checks);
  json["summary"] = Json{{"holds", sum.holds},       {"falsified", sum.falsified},
                         {"no_power", sum.no_power}, {"inapplicable", sum.inapplicable},
                         {"not_run", sum.not_run},   {"zero_blind_cases", sum.zero_blind_cases}};
  // Text from plug-ins need not be UTF-8; a bad byte must not cost the report.
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace warpcheck::report

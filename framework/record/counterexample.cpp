#include "framework/record/counterexample.hpp"

#include <stdexcept>
#include <utility>

#include "framework/record/element_text.hpp"
#include "framework/record/equal_run.hpp"
#include "framework/record/strict_json.hpp"

namespace warpcheck::record {
namespace {

constexpr std::string_view file_kind = "warpcheck counterexample";
constexpr std::uint64_t file_version = 1;
// Sixteen times the largest array that a test has a use for; keeps a damaged count from asking for all
// memory.
constexpr std::uint64_t most_elements = std::uint64_t{1} << 30;

constexpr std::pair<Schedule::Order, std::string_view> schedule_orders[] = {
    {Schedule::Order::lowest_first, "lowest first"},
    {Schedule::Order::highest_first, "highest first"},
    {Schedule::Order::random, "random"}};

// Writing.

Json elements_json(const InputArray& array) {
  Json elements = Json::array();
  for (const EqualRun& run : equal_runs(array)) {
    Json text = element_bits_text(run.value);
    elements.push_back(run.count == 1 ? std::move(text) : Json::array({std::move(text), run.count}));
  }
  return elements;
}

Json case_json(const Case& test_case) {
  if (test_case.n() > most_elements) {
    throw std::invalid_argument("a counterexample of " + std::to_string(test_case.n()) +
                                " elements does not fit into a file; at most " +
                                std::to_string(most_elements) + " do");
  }
  std::string_view order;
  for (const auto& [value, name] : schedule_orders) {
    if (value == test_case.schedule.order) order = name;
  }
  Json parameters = Json::array();
  for (const auto& [name, value] : test_case.parameters) parameters.push_back(Json::array({name, value}));
  Json object;
  object["format"] = numeric::name(test_case.input->format());
  object["n"] = test_case.n();
  object["elements"] = elements_json(*test_case.input);
  object["grid"] = test_case.geometry.grid;
  object["block"] = test_case.geometry.block;
  object["pointer_offset"] = test_case.pointer_offset;
  object["schedule"] = {{"order", order}, {"seed", test_case.schedule.seed}};
  object["family"] = test_case.family;
  object["parameters"] = std::move(parameters);
  return object;
}

Json measures_json(const Measures& measures) {
  Json object;
  object["abs_error"] = number_json(measures.abs_error);
  object["error_over_sum_abs"] = number_json(measures.error_over_sum_abs);
  object["error_over_tolerance"] = number_json(measures.error_over_tolerance);
  object["condition"] = number_json(measures.condition);
  object["tolerance_over_sum_abs"] = number_json(measures.tolerance_over_sum_abs);
  object["ulps"] = measures.ulps ? Json(*measures.ulps) : Json();
  object["height"] = measures.height ? Json(*measures.height) : Json();
  object["zero_blind"] = measures.zero_blind;
  return object;
}

Json party_json(const Party& party) {
  Json stack = Json::array();
  for (const SourceLine& line : party.stack) {
    stack.push_back({{"file", line.file}, {"line", line.line}, {"function", line.function}});
  }
  Json object;
  object["block"] = Json::array({party.block[0], party.block[1], party.block[2]});
  object["thread"] = Json::array({party.thread[0], party.thread[1], party.thread[2]});
  object["lane"] = party.lane;
  object["stack"] = std::move(stack);
  return object;
}

Json finding_json(const Finding& finding) {
  Json parties = Json::array();
  for (const Party& party : finding.parties) parties.push_back(party_json(party));
  Json object;
  object["kind"] = name_of(finding.kind);
  object["message"] = finding.message;
  object["kernel"] = finding.kernel;
  object["object"] = finding.object;
  object["advice"] = finding.advice;
  object["count"] = finding.count;
  object["parties"] = std::move(parties);
  return object;
}

Json verdict_json(const Verdict& verdict) {
  Json findings = Json::array();
  for (const Finding& finding : verdict.findings) findings.push_back(finding_json(finding));
  Json object;
  object["kind"] = name_of(verdict.kind);
  object["class"] = name_of(verdict.failure);
  object["reason"] = verdict.reason;
  object["expected"] = verdict.expected;
  object["got"] = verdict.got;
  object["bound"] = verdict.bound;
  object["measures"] = measures_json(verdict.measures);
  object["findings"] = std::move(findings);
  object["runs"] = verdict.runs;
  return object;
}

// Reading.

std::pair<numeric::Value, std::uint64_t> read_run(const Json& item, const std::string& path,
                                                  numeric::Format format) {
  const bool pair = item.is_array();
  if (pair && (item.size() != 2 || !item[0].is_string() || !item[1].is_number_unsigned() || item[1] == 0u)) {
    reject(path, "should be a value, or a pair of a value and how often it repeats (at least 1)");
  }
  const Json& text = pair ? item[0] : item;
  if (!text.is_string()) reject(path, "is " + short_text(text) + R"(, should be text such as "0x1.8p+3")");
  const auto parsed = read_element_bits(text.get_ref<const std::string&>(), format);
  if (!parsed) reject(path, parsed.error);
  return {*parsed.value, pair ? item[1].get<std::uint64_t>() : 1};
}

std::shared_ptr<const InputArray> read_elements(const Json& items, const std::string& path,
                                                numeric::Format format, std::uint64_t n) {
  std::vector<std::pair<numeric::Value, std::uint64_t>> runs;
  std::uint64_t total = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    runs.push_back(read_run(items[i], path + "[" + std::to_string(i) + "]", format));
    const std::uint64_t count = runs.back().second;
    if (count > n - total) {
      reject(path, "holds more than n = " + std::to_string(n) + " elements");
    }
    total += count;
  }
  if (total != n) {
    reject(path, "holds " + std::to_string(total) + " elements, should hold n = " + std::to_string(n));
  }
  // Nothing is allocated before the counts have been found to agree with n.
  std::vector<std::byte> bytes(n * numeric::size_in_bytes(format));
  std::size_t index = 0;
  for (const auto& [value, count] : runs) {
    for (std::uint64_t i = 0; i < count; ++i) numeric::store(value, bytes, index++);
  }
  return std::make_shared<const InputArray>(format, std::move(bytes));
}

Schedule read_schedule(Fields fields) {
  Schedule schedule;
  const std::string order = fields.text("order");
  bool known = false;
  for (const auto& [value, name] : schedule_orders) {
    if (name != order) continue;
    schedule.order = value;
    known = true;
  }
  if (!known) {
    reject(fields.path_of("order"),
           "is " + short_text(Json(order)) + R"(, should be "lowest first", "highest first" or "random")");
  }
  schedule.seed = fields.integer("seed");
  fields.finish();
  return schedule;
}

Case read_case(Fields fields) {
  Case test_case;
  const std::string format_name = fields.text("format");
  const auto format = numeric::format_from_name(format_name);
  if (!format)
    reject(fields.path_of("format"),
           "is " + short_text(Json(format_name)) + R"(, should be "fp32" or "fp64")");
  const std::uint64_t n = fields.integer("n", 0, most_elements);
  test_case.input = read_elements(fields.array("elements"), fields.path_of("elements"), *format, n);
  test_case.geometry.grid = fields.integer32("grid", 1);
  test_case.geometry.block = fields.integer32("block", 1);
  test_case.pointer_offset = fields.integer32("pointer_offset");
  test_case.schedule = read_schedule(fields.object("schedule"));
  test_case.family = fields.text("family");
  const Json& parameters = fields.array("parameters");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Json& item = parameters[i];
    if (!item.is_array() || item.size() != 2 || !item[0].is_string() || !item[1].is_string()) {
      reject(fields.path_of("parameters") + "[" + std::to_string(i) + "]",
             "should be a pair of name and value, both text");
    }
    test_case.parameters.emplace_back(item[0].get<std::string>(), item[1].get<std::string>());
  }
  fields.finish();
  return test_case;
}

Measures read_measures(Fields fields) {
  Measures measures;
  measures.abs_error = fields.number("abs_error");
  measures.error_over_sum_abs = fields.number("error_over_sum_abs");
  measures.error_over_tolerance = fields.number("error_over_tolerance");
  measures.condition = fields.number("condition");
  measures.tolerance_over_sum_abs = fields.number("tolerance_over_sum_abs");
  if (!fields.is_null("ulps")) measures.ulps = fields.integer("ulps");
  if (!fields.is_null("height")) measures.height = fields.integer("height");
  measures.zero_blind = fields.boolean("zero_blind");
  fields.finish();
  return measures;
}

void read_triple(Fields& fields, std::string_view name, std::uint32_t (&triple)[3]) {
  const Json& items = fields.array(name);
  bool fits = items.size() == 3;
  for (std::size_t i = 0; fits && i < 3; ++i) {
    fits = items[i].is_number_unsigned() && items[i].get<std::uint64_t>() <= UINT32_MAX;
    if (fits) triple[i] = items[i].get<std::uint32_t>();
  }
  if (!fits) reject(fields.path_of(name), "should be three whole numbers below 2^32");
}

Party read_party(Fields fields) {
  Party party;
  read_triple(fields, "block", party.block);
  read_triple(fields, "thread", party.thread);
  party.lane = fields.integer32("lane");
  const Json& stack = fields.array("stack");
  for (std::size_t i = 0; i < stack.size(); ++i) {
    Fields line(stack[i], fields.path_of("stack") + "[" + std::to_string(i) + "]");
    SourceLine place;
    place.file = line.text("file");
    place.line = line.integer32("line");
    place.function = line.text("function");
    line.finish();
    party.stack.push_back(std::move(place));
  }
  fields.finish();
  return party;
}

Finding read_finding(Fields fields) {
  Finding finding;
  try {
    finding.kind = finding_kind_from_name(fields.text("kind"));
  } catch (const std::invalid_argument&) {
    reject(fields.path_of("kind"),
           "is " + short_text(fields.any("kind")) + ", should be the name of a kind of finding");
  }
  finding.message = fields.text("message");
  finding.kernel = fields.text("kernel");
  finding.object = fields.text("object");
  finding.advice = fields.text("advice");
  finding.count = fields.integer("count");
  const Json& parties = fields.array("parties");
  for (std::size_t i = 0; i < parties.size(); ++i) {
    finding.parties.push_back(
        read_party(Fields(parties[i], fields.path_of("parties") + "[" + std::to_string(i) + "]")));
  }
  fields.finish();
  return finding;
}

Verdict read_verdict(Fields fields) {
  Verdict verdict;
  const std::string kind = fields.text("kind");
  const auto known_kind = verdict_kind_from_name(kind);
  if (known_kind != VerdictKind::falsified) {
    reject(fields.path_of("kind"), "is " + short_text(Json(kind)) + R"(, should be "falsified")");
  }
  verdict.kind = *known_kind;
  const std::string failure = fields.text("class");
  const auto known_class = failure_class_from_name(failure);
  if (!known_class || *known_class == FailureClass::none) {
    reject(fields.path_of("class"),
           "is " + short_text(Json(failure)) + R"(, should be a class such as "over the bound")");
  }
  verdict.failure = *known_class;
  verdict.reason = fields.text("reason");
  verdict.expected = fields.text("expected");
  verdict.got = fields.text("got");
  verdict.bound = fields.text("bound");
  verdict.measures = read_measures(fields.object("measures"));
  const Json& findings = fields.array("findings");
  for (std::size_t i = 0; i < findings.size(); ++i) {
    verdict.findings.push_back(
        read_finding(Fields(findings[i], fields.path_of("findings") + "[" + std::to_string(i) + "]")));
  }
  verdict.runs = fields.integer("runs");
  fields.finish();
  return verdict;
}

}  // namespace

std::string to_json(const Counterexample& counterexample) {
  Json document;
  document["file"] = file_kind;
  document["version"] = file_version;
  document["kernel"] = counterexample.kernel;
  document["property"] = counterexample.property;
  document["executor"] = counterexample.executor;
  document["plugin"] = counterexample.plugin;
  document["contract"] = counterexample.contract_hash;
  document["built_with"] = counterexample.built_with;
  document["seed"] = counterexample.seed;
  document["flaky"] = counterexample.flaky;
  document["reduction_runs"] = counterexample.reduction_runs;
  document["reduced"] = case_json(counterexample.reduced);
  document["verdict"] = verdict_json(counterexample.verdict);
  document["original"] = case_json(counterexample.original);
  document["original_verdict"] = verdict_json(counterexample.original_verdict);
  document["text"] = counterexample.text;
  return readable_json(document);
}

Counterexample counterexample_from_json(std::string_view text) {
  const Json document = parse_strictly(text);
  const auto found = document.is_object() ? document.find("file") : document.end();
  if (!document.is_object() || found == document.end() || *found != std::string(file_kind)) {
    throw std::invalid_argument("not a counterexample: the field \"file\" should be \"" +
                                std::string(file_kind) + "\"");
  }
  Fields fields(document, "");
  fields.text("file");
  const std::uint64_t version = fields.integer("version");
  if (version != file_version) {
    reject("version", "is " + std::to_string(version) + ", and this program knows only version " +
                          std::to_string(file_version));
  }
  Counterexample counterexample;
  counterexample.kernel = fields.text("kernel");
  counterexample.property = fields.text("property");
  counterexample.executor = fields.text("executor");
  counterexample.plugin = fields.text("plugin");
  counterexample.contract_hash = fields.text("contract");
  counterexample.built_with = fields.text("built_with");
  counterexample.seed = fields.integer("seed");
  counterexample.flaky = fields.boolean("flaky");
  counterexample.reduction_runs = fields.integer("reduction_runs");
  counterexample.reduced = read_case(fields.object("reduced"));
  counterexample.verdict = read_verdict(fields.object("verdict"));
  counterexample.original = read_case(fields.object("original"));
  counterexample.original_verdict = read_verdict(fields.object("original_verdict"));
  counterexample.text = fields.text("text");
  fields.finish();
  return counterexample;
}

}  // namespace warpcheck::record

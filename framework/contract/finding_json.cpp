#include "framework/contract/finding_json.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace warpcheck {
namespace {

using nlohmann::json;

template <class T>
T field(const json& object, const char* name) {
  try {
    return object.at(name).get<T>();
  } catch (const json::exception&) {
    throw std::invalid_argument(std::string("finding: the field '") + name +
                                "' is missing or has the wrong type");
  }
}

json line_to_json(const SourceLine& line) {
  return {{"file", line.file}, {"line", line.line}, {"function", line.function}};
}

SourceLine line_from_json(const json& object) {
  return {field<std::string>(object, "file"), field<std::uint32_t>(object, "line"),
          field<std::string>(object, "function")};
}

json party_to_json(const Party& party) {
  json stack = json::array();
  for (const SourceLine& line : party.stack) stack.push_back(line_to_json(line));
  return {
      {"block", party.block}, {"thread", party.thread}, {"lane", party.lane}, {"stack", std::move(stack)}};
}

void read_triple(const json& object, const char* name, std::uint32_t (&triple)[3]) {
  const auto values = field<std::vector<std::uint32_t>>(object, name);
  if (values.size() != 3) {
    throw std::invalid_argument(std::string("finding: the field '") + name + "' must hold three numbers");
  }
  for (std::size_t i = 0; i < 3; ++i) triple[i] = values[i];
}

Party party_from_json(const json& object) {
  Party party;
  read_triple(object, "block", party.block);
  read_triple(object, "thread", party.thread);
  party.lane = field<std::uint32_t>(object, "lane");
  for (const json& line : field<json::array_t>(object, "stack")) party.stack.push_back(line_from_json(line));
  return party;
}

}  // namespace

json to_json(const Finding& finding) {
  json parties = json::array();
  for (const Party& party : finding.parties) parties.push_back(party_to_json(party));
  return {{"kind", name_of(finding.kind)}, {"message", finding.message}, {"kernel", finding.kernel},
          {"object", finding.object},      {"advice", finding.advice},   {"parties", std::move(parties)},
          {"count", finding.count}};
}

Finding finding_from_json(const json& object) {
  Finding finding;
  finding.kind = finding_kind_from_name(field<std::string>(object, "kind"));
  finding.message = field<std::string>(object, "message");
  finding.kernel = field<std::string>(object, "kernel");
  finding.object = field<std::string>(object, "object");
  finding.advice = field<std::string>(object, "advice");
  finding.count = field<std::uint64_t>(object, "count");
  for (const json& party : field<json::array_t>(object, "parties"))
    finding.parties.push_back(party_from_json(party));
  return finding;
}

}  // namespace warpcheck

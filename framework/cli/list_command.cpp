#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include "framework/cli/commands.hpp"
#include "framework/cli/open_session.hpp"
#include "framework/cli/output.hpp"
#include "framework/cli/suggestion.hpp"
#include "framework/cli/usage_error.hpp"
#include "framework/report/ledger.hpp"
#include "framework/report/look.hpp"
#include "generators/generator.hpp"

namespace warpcheck::cli {

using Json = nlohmann::ordered_json;

namespace {

/// A name and what there is to say about it.
struct Entry {
  std::string name, text;
  Json json;
};

std::string blocks_text(const KernelContract& contract) {
  std::string text = fmt::format("blocks {} to {}", contract.min_block, contract.max_block);
  if (contract.block_multiple > 1) text += fmt::format(" in steps of {}", contract.block_multiple);
  return text;
}

std::vector<Entry> kernel_entries(const std::vector<std::string>& plugins) {
  std::vector<Entry> entries;
  const OpenSession open = open_session("cpu", plugins);
  for (const KernelInfo& kernel : open.kernels()) {
    const KernelContract& contract = kernel.contract;
    Entry entry;
    entry.name = kernel.name;
    entry.text = fmt::format("{} of {}, adds in {}, gives {}; {}; deterministic across {}; {}; {}:{}",
                             name_of(contract.operation), name(contract.input), name(contract.accumulation),
                             name(contract.output), report::order_text(contract),
                             name_of(contract.determinism), blocks_text(contract), kernel.file, kernel.line);
    entry.json = Json{{"name", kernel.name},
                      {"operation", name_of(contract.operation)},
                      {"input", name(contract.input)},
                      {"accumulation", name(contract.accumulation)},
                      {"output", name(contract.output)},
                      {"order", report::order_text(contract)},
                      {"determinism", name_of(contract.determinism)},
                      {"min_block", contract.min_block},
                      {"max_block", contract.max_block},
                      {"block_multiple", contract.block_multiple},
                      {"max_grid", contract.max_grid},
                      {"file", kernel.file},
                      {"line", kernel.line},
                      {"plugin", kernel.plugin},
                      {"contract_hash", contract.hash()}};
    entries.push_back(std::move(entry));
  }
  return entries;
}

std::vector<Entry> property_entries() {
  std::vector<Entry> entries;
  for (const Property* property : all_properties()) {
    const std::vector<std::string> used = property->generators();
    entries.push_back({std::string(property->name()), std::string(property->claim()),
                       Json{{"name", property->name()}, {"claim", property->claim()}, {"generators", used}}});
  }
  return entries;
}

std::vector<Entry> generator_entries() {
  std::vector<Entry> entries;
  for (const Generator* generator : all_generators()) {
    entries.push_back({std::string(generator->name()), std::string(generator->description()),
                       Json{{"name", generator->name()}, {"description", generator->description()}}});
  }
  return entries;
}

std::vector<Entry> executor_entries() {
  std::vector<Entry> entries;
  for (const std::string& name : executor_names()) {
    const std::string reason = why_not_available(name);
    entries.push_back({name, reason.empty() ? std::string("available") : "not available: " + reason,
                       Json{{"name", name}, {"available", reason.empty()}, {"reason", reason}}});
  }
  return entries;
}

}  // namespace

report::ExitStatus list_command(const ListOptions& options) {
  static const std::vector<std::string> subjects{"kernels", "properties", "generators", "executors"};
  demand_writable("--json", options.json);
  std::vector<Entry> entries;
  if (options.what == "kernels") {
    entries = kernel_entries(options.plugins);
  } else if (options.what == "properties") {
    entries = property_entries();
  } else if (options.what == "generators") {
    entries = generator_entries();
  } else if (options.what == "executors") {
    entries = executor_entries();
  } else if (options.what.empty()) {
    throw UsageError(fmt::format("list: what? There are {}", listed(subjects)));
  } else {
    throw UsageError(fmt::format("list: '{}' is nothing that can be listed; there are {}{}", options.what,
                                 listed(subjects), did_you_mean(options.what, subjects)));
  }

  Json json{{"version", 1}, {options.what, Json::array()}};
  std::size_t widest = 0;
  for (const Entry& entry : entries) {
    json[options.what].push_back(entry.json);
    widest = std::max(widest, entry.name.size());
  }
  write_report("--json", options.json, json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n');
  if (options.json == "-") return report::ExitStatus::all_hold;

  // One line each, for scripts as much as for people: a terminal may fold it, a pipe gets it whole.
  for (const Entry& entry : entries) print(fmt::format("{:<{}}  {}\n", entry.name, widest, entry.text));
  return report::ExitStatus::all_hold;
}

}  // namespace warpcheck::cli

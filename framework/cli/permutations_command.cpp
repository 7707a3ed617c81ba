#include <fmt/format.h>
#include <unistd.h>

#include "framework/cli/commands.hpp"
#include "framework/cli/geometry_options.hpp"
#include "framework/cli/numbers.hpp"
#include "framework/cli/open_session.hpp"
#include "framework/cli/output.hpp"
#include "framework/cli/selection.hpp"
#include "framework/cli/suggestion.hpp"
#include "framework/cli/usage_error.hpp"
#include "framework/numeric/fp_environment.hpp"
#include "framework/numeric/text.hpp"
#include "framework/report/orders.hpp"
#include "framework/report/orders_report.hpp"

namespace warpcheck::cli {

using report::ExitStatus;

namespace {

constexpr std::size_t most_values = 4096;
constexpr std::uint64_t most_samples = 1'000'000;

numeric::Format format_of(const std::string& text) {
  if (const auto format = numeric::format_from_name(text)) return *format;
  std::vector<std::string> names;
  for (const numeric::Format format : numeric::all_formats()) names.emplace_back(numeric::name(format));
  throw UsageError(
      fmt::format("--format: '{}' is none; there are {}{}", text, listed(names), did_you_mean(text, names)));
}

std::vector<numeric::Value> parse_values(const std::vector<std::string>& texts, numeric::Format format) {
  if (texts.empty())
    throw UsageError("permutations: no values are given, such as: permutations 1e8 1 -1e8 1");
  if (texts.size() > most_values) {
    throw UsageError(fmt::format("permutations: {} values are more than {}", texts.size(), most_values));
  }
  std::vector<numeric::Value> values;
  for (const std::string& text : texts) {
    const numeric::Parsed<numeric::Value> parsed = numeric::parse_value(text, format);
    if (!parsed) throw UsageError(fmt::format("permutations: {}", parsed.error));
    values.push_back(*parsed.value);
  }
  return values;
}

/// Adds the results of the kernels that take this format.
void add_kernels(report::OrderStudy& study, const PermutationsOptions& options, OpenSession& open) {
  std::size_t fitting = 0;
  for (const KernelInfo* kernel : select_kernels(open.kernels(), options.kernels)) {
    if (kernel->contract.input != study.format) continue;
    ++fitting;
    const Geometry geometry =
        chosen_geometry(*kernel, report::small_geometry(kernel->contract), options.grid, options.block);
    report::add_kernel(study, *kernel, geometry, open.session->executor());
  }
  if (fitting == 0 && !options.kernels.empty()) {
    throw UsageError(fmt::format("permutations: none of the kernels that --kernel selects takes {} values",
                                 numeric::name(study.format)));
  }
}

}  // namespace

ExitStatus permutations_command(const PermutationsOptions& options) {
  const numeric::Format format = format_of(options.format);
  const std::vector<numeric::Value> values = parse_values(options.values, format);
  demand_writable("--json", options.json);
  std::optional<std::uint64_t> sample;
  if (!options.sample.empty()) sample = parse_whole("--sample", options.sample, 1, most_samples);
  const std::uint64_t seed = options.seed.empty() ? 1 : parse_seed("--seed", options.seed);
  demand_geometry_options(options.grid, options.block);
  if (const auto fault = numeric::floating_point_fault()) throw CannotRun(*fault);

  report::OrderStudy study;
  try {
    study = report::study_orders(values, sample, seed);
  } catch (const std::invalid_argument& error) {
    throw UsageError(fmt::format("permutations: {}", error.what()));
  }

  // The host's columns do not depend on any kernel, so they are printed even where none can run.
  std::string cannot_run;
  try {
    OpenSession open = open_session(options.executor, options.plugins);
    if (open.unavailable.empty()) {
      add_kernels(study, options, open);
    } else {
      cannot_run = fmt::format("no kernel was run on {}: {}", options.executor, open.unavailable);
    }
  } catch (const UsageError&) {
    throw;
  } catch (const CannotRun& error) {
    cannot_run = fmt::format("no kernel was run: {}", error.what());
  } catch (const std::runtime_error& error) {
    cannot_run = fmt::format("not every kernel was run: {}", error.what());
  }

  if (options.json != "-") print(report::orders_text(study, report::look_of(STDOUT_FILENO)));
  write_report("--json", options.json, report::orders_json(study));
  if (report::any_fault(study)) return ExitStatus::falsified;
  if (!cannot_run.empty()) throw CannotRun(cannot_run);
  return ExitStatus::all_hold;
}

}  // namespace warpcheck::cli

#include "framework/worker/debug_replay.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "framework/numeric/text.hpp"
#include "framework/record/counterexample.hpp"
#include "framework/worker/backend.hpp"
#include "framework/worker/plugin.hpp"
#include "framework/worker/step_budget.hpp"

namespace warpcheck::worker {
namespace {

std::string contents_of(const std::string& file) {
  // Opening a folder succeeds; reading from it does not.
  std::error_code error;
  if (std::filesystem::is_directory(file, error))
    throw std::runtime_error(fmt::format("{}: is a folder; give a file from .warpcheck/", file));
  std::ifstream stream(file, std::ios::binary);
  if (!stream)
    throw std::runtime_error(fmt::format("{}: cannot be read; give a file from .warpcheck/", file));
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// nullptr if there is none.
const warpcheck_kernel* kernel_named(const Plugin& plugin, const std::string& name) {
  for (std::uint32_t i = 0; i < plugin.data->kernel_count; ++i) {
    if (name == plugin.data->kernels[i]->name) return plugin.data->kernels[i];
  }
  return nullptr;
}

numeric::Format format_of(std::uint8_t registered) {
  return registered == WARPCHECK_FORMAT_FP64 ? numeric::Format::fp64 : numeric::Format::fp32;
}

std::string_view status_text(RunStatus status) {
  switch (status) {
    case RunStatus::completed:
      return "completed";
    case RunStatus::launch_error:
      return "launch error";
    case RunStatus::violation:
      return "violation";
    case RunStatus::crash:
      return "crash";
    case RunStatus::time_out:
      return "time-out";
  }
  return "?";
}

}  // namespace

int debug_replay(const std::string& file) {
  record::Counterexample counterexample;
  const auto unusable = [&](const std::string& what) {
    return std::runtime_error(fmt::format("{}: {}", file, what));
  };
  try {
    counterexample = record::counterexample_from_json(contents_of(file));
  } catch (const std::invalid_argument& error) {
    throw unusable(error.what());
  }
  if (const std::string reason = backend().open(); !reason.empty()) {
    fmt::print(stderr, "not run: {}\n", reason);
    return 3;
  }
  const Plugin plugin = open_plugin(counterexample.plugin);
  if (!plugin.error.empty()) {
    throw unusable(fmt::format("its plug-in {} {}", counterexample.plugin, plugin.error));
  }
  const warpcheck_kernel* const found = kernel_named(plugin, counterexample.kernel);
  if (found == nullptr) {
    throw unusable(fmt::format("its plug-in {} has no kernel called {} any more", counterexample.plugin,
                               counterexample.kernel));
  }
  const warpcheck_kernel& kernel = *found;

  const Case& test_case = counterexample.reduced;
  // Another element format would have the kernel read past the end of the case.
  if (format_of(kernel.input_format) != test_case.input->format()) {
    throw unusable(fmt::format("its elements are {}, and the kernel {} takes {} now",
                               numeric::name(test_case.input->format()), counterexample.kernel,
                               numeric::name(format_of(kernel.input_format))));
  }
  RunRequest request{};
  request.grid = test_case.geometry.grid;
  request.block = test_case.geometry.block;
  request.n = test_case.n();
  request.input_format = static_cast<std::uint32_t>(test_case.input->format());
  request.output_format = static_cast<std::uint32_t>(format_of(kernel.output_format));
  request.pointer_offset = test_case.pointer_offset;
  request.poison = Run{}.poison;
  request.schedule_order = static_cast<std::uint32_t>(test_case.schedule.order);
  request.schedule_seed = test_case.schedule.seed;
  request.threads_may_exit_early = (kernel.flags & WARPCHECK_THREADS_MAY_EXIT_EARLY) != 0 ? 1 : 0;
  request.step_budget = step_budget(test_case.n(), test_case.geometry);

  fmt::print("{} on {}: n = {}, grid {}, block {}\n", counterexample.kernel, backend().name(), test_case.n(),
             test_case.geometry.grid, test_case.geometry.block);
  const Outcome outcome = backend().run(request, test_case.input->bytes(), kernel.launch);
  fmt::print("status: {}{}{}\n", status_text(outcome.status), outcome.detail.empty() ? "" : ": ",
             outcome.detail);
  fmt::print("result: {}\n",
             outcome.output_written ? numeric::to_exact_text(outcome.output) : "never written");
  for (const Finding& finding : outcome.findings) {
    fmt::print("{}: {}\n", name_of(finding.kind), finding.message);
    for (const Party& party : finding.parties) {
      for (const SourceLine& line : party.stack) {
        fmt::print("  block {} thread {}: {}:{} {}\n", party.block[0], party.thread[0], line.file, line.line,
                   line.function);
      }
    }
  }
  fmt::print("when it was found: {}\n", counterexample.verdict.reason);
  return outcome.status == RunStatus::completed ? 0 : 1;
}

}  // namespace warpcheck::worker

#include "framework/cli/open_session.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>

#include "framework/cli/suggestion.hpp"
#include "framework/cli/usage_error.hpp"

namespace warpcheck::cli {

namespace fs = std::filesystem;

namespace {

void demand_executor(const std::string& executor) {
  const auto names = executor_names();
  if (std::find(names.begin(), names.end(), executor) != names.end()) return;
  throw UsageError(fmt::format("--executor: '{}' is none; there are {}{}", executor, listed(names),
                               did_you_mean(executor, names)));
}

/// The session, or the reason why its executor cannot run.
std::unique_ptr<engine::Session> start(const std::string& executor, std::string& unavailable) {
  try {
    auto session = std::make_unique<engine::Session>(executor);
    unavailable = session->not_available();
    return session;
  } catch (const std::runtime_error& error) {
    unavailable = error.what();
    return nullptr;
  }
}

}  // namespace

std::span<const std::string> executor_names() {
  static const std::array<std::string, 2> names{"cpu", "cuda"};
  return names;
}

OpenSession open_session(const std::string& executor, std::span<const std::string> plugins) {
  demand_executor(executor);
  OpenSession open;
  open.executor = executor;
  open.session = start(executor, open.unavailable);
  if (!open.unavailable.empty() && executor != "cpu") {
    std::string reason;
    open.session = start("cpu", reason);
    if (!reason.empty()) throw CannotRun(fmt::format("{} cannot run: {}", executor, open.unavailable));
  } else if (open.session == nullptr || !open.unavailable.empty()) {
    throw CannotRun(fmt::format("{} cannot run: {}", executor, open.unavailable));
  }

  try {
    if (plugins.empty()) {
      const fs::path builtin = engine::builtin_kernels_plugin();
      std::error_code error;
      if (!fs::exists(builtin, error)) {
        throw UsageError(
            fmt::format("the built-in kernels are not there ({}): build the project where nvcc can be "
                        "found, or name a plug-in with --plugin PATH",
                        builtin.string()));
      }
      open.session->add_plugin(builtin);
    }
    for (const std::string& plugin : plugins) open.session->add_plugin(plugin);
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what());
  } catch (const UsageError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw CannotRun(error.what());
  }
  return open;
}

std::string why_not_available(const std::string& executor) {
  demand_executor(executor);
  std::string reason;
  start(executor, reason);
  return reason;
}

}  // namespace warpcheck::cli

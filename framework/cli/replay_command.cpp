#include <map>
#include <stdexcept>
#include <tuple>

#include <fmt/format.h>
#include <unistd.h>

#include "framework/cli/commands.hpp"
#include "framework/cli/open_session.hpp"
#include "framework/cli/output.hpp"
#include "framework/cli/usage_error.hpp"
#include "framework/engine/message.hpp"
#include "framework/engine/replay.hpp"
#include "framework/engine/store.hpp"
#include "framework/report/look.hpp"

namespace warpcheck::cli {

using report::ExitStatus;

namespace {

/// Sessions that stay open from one file to the next: one for each executor and plug-in.
class Sessions {
 public:
  OpenSession& get(const std::string& executor, const std::vector<std::string>& plugins) {
    const auto key = std::make_pair(executor, plugins);
    const auto known = sessions_.find(key);
    if (known != sessions_.end()) return known->second;
    return sessions_.emplace(key, open_session(executor, plugins)).first->second;
  }

 private:
  std::map<std::pair<std::string, std::vector<std::string>>, OpenSession> sessions_;
};

std::string_view words(engine::ReplayKind kind) {
  switch (kind) {
    case engine::ReplayKind::same_bits:
      return "still fails, with the same bits";
    case engine::ReplayKind::fails_differently:
      return "still fails, differently";
    case engine::ReplayKind::no_longer_fails:
      return "no longer fails";
    case engine::ReplayKind::not_run:
      return "not run";
  }
  return {};
}

report::Tone tone_of(engine::ReplayKind kind) {
  switch (kind) {
    case engine::ReplayKind::same_bits:
    case engine::ReplayKind::fails_differently:
      return report::Tone::bad;
    case engine::ReplayKind::no_longer_fails:
      return report::Tone::good;
    case engine::ReplayKind::not_run:
      return report::Tone::doubtful;
  }
  return report::Tone::plain;
}

/// What to print about one replay.
std::string replay_text(const std::string& file, const engine::Counterexample& stored,
                        const engine::ReplayResult& result, const report::Look& look) {
  std::string text =
      fmt::format("{}: {}\n", file, report::toned(words(result.kind), tone_of(result.kind), look));
  const auto line = [&](const std::string& what) {
    text += report::wrapped(fmt::format("  {}", what), look.width, "    ") + '\n';
  };
  if (!result.reason.empty()) line(result.reason);
  for (const std::string& note : result.notes) line(fmt::format("note: {}", note));
  if (result.still_fails()) {
    engine::Counterexample now = stored;
    now.verdict = result.verdict;
    text += '\n';
    text += engine::describe(now, file);
  }
  return text;
}

}  // namespace

ExitStatus replay_command(const ReplayOptions& options) {
  if (options.files.empty())
    throw UsageError("replay: no file is given, such as: replay .warpcheck/NAME.json");
  if (!options.executor.empty()) why_not_available(options.executor);  // an unknown name concerns every file

  const report::Look look = report::look_of(STDOUT_FILENO);
  Sessions sessions;
  bool fails = false, bad = false, could_not_run = false;
  for (std::size_t i = 0; i < options.files.size(); ++i) {
    const std::string& file = options.files[i];
    try {
      const engine::Counterexample stored = engine::read_counterexample(file);
      const std::string& executor = options.executor.empty() ? stored.executor : options.executor;
      OpenSession& open = sessions.get(
          executor, options.plugins.empty() ? std::vector<std::string>{stored.plugin} : options.plugins);
      engine::ReplayResult result;
      if (open.unavailable.empty()) {
        result = engine::replay(stored, open.kernels(), open.session->executor());
      } else {
        result.reason = open.unavailable;
      }
      fails = fails || result.still_fails();
      could_not_run = could_not_run || result.kind == engine::ReplayKind::not_run;
      if (i > 0) print("\n");
      print(replay_text(file, stored, result, look));
    } catch (const CannotRun& error) {
      could_not_run = true;
      print_error(fmt::format("{}: {}", file, error.what()));
    } catch (const UsageError& error) {
      bad = true;
      print_error(fmt::format("{}: {}", file, error.what()));
    } catch (const std::invalid_argument& error) {
      bad = true;
      print_error(error.what());  // begins with the file
    }
  }
  if (fails) return ExitStatus::falsified;
  if (bad) return ExitStatus::wrong_use;
  return could_not_run ? ExitStatus::could_not_run : ExitStatus::all_hold;
}

}  // namespace warpcheck::cli

#include <unistd.h>

#include "framework/cli/commands.hpp"
#include "framework/cli/geometry_options.hpp"
#include "framework/cli/numbers.hpp"
#include "framework/cli/open_session.hpp"
#include "framework/cli/output.hpp"
#include "framework/cli/selection.hpp"
#include "framework/report/ledger.hpp"

namespace warpcheck::cli {

namespace {

// The reference is exact for up to this many elements (NUMERICS §1).
constexpr std::uint64_t most_elements = std::uint64_t{1} << 32;

}  // namespace

report::ExitStatus tolerances_command(const TolerancesOptions& options) {
  demand_writable("--json", options.json);
  demand_geometry_options(options.grid, options.block);
  std::vector<std::uint64_t> lengths;
  for (const std::string& text : options.lengths)
    lengths.push_back(parse_whole("--n", text, 0, most_elements));
  if (lengths.empty()) lengths = {1, 32, 1000, 1u << 20};

  const OpenSession open = open_session("cpu", options.plugins);
  std::vector<report::KernelLedger> ledgers;
  for (const KernelInfo* kernel : select_kernels(open.kernels(), options.kernels)) {
    report::KernelLedger ledger{*kernel, {}};
    for (const std::uint64_t n : lengths) {
      const Geometry geometry =
          chosen_geometry(*kernel, report::usual_geometry(kernel->contract, n), options.grid, options.block);
      const report::KernelLedger row = report::ledger(*kernel, {&n, 1}, geometry);
      ledger.rows.insert(ledger.rows.end(), row.rows.begin(), row.rows.end());
    }
    ledgers.push_back(std::move(ledger));
  }
  if (options.json != "-") print(report::ledger_text(ledgers, report::look_of(STDOUT_FILENO)));
  write_report("--json", options.json, report::ledger_json(ledgers));
  return report::ExitStatus::all_hold;
}

}  // namespace warpcheck::cli

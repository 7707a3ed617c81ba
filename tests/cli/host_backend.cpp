#include <cstring>
#include <vector>

#include "framework/numeric/format.hpp"
#include "framework/worker/backend.hpp"

namespace warpcheck::worker {
namespace {

/// Runs a kernel's host function on host memory: for plug-ins that a host compiler made, whose "kernels" are
/// loops.
class HostBackend : public Backend {
 public:
  std::string_view name() const override { return "cpu"; }
  std::string open() override { return {}; }
  std::string check_plugin() override { return {}; }

  Outcome run(const RunRequest& request, std::span<const std::byte> input, warpcheck_launch launch) override {
    const auto output_format = static_cast<numeric::Format>(request.output_format);
    const std::size_t output_bytes = numeric::size_in_bytes(output_format);
    std::vector<std::byte> elements(input.begin(), input.end());
    const std::uint32_t poison[2] = {request.poison, request.poison};
    std::uint64_t result = 0;
    std::memcpy(&result, poison, output_bytes);
    const warpcheck_geometry geometry{request.grid, request.block};
    const int code = launch(elements.data(), request.n, &result, &geometry, nullptr);
    Outcome outcome;
    if (code != 0) {
      outcome.status = RunStatus::launch_error;
      outcome.detail = "the host function returned " + std::to_string(code);
    }
    outcome.output = {output_format, 0};
    std::memcpy(&outcome.output.bits, &result, output_bytes);
    outcome.output_written = std::memcmp(&result, poison, output_bytes) != 0;
    outcome.input_changed = !input.empty() && std::memcmp(elements.data(), input.data(), input.size()) != 0;
    return outcome;
  }

  void describe_address(std::uint64_t, CrashRecord&) const override {}
};

}  // namespace

Backend& backend() {
  static HostBackend instance;
  return instance;
}

}  // namespace warpcheck::worker

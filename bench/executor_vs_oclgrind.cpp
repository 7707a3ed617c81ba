// How fast the machine runs a block tree, as a ratio against Oclgrind on the same algorithm in the same run.
//
//     executor_vs_oclgrind [log2 of n, 20 unless given]
//
// Oclgrind's start-up is measured with one block and subtracted; its threads are as many as it chooses.

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "framework/ptx/module.hpp"
#include "framework/simt/machine.hpp"

namespace {

using namespace warpcheck;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kBlock = 256;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string contents_of(const char* path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Seconds of one launch, the best of five; the results are checked.
double machine_seconds(std::uint64_t n) {
  simt::DeviceMemory memory;
  simt::Machine machine(memory);
  ptx::ParseResult parsed = ptx::parse(contents_of(BENCH_PTX));
  if (!parsed.module) throw std::runtime_error("the PTX does not parse: " + parsed.error->message);
  const auto program = machine.load(std::move(*parsed.module));
  const std::string entry = simt::Machine::entries(*program).front().name;

  const std::uint64_t blocks = n / kBlock;
  const simt::DeviceAddress x = memory.allocate(n * sizeof(float), simt::AllocationKind::device, "x");
  const simt::DeviceAddress sums =
      memory.allocate(blocks * sizeof(float), simt::AllocationKind::device, "sums");
  std::fill_n(reinterpret_cast<float*>(memory.host(x)), n, 1.0f);
  std::byte parameters[16];
  std::memcpy(parameters, &x, 8);
  std::memcpy(parameters + 8, &sums, 8);
  simt::LaunchConfig config;
  config.grid.x = static_cast<std::uint32_t>(blocks);
  config.block.x = kBlock;

  double best = 1e30;
  for (int repetition = 0; repetition < 5; ++repetition) {
    const Clock::time_point start = Clock::now();
    const simt::LaunchResult result = machine.launch(*program, entry, config, parameters);
    best = std::min(best, seconds_since(start));
    if (result.status != simt::LaunchStatus::completed)
      throw std::runtime_error(result.findings.front().message);
  }
  for (std::uint64_t i = 0; i < blocks; ++i) {
    if (reinterpret_cast<const float*>(memory.host(sums))[i] != kBlock)
      throw std::runtime_error("a wrong sum");
  }
  return best;
}

/// Seconds of one run of Oclgrind, start-up included.
double oclgrind_seconds(std::uint64_t n) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "warpcheck-bench";
  std::filesystem::create_directories(folder);
  std::filesystem::copy_file(BENCH_OPENCL, folder / "block_tree.cl",
                             std::filesystem::copy_options::overwrite_existing);
  std::ofstream(folder / "block_tree.sim") << fmt::format(
      "block_tree.cl\nblock_tree\n{} 1 1\n{} 1 1\n\n<size={} float fill=1>\n<size={} float "
      "fill=0>\n<size={}>\n",
      n, kBlock, n * sizeof(float), n / kBlock * sizeof(float), kBlock * sizeof(float));
  const std::string command =
      fmt::format("cd '{}' && oclgrind-kernel block_tree.sim >/dev/null", folder.string());
  const Clock::time_point start = Clock::now();
  if (std::system(command.c_str()) != 0)
    throw std::runtime_error("oclgrind-kernel failed; is oclgrind installed?");
  return seconds_since(start);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const std::uint64_t n = std::uint64_t{1} << (argc > 1 ? std::atoi(argv[1]) : 20);
    const double ours = machine_seconds(n) / static_cast<double>(n);
    const double start_up = oclgrind_seconds(kBlock);
    const double theirs = (oclgrind_seconds(n) - start_up) / static_cast<double>(n - kBlock);
    const double again = machine_seconds(n) / static_cast<double>(n);
    const double best = std::min(ours, again);
    fmt::print("block tree, {} threads a block, n = {}\n", kBlock, n);
    fmt::print("machine    {:10.1f} ns an element\n", best * 1e9);
    fmt::print("Oclgrind   {:10.1f} ns an element\n", theirs * 1e9);
    fmt::print("ratio      {:10.1f}\n", theirs / best);
  } catch (const std::exception& error) {
    fmt::print(stderr, "executor_vs_oclgrind: {}\n", error.what());
    return 3;
  }
  return 0;
}

#include "tests/simt/machine_fixture.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace warpcheck::simt::testing {

ptx::Module parse_module(const std::string& text) {
  ptx::ParseResult result = ptx::parse(text);
  if (result.error) {
    throw std::runtime_error("line " + std::to_string(result.error->line) + ": " + result.error->message);
  }
  return std::move(*result.module);
}

Device::Device(const std::string& ptx) : program_(machine_.load(parse_module(ptx))) {
  machine_.set_output(&output_);
}
Device::~Device() {
  program_.reset();
}

LaunchResult Device::run(const LaunchConfig& config, const Arguments& arguments, std::string_view entry) {
  const std::string name(entry.empty() ? std::string_view(Machine::entries(*program_).at(0).name) : entry);
  return machine_.launch(*program_, name, config, arguments.bytes());
}

std::string module_text(std::string_view body, int sm) {
  return ".version 8.6\n.target sm_" + std::to_string(sm) + "\n.address_size 64\n" + std::string(body);
}

std::string kernel_text(std::string_view body, int slot_bytes, int sm, std::string_view before) {
  return module_text(std::string(before) + R"(
.visible .entry k(.param .u64 out) {
  .reg .pred %p<16>;
  .reg .b16 %rs<16>;
  .reg .b32 %r<32>;
  .reg .b64 %rd<32>;
  .reg .f32 %f<16>;
  .reg .f64 %fd<16>;
  ld.param.u64 %rd0, [out];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %laneid;
  mad.wide.u32 %rd0, %r0, )" +
                         std::to_string(slot_bytes) + ", %rd0;\n" + std::string(body) + "\n  ret;\n}\n",
                     sm);
}

namespace {

template <class T>
std::vector<T> run_slots(const std::string& body, std::uint32_t threads, int sm, std::string_view before) {
  Device device(kernel_text(body, sizeof(T), sm, before));
  const DeviceAddress out = device.upload(std::vector<T>(threads, 0), "out");
  const LaunchResult result = device.run(1, threads, Arguments(out));
  EXPECT_EQ(result.status, LaunchStatus::completed) << describe(result) << body;
  return device.download<T>(out, threads);
}

}  // namespace

std::vector<std::uint32_t> run_words(const std::string& body, std::uint32_t threads, int sm,
                                     std::string_view before) {
  return run_slots<std::uint32_t>(body, threads, sm, before);
}

std::vector<std::uint64_t> run_long_words(const std::string& body, std::uint32_t threads, int sm,
                                          std::string_view before) {
  return run_slots<std::uint64_t>(body, threads, sm, before);
}

std::string describe(const LaunchResult& result) {
  std::string text;
  for (const Finding& finding : result.findings) {
    text += std::string(name_of(finding.kind)) + ": " + finding.message + " (" +
            std::to_string(finding.count) + ")\n";
    for (const Party& party : finding.parties) {
      for (const SourceLine& line : party.stack) {
        text += "    " + line.file + ":" + std::to_string(line.line) + " " + line.function + "\n";
      }
    }
  }
  return text;
}

}  // namespace warpcheck::simt::testing

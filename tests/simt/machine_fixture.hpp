#pragma once

#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "framework/simt/machine.hpp"

/// What the tests of the machine share: a device with a program on it.
namespace warpcheck::simt::testing {

/// A parameter block, built argument by argument with each at a multiple of its size.
class Arguments {
 public:
  template <class... T>
  explicit Arguments(const T&... values) {
    (add(values), ...);
  }
  std::span<const std::byte> bytes() const { return bytes_; }

 private:
  template <class T>
  void add(const T& value) {
    const std::size_t at = (bytes_.size() + sizeof value - 1) / sizeof value * sizeof value;
    bytes_.resize(at + sizeof value);
    std::memcpy(bytes_.data() + at, &value, sizeof value);
  }
  std::vector<std::byte> bytes_;
};

class Output : public OutputSink {
 public:
  void write(std::string_view text) override { text_ += text; }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// A device on which one module is loaded.
class Device {
 public:
  /// The text of a module; throws std::runtime_error with the parser's words if it is none.
  explicit Device(const std::string& ptx);
  ~Device();

  /// Runs the only kernel, or the named one.
  LaunchResult run(const LaunchConfig& config, const Arguments& arguments, std::string_view entry = {});
  LaunchResult run(std::uint32_t blocks, std::uint32_t threads, const Arguments& arguments) {
    LaunchConfig config;
    config.grid = {blocks};
    config.block = {threads};
    config.step_budget = 50'000'000;
    return run(config, arguments);
  }

  template <class T>
  DeviceAddress upload(const std::vector<T>& values, std::string name = {}) {
    const DeviceAddress address =
        memory_.allocate(values.size() * sizeof(T), AllocationKind::device, std::move(name));
    std::memcpy(memory_.host(address), values.data(), values.size() * sizeof(T));
    return address;
  }
  template <class T>
  std::vector<T> download(DeviceAddress address, std::size_t count) {
    std::vector<T> values(count);
    std::memcpy(values.data(), memory_.host(address), count * sizeof(T));
    return values;
  }

  DeviceMemory& memory() { return memory_; }
  Machine& machine() { return machine_; }
  const Program& program() const { return *program_; }
  const std::string& output() const { return output_.text(); }

 private:
  DeviceMemory memory_{std::uint64_t{1} << 30};
  Machine machine_{memory_};
  std::shared_ptr<const Program> program_;
  Output output_;
};

/// Parses a module; throws std::runtime_error with the parser's words.
ptx::Module parse_module(const std::string& text);

/// Version, target and address size, then `body`.
std::string module_text(std::string_view body, int sm = 80);

/// A module with one kernel `k(.param .u64 out)` whose body has the registers %r0–%r31, %rd0–%rd31, %f0–%f15,
/// %fd0–%fd15, %rs0–%rs15 and %p0–%p15; %rd0 holds the address of the thread's slot in `out`, `slot_bytes`
/// apart, %r0 the thread's number in the block, %r1 its lane.
std::string kernel_text(std::string_view body, int slot_bytes = 4, int sm = 80, std::string_view before = {});

/// The words that one block of `threads` threads leaves in its slots. Fails the test if there is an error
/// finding.
std::vector<std::uint32_t> run_words(const std::string& body, std::uint32_t threads = 32, int sm = 80,
                                     std::string_view before = {});
std::vector<std::uint64_t> run_long_words(const std::string& body, std::uint32_t threads = 32, int sm = 80,
                                          std::string_view before = {});

/// All findings as lines, for messages.
std::string describe(const LaunchResult& result);

}  // namespace warpcheck::simt::testing

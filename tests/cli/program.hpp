#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// What a program left behind.
struct Finished {
  int status{};     ///< exit status; 128 + signal if a signal ended it
  std::string out;  ///< standard output
  std::string err;  ///< standard error
};

using Environment = std::vector<std::pair<std::string, std::string>>;

/// Runs a program to its end, standard input empty, in `folder`, with `environment` added to a small fixed
/// one (PATH, LC_ALL=C.UTF-8). It is killed, and the test fails, after two minutes.
Finished run_program(const std::string& program, const std::vector<std::string>& arguments,
                     const Environment& environment = {}, const std::filesystem::path& folder = ".");

/// The same with standard output and error on a terminal; both come back in `out`.
Finished run_on_terminal(const std::string& program, const std::vector<std::string>& arguments,
                         const Environment& environment = {}, const std::filesystem::path& folder = ".");

/// A folder of its own that goes away with it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file into it and returns its path.
  std::string file(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

std::string content_of(const std::filesystem::path& path);

/// The warpcheck program with the worker that runs host-made plug-ins.
Finished run_warpcheck(const std::vector<std::string>& arguments, const Environment& environment = {},
                       const std::filesystem::path& folder = ".");

/// Paths of the plug-ins of these tests.
extern const std::string good_plugin, faulty_plugin, other_version_plugin, bad_contract_plugin;
extern const std::string warpcheck_program;
Environment with_host_worker(Environment environment);

/// Why the cuda executor cannot run here; empty where there is a device.
std::string why_no_cuda();

/// Expects one line on standard error that begins with "warpcheck: " and holds `text`, nothing on standard
/// output, and exit status 2.
void expect_refused(const std::vector<std::string>& arguments, const std::string& text);

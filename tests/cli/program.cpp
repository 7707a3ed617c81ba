#include "tests/cli/program.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace fs = std::filesystem;

const std::string good_plugin = WARPCHECK_TEST_GOOD_PLUGIN;
const std::string faulty_plugin = WARPCHECK_TEST_FAULTY_PLUGIN;
const std::string other_version_plugin = WARPCHECK_TEST_OTHER_VERSION_PLUGIN;
const std::string bad_contract_plugin = WARPCHECK_TEST_BAD_CONTRACT_PLUGIN;
const std::string warpcheck_program = WARPCHECK_TEST_PROGRAM;

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto limit = std::chrono::minutes(2);

/// In the child: never returns.
[[noreturn]] void become(const std::string& program, const std::vector<std::string>& arguments,
                         const Environment& environment, const fs::path& folder) {
  std::vector<std::string> variables{"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  for (const auto& [name, value] : environment) {
    std::erase_if(variables, [&](const std::string& v) { return v.starts_with(name + "="); });
    variables.push_back(name + "=" + value);
  }
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::vector<char*> envp;
  for (std::string& variable : variables) envp.push_back(variable.data());
  envp.push_back(nullptr);
  if (chdir(folder.c_str()) == 0) execve(program.c_str(), argv.data(), envp.data());
  _exit(127);
}

/// Reads from the descriptors until all have ended; kills the process when the time is up.
void drain(pid_t process, std::vector<std::pair<int, std::string*>> sources) {
  const Clock::time_point end = Clock::now() + limit;
  while (!sources.empty()) {
    if (Clock::now() > end) {
      kill(process, SIGKILL);
      ADD_FAILURE() << "the program did not end within the limit";
      break;
    }
    std::vector<pollfd> polled;
    for (const auto& [descriptor, text] : sources) polled.push_back({descriptor, POLLIN, 0});
    poll(polled.data(), polled.size(), 1000);
    for (std::size_t i = sources.size(); i-- > 0;) {
      if (polled[i].revents == 0) continue;
      char block[4096];
      const ssize_t count = read(sources[i].first, block, sizeof block);
      if (count > 0) {
        sources[i].second->append(block, static_cast<std::size_t>(count));
      } else {
        sources.erase(sources.begin() + static_cast<std::ptrdiff_t>(i));
      }
    }
  }
}

int status_of(pid_t process) {
  int status = 0;
  waitpid(process, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Finished run_program(const std::string& program, const std::vector<std::string>& arguments,
                     const Environment& environment, const fs::path& folder) {
  int out[2];
  int err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  const pid_t process = fork();
  if (process == 0) {
    dup2(open("/dev/null", O_RDONLY), STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    become(program, arguments, environment, folder);
  }
  close(out[1]);
  close(err[1]);
  Finished finished;
  drain(process, {{out[0], &finished.out}, {err[0], &finished.err}});
  close(out[0]);
  close(err[0]);
  finished.status = status_of(process);
  return finished;
}

Finished run_on_terminal(const std::string& program, const std::vector<std::string>& arguments,
                         const Environment& environment, const fs::path& folder) {
  int terminal = -1;
  const pid_t process = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (process == 0) become(program, arguments, environment, folder);
  Finished finished;
  drain(process, {{terminal, &finished.out}});
  close(terminal);
  finished.status = status_of(process);
  return finished;
}

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (fs::temp_directory_path() / "warpcheck-cli-XXXXXX").string();
  path_ = mkdtemp(pattern.data());
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code error;
  fs::remove_all(path_, error);
}

std::string TemporaryFolder::file(const std::string& name, const std::string& content) const {
  std::ofstream(path_ / name, std::ios::binary) << content;
  return (path_ / name).string();
}

std::string content_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

Environment with_host_worker(Environment environment) {
  environment.emplace_back("WARPCHECK_WORKER_DIR", WARPCHECK_TEST_WORKER_DIR);
  return environment;
}

Finished run_warpcheck(const std::vector<std::string>& arguments, const Environment& environment,
                       const fs::path& folder) {
  return run_program(warpcheck_program, arguments, with_host_worker(environment), folder);
}

std::string why_no_cuda() {
  const std::string out = run_warpcheck({"list", "executors"}).out;
  const std::string line = "cuda  not available: ";
  const std::size_t at = out.find(line);
  return at == std::string::npos ? "" : out.substr(at + line.size(), out.find('\n', at) - at - line.size());
}

void expect_refused(const std::vector<std::string>& arguments, const std::string& text) {
  std::string command = "warpcheck";
  for (const std::string& argument : arguments) command += " " + argument;
  SCOPED_TRACE(command);
  const Finished finished = run_warpcheck(arguments);
  EXPECT_EQ(finished.status, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_TRUE(finished.err.starts_with("warpcheck: ")) << finished.err;
  EXPECT_EQ(std::count(finished.err.begin(), finished.err.end(), '\n'), 1) << finished.err;
  EXPECT_THAT(finished.err, testing::HasSubstr(text));
}

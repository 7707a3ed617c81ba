#include "framework/engine/session.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "framework/worker/worker_executor.hpp"

namespace warpcheck::engine {

namespace fs = std::filesystem;

struct Session::Impl {
  std::unique_ptr<worker::WorkerExecutor> executor;
  std::vector<KernelInfo> kernels;
  std::vector<fs::path> plugins;
};

Session::Session(std::string_view executor) : impl_(std::make_unique<Impl>()) {
  if (executor != "cpu" && executor != "cuda") {
    throw std::invalid_argument(fmt::format("no executor is called '{}': it is cpu or cuda", executor));
  }
  impl_->executor = std::make_unique<worker::WorkerExecutor>(executor);
}

Session::~Session() = default;

void Session::add_plugin(const fs::path& path) {
  std::error_code error;
  for (const fs::path& known : impl_->plugins) {
    if (fs::equivalent(known, path, error)) {
      throw std::invalid_argument(fmt::format("plug-in {}: given twice; once is enough", path.string()));
    }
  }
  std::vector<KernelInfo> added = impl_->executor->load(path);
  if (added.empty()) {
    throw std::invalid_argument(fmt::format(
        "plug-in {}: it registers no kernel; add WARPCHECK_KERNEL(…) to one of its files", path.string()));
  }
  for (KernelInfo& kernel : added) {
    for (const KernelInfo& other : impl_->kernels) {
      if (other.name == kernel.name) {
        throw std::invalid_argument(
            fmt::format("plug-in {}: the kernel '{}' is registered in {} already; give it "
                        "another name with WARPCHECK_KERNEL_NAMED",
                        path.string(), kernel.name, other.plugin));
      }
    }
    impl_->kernels.push_back(std::move(kernel));
  }
  impl_->plugins.push_back(path);
}

const std::vector<KernelInfo>& Session::kernels() const {
  return impl_->kernels;
}
Executor& Session::executor() {
  return *impl_->executor;
}
std::string Session::not_available() const {
  return impl_->executor->not_available();
}

namespace {

/// A plug-in that belongs to this program: beside its installed libraries, or where it was built.
fs::path own_plugin(std::string_view file) {
  std::vector<fs::path> places;
  std::error_code error;
  const fs::path self = fs::read_symlink("/proc/self/exe", error);
  if (!error) places.push_back(self.parent_path().parent_path() / WARPCHECK_LIBRARY_DIR / "warpcheck");
  places.emplace_back(WARPCHECK_PLUGIN_BUILD_DIR);
  places.emplace_back(WARPCHECK_PLUGIN_INSTALL_DIR);
  for (const fs::path& place : places) {
    if (fs::exists(place / file, error)) return place / file;
  }
  return places.front() / file;
}

}  // namespace

fs::path builtin_kernels_plugin() {
  return own_plugin("warpcheck_kernels.so");
}
fs::path demonstration_plugin() {
  return own_plugin("warpcheck_demonstration.so");
}

}  // namespace warpcheck::engine

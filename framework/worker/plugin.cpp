#include "framework/worker/plugin.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "framework/worker/backend.hpp"

namespace warpcheck::worker {
namespace {

/// dlerror() without the path that it begins with, which the message names already.
std::string loader_error(const std::string& path) {
  std::string text = ::dlerror();
  if (text.rfind(path + ": ", 0) == 0) text.erase(0, path.size() + 2);
  return text;
}

std::string text_or_empty(const char* text) {
  return text == nullptr ? "" : text;
}

}  // namespace

Plugin open_plugin(const std::string& path) {
  Plugin plugin;
  // A name without a slash would be searched for in the system's folders.
  const std::string file = path.find('/') == std::string::npos ? "./" + path : path;
  void* const library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    plugin.error = fmt::format(
        "cannot be opened ({}); build it with warpcheck_add_kernels, or with nvcc -shared "
        "-cudart none",
        loader_error(file));
    return plugin;
  }
  const auto entry = reinterpret_cast<warpcheck_plugin_entry>(::dlsym(library, WARPCHECK_PLUGIN_ENTRY));
  if (entry == nullptr) {
    plugin.error = "is a shared library, but no plug-in: it registers no kernel with WARPCHECK_KERNEL";
    return plugin;
  }
  const warpcheck_plugin* const data = entry();
  if (data->abi_version != WARPCHECK_ABI_VERSION) {
    plugin.error = fmt::format(
        "was built for version {} of the plug-in interface, this program has version {}; build "
        "it again with this program's headers",
        data->abi_version, WARPCHECK_ABI_VERSION);
    return plugin;
  }
  if (data->kernel_count > WARPCHECK_MAX_KERNELS) {
    plugin.error = fmt::format("registers {} kernels; a plug-in holds at most {}, so split it",
                               data->kernel_count, WARPCHECK_MAX_KERNELS);
    return plugin;
  }
  plugin.error = backend().check_plugin();
  plugin.data = data;
  return plugin;
}

nlohmann::json describe(const Plugin& plugin) {
  nlohmann::json kernels = nlohmann::json::array();
  for (std::uint32_t i = 0; i < plugin.data->kernel_count; ++i) {
    const warpcheck_kernel& kernel = *plugin.data->kernels[i];
    kernels.push_back({{"size", kernel.size},
                       {"line", kernel.line},
                       {"name", text_or_empty(kernel.name)},
                       {"file", text_or_empty(kernel.file)},
                       {"operation", text_or_empty(kernel.operation)},
                       {"input_format", kernel.input_format},
                       {"accumulation_format", kernel.accumulation_format},
                       {"output_format", kernel.output_format},
                       {"order", kernel.order},
                       {"order_expression", text_or_empty(kernel.order_expression)},
                       {"determinism", kernel.determinism},
                       {"flags", kernel.flags},
                       {"min_block", kernel.min_block},
                       {"max_block", kernel.max_block},
                       {"block_multiple", kernel.block_multiple},
                       {"max_grid", kernel.max_grid},
                       {"has_launch", kernel.launch != nullptr}});
  }
  return {{"kernels", std::move(kernels)}, {"built_with", text_or_empty(plugin.data->built_with)}};
}

}  // namespace warpcheck::worker

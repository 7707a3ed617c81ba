#pragma once

#include <warpcheck/abi.h>

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpcheck::worker {

/// An opened plug-in. It is never closed: its kernels stay registered with the runtime.
struct Plugin {
  const warpcheck_plugin* data{};
  std::string error;  ///< one line without the path; empty if the plug-in can be used
};

/// Opens a shared library and asks the backend whether its kernels can run here.
Plugin open_plugin(const std::string& path);

/// The registrations as plain data: what the engine's side reads.
nlohmann::json describe(const Plugin& plugin);

}  // namespace warpcheck::worker

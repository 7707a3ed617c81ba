#include "tests/cudart/loaded_plugin.hpp"

#include <dlfcn.h>

#include <map>
#include <stdexcept>

namespace warpcheck::cudart {

void* plugin_symbol(const std::string& file, const char* name) {
  static std::map<std::string, void*> opened;
  void*& handle = opened[file];
  if (handle == nullptr) handle = ::dlopen((CUDART_ARTEFACTS "/" + file).c_str(), RTLD_NOW | RTLD_LOCAL);
  void* const symbol = handle != nullptr ? ::dlsym(handle, name) : nullptr;
  if (symbol == nullptr) throw std::runtime_error(::dlerror());
  return symbol;
}

}  // namespace warpcheck::cudart

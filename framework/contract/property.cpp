#include "framework/contract/property.hpp"

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>

namespace warpcheck {
namespace {

using Registry = std::map<std::string, std::unique_ptr<const Property>, std::less<>>;

// A function's static: registrations run before main in no particular order.
Registry& registry() {
  static Registry properties;
  return properties;
}

}  // namespace

std::vector<const Property*> all_properties() {
  std::vector<const Property*> properties;
  for (const auto& [name, property] : registry()) properties.push_back(property.get());
  return properties;
}

const Property* find_property(std::string_view name) {
  const auto found = registry().find(name);
  return found == registry().end() ? nullptr : found->second.get();
}

PropertyRegistration::PropertyRegistration(std::unique_ptr<Property> property) {
  std::string name(property->name());
  const auto [place, inserted] = registry().try_emplace(std::move(name), std::move(property));
  if (!inserted) {
    std::fprintf(stderr, "warpcheck: two properties are named \"%s\"; each needs a name of its own\n",
                 place->first.c_str());
    // Before main, and with other static objects half made: nothing may be torn down.
    std::_Exit(2);
  }
}

}  // namespace warpcheck

#include "framework/cli/selection.hpp"

#include <fmt/format.h>

#include "framework/cli/suggestion.hpp"
#include "framework/cli/usage_error.hpp"
#include "framework/engine/check.hpp"
#include "generators/generator.hpp"

namespace warpcheck::cli {

std::vector<std::size_t> select_names(std::string_view what, std::span<const std::string> names,
                                      std::span<const std::string> globs) {
  std::vector<bool> selected(names.size(), globs.empty());
  for (const std::string& glob : globs) {
    bool any = false;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (!engine::glob_matches(glob, names[i])) continue;
      selected[i] = true;
      any = true;
    }
    if (!any) {
      throw UsageError(fmt::format("no {} matches '{}'{} There are {}", what, glob,
                                   near_names(glob, names).empty() ? "." : did_you_mean(glob, names),
                                   listed(names)));
    }
  }
  std::vector<std::size_t> positions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (selected[i]) positions.push_back(i);
  }
  return positions;
}

std::vector<const KernelInfo*> select_kernels(std::span<const KernelInfo> kernels,
                                              std::span<const std::string> globs) {
  std::vector<std::string> names;
  for (const KernelInfo& kernel : kernels) names.push_back(kernel.name);
  std::vector<const KernelInfo*> selected;
  for (const std::size_t i : select_names("kernel", names, globs)) selected.push_back(&kernels[i]);
  return selected;
}

std::vector<const Property*> select_properties(std::span<const std::string> globs) {
  const std::vector<const Property*> properties = all_properties();
  std::vector<std::string> names;
  for (const Property* property : properties) names.emplace_back(property->name());
  std::vector<const Property*> selected;
  for (const std::size_t i : select_names("property", names, globs)) selected.push_back(properties[i]);
  return selected;
}

void demand_generators(std::string_view glob) {
  std::vector<std::string> names;
  for (const Generator* generator : all_generators()) names.emplace_back(generator->name());
  const std::string text(glob);
  select_names("generator", names, {&text, 1});
}

}  // namespace warpcheck::cli

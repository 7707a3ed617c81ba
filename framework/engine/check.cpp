#include "framework/engine/check.hpp"

#include <algorithm>
#include <stdexcept>

#include "framework/engine/search.hpp"
#include "generators/generator.hpp"

namespace warpcheck::engine {
namespace {

std::string names_of(const std::vector<const Generator*>& generators) {
  std::string names;
  for (const Generator* generator : generators)
    names += (names.empty() ? "" : ", ") + std::string(generator->name());
  return names.empty() ? "none" : names;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  // The last * is the only one to go back to: what an earlier one could match, it can match as well.
  std::size_t p = 0, t = 0, star = std::string_view::npos, after_star = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      after_star = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++after_star;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

CheckResult check(const KernelInfo& kernel, const Property& property, Executor& executor,
                  const CheckOptions& options) {
  std::vector<const Generator*> admitted = all_generators();
  std::erase_if(admitted, [&](const Generator* generator) {
    return !glob_matches(options.generator_glob, generator->name());
  });
  if (admitted.empty()) {
    throw std::invalid_argument("no generator matches '" + options.generator_glob + "'; there are " +
                                names_of(all_generators()));
  }
  const std::vector<std::string> used = property.generators();
  std::erase_if(admitted, [&](const Generator* generator) {
    return !used.empty() && std::ranges::find(used, generator->name()) == used.end();
  });
  if (admitted.empty()) {
    CheckResult result;
    result.kernel = kernel.name;
    result.property = property.name();
    result.executor = executor.name();
    result.verdict = VerdictKind::inapplicable;
    result.reason = "it uses none of the generators that match '" + options.generator_glob + "'";
    return result;
  }
  return search(kernel, property, executor, options, admitted);
}

}  // namespace warpcheck::engine

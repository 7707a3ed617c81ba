#include "generators/generator.hpp"

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>

#include "generators/draw.hpp"

namespace warpcheck {
namespace {

using Registry = std::map<std::string, std::unique_ptr<const Generator>, std::less<>>;

// A function's static: registrations run before main in no particular order.
Registry& registry() {
  static Registry generators;
  return generators;
}

}  // namespace

Case Generator::draw(const KernelInfo& kernel, std::uint64_t seed) const {
  generators::Draw numbers(seed);
  Case result = make(kernel, numbers);
  result.family = name();
  return result;
}

rc::Gen<Case> Generator::cases(const KernelInfo& kernel) const {
  return [this, shared = std::make_shared<const KernelInfo>(kernel)](const rc::Random& random, int) {
    rc::Random stream = random;
    return rc::shrinkable::just(draw(*shared, stream.next()));
  };
}

std::vector<const Generator*> all_generators() {
  std::vector<const Generator*> generators;
  for (const auto& [name, generator] : registry()) generators.push_back(generator.get());
  return generators;
}

const Generator* find_generator(std::string_view name) {
  const auto found = registry().find(name);
  return found == registry().end() ? nullptr : found->second.get();
}

GeneratorRegistration::GeneratorRegistration(std::unique_ptr<Generator> generator) {
  std::string name(generator->name());
  const auto [place, inserted] = registry().try_emplace(std::move(name), std::move(generator));
  if (!inserted) {
    std::fprintf(stderr, "warpcheck: two generators are named \"%s\"; each needs a name of its own\n",
                 place->first.c_str());
    // Before main, and with other static objects half made: nothing may be torn down.
    std::_Exit(2);
  }
}

}  // namespace warpcheck

#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"

namespace rc {
template <typename T>
class Gen;
}  // namespace rc

namespace warpcheck {

namespace generators {
class Draw;
}

/// A named family of cases for any kernel: every case has the kernel's input format and a geometry that its
/// contract accepts, and carries the family's name and its parameters.
///
/// To write one: derive, override the four functions, put WARPCHECK_GENERATOR(Type) below, and name the file
/// in CMake. A generator has no state, and neither function depends on anything but its arguments.
class Generator {
 public:
  virtual ~Generator() = default;

  virtual std::string_view name() const = 0;         ///< "alternating_sign"
  virtual std::string_view description() const = 0;  ///< one sentence

  /// Cases that a search runs before any random one, in this order; the same for the same kernel.
  virtual std::vector<Case> required(const KernelInfo& kernel) const = 0;

  /// The random case that `seed` stands for; the same on every machine.
  Case draw(const KernelInfo& kernel, std::uint64_t seed) const;

  /// The same as a RapidCheck generator (include <rapidcheck/Gen.h> to use it): one 64-bit number is taken
  /// from the rc::Random for each case. It does not depend on RapidCheck's size and it has no shrinks, since
  /// reduction works on cases. The generator must outlive it; the kernel is copied.
  rc::Gen<Case> cases(const KernelInfo& kernel) const;

 protected:
  /// A random case, made from numbers taken from `draw` alone. `family` is filled in by the caller.
  virtual Case make(const KernelInfo& kernel, generators::Draw& draw) const = 0;
};

/// All registered generators, sorted by name.
std::vector<const Generator*> all_generators();

/// nullptr if there is none of that name.
const Generator* find_generator(std::string_view name);

/// Registers a generator for the life of the program: one static object in the generator's file. A second
/// generator of the same name ends the program with a message.
class GeneratorRegistration {
 public:
  explicit GeneratorRegistration(std::unique_ptr<Generator> generator);
};

#define WARPCHECK_GENERATOR(Type)                                                                      \
  namespace {                                                                                          \
  const ::warpcheck::GeneratorRegistration warpcheck_generator_registration{std::make_unique<Type>()}; \
  }                                                                                                    \
  static_assert(true, "")

}  // namespace warpcheck

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "framework/contract/case.hpp"
#include "framework/contract/kernel_info.hpp"
#include "framework/numeric/value.hpp"
#include "generators/draw.hpp"

namespace warpcheck::generators {

/// The bytes of an array, written element by element.
class ArrayBuilder {
 public:
  /// n elements, all +0.
  ArrayBuilder(numeric::Format format, std::uint64_t n)
      : format_(format), bytes_(n * numeric::size_in_bytes(format)) {}

  numeric::Format format() const { return format_; }
  std::uint64_t size() const { return bytes_.size() / numeric::size_in_bytes(format_); }
  /// Preconditions: index < size(); the value has the array's format.
  void set(std::uint64_t index, numeric::Value value) { numeric::store(value, bytes_, index); }
  numeric::Value get(std::uint64_t index) const { return numeric::load(format_, bytes_, index); }
  /// Any order of the elements, each as likely as the others.
  void shuffle(Draw& draw);

  std::shared_ptr<const InputArray> finish() && {
    return std::make_shared<const InputArray>(format_, std::move(bytes_));
  }

 private:
  numeric::Format format_;
  std::vector<std::byte> bytes_;
};

/// The one of the three formats of a contract that holds least.
numeric::Format narrowest(const KernelContract& contract);

/// The largest exponent with which n elements cannot overflow any partial sum, rounded or not, in any of the
/// contract's formats: n·2^(e+1) stays below a half of the largest finite value.
int safe_exponent(const KernelContract& contract, std::uint64_t n);

/// ±(1 + fraction/2^(p−1))·2^exponent, where only the low p − 1 bits of `fraction` count.
/// Precondition: emin ≤ exponent ≤ emax.
numeric::Value normal_value(numeric::Format format, bool negative, int exponent, std::uint64_t fraction);

/// A random sign, a random fraction, and an exponent from lowest to highest, both included.
/// Precondition: emin ≤ lowest ≤ highest ≤ emax.
numeric::Value draw_normal(Draw& draw, numeric::Format format, int lowest, int highest);

/// Any finite value: mostly normal with a common exponent, often with an exponent from the whole range or a
/// small integer, sometimes a subnormal, a power of two, the largest finite value, or a zero of either sign.
numeric::Value draw_finite(Draw& draw, numeric::Format format);

/// The double, rounded to the format. Precondition: it does not overflow.
numeric::Value nearest_value(numeric::Format format, double x);

/// Parameters of a family, as reports show them.
using Parameters = std::vector<std::pair<std::string, std::string>>;

/// A deterministic case of `family`, run with the geometry that is accepted and nearest to `geometry`.
Case fixed_case(const KernelInfo& kernel, std::string_view family, std::shared_ptr<const InputArray> input,
                const Geometry& geometry, Parameters parameters = {});

/// A random launch of these elements.
Case random_case(Draw& draw, const KernelInfo& kernel, std::shared_ptr<const InputArray> input,
                 Parameters parameters = {});

}  // namespace warpcheck::generators

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "framework/contract/kernel_info.hpp"
#include "framework/numeric/exact_sum.hpp"
#include "framework/numeric/format.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck {

/// Which warp, group of lanes or block goes next. The default is the order that converges quickest.
struct Schedule {
  enum class Order : std::uint8_t { lowest_first, highest_first, random };
  Order order{Order::lowest_first};
  std::uint64_t seed{};
  bool operator==(const Schedule&) const = default;
};

/// The elements of an array, exactly the bits that a kernel gets; never changes once made.
class InputArray {
 public:
  /// n elements in native byte order. Throws std::invalid_argument when `bytes` is no whole number of
  /// elements.
  InputArray(numeric::Format format, std::vector<std::byte> bytes);

  numeric::Format format() const { return format_; }
  std::span<const std::byte> bytes() const { return bytes_; }
  std::uint64_t size() const { return bytes_.size() / numeric::size_in_bytes(format_); }
  numeric::Value operator[](std::uint64_t index) const { return numeric::load(format_, bytes_, index); }
  std::vector<numeric::Value> values() const { return numeric::load_all(format_, bytes_); }

  /// The exact truth about the sum; computed at the first call. Not to be called from two threads at once.
  const numeric::SumReference& reference() const;

 private:
  numeric::Format format_;
  std::vector<std::byte> bytes_;
  mutable std::unique_ptr<const numeric::SumReference> reference_;
};

/// Everything that is needed to run a kernel once. Copies share the array.
struct Case {
  std::shared_ptr<const InputArray> input;  ///< never null
  Geometry geometry;
  std::uint32_t pointer_offset{};  ///< the input begins this many elements after an aligned address
  Schedule schedule;

  // Where it came from.
  std::string family;                                           ///< name of the generator
  std::vector<std::pair<std::string, std::string>> parameters;  ///< the generator's, for reports

  std::uint64_t n() const { return input->size(); }
  /// κ = A/|S|, measured from the array.
  double condition() const { return input->reference().condition; }
};

/// An array of fp32 or fp64 elements. Precondition: all values have that format.
std::shared_ptr<const InputArray> make_input(numeric::Format format, std::span<const numeric::Value> values);
std::shared_ptr<const InputArray> make_input(std::span<const float> values);
std::shared_ptr<const InputArray> make_input(std::span<const double> values);

}  // namespace warpcheck

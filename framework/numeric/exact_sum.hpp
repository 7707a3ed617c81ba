#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include "framework/numeric/decimal.hpp"
#include "framework/numeric/format.hpp"
#include "framework/numeric/value.hpp"

namespace warpcheck::numeric {

/// What a sum must be when some of its elements are not finite.
enum class SpecialSum : std::uint8_t { nan, positive_infinity, negative_infinity };

/// The exact truth about the sum of one array; nothing in it is rounded unless it says so.
struct SumReference {
  Format format = Format::fp32;  ///< of the elements
  std::uint64_t n = 0;
  Decimal sum;      ///< S: exact sum of the finite elements
  Decimal sum_abs;  ///< A: exact sum of their magnitudes
  bool has_nan = false;
  bool has_pos_inf = false;
  bool has_neg_inf = false;
  std::uint64_t nonfinite_count = 0;
  /// True when there are elements and every one is −0, so that adding them in any order gives −0.
  bool all_negative_zero = false;
  /// The first and the last element in total_order among those that are not NaN; none when there is none.
  std::optional<Value> smallest;
  std::optional<Value> largest;
  /// κ = A/|S| (to 14 digits): 1 when A = 0, +inf when S = 0 < A.
  double condition = 1;

  /// S rounded once, to nearest even, to `out`; +0 for S = 0 (the sign of an exact zero depends on the
  /// order).
  Value rounded(Format out) const { return rounded_once[static_cast<std::size_t>(out)]; }

  /// The result that the non-finite elements force: NaN for any NaN or infinities of both signs, else
  /// the infinity that is there; nullopt when every element is finite.
  std::optional<SpecialSum> special() const;

  std::array<Value, 2> rounded_once{zero(Format::fp32), zero(Format::fp64)};  ///< indexed by Format
};

/// The reference for an array of `format` in native byte order, of any length including 0.
/// Throws std::invalid_argument when `array` is no whole number of elements.
SumReference reference_sum(Format format, std::span<const std::byte> array);

/// An exact accumulator: whatever is added, in whatever order and grouping, sum() is the exact sum.
///
/// Every finite value is an integer significand times a power of two, so it keeps one integer per sign
/// and exponent field and adds significands there; positive and negative parts apart, so that one pass
/// gives both S = P − N and A = P + N. The integers are emptied into a fixed-point number before any of
/// them can overflow. A block of a large array costs about as much as a plain summation loop; single
/// values and short arrays go to the fixed-point number directly.
class ExactSum {
 public:
  /// How much may be added before a carry must be propagated. The defaults are the proved limits;
  /// smaller ones exist so that tests can cross them. Both must be at least 1.
  struct Limits {
    /// additions into one table of buckets: 2^20 fractions of 23 bits, or halves of at most 32, stay
    /// clear of the count of additions that stands above them
    std::uint64_t bucket_additions = std::uint64_t{1} << 20;
    /// deposits into the fixed-point number: 2^31 of less than 2^32 keep its digits below 2^64
    std::uint64_t deposits = std::uint64_t{1} << 31;
  };

  explicit ExactSum(Format format);
  ExactSum(Format format, Limits limits);
  ExactSum(ExactSum&&) noexcept;
  ExactSum& operator=(ExactSum&&) noexcept;
  ~ExactSum();

  /// Adds every element. Throws std::invalid_argument when they are not of the accumulator's format.
  void add(std::span<const float> values);
  void add(std::span<const double> values);
  void add(Value value);
  /// Elements of the accumulator's format in native byte order, aligned or not.
  void add_bytes(std::span<const std::byte> array);

  /// S and A of the finite elements so far. Adding may go on afterwards.
  Decimal sum() const;
  Decimal sum_abs() const;

  /// All that is known of the elements so far.
  SumReference reference() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// S by another route, slowly: each value converted to a Decimal, one addition after another. Shares
/// nothing with ExactSum but the conversion's policy. Precondition: all finite.
Decimal elementwise_sum(std::span<const Value> values);
/// A by the same route.
Decimal elementwise_sum_abs(std::span<const Value> values);

}  // namespace warpcheck::numeric

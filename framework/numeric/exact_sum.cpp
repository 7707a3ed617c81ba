#include "framework/numeric/exact_sum.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "framework/numeric/fixed_point.hpp"
#include "framework/numeric/natural.hpp"

namespace warpcheck::numeric {
namespace {

__extension__ using Double_word = unsigned __int128;

/// A bucket counts its additions in the bits from here up, above the sum of the fractions: so it needs
/// no look at the exponent field (are subnormals here, without the implicit bit?) for each element.
constexpr int count_position = 43;
constexpr std::uint64_t count_one = std::uint64_t{1} << count_position;
constexpr std::uint64_t fraction_sum_mask = count_one - 1;
constexpr std::uint64_t most_additions = ExactSum::Limits{}.bucket_additions;
static_assert(most_additions <= ~std::uint64_t{0} >> count_position);

/// 23-bit fractions: 2^20 of them stay below 2^43.
struct Bucket32 {
  static_assert(most_additions * 0x7FFFFF < count_one);

  std::uint64_t sum = 0;

  void add(std::uint32_t bits) { sum += (bits & 0x7FFFFFu) | count_one; }
  std::uint64_t count() const { return sum >> count_position; }
  Double_word fractions() const { return sum & fraction_sum_mask; }
};

/// 52-bit fractions in two halves, which need no carry between them: 2^20 upper ones of 20 bits stay
/// below 2^40, and 2^20 lower ones of 32 bits below 2^52.
struct Bucket64 {
  static_assert(most_additions * 0xFFFFF < count_one);

  std::uint64_t lower = 0;
  std::uint64_t upper = 0;

  void add(std::uint64_t bits) {
    lower += bits & 0xFFFFFFFFu;
    upper += ((bits >> 32) & 0xFFFFFu) | count_one;
  }
  std::uint64_t count() const { return upper >> count_position; }
  Double_word fractions() const { return (Double_word{upper & fraction_sum_mask} << 32) + lower; }
};

/// The encoding of one format, for loops that a compiler specialises.
template <class Bits_, class Signed_, class Bucket_, Format format_>
struct Encoding {
  using Bits = Bits_;
  using Signed = Signed_;
  using Bucket = Bucket_;

  static constexpr Format format = format_;
  static constexpr int bits = traits(format).bits;
  static constexpr int fraction_bits = traits(format).precision - 1;
  static constexpr Bits fraction_mask = (Bits{1} << fraction_bits) - 1;
  static constexpr std::size_t fields = std::size_t{1} << (bits - 1 - fraction_bits);
  static constexpr std::size_t field_mask = fields - 1;

  /// The sign and exponent field: negative values have the upper half of the indices.
  static std::size_t index(Bits b) { return static_cast<std::size_t>(b >> fraction_bits); }
  static bool negative(std::size_t index) { return index >= fields; }
  static bool nonfinite(std::size_t index) { return (index & field_mask) == field_mask; }
  /// 1 where the significands of this field have an implicit bit: everywhere but in the lowest.
  static Bits implicit(std::size_t index) { return static_cast<Bits>((index & field_mask) != 0); }
  static Bits significand(Bits b, std::size_t index) {
    return (b & fraction_mask) | (implicit(index) << fraction_bits);
  }
  /// The sum of the significands that a bucket was given.
  static Double_word significands(const Bucket& bucket, std::size_t index) {
    return bucket.fractions() + (Double_word{bucket.count() * implicit(index)} << fraction_bits);
  }
  /// Bits above the smallest exponent at which a significand of this field stands.
  static int position(std::size_t index) {
    return static_cast<int>(std::max<std::size_t>(index & field_mask, 1)) - 1;
  }
  /// Signed integers in the total order of the numbers (−0 is −1, +0 is 0).
  static Signed key(Bits b) {
    const auto s = static_cast<Signed>(b);
    return s ^ static_cast<Signed>(static_cast<Bits>(s >> (bits - 1)) >> 1);
  }
  static Bits bits_of_key(Signed key) { return static_cast<Bits>(Encoding::key(static_cast<Bits>(key))); }
  static Bits load(const std::byte* p) {
    Bits b;
    std::memcpy(&b, p, sizeof b);
    return b;
  }
};

using Fp32 = Encoding<std::uint32_t, std::int32_t, Bucket32, Format::fp32>;
using Fp64 = Encoding<std::uint64_t, std::int64_t, Bucket64, Format::fp64>;

/// Neighbours go to different copies of the table: a store must not be waited for by the next load of
/// the same bucket, which is the common case.
constexpr std::size_t copies = 4;
/// Elements between two looks at limits, and between the two passes over a part that stays in cache.
constexpr std::size_t block_size = 2048;
/// Below this many elements the table's own cost (clearing and emptying it) is not worth it.
template <class E>
constexpr std::size_t table_threshold = E::fields * 8;

}  // namespace

struct ExactSum::State {
  State(Format f, Limits l) : format(f), limits(l), parts{FixedPoint(l.deposits), FixedPoint(l.deposits)} {
    if (l.bucket_additions == 0 || l.bucket_additions > Limits{}.bucket_additions) {
      throw std::invalid_argument("a limit of " + std::to_string(l.bucket_additions) +
                                  " additions between drains; it must be from 1 to " +
                                  std::to_string(Limits{}.bucket_additions));
    }
  }

  template <class E>
  void add(const std::byte* array, std::size_t count) {
    n += count;
    if (count < table_threshold<E>) {
      for (std::size_t done = 0; done < count; done += block_size) {
        const std::size_t block = std::min(block_size, count - done);
        add_singly<E>(array + done * sizeof(typename E::Bits), block);
      }
    } else {
      add_by_table<E>(array, count);
    }
  }

  template <class E>
  void add_singly(const std::byte* array, std::size_t count) {
    bool all_finite = true;
    for (std::size_t i = 0; i < count; ++i) {
      const auto bits = E::load(array + i * sizeof(typename E::Bits));
      const std::size_t index = E::index(bits);
      if (E::nonfinite(index)) {
        all_finite = false;
        continue;
      }
      deposit(E::negative(index), E::significand(bits, index), E::position(index));
    }
    note_order<E>(array, count, all_finite);
  }

  template <class E>
  void add_by_table(const std::byte* array, std::size_t count) {
    using Bucket = typename E::Bucket;
    constexpr std::size_t element = sizeof(typename E::Bits);
    std::vector<Bucket> table(2 * E::fields * copies);
    std::uint64_t additions = 0;
    for (std::size_t done = 0; done < count;) {
      const std::size_t block = static_cast<std::size_t>(
          std::min<std::uint64_t>({block_size, count - done, limits.bucket_additions}));
      if (additions + block > limits.bucket_additions) {
        drain<E>(table);
        additions = 0;
      }
      const std::byte* p = array + done * element;
      const auto add_one = [&](std::size_t i, std::size_t copy) {
        const auto bits = E::load(p + i * element);
        table[E::index(bits) * copies + copy].add(bits);
      };
      std::size_t i = 0;
      for (; i + copies <= block; i += copies) {
        for (std::size_t copy = 0; copy < copies; ++copy) add_one(i + copy, copy);
      }
      for (; i < block; ++i) add_one(i, 0);
      note_order<E>(p, block, !take_nonfinite<E>(table));
      additions += block;
      done += block;
    }
    drain<E>(table);
  }

  /// Whether the buckets of infinities and NaN were used; clears them.
  template <class E>
  static bool take_nonfinite(std::vector<typename E::Bucket>& table) {
    bool used = false;
    for (const std::size_t index : {E::field_mask, E::fields + E::field_mask}) {
      for (std::size_t copy = 0; copy < copies; ++copy) {
        typename E::Bucket& bucket = table[index * copies + copy];
        used = used || bucket.count() != 0;
        bucket = {};
      }
    }
    return used;
  }

  template <class E>
  void drain(std::vector<typename E::Bucket>& table) {
    for (std::size_t index = 0; index < 2 * E::fields; ++index) {
      for (std::size_t copy = 0; copy < copies; ++copy) {
        typename E::Bucket& bucket = table[index * copies + copy];
        if (bucket.count() == 0) continue;
        Double_word sum = E::significands(bucket, index);
        bucket = {};
        for (int position = E::position(index); sum != 0; position += 64, sum >>= 64) {
          deposit(E::negative(index), static_cast<std::uint64_t>(sum), position);
        }
      }
    }
  }

  void deposit(bool negative, std::uint64_t value, int position) {
    parts[negative ? 1 : 0].deposit(value, position);
  }

  /// Updates the extremes and the counts of what is not finite.
  template <class E>
  void note_order(const std::byte* array, std::size_t count, bool all_finite) {
    using Signed = typename E::Signed;
    constexpr std::size_t element = sizeof(typename E::Bits);
    Signed low = std::numeric_limits<Signed>::max();
    Signed high = std::numeric_limits<Signed>::min();
    if (all_finite) {
      for (std::size_t i = 0; i < count; ++i) {
        const Signed key = E::key(E::load(array + i * element));
        low = std::min(low, key);
        high = std::max(high, key);
      }
    } else {
      for (std::size_t i = 0; i < count; ++i) {
        const auto bits = E::load(array + i * element);
        if (E::nonfinite(E::index(bits))) {
          ++nonfinite;
          const bool nan = (bits & E::fraction_mask) != 0;
          has_nan = has_nan || nan;
          has_pos_inf = has_pos_inf || (!nan && !E::negative(E::index(bits)));
          has_neg_inf = has_neg_inf || (!nan && E::negative(E::index(bits)));
          if (nan) continue;
        }
        low = std::min(low, E::key(bits));
        high = std::max(high, E::key(bits));
      }
    }
    if (low > high) return;  // nothing but NaN, or nothing
    if (!smallest || low < E::key(static_cast<typename E::Bits>(smallest->bits))) {
      smallest = Value{E::format, E::bits_of_key(low)};
    }
    if (!largest || high > E::key(static_cast<typename E::Bits>(largest->bits))) {
      largest = Value{E::format, E::bits_of_key(high)};
    }
  }

  void add_bytes(const std::byte* array, std::size_t count) {
    if (format == Format::fp32) {
      add<Fp32>(array, count);
    } else {
      add<Fp64>(array, count);
    }
  }

  Format format;
  Limits limits;
  std::uint64_t n = 0;
  std::uint64_t nonfinite = 0;
  bool has_nan = false;
  bool has_pos_inf = false;
  bool has_neg_inf = false;
  std::optional<Value> smallest;
  std::optional<Value> largest;
  std::array<FixedPoint, 2> parts;  // P and N, in units of the smallest subnormal
};

namespace {

/// |S|, its sign, and A, from P and N.
struct Sums {
  Natural sum;
  bool negative = false;
  Natural sum_abs;
};

Sums combine(Natural positive, Natural negative) {
  Sums s;
  s.negative = positive < negative;
  s.sum = s.negative ? negative : positive;
  s.sum -= s.negative ? positive : negative;
  s.sum_abs = std::move(positive);
  s.sum_abs += negative;
  return s;
}

void require_format(Format have, Format want) {
  if (have == want) return;
  throw std::invalid_argument("the exact accumulator holds " + std::string(name(have)) + " and was given " +
                              std::string(name(want)));
}

}  // namespace

ExactSum::ExactSum(Format format) : ExactSum(format, Limits{}) {}
ExactSum::ExactSum(Format format, Limits limits) : state_(std::make_unique<State>(format, limits)) {}
ExactSum::ExactSum(ExactSum&&) noexcept = default;
ExactSum& ExactSum::operator=(ExactSum&&) noexcept = default;
ExactSum::~ExactSum() = default;

void ExactSum::add(std::span<const float> values) {
  require_format(state_->format, Format::fp32);
  add_bytes(std::as_bytes(values));
}

void ExactSum::add(std::span<const double> values) {
  require_format(state_->format, Format::fp64);
  add_bytes(std::as_bytes(values));
}

void ExactSum::add(Value value) {
  require_format(state_->format, value.format);
  std::array<std::byte, 8> bytes;
  store(value, bytes, 0);
  state_->add_bytes(bytes.data(), 1);
}

void ExactSum::add_bytes(std::span<const std::byte> array) {
  const std::size_t size = size_in_bytes(state_->format);
  if (array.size() % size != 0) {
    throw std::invalid_argument("an array of " + std::to_string(array.size()) +
                                " bytes is no whole number of " + std::string(name(state_->format)) +
                                " elements of " + std::to_string(size) + " bytes");
  }
  state_->add_bytes(array.data(), array.size() / size);
}

Decimal ExactSum::sum() const {
  const Sums s = combine(state_->parts[0].value(), state_->parts[1].value());
  return Decimal::scaled(s.negative, s.sum, traits(state_->format).smallest_exponent,
                         Decimal::width_for(state_->format));
}

Decimal ExactSum::sum_abs() const {
  const Sums s = combine(state_->parts[0].value(), state_->parts[1].value());
  return Decimal::scaled(false, s.sum_abs, traits(state_->format).smallest_exponent,
                         Decimal::width_for(state_->format));
}

SumReference ExactSum::reference() const {
  const State& state = *state_;
  const int exponent = traits(state.format).smallest_exponent;
  const Decimal::Width width = Decimal::width_for(state.format);
  const Sums s = combine(state.parts[0].value(), state.parts[1].value());

  SumReference r;
  r.format = state.format;
  r.n = state.n;
  r.sum = Decimal::scaled(s.negative, s.sum, exponent, width);
  r.sum_abs = s.sum == s.sum_abs ? r.sum.abs() : Decimal::scaled(false, s.sum_abs, exponent, width);
  r.has_nan = state.has_nan;
  r.has_pos_inf = state.has_pos_inf;
  r.has_neg_inf = state.has_neg_inf;
  r.nonfinite_count = state.nonfinite;
  const Value minus_zero = zero(state.format, true);
  r.all_negative_zero = state.nonfinite == 0 && state.smallest == minus_zero && state.largest == minus_zero;
  r.smallest = state.smallest;
  r.largest = state.largest;
  r.condition = s.sum_abs.is_zero() ? 1.0 : error_ratio(r.sum_abs, r.sum);
  const Truncated t = leading_bits(s.sum, exponent);
  for (const Format format : all_formats()) {
    r.rounded_once[static_cast<std::size_t>(format)] =
        round_to_nearest_even(format, s.negative, t.integer, t.exponent, t.inexact);
  }
  return r;
}

std::optional<SpecialSum> SumReference::special() const {
  if (has_nan || (has_pos_inf && has_neg_inf)) return SpecialSum::nan;
  if (has_pos_inf) return SpecialSum::positive_infinity;
  if (has_neg_inf) return SpecialSum::negative_infinity;
  return std::nullopt;
}

SumReference reference_sum(Format format, std::span<const std::byte> array) {
  ExactSum sum(format);
  sum.add_bytes(array);
  return sum.reference();
}

Decimal elementwise_sum(std::span<const Value> values) {
  Decimal total;
  for (const Value v : values) total += Decimal(v);
  return total;
}

Decimal elementwise_sum_abs(std::span<const Value> values) {
  Decimal total;
  for (const Value v : values) total += Decimal(absolute(v));
  return total;
}

}  // namespace warpcheck::numeric

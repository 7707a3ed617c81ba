#include "framework/engine/reduce.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "framework/engine/simplicity.hpp"
#include "framework/record/equal_run.hpp"

namespace warpcheck::engine {

using record::equal_runs;
using record::EqualRun;
namespace {

using numeric::Value;
using Bytes = std::vector<std::byte>;
using Indices = std::vector<std::uint64_t>;

// No step of a round tries more than this many parts of the array one by one; the limit of judgements is for
// all steps.
constexpr std::uint64_t most_chunks = 512;
constexpr std::uint64_t most_groups = 64;
constexpr std::uint64_t confirmations = 3;
constexpr std::uint64_t warp = 32;

class Reducer {
 public:
  Reducer(const Case& original, const Verdict& verdict, const KernelContract& contract, const Judge& judge,
          const ReductionLimits& limits)
      : original_(original),
        original_verdict_(verdict),
        contract_(contract),
        judge_(judge),
        limits_(limits),
        current_(original),
        verdict_(verdict) {
    seen_.insert(key_of(original));
  }

  Reduction run() {
    equalise();
    bool progress = true;
    while (progress && !stopped_) {
      progress = false;
      progress |= shorten_to_boundaries();
      progress |= bisect_length();
      progress |= zero_chunks();
      progress |= drop_groups();
      progress |= delete_chunks();
      progress |= shorten_equal_runs();
      progress |= simplify_values();
      progress |= simplify_geometry();
      progress |= shorten_with_geometry();
      progress |= simplify_offset();
      progress |= simplify_schedule();
    }
    confirm();
    Reduction result;
    result.reduced = std::move(current_);
    result.verdict = std::move(verdict_);
    result.judgements = judgements_;
    result.runs = runs_;
    result.limit_reached = limit_reached_;
    result.confirmed = confirmed_;
    result.stopped_by = std::move(stopped_by_);
    return result;
  }

 private:
  // The one place that judges.

  std::optional<Verdict> judge(const Case& candidate) {
    ++judgements_;
    try {
      Verdict verdict = judge_(candidate);
      runs_ += std::max<std::uint64_t>(verdict.runs, 1);
      return verdict;
    } catch (const std::exception& failure) {
      stopped_by_ = failure.what();
      stopped_ = true;
      return std::nullopt;
    }
  }

  /// Makes the candidate the current case if it shows the same fault. The caller sees to it that it is
  /// simpler.
  bool accept(Case candidate) {
    if (stopped_ || !contract_.accepts(candidate.geometry)) return false;
    if (!seen_.insert(key_of(candidate)).second) return false;
    const bool late = limits_.deadline && std::chrono::steady_clock::now() >= *limits_.deadline;
    if (late || judgements_ + confirmations >= limits_.judgements) {
      limit_reached_ = stopped_ = true;
      return false;
    }
    std::optional<Verdict> verdict = judge(candidate);
    if (!verdict || !original_verdict_.same_fault(*verdict) || !severity_kept(original_verdict_, *verdict))
      return false;
    current_ = std::move(candidate);
    verdict_ = std::move(*verdict);
    return true;
  }

  void confirm() {
    for (std::uint64_t i = 0; i < confirmations && judgements_ < limits_.judgements; ++i) {
      std::optional<Verdict> verdict = judge(current_);
      if (!verdict) return;  // nothing says that the fault is gone
      if (original_verdict_.same_fault(*verdict) && severity_kept(original_verdict_, *verdict)) {
        verdict_ = std::move(*verdict);
        confirmed_ = true;
        return;
      }
    }
    if (judgements_ == 0) return;
    current_ = original_;
    verdict_ = original_verdict_;
  }

  static std::size_t key_of(const Case& candidate) {
    const auto bytes = candidate.input->bytes();
    std::size_t key =
        std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    for (const std::uint64_t part :
         {std::uint64_t{bytes.size()}, std::uint64_t{candidate.geometry.grid},
          std::uint64_t{candidate.geometry.block}, std::uint64_t{candidate.pointer_offset},
          static_cast<std::uint64_t>(candidate.schedule.order), candidate.schedule.seed}) {
      key = (key ^ part) * 0x9e3779b97f4a7c15u;
      key ^= key >> 29;
    }
    return key;
  }

  // Candidates.

  numeric::Format format() const { return current_.input->format(); }
  std::size_t width() const { return numeric::size_in_bytes(format()); }
  std::uint64_t n() const { return current_.n(); }

  Case with_bytes(Bytes bytes) const {
    Case candidate = current_;
    candidate.input = std::make_shared<const InputArray>(format(), std::move(bytes));
    return candidate;
  }

  Bytes copy_of_elements() const {
    const auto bytes = current_.input->bytes();
    return {bytes.begin(), bytes.end()};
  }

  Bytes slice(std::uint64_t first, std::uint64_t count) const {
    const auto bytes = current_.input->bytes().subspan(first * width(), count * width());
    return {bytes.begin(), bytes.end()};
  }

  bool keep_prefix(std::uint64_t count) { return count < n() && accept(with_bytes(slice(0, count))); }
  bool keep_suffix(std::uint64_t count) {
    return count < n() && accept(with_bytes(slice(n() - count, count)));
  }

  bool erase(std::uint64_t first, std::uint64_t count) {
    Bytes bytes = slice(0, first);
    const Bytes rest = slice(first + count, n() - first - count);
    bytes.insert(bytes.end(), rest.begin(), rest.end());
    return accept(with_bytes(std::move(bytes)));
  }

  /// Precondition: indices ascend.
  bool erase(const Indices& indices) {
    if (indices.empty()) return false;
    Bytes bytes;
    bytes.reserve((n() - indices.size()) * width());
    const auto all = current_.input->bytes();
    std::uint64_t from = 0;
    for (const std::uint64_t index : indices) {
      bytes.insert(bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(from * width()),
                   all.begin() + static_cast<std::ptrdiff_t>(index * width()));
      from = index + 1;
    }
    bytes.insert(bytes.end(), all.begin() + static_cast<std::ptrdiff_t>(from * width()), all.end());
    return accept(with_bytes(std::move(bytes)));
  }

  /// Replaces elements; a candidate only if the array becomes simpler as a whole.
  template <class Change>
  bool change(const Indices& indices, const Change& to) {
    Bytes bytes = copy_of_elements();
    std::int64_t gain = 0;
    for (const std::uint64_t index : indices) {
      const Value before = numeric::load(format(), bytes, index);
      const std::optional<Value> after = to(before);
      if (!after) return false;
      gain += complexity(before) - complexity(*after);
      numeric::store(*after, bytes, index);
    }
    return gain > 0 && accept(with_bytes(std::move(bytes)));
  }

  bool zero(const Indices& indices) {
    return change(indices, [&](Value) { return std::optional(numeric::zero(format())); });
  }

  /// Gives elements the magnitude; they keep their signs.
  bool set_magnitude(const Indices& indices, std::optional<Value> magnitude) {
    if (!magnitude) return false;
    return change(indices, [&](Value before) {
      return std::optional(numeric::is_negative(before) ? numeric::negate(*magnitude) : *magnitude);
    });
  }

  /// Indices of the elements that are not +0, ascending.
  Indices nonzeros() const {
    Indices indices;
    for (std::uint64_t i = 0; i < n(); ++i) {
      if ((*current_.input)[i] != numeric::zero(format())) indices.push_back(i);
    }
    return indices;
  }

  /// Elements other than +0 by magnitude, in order of first appearance; empty if there are more than
  /// most_groups.
  std::vector<Indices> groups_by_magnitude() const {
    std::map<std::uint64_t, std::size_t> place;
    std::vector<Indices> groups;
    for (const std::uint64_t index : nonzeros()) {
      const Value magnitude = numeric::absolute((*current_.input)[index]);
      const auto [found, inserted] = place.try_emplace(magnitude.bits, groups.size());
      if (inserted) {
        if (groups.size() == most_groups) return {};
        groups.emplace_back();
      }
      groups[found->second].push_back(index);
    }
    return groups;
  }

  /// The smallest value in [least, now) that `attempt` accepts, if the attempts are monotone; each success
  /// must bring the searched quantity down to the value tried.
  template <class Attempt>
  bool bisect(std::uint64_t least, std::uint64_t now, const Attempt& attempt) {
    bool any = false;
    while (least < now && !stopped_) {
      const std::uint64_t middle = least + (now - least) / 2;
      if (attempt(middle)) {
        now = middle;
        any = true;
      } else {
        least = middle + 1;
      }
    }
    return any;
  }

  // Lengths.

  bool shorten_to_boundaries() {
    const std::uint64_t block = current_.geometry.block;
    const std::uint64_t threads = current_.geometry.threads();
    Indices targets{0,       1,           2,         3,       4,         warp - 1,
                    warp,    warp + 1,    block - 1, block,   block + 1, threads - 1,
                    threads, threads + 1, n() / 8,   n() / 4, n() / 2,   n() - (n() > 0 ? 1 : 0)};
    std::sort(targets.begin(), targets.end());
    for (const std::uint64_t target : targets) {
      if (keep_prefix(target) || keep_suffix(target)) return true;
    }
    return false;
  }

  bool bisect_length() {
    const bool front = bisect(0, n(), [&](std::uint64_t count) { return keep_prefix(count); });
    const bool back = bisect(0, n(), [&](std::uint64_t count) { return keep_suffix(count); });
    return front || back;
  }

  bool zero_chunks() {
    Indices left = nonzeros();
    bool any = false;
    for (std::uint64_t size = left.size(); size > 0 && !stopped_; size /= 2) {
      if (left.size() / size > most_chunks) break;
      for (std::uint64_t start = 0; start < left.size() && !stopped_;) {
        const auto first = left.begin() + static_cast<std::ptrdiff_t>(start);
        const auto last =
            left.begin() + static_cast<std::ptrdiff_t>(std::min(start + size, std::uint64_t{left.size()}));
        if (zero({first, last})) {
          left.erase(first, last);
          any = true;
        } else {
          start += size;
        }
      }
      size = std::min(size, std::uint64_t{left.size()});
    }
    return any;
  }

  bool delete_chunks() {
    bool any = false;
    for (std::uint64_t size = n() / 2; size > 0 && !stopped_; size /= 2) {
      if (n() / size > most_chunks) break;
      for (std::uint64_t start = 0; start < n() && !stopped_;) {
        if (erase(start, std::min(size, n() - start))) {
          any = true;
        } else {
          start += size;
        }
      }
    }
    return any;
  }

  /// Whole magnitudes, then pairs of x and −x: what cancels must go together or not at all.
  bool drop_groups() {
    bool any = false;
    const std::vector<Indices> groups = groups_by_magnitude();
    for (const Indices& group : groups) any |= zero(group);
    for (const Indices& group : any ? groups_by_magnitude() : groups) {
      Indices positive, negative;
      for (const std::uint64_t index : group) {
        (numeric::is_negative((*current_.input)[index]) ? negative : positive).push_back(index);
      }
      const std::uint64_t pairs =
          std::min({std::uint64_t{positive.size()}, std::uint64_t{negative.size()}, most_groups});
      for (std::uint64_t i = 0; i < pairs && !stopped_; ++i) {
        any |= zero({std::min(positive[i], negative[i]), std::max(positive[i], negative[i])});
      }
    }
    // A deletion moves the elements behind it, so the groups are counted anew after each.
    bool deleted = true;
    while (deleted && !stopped_) {
      deleted = false;
      for (const Indices& group : groups_by_magnitude()) {
        deleted = erase(group);
        if (deleted) break;
      }
      any |= deleted;
    }
    return any;
  }

  bool shorten_equal_runs() {
    bool any = false;
    std::uint64_t first = 0;
    std::vector<EqualRun> runs = equal_runs(*current_.input);
    if (runs.size() > most_groups) return false;
    for (const EqualRun& run : runs) {
      std::uint64_t count = run.count;
      any |= bisect(0, count, [&](std::uint64_t shorter) {
        if (!erase(first, count - shorter)) return false;
        count = shorter;
        return true;
      });
      first += count;
    }
    return any;
  }

  // Values.

  /// Before anything else, since an array of equal elements is quicker to shorten.
  bool equalise() {
    const Indices indices = nonzeros();
    if (indices.empty()) return false;
    if (set_all(indices, small_integer(format(), 1))) return true;
    const Value first = (*current_.input)[indices.front()];
    return set_all(indices, first) || set_magnitude(indices, small_integer(format(), 1));
  }

  bool set_all(const Indices& indices, Value value) {
    return change(indices, [&](Value) { return std::optional(value); });
  }

  bool simplify_values() {
    bool any = equalise();
    any |= simplify_all();
    for (const Indices& group : groups_by_magnitude()) {
      if (group.size() > 1) any |= simplify_magnitude(group);
    }
    Indices indices = nonzeros();
    if (indices.size() > most_groups) indices.erase(indices.begin() + most_groups, indices.end());
    for (const std::uint64_t index : indices) {
      const Indices one{index};
      any |= set_all(one, small_integer(format(), 1));
      any |= change(one, [](Value before) {
        return std::optional(numeric::is_nan(before) ? numeric::quiet_nan(before.format)
                                                     : numeric::absolute(before));
      });
      any |= simplify_magnitude(one);
    }
    return any;
  }

  bool simplify_all() {
    const Indices indices = nonzeros();
    if (indices.empty()) return false;
    bool any = change(indices, [](Value before) { return std::optional(numeric::absolute(before)); });
    any |= change(indices, [](Value before) { return std::optional(numeric::negate(before)); });
    // Fewer bits in all of them: what cancels still does, since equal magnitudes stay equal.
    any |= bisect(1, widest(indices), [&](std::uint64_t bits) {
      return change(indices, [&](Value before) -> std::optional<Value> {
        if (!numeric::is_finite(before) || numeric::is_zero(before)) return before;
        const auto rounded = with_significant_bits(numeric::absolute(before), static_cast<int>(bits), false);
        return rounded && numeric::is_negative(before) ? numeric::negate(*rounded) : rounded;
      });
    });
    // One power of two for all keeps every relation between elements.
    for (const bool to_largest : {true, false}) {
      const int exponent = extreme_exponent(indices, to_largest);
      any |= exponent != 0 && change(indices, [&](Value before) -> std::optional<Value> {
               return numeric::is_nan(before) ? before : numeric::scale_exactly(before, -exponent);
             });
    }
    return any;
  }

  std::uint64_t widest(const Indices& indices) const {
    int bits = 1;
    for (const std::uint64_t index : indices) {
      const Value value = (*current_.input)[index];
      if (numeric::is_finite(value) && !numeric::is_zero(value))
        bits = std::max(bits, significant_bits(value));
    }
    return static_cast<std::uint64_t>(bits);
  }

  int extreme_exponent(const Indices& indices, bool largest) const {
    std::optional<int> extreme;
    for (const std::uint64_t index : indices) {
      const Value value = (*current_.input)[index];
      if (!numeric::is_finite(value) || numeric::is_zero(value)) continue;
      const int exponent = leading_exponent(value);
      if (!extreme || (largest ? exponent > *extreme : exponent < *extreme)) extreme = exponent;
    }
    return extreme.value_or(0);
  }

  /// Precondition: the elements have the same magnitude.
  bool simplify_magnitude(const Indices& indices) {
    bool any = false;
    for (const std::uint64_t integer : {1u, 2u, 3u}) {
      if (set_magnitude(indices, small_integer(format(), integer))) {
        any = true;
        break;
      }
    }
    const auto magnitude = [&] { return numeric::absolute((*current_.input)[indices.front()]); };
    if (!numeric::is_finite(magnitude()) || numeric::is_zero(magnitude())) return any;
    any |= bisect(1, static_cast<std::uint64_t>(significant_bits(magnitude())), [&](std::uint64_t bits) {
      const Value before = magnitude();
      return set_magnitude(indices, with_significant_bits(before, static_cast<int>(bits), false)) ||
             set_magnitude(indices, with_significant_bits(before, static_cast<int>(bits), true));
    });
    // The exponent goes towards 0 from its side; the significand stays.
    const int sign = leading_exponent(magnitude()) < 0 ? -1 : 1;
    const auto distance = static_cast<std::uint64_t>(sign * leading_exponent(magnitude()));
    any |= bisect(0, distance, [&](std::uint64_t closer) {
      const Value before = magnitude();
      const int wanted = sign * static_cast<int>(closer);
      return set_magnitude(indices, numeric::scale_exactly(before, wanted - leading_exponent(before)));
    });
    return any;
  }

  // The launch.

  bool set_geometry(std::uint32_t grid, std::uint32_t block) {
    const Geometry now = current_.geometry;
    if (std::pair(grid, block) >= std::pair(now.grid, now.block)) return false;
    Case candidate = current_;
    candidate.geometry = {grid, block};
    return accept(std::move(candidate));
  }

  /// Block sizes that stand for all: the smallest ones accepted and those around multiples of a warp,
  /// ascending.
  std::vector<std::uint32_t> usual_blocks() const {
    std::vector<std::uint32_t> blocks;
    const std::uint32_t step = contract_.block_multiple;
    const std::uint32_t smallest = (contract_.min_block + step - 1) / step * step;
    for (std::uint32_t i = 0; i < 4; ++i) blocks.push_back(smallest + i * step);
    for (const std::uint32_t size : {32u, 64u, 96u, 128u, 256u, 512u, 1024u}) {
      for (const std::uint32_t block : {size - 1, size, size + 1}) blocks.push_back(block);
    }
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
    std::erase_if(blocks, [&](std::uint32_t block) { return !contract_.accepts({1, block}); });
    return blocks;
  }

  bool simplify_geometry() {
    bool any = set_geometry(1, current_.geometry.block);
    any |= set_geometry(2, current_.geometry.block);
    any |= bisect(1, current_.geometry.grid, [&](std::uint64_t grid) {
      return set_geometry(static_cast<std::uint32_t>(grid), current_.geometry.block);
    });
    for (const std::uint32_t block : usual_blocks()) {
      if (!set_geometry(current_.geometry.grid, block)) continue;
      any = true;
      break;
    }
    const std::uint32_t step = contract_.block_multiple;
    const std::uint32_t smallest = (contract_.min_block + step - 1) / step;
    any |= bisect(smallest, current_.geometry.block / step, [&](std::uint64_t multiple) {
      return set_geometry(current_.geometry.grid, static_cast<std::uint32_t>(multiple) * step);
    });
    return any;
  }

  /// Smaller launches together with the length that stands in the same relation to them, for faults at n =
  /// grid·block and the like.
  bool shorten_with_geometry() {
    const Geometry now = current_.geometry;
    std::vector<std::uint32_t> blocks = usual_blocks();
    if (blocks.size() > 2) blocks.erase(blocks.begin() + 2, blocks.end());
    for (const std::uint32_t block : {std::uint32_t{32}, std::uint32_t{64}, now.block})
      blocks.push_back(block);
    for (const std::uint32_t grid : {std::uint32_t{1}, std::uint32_t{2}, now.grid}) {
      for (const std::uint32_t block : blocks) {
        const Geometry smaller{grid, block};
        if (grid > now.grid || block > now.block || smaller == now || stopped_) continue;
        const std::uint64_t threads = smaller.threads();
        // Differences wrap to lengths that are too large and left out below.
        for (const std::uint64_t length :
             {n() - now.threads() + threads, n() - now.block + block, n() / now.threads() * threads,
              n() / now.block * block, threads - 1, threads, threads + 1}) {
          if (length >= n()) continue;
          for (const std::uint64_t first : {std::uint64_t{0}, n() - length}) {
            Case candidate = with_bytes(slice(first, length));
            candidate.geometry = smaller;
            if (accept(std::move(candidate))) return true;
          }
        }
      }
    }
    return false;
  }

  bool simplify_offset() {
    return bisect(0, current_.pointer_offset, [&](std::uint64_t offset) {
      Case candidate = current_;
      candidate.pointer_offset = static_cast<std::uint32_t>(offset);
      return accept(std::move(candidate));
    });
  }

  bool simplify_schedule() {
    const Schedule now = current_.schedule;
    for (const Schedule simpler :
         {Schedule{}, Schedule{Schedule::Order::highest_first, 0}, Schedule{Schedule::Order::random, 0},
          Schedule{Schedule::Order::random, 1}, Schedule{Schedule::Order::random, 2},
          Schedule{Schedule::Order::random, 3}}) {
      if (std::pair(simpler.order, simpler.seed) >= std::pair(now.order, now.seed)) return false;
      Case candidate = current_;
      candidate.schedule = simpler;
      if (accept(std::move(candidate))) return true;
    }
    return false;
  }

  const Case& original_;
  const Verdict& original_verdict_;
  const KernelContract& contract_;
  const Judge& judge_;
  const ReductionLimits& limits_;

  Case current_;
  Verdict verdict_;
  std::unordered_set<std::size_t> seen_;
  std::uint64_t judgements_ = 0, runs_ = 0;
  bool stopped_ = false, limit_reached_ = false, confirmed_ = false;
  std::string stopped_by_;
};

}  // namespace

double severity(const Verdict& verdict) {
  switch (verdict.failure) {
    case FailureClass::over_bound:
      return verdict.measures.error_over_tolerance;
    case FailureClass::wrong_value:
      return verdict.measures.error_over_sum_abs;
    default:
      return 0;
  }
}

bool severity_kept(const Verdict& original, const Verdict& candidate) {
  const double floor = severity(original) / 8;
  if (std::isnan(floor)) return true;
  const double least = original.failure == FailureClass::over_bound ? std::max(floor, 1.0) : floor;
  return severity(candidate) >= least;
}

Reduction reduce(const Case& original, const Verdict& verdict, const KernelContract& contract,
                 const Judge& judge, const ReductionLimits& limits) {
  return Reducer(original, verdict, contract, judge, limits).run();
}

}  // namespace warpcheck::engine

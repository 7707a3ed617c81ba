#include "framework/report/orders.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "framework/numeric/judge.hpp"
#include "framework/numeric/natural.hpp"
#include "framework/report/look.hpp"

namespace warpcheck::report {

using numeric::Format;
using numeric::Value;

namespace {

/// One addition, rounded to nearest even in the format itself.
Value add(Value a, Value b) {
  if (a.format == Format::fp32) {
    return numeric::value_of(std::bit_cast<float>(static_cast<std::uint32_t>(a.bits)) +
                             std::bit_cast<float>(static_cast<std::uint32_t>(b.bits)));
  }
  return numeric::value_of(std::bit_cast<double>(a.bits) + std::bit_cast<double>(b.bits));
}

bool before(Value a, Value b) {
  return numeric::total_order(a, b) < 0;
}

bool row_before(const std::vector<Value>& a, const std::vector<Value>& b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(), before);
}

struct RowOrder {
  bool operator()(const std::vector<Value>& a, const std::vector<Value>& b) const { return row_before(a, b); }
};

bool is_forced(Value value, numeric::SpecialSum special) {
  switch (special) {
    case numeric::SpecialSum::nan:
      return numeric::is_nan(value);
    case numeric::SpecialSum::positive_infinity:
      return numeric::is_inf(value) && !numeric::is_negative(value);
    case numeric::SpecialSum::negative_infinity:
      return numeric::is_inf(value) && numeric::is_negative(value);
  }
  return false;
}

OrderResult compared(Value value, const numeric::SumReference& reference) {
  OrderResult result;
  result.value = value;
  if (const auto special = reference.special()) {
    result.forced = is_forced(value, *special);
  } else if (numeric::is_finite(value)) {
    result.abs_error = (numeric::Decimal(value) - reference.sum).abs();
  }
  return result;
}

/// The same stream of numbers on every machine (splitmix64).
class Stream {
 public:
  explicit Stream(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// From 0 to bound − 1, every one equally likely.
  std::uint64_t below(std::uint64_t bound) {
    const std::uint64_t unfair = (0 - bound) % bound;
    for (;;) {
      const std::uint64_t drawn = next();
      if (drawn >= unfair) return drawn % bound;
    }
  }

 private:
  std::uint64_t state_;
};

std::vector<std::uint64_t> multiplicities(std::span<const Value> values) {
  std::vector<Value> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end(), before);
  std::vector<std::uint64_t> counts;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    if (i > 0 && sorted[i] == sorted[i - 1]) {
      ++counts.back();
    } else {
      counts.push_back(1);
    }
  }
  return counts;
}

/// Adds `sign` times the prime factors of k! to `powers`.
void add_factorial(std::map<std::uint64_t, std::int64_t>& powers, std::uint64_t k, std::int64_t sign) {
  for (std::uint64_t factor = 2; factor <= k; ++factor) {
    std::uint64_t rest = factor;
    for (std::uint64_t p = 2; p * p <= rest; ++p) {
      for (; rest % p == 0; rest /= p) powers[p] += sign;
    }
    if (rest > 1) powers[rest] += sign;
  }
}

numeric::Natural orders_of(std::span<const Value> values) {
  std::map<std::uint64_t, std::int64_t> powers;
  add_factorial(powers, values.size(), 1);
  for (const std::uint64_t count : multiplicities(values)) add_factorial(powers, count, -1);
  numeric::Natural orders(1);
  for (const auto& [prime, power] : powers) {
    for (std::int64_t i = 0; i < power; ++i) orders.multiply_add(prime, 0);
  }
  return orders;
}

std::string fault_of(const Outcome& outcome) {
  switch (outcome.status) {
    case RunStatus::completed:
      if (!outcome.output_written) return "no result: the output was never written";
      if (outcome.input_changed) return "input changed: the kernel wrote to its input";
      return {};
    case RunStatus::launch_error:
      return "launch error: " + outcome.detail;
    case RunStatus::violation:
      for (const Finding& finding : outcome.findings) {
        if (!is_warning(finding.kind)) return fmt::format("{}: {}", name_of(finding.kind), finding.message);
      }
      return "contract violation";
    case RunStatus::crash:
      return "crash: " + outcome.detail;
    case RunStatus::time_out:
      return "time-out: " + outcome.detail;
  }
  return "unknown";
}

template <class Column>
std::vector<Value> outcomes(const OrderStudy& study, Column column) {
  std::vector<Value> values;
  for (const OrderRow& row : study.rows) {
    const OrderResult& result = column(row);
    if (!result.fault.empty()) continue;
    values.push_back(numeric::is_nan(result.value) ? numeric::quiet_nan(result.value.format) : result.value);
  }
  std::sort(values.begin(), values.end(), before);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

}  // namespace

Value serial_sum(std::span<const Value> values) {
  Value total = values.front();
  for (const Value value : values.subspan(1)) total = add(total, value);
  return total;
}

Value pairwise_sum(std::span<const Value> values) {
  if (values.size() == 1) return values.front();
  const std::size_t half = (values.size() + 1) / 2;
  return add(pairwise_sum(values.first(half)), pairwise_sum(values.subspan(half)));
}

std::string count_of_orders(std::span<const Value> values) {
  return orders_of(values).digits();
}

OrderStudy study_orders(std::span<const Value> values, std::optional<std::uint64_t> sample,
                        std::uint64_t seed) {
  if (values.empty()) throw std::invalid_argument("no values are given; at least one is needed");
  if (sample && *sample == 0)
    throw std::invalid_argument("a sample of 0 orders is none; it must be at least 1");
  const numeric::Natural orders = orders_of(values);
  if (values.size() > most_exhaustive_values && !sample) {
    throw std::invalid_argument(fmt::format(
        "{} values have {} distinct orders, which is too many to run them all (up to {} values are): "
        "--sample N runs N of them",
        values.size(), grouped_digits(orders.digits()), most_exhaustive_values));
  }

  OrderStudy study;
  study.format = values.front().format;
  study.values.assign(values.begin(), values.end());
  std::sort(study.values.begin(), study.values.end(), before);
  study.orders = orders.digits();
  study.reference = numeric::reference_sum(study.format, numeric::store_all(study.values));
  study.sampled = sample && orders > numeric::Natural(*sample);

  std::set<std::vector<Value>, RowOrder> drawn;
  std::vector<Value> order = study.values;
  if (!study.sampled) {
    do {
      drawn.insert(drawn.end(), order);
    } while (std::next_permutation(order.begin(), order.end(), before));
  } else {
    // Every shuffle is one of the distinct orders with equal probability. The sample is smaller than their
    // number, so it fills up; a sample near the whole costs about ln(orders) draws for each of them.
    Stream stream(seed);
    while (drawn.size() < *sample) {
      for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[stream.below(i)]);
      drawn.insert(order);
    }
  }

  for (const std::vector<Value>& inputs : drawn) {
    OrderRow row;
    row.inputs = inputs;
    row.serial = compared(serial_sum(inputs), study.reference);
    row.pairwise = compared(pairwise_sum(inputs), study.reference);
    study.rows.push_back(std::move(row));
  }
  return study;
}

Geometry small_geometry(const KernelContract& contract) {
  Geometry geometry{1, 32};
  if (contract.accepts(geometry)) return geometry;
  for (geometry.block = contract.min_block; geometry.block < contract.max_block; ++geometry.block) {
    if (geometry.block >= 32 && contract.accepts(geometry)) return geometry;
  }
  for (geometry.block = contract.max_block; geometry.block > contract.min_block; --geometry.block) {
    if (contract.accepts(geometry)) return geometry;
  }
  return geometry;
}

void add_kernel(OrderStudy& study, const KernelInfo& kernel, const Geometry& geometry, Executor& executor) {
  std::vector<Case> cases;
  cases.reserve(study.rows.size());
  for (const OrderRow& row : study.rows) {
    Case test_case;
    test_case.input = make_input(study.format, row.inputs);
    test_case.geometry = geometry;
    test_case.family = "permutations";
    cases.push_back(std::move(test_case));
  }
  std::vector<Run> runs(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) runs[i].test_case = &cases[i];

  // Fixed before anything has run.
  const numeric::Tolerance tolerance =
      numeric::tolerance(kernel.contract.model(study.values.size(), geometry), study.reference);
  const std::vector<Outcome> outcomes = executor.run(kernel, runs);

  study.kernels.push_back(kernel);
  study.geometries.push_back(geometry);
  if (tolerance.applicability == numeric::Applicability::applies) {
    study.tolerances.push_back(fmt::format("{} ({})", tolerance.value.to_string(9), tolerance.terms.formula));
  } else {
    study.tolerances.push_back(tolerance.reason);
  }
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    OrderResult result;
    if (std::string fault = fault_of(outcomes[i]); !fault.empty()) {
      result.fault = std::move(fault);
    } else {
      result = compared(outcomes[i].output, study.reference);
      const numeric::Accuracy accuracy = numeric::judge(outcomes[i].output, study.reference, tolerance);
      result.beyond_bound = accuracy.judged && !accuracy.within;
    }
    study.rows[i].kernels.push_back(std::move(result));
  }
}

std::vector<Value> serial_outcomes(const OrderStudy& study) {
  return outcomes(study, [](const OrderRow& row) -> const OrderResult& { return row.serial; });
}

std::vector<Value> pairwise_outcomes(const OrderStudy& study) {
  return outcomes(study, [](const OrderRow& row) -> const OrderResult& { return row.pairwise; });
}

std::vector<Value> kernel_outcomes(const OrderStudy& study, std::size_t kernel) {
  return outcomes(study, [kernel](const OrderRow& row) -> const OrderResult& { return row.kernels[kernel]; });
}

bool any_fault(const OrderStudy& study) {
  return std::any_of(study.rows.begin(), study.rows.end(), [](const OrderRow& row) {
    return std::any_of(row.kernels.begin(), row.kernels.end(), [](const OrderResult& result) {
      return !result.fault.empty() || result.beyond_bound;
    });
  });
}

}  // namespace warpcheck::report

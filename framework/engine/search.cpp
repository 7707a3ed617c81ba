#include "framework/engine/search.hpp"

#include <rapidcheck/Gen.h>
#include <rapidcheck/Random.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "framework/engine/message.hpp"
#include "framework/engine/reduce.hpp"
#include "framework/engine/replay.hpp"
#include "framework/engine/stable_hash.hpp"
#include "framework/engine/store.hpp"
#include "generators/generator.hpp"

namespace warpcheck::engine {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t usual_cases = 200;
constexpr int confirmations = 3;
constexpr int attempts_if_flaky = 3;
constexpr int attempts_of_stored_if_flaky = 20;
// RapidCheck's bit stream is safe up to here; our generators do not depend on it.
constexpr int rapidcheck_size = 100;

/// Random cases of one generator, as many as are asked for.
class Stream {
 public:
  Stream(const Generator& generator, const KernelInfo& kernel, std::uint64_t seed)
      : cases_(generator.cases(kernel)), random_(seed) {}

  Case next() { return cases_(random_.split(), rapidcheck_size).value(); }

 private:
  rc::Gen<Case> cases_;
  rc::Random random_;
};

void raise(double& worst, double other) {
  if (!std::isnan(other)) worst = std::max(worst, other);
}

void raise(std::optional<std::uint64_t>& worst, const std::optional<std::uint64_t>& other) {
  if (other) worst = std::max(worst.value_or(0), *other);
}

class Search {
 public:
  Search(const KernelInfo& kernel, const Property& property, Executor& executor, const CheckOptions& options,
         std::span<const Generator* const> generators)
      : kernel_(kernel),
        property_(property),
        executor_(executor),
        options_(options),
        generators_(generators) {
    result_.kernel = kernel.name;
    result_.property = property.name();
    result_.executor = executor.name();
  }

  CheckResult run() {
    const auto start = Clock::now();
    std::string reason = property_.inapplicable_to(kernel_);
    if (!reason.empty()) {
      conclude(VerdictKind::inapplicable, std::move(reason));
    } else {
      std::vector<Case> required;
      for (const Generator* generator : generators_) {
        std::ranges::move(generator->required(kernel_), std::back_inserter(required));
      }
      result_.required_cases = required.size();
      refuse_too_few_cases();
      try {
        if (!stored_ones_fail() && !any_fails(required) && !random_ones_fail()) conclude();
      } catch (const std::exception& failure) {
        conclude(VerdictKind::not_run, failure.what());
      }
    }
    result_.seconds = std::chrono::duration<double>(Clock::now() - start).count();
    return std::move(result_);
  }

 private:
  void refuse_too_few_cases() const {
    if (options_.cases == 0 || options_.cases >= result_.required_cases) return;
    throw std::invalid_argument(std::to_string(options_.cases) +
                                (options_.cases == 1 ? " case is" : " cases are") + " too few for " +
                                result_.kernel + " × " + result_.property + ", which requires " +
                                std::to_string(result_.required_cases) + "; ask for " +
                                std::to_string(result_.required_cases) + " or more");
  }

  // Each of the three says whether a case falsified the property; the result is then complete.

  bool stored_ones_fail() {
    if (options_.store.empty()) return false;
    StoreListing listing = list_store(options_.store, kernel_.name, property_.name());
    std::ranges::move(listing.notes, std::back_inserter(result_.notes));
    for (const StoredCounterexample& stored : listing.found) {
      if (stored_one_fails(stored)) return true;
    }
    return false;
  }

  bool stored_one_fails(const StoredCounterexample& stored) {
    const Counterexample& before = stored.counterexample;
    const std::string unfit = misfit(before, kernel_);
    if (!unfit.empty()) {
      result_.notes.push_back(stored.path.string() + ": not replayed: " + unfit);
      return false;
    }
    const bool contract_changed = before.contract_hash != kernel_.contract.hash();
    if (contract_changed) {
      result_.notes.push_back(stored.path.string() + ": the contract of " + kernel_.name +
                              " has changed since it was stored");
    }
    Verdict verdict;
    for (int attempt = before.flaky ? attempts_of_stored_if_flaky : 1; attempt > 0; --attempt) {
      verdict = judge(before.reduced);
      if (verdict.falsified()) break;
    }
    if (verdict.kind == VerdictKind::not_run) throw std::runtime_error(verdict.reason);
    if (!verdict.falsified()) {
      // Where nothing is judged nothing is repaired either.
      result_.notes.push_back(stored.path.string() +
                              (verdict.kind == VerdictKind::holds
                                   ? ": no longer fails"
                                   : ": says nothing now: " + std::string(name_of(verdict.kind))));
      return false;
    }
    count(verdict);
    result_.from_store = true;
    if (contract_changed || !before.verdict.same_fault(verdict)) {
      // What is stored describes another fault than the one that is there now.
      falsify(before.reduced, verdict);
      return true;
    }
    result_.verdict = VerdictKind::falsified;
    result_.failure = verdict.failure;
    Counterexample again = before;
    again.executor = executor_.name();
    again.plugin = kernel_.plugin;
    again.built_with = kernel_.built_with;
    again.verdict = std::move(verdict);
    again.text = describe(again, stored.path);
    result_.counterexample = std::move(again);
    result_.stored_as = stored.path;
    return true;
  }

  bool any_fails(const std::vector<Case>& cases) {
    for (const Case& test_case : cases) {
      if (out_of_time() || fails(test_case)) return result_.verdict == VerdictKind::falsified;
    }
    return false;
  }

  bool random_ones_fail() {
    const std::uint64_t wanted = wanted_cases();
    std::vector<Stream> streams;
    for (const Generator* generator : generators_) {
      const std::uint64_t seed = StableHash()
                                     .add(options_.seed)
                                     .add(kernel_.name)
                                     .add(property_.name())
                                     .add(generator->name())
                                     .value();
      streams.emplace_back(*generator, kernel_, seed);
    }
    // Where a property does not apply to most cases, so many more are drawn, but not without end.
    const std::uint64_t most_draws = 2 * wanted;
    for (std::uint64_t drawn = 0; drawn < most_draws && result_.cases < wanted; ++drawn) {
      if (out_of_time()) return false;
      if (fails(streams[drawn % streams.size()].next())) return true;
    }
    return false;
  }

  std::uint64_t wanted_cases() const {
    return options_.cases != 0 ? options_.cases : std::max(usual_cases, result_.required_cases);
  }

  bool out_of_time() {
    if (!options_.deadline || Clock::now() < *options_.deadline) return false;
    if (!told_of_budget_) {
      result_.notes.push_back("the time budget ended the search after " + std::to_string(result_.cases) +
                              " of " + std::to_string(wanted_cases()) + " cases");
    }
    told_of_budget_ = true;
    return true;
  }

  bool fails(const Case& test_case) {
    const Verdict verdict = judge(test_case);
    if (verdict.kind == VerdictKind::not_run) throw std::runtime_error(verdict.reason);
    count(verdict);
    if (verdict.falsified()) falsify(test_case, verdict);
    if (options_.progress) options_.progress(result_.cases);
    return verdict.falsified();
  }

  Verdict judge(const Case& test_case) {
    Verdict verdict = property_.judge(kernel_, test_case, executor_);
    result_.runs += verdict.runs;
    return verdict;
  }

  void count(const Verdict& verdict) {
    result_.warnings += static_cast<std::uint64_t>(std::ranges::count_if(
        verdict.findings, [](const Finding& finding) { return is_warning(finding.kind); }));
    if (verdict.kind == VerdictKind::inapplicable) {
      ++result_.inapplicable_cases;
      if (first_inapplicable_.empty()) first_inapplicable_ = verdict.reason;
      return;
    }
    ++result_.cases;
    if (verdict.kind == VerdictKind::no_power) {
      ++result_.no_power_cases;
      if (first_no_power_.empty()) first_no_power_ = verdict.reason;
    }
    if (verdict.measures.zero_blind) ++result_.zero_blind_cases;
    raise_to(result_.worst, verdict.measures);
  }

  void conclude() {
    if (result_.cases > result_.no_power_cases) {
      conclude(VerdictKind::holds, {});
    } else if (result_.cases > 0) {
      conclude(VerdictKind::no_power,
               first_no_power_.empty() ? "no case had a tolerance that could have failed" : first_no_power_);
    } else if (result_.inapplicable_cases > 0) {
      conclude(VerdictKind::inapplicable, first_inapplicable_);
    } else {
      conclude(VerdictKind::not_run, told_of_budget_ ? "the time budget ended before the first case"
                                                     : "its generators gave no case");
    }
  }

  void conclude(VerdictKind kind, std::string reason) {
    // A failure that was seen stays, whatever happens to the worker afterwards.
    if (result_.verdict == VerdictKind::falsified) {
      result_.notes.push_back(std::move(reason));
      return;
    }
    result_.verdict = kind;
    result_.reason = std::move(reason);
  }

  void falsify(const Case& test_case, const Verdict& verdict) {
    result_.verdict = VerdictKind::falsified;
    result_.failure = verdict.failure;
    Counterexample found;
    found.kernel = kernel_.name;
    found.plugin = kernel_.plugin;
    found.property = property_.name();
    found.executor = executor_.name();
    found.contract_hash = kernel_.contract.hash();
    found.built_with = kernel_.built_with;
    found.seed = options_.seed;
    found.original = test_case;
    found.original_verdict = verdict;
    found.flaky = is_flaky(test_case, verdict);
    reduce_into(found);
    store_and_describe(found);
    result_.counterexample = std::move(found);
  }

  bool is_flaky(const Case& test_case, const Verdict& verdict) {
    try {
      for (int i = 0; i < confirmations; ++i) {
        if (!verdict.same_fault(judge(test_case))) return true;
      }
    } catch (const std::exception& failure) {
      result_.notes.push_back("the failing case could not be judged again: " + std::string(failure.what()));
    }
    return false;
  }

  void reduce_into(Counterexample& found) {
    const Verdict& verdict = found.original_verdict;
    const Judge judge_candidate = [&](const Case& candidate) {
      Verdict judged = property_.judge(kernel_, candidate, executor_);
      std::uint64_t runs = judged.runs;
      for (int attempt = 1; found.flaky && attempt < attempts_if_flaky && !verdict.same_fault(judged);
           ++attempt) {
        judged = property_.judge(kernel_, candidate, executor_);
        runs += judged.runs;
      }
      judged.runs = runs;
      return judged;
    };
    Reduction reduction = reduce(found.original, verdict, kernel_.contract, judge_candidate,
                                 {options_.max_reduction_runs, Clock::now() + options_.max_reduction_time});
    result_.runs += reduction.runs;
    found.reduced = std::move(reduction.reduced);
    found.verdict = std::move(reduction.verdict);
    found.reduction_runs = reduction.runs;
    if (reduction.judgements > 0 && !reduction.confirmed && reduction.stopped_by.empty()) found.flaky = true;
    if (reduction.limit_reached) {
      result_.notes.push_back("the reduction ended at its limit after " +
                              std::to_string(reduction.judgements) +
                              " judgements; a smaller counterexample may exist");
    }
    if (!reduction.stopped_by.empty()) {
      result_.notes.push_back("the reduction was cut short: " + reduction.stopped_by);
    }
  }

  void store_and_describe(Counterexample& found) {
    if (!options_.store.empty()) {
      found.text = describe(found, store_path(options_.store, found));
      try {
        result_.stored_as = store(options_.store, found);
        return;
      } catch (const std::exception& failure) {
        result_.notes.push_back("the counterexample is not stored: " + std::string(failure.what()));
      }
    }
    found.text = describe(found);
  }

  const KernelInfo& kernel_;
  const Property& property_;
  Executor& executor_;
  const CheckOptions& options_;
  std::span<const Generator* const> generators_;

  CheckResult result_;
  std::string first_inapplicable_, first_no_power_;
  bool told_of_budget_ = false;
};

}  // namespace

void raise_to(Measures& worst, const Measures& other) {
  raise(worst.abs_error, other.abs_error);
  raise(worst.error_over_sum_abs, other.error_over_sum_abs);
  raise(worst.error_over_tolerance, other.error_over_tolerance);
  raise(worst.condition, other.condition);
  raise(worst.tolerance_over_sum_abs, other.tolerance_over_sum_abs);
  raise(worst.ulps, other.ulps);
  raise(worst.height, other.height);
  worst.zero_blind |= other.zero_blind;
}

CheckResult search(const KernelInfo& kernel, const Property& property, Executor& executor,
                   const CheckOptions& options, std::span<const Generator* const> generators) {
  return Search(kernel, property, executor, options, generators).run();
}

}  // namespace warpcheck::engine

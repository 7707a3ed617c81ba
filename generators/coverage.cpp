#include "generators/coverage.hpp"

#include <bit>

#include "framework/numeric/bound.hpp"

namespace warpcheck::generators {
namespace {

using numeric::Value;

bool always(const KernelInfo&) {
  return true;
}

bool several_blocks(const KernelInfo& kernel) {
  return kernel.contract.max_grid >= 2;
}

bool uneven_block(const KernelInfo& kernel) {
  for (std::uint32_t block = kernel.contract.smallest_block(); block <= kernel.contract.max_block;
       block += kernel.contract.block_multiple) {
    if (!std::has_single_bit(block)) return true;
  }
  return false;
}

bool prime(std::uint64_t n) {
  if (n < 2) return false;
  for (std::uint64_t d = 2; d * d <= n; ++d) {
    if (n % d == 0) return false;
  }
  return true;
}

template <class Predicate>
bool any_element(const Case& c, Predicate predicate) {
  for (std::uint64_t i = 0; i < c.n(); ++i) {
    if (predicate((*c.input)[i])) return true;
  }
  return false;
}

template <class Predicate>
bool all_elements(const Case& c, Predicate predicate) {
  return !any_element(c, [&predicate](Value value) { return !predicate(value); });
}

bool alternating(const Case& c) {
  for (std::uint64_t i = 0; i < c.n(); ++i) {
    const Value value = (*c.input)[i];
    if (numeric::is_nan(value) || numeric::is_zero(value)) return false;
    if (i > 0 && numeric::is_negative(value) == numeric::is_negative((*c.input)[i - 1])) return false;
  }
  return c.n() >= 4;
}

// Shorthand for the table below.
using K = const KernelInfo&;
using C = const Case&;

constexpr CoverageClass kClasses[]{
    {"n = 0", [](K, C c) { return c.n() == 0; }, always},
    {"n = 1", [](K, C c) { return c.n() == 1; }, always},
    {"n = 2", [](K, C c) { return c.n() == 2; }, always},
    {"n = 31", [](K, C c) { return c.n() == 31; }, always},
    {"n = 32", [](K, C c) { return c.n() == 32; }, always},
    {"n = 33", [](K, C c) { return c.n() == 33; }, always},
    {"n = block - 1", [](K, C c) { return c.n() + 1 == c.geometry.block; }, always},
    {"n = block", [](K, C c) { return c.n() == c.geometry.block; }, always},
    {"n = block + 1", [](K, C c) { return c.n() == c.geometry.block + 1; }, always},
    {"n = grid * block - 1", [](K, C c) { return c.geometry.grid > 1 && c.n() + 1 == c.geometry.threads(); },
     several_blocks},
    {"n = grid * block", [](K, C c) { return c.geometry.grid > 1 && c.n() == c.geometry.threads(); },
     several_blocks},
    {"n = grid * block + 1", [](K, C c) { return c.geometry.grid > 1 && c.n() == c.geometry.threads() + 1; },
     several_blocks},
    {"n mod 32 != 0", [](K, C c) { return c.n() > 32 && c.n() % 32 != 0; }, always},
    {"n < block", [](K, C c) { return c.n() > 0 && c.n() < c.geometry.block; }, always},
    {"n > grid * block", [](K, C c) { return c.n() > c.geometry.threads(); }, always},
    {"n > 2 * grid * block, several blocks",
     [](K, C c) { return c.geometry.grid > 1 && c.n() > 2 * c.geometry.threads(); }, several_blocks},
    {"one more than a multiple of the block",
     [](K, C c) { return c.n() > c.geometry.block && c.n() % c.geometry.block == 1; },
     [](K k) { return k.contract.max_block > 1; }},
    {"n > 2 is a power of two", [](K, C c) { return c.n() > 2 && std::has_single_bit(c.n()); }, always},
    {"n > 3 is one less than a power of two",
     [](K, C c) { return c.n() > 3 && std::has_single_bit(c.n() + 1); }, always},
    {"n > 3 is one more than a power of two",
     [](K, C c) { return c.n() > 3 && std::has_single_bit(c.n() - 1); }, always},
    {"n > 3 is prime", [](K, C c) { return c.n() > 3 && prime(c.n()); }, always},
    {"n > 1000", [](K, C c) { return c.n() > 1000; }, always},
    {"a block without elements",
     [](K, C c) { return c.n() > 0 && c.geometry.grid > numeric::ceil_div(c.n(), c.geometry.block); },
     several_blocks},
    {"more blocks than elements", [](K, C c) { return c.n() > 0 && c.geometry.grid > c.n(); },
     several_blocks},
    {"more blocks than threads in a block", [](K, C c) { return c.geometry.grid > c.geometry.block; },
     // A launch of a few thousand threads must do.
     [](K k) {
       return k.contract.smallest_block() <= 63 && k.contract.max_grid > k.contract.smallest_block();
     }},
    {"several blocks, fewer than threads in a block",
     [](K, C c) { return c.geometry.grid > 1 && c.geometry.grid < c.geometry.block; },
     [](K k) { return several_blocks(k) && k.contract.max_block > 2; }},
    {"a block that is no power of two", [](K, C c) { return !std::has_single_bit(c.geometry.block); },
     uneven_block},
    {"an unaligned input", [](K, C c) { return c.n() > 0 && c.pointer_offset != 0; }, always},
    {"a schedule other than the default", [](K, C c) { return c.n() > 0 && c.schedule != Schedule{}; },
     always},
    {"alternating signs", [](K, C c) { return alternating(c); }, always},
    {"all equal",
     [](K, C c) { return c.n() > 1 && all_elements(c, [&c](Value v) { return v == (*c.input)[0]; }); },
     always},
    {"all negative",
     [](K, C c) {
       return c.n() > 1 &&
              all_elements(c, [](Value v) { return numeric::is_negative(v) && !numeric::is_zero(v); });
     },
     always},
    {"condition > 1e6", [](K, C c) { return c.condition() > 1e6; }, always},
    {"condition > 1e12", [](K, C c) { return c.condition() > 1e12; }, always},
    {"NaN", [](K, C c) { return any_element(c, numeric::is_nan); }, always},
    {"+infinity",
     [](K, C c) {
       return any_element(c, [](Value v) { return numeric::is_inf(v) && !numeric::is_negative(v); });
     },
     always},
    {"-infinity",
     [](K, C c) {
       return any_element(c, [](Value v) { return numeric::is_inf(v) && numeric::is_negative(v); });
     },
     always},
    {"+0", [](K, C c) { return any_element(c, [](Value v) { return v == numeric::zero(v.format); }); },
     always},
    {"-0", [](K, C c) { return any_element(c, [](Value v) { return v == numeric::zero(v.format, true); }); },
     always},
    {"all -0",
     [](K, C c) {
       return c.n() > 1 && all_elements(c, [](Value v) { return v == numeric::zero(v.format, true); });
     },
     always},
    {"a subnormal", [](K, C c) { return any_element(c, numeric::is_subnormal); }, always},
    {"the largest finite value",
     [](K, C c) {
       return any_element(c,
                          [](Value v) { return numeric::absolute(v) == numeric::largest_finite(v.format); });
     },
     always},
};

}  // namespace

std::span<const CoverageClass> coverage_classes() {
  return kClasses;
}

}  // namespace warpcheck::generators

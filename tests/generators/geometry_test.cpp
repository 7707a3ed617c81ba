#include "generators/geometry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "generators/generator.hpp"
#include "generators/lengths.hpp"
#include "tests/generators/contracts.hpp"

namespace warpcheck::generators {
namespace {

TEST(Geometry, every_case_of_every_generator_has_one_that_the_contract_accepts) {
  for (const KernelInfo& kernel : many_contracts()) {
    for (const Generator* generator : all_generators()) {
      for (const Case& required : generator->required(kernel)) {
        ASSERT_TRUE(kernel.contract.accepts(required.geometry))
            << generator->name() << " on " << kernel.name << ": " << required.geometry.grid << " x "
            << required.geometry.block;
      }
      for (std::uint64_t seed = 0; seed < 300; ++seed) {
        const Case drawn = generator->draw(kernel, seed);
        ASSERT_TRUE(kernel.contract.accepts(drawn.geometry)) << generator->name() << " on " << kernel.name;
        ASSERT_LT(drawn.pointer_offset, 4u);
      }
    }
  }
}

TEST(Geometry, has_as_many_threads_as_the_length_deserves_but_for_a_few) {
  const KernelInfo kernel = built_in_contracts()[1];
  Draw draw(1);
  int larger = 0;
  for (int i = 0; i < 20000; ++i) {
    const std::uint64_t n = draw_length(draw);
    const Geometry geometry = draw_geometry(draw, kernel.contract, n);
    if (geometry.threads() > std::max<std::uint64_t>(2 * n, 4096)) ++larger;
    ASSERT_LE(geometry.threads(), 8 * std::max<std::uint64_t>(2 * n, 4096));
  }
  EXPECT_GT(larger, 20);
  EXPECT_LT(larger, 200);
}

TEST(Geometry, draws_smallest_largest_and_uneven_blocks_and_every_relation_of_grid_to_length) {
  for (const KernelInfo& kernel : {built_in_contracts()[1], built_in_contracts()[3]}) {
    Draw draw(2);
    std::map<std::string, int> seen;
    for (int i = 0; i < 5000; ++i) {
      const std::uint64_t n = draw_length(draw);
      const Geometry geometry = draw_geometry(draw, kernel.contract, n);
      const std::uint64_t needed = (n + geometry.block - 1) / geometry.block;
      seen["smallest"] += geometry.block == kernel.contract.min_block ? 1 : 0;
      seen["largest"] += geometry.block == 1024 ? 1 : 0;
      seen["uneven"] += std::has_single_bit(geometry.block) ? 0 : 1;
      seen["one block"] += geometry.grid == 1 ? 1 : 0;
      seen["just enough"] += geometry.grid == needed && needed > 1 ? 1 : 0;
      seen["too many"] += geometry.grid > needed ? 1 : 0;
      seen["several elements a thread"] += n > geometry.threads() ? 1 : 0;
      seen["grid > block"] += geometry.grid > geometry.block ? 1 : 0;
    }
    for (const auto& [what, count] : seen) EXPECT_GT(count, 20) << what << " for " << kernel.name;
  }
}

TEST(Geometry, typical_ones_differ_and_include_several_blocks_where_allowed) {
  for (const KernelInfo& kernel : many_contracts()) {
    for (const std::uint64_t n : {0u, 1u, 100u, 5000u}) {
      const std::vector<Geometry> geometries = typical_geometries(kernel.contract, n);
      ASSERT_FALSE(geometries.empty());
      std::set<std::pair<std::uint32_t, std::uint32_t>> distinct;
      for (const Geometry& geometry : geometries) {
        EXPECT_TRUE(kernel.contract.accepts(geometry));
        distinct.insert({geometry.grid, geometry.block});
      }
      EXPECT_EQ(distinct.size(), geometries.size());
      if (kernel.contract.max_grid > 1) {
        EXPECT_GE(geometries.size(), 2u) << kernel.name;
      }
    }
  }
}

TEST(Lengths, are_mostly_small_sometimes_long_and_rarely_very_long) {
  Draw draw(3);
  int small = 0, long_ones = 0, very_long = 0;
  std::set<std::uint64_t> values;
  for (int i = 0; i < 100000; ++i) {
    const std::uint64_t n = draw_length(draw);
    ASSERT_GE(n, 1u);
    ASSERT_LE(n, 70000u);
    if (n <= 300) {
      ++small;
      values.insert(n);
    } else if (n <= 5000) {
      ++long_ones;
    } else {
      ++very_long;
    }
  }
  EXPECT_EQ(values.size(), 300u) << "every length up to 300 occurs";
  EXPECT_GT(small, 96000);
  EXPECT_GT(long_ones, 1000);
  EXPECT_GT(very_long, 20);
  EXPECT_LT(very_long, 300);
}

TEST(Lengths, of_boundaries_are_units_multiples_powers_and_their_neighbours) {
  const std::vector<std::uint64_t> lengths = boundary_lengths({3, 96}, 2000);
  const std::set<std::uint64_t> set(lengths.begin(), lengths.end());
  EXPECT_TRUE(std::is_sorted(lengths.begin(), lengths.end()));
  EXPECT_EQ(set.size(), lengths.size());
  for (const std::uint64_t n : {0,   1,   2,   31,  32,  33,  95,  96,  97,   191,  192,  193, 287,
                                288, 289, 575, 576, 577, 255, 256, 257, 1023, 1024, 1025, 1021}) {
    EXPECT_TRUE(set.contains(n)) << n;
  }
  EXPECT_LE(lengths.back(), 2000u);
  EXPECT_EQ(boundary_lengths({3, 96}, 0), std::vector<std::uint64_t>{0});
}

}  // namespace
}  // namespace warpcheck::generators

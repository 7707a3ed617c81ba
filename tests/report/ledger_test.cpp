#include "framework/report/ledger.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/report/golden.hpp"
#include "tests/report/samples.hpp"

namespace warpcheck::report {
namespace {

using nlohmann::json;

const std::vector<std::uint64_t> lengths{0, 1, 32, 1000, 1u << 20, 1u << 25};

TEST(Ledger, coefficients_are_those_of_the_formulas) {
  const long double v = 0x1p-24L / (1 + 0x1p-24L);
  const std::vector<std::uint64_t> n{1000};
  const LedgerRow any = ledger(sample_kernel("atomics", ""), n).rows.at(0);
  ASSERT_TRUE(any.terms);
  EXPECT_FALSE(any.height);
  EXPECT_NEAR(any.terms->sum_abs_coefficient / static_cast<double>(999 * v), 1, 1e-12);
  EXPECT_GE(any.terms->sum_abs_coefficient, static_cast<double>(999 * v));

  // 1,000 elements in 4 blocks of 256: 5 + 3 levels in a block, 2 for the 4 partials.
  const LedgerRow tree = ledger(sample_kernel("shuffle", "grid_stride_then_shuffle"), n).rows.at(0);
  EXPECT_EQ(tree.geometry, (Geometry{4, 256}));
  EXPECT_EQ(tree.height, 10u);
  EXPECT_NEAR(tree.terms->sum_abs_coefficient / static_cast<double>(std::pow(1 + v, 10.0L) - 1), 1, 1e-12);
  EXPECT_NEAR(tree.zero_blind_from * tree.terms->sum_abs_coefficient, 1, 1e-12);
}

TEST(Ledger, the_answer_zero_passes_from_the_stated_cancellation_ratio_on) {
  const std::vector<std::uint64_t> n{3};
  const LedgerRow row = ledger(sample_kernel("serial", "serial"), n).rows.at(0);
  const auto blind_at = [&](float rest) {
    const auto input = make_input(std::vector<float>{1, -1, rest});
    const numeric::Tolerance t = numeric::tolerance(*row.terms, input->reference());
    EXPECT_EQ(t.zero_blind, input->reference().condition >= row.zero_blind_from) << rest;
    return t.zero_blind;
  };
  EXPECT_FALSE(blind_at(1e-3f));
  EXPECT_FALSE(blind_at(3e-7f));
  EXPECT_TRUE(blind_at(1e-7f));
  EXPECT_TRUE(blind_at(1e-20f));
}

TEST(Ledger, the_usual_geometry_is_accepted_and_covers_the_elements_up_to_its_limit) {
  for (const std::uint32_t smallest : {1u, 32u, 300u}) {
    for (const std::uint32_t step : {1u, 7u, 32u, 320u}) {
      KernelContract contract;
      contract.min_block = smallest;
      contract.block_multiple = step;
      contract.max_grid = 100;
      for (const std::uint64_t n : lengths) {
        const Geometry geometry = usual_geometry(contract, n);
        EXPECT_TRUE(contract.accepts(geometry)) << smallest << ' ' << step << ' ' << n;
        if (n <= 100u * geometry.block) {
          EXPECT_GE(geometry.threads(), n);
        }
      }
    }
  }
  EXPECT_EQ(usual_geometry(KernelContract{}, 1u << 20).grid, 1024u);
}

TEST(Ledger, text_is_as_approved_and_names_a_lack_of_power) {
  std::vector<KernelLedger> ledgers;
  for (const KernelInfo& kernel : sample_kernels()) ledgers.push_back(ledger(kernel, lengths));
  const std::string text = ledger_text(ledgers, Look{});
  expect_plain_lines(text);
  EXPECT_THAT(text, testing::HasSubstr("no power where a >= 1"));
  expect_golden("ledger.txt", text);
}

TEST(Ledger, json_has_a_row_for_each_length) {
  const std::vector<KernelLedger> ledgers{ledger(sample_kernel("atomics", ""), lengths)};
  const json report = json::parse(ledger_json(ledgers));
  const json& kernel = report.at("kernels").at(0);
  EXPECT_EQ(kernel.at("kernel"), "atomics");
  EXPECT_EQ(kernel.at("order"), "any order");
  ASSERT_EQ(kernel.at("rows").size(), lengths.size());
  EXPECT_TRUE(kernel.at("rows")[0].at("height").is_null());
  EXPECT_EQ(kernel.at("rows")[1].at("sum_abs_coefficient"), 0);
  EXPECT_EQ(kernel.at("rows")[1].at("zero_blind_from"), "inf");
  EXPECT_EQ(kernel.at("rows")[5].at("vacuous"), true);
}

}  // namespace
}  // namespace warpcheck::report

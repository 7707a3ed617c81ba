#include "framework/contract/kernel_info.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace warpcheck {
namespace {

int launch_nothing(const void*, std::uint64_t, void*, const warpcheck_geometry*, void*) {
  return 0;
}

warpcheck_kernel valid_registration() {
  warpcheck_kernel data{};
  data.size = sizeof(data);
  data.line = 42;
  data.name = "my_sum";
  data.file = "my_sum.cu";
  data.operation = "sum";
  data.input_format = data.accumulation_format = data.output_format = WARPCHECK_FORMAT_FP32;
  data.order = WARPCHECK_ORDER_TREE;
  data.order_expression = "grid_stride_then_shuffle";
  data.determinism = WARPCHECK_DETERMINISTIC_SCHEDULES;
  data.min_block = 32;
  data.max_block = 1024;
  data.block_multiple = 32;
  data.max_grid = 65535;
  data.launch = launch_nothing;
  return data;
}

std::string error_after(const std::function<void(warpcheck_kernel&)>& change) {
  warpcheck_kernel data = valid_registration();
  change(data);
  try {
    read_kernel(data);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "no error";
}

KernelContract contract_after(const std::function<void(warpcheck_kernel&)>& change) {
  warpcheck_kernel data = valid_registration();
  change(data);
  return read_kernel(data).contract;
}

TEST(ReadKernel, a_height_below_that_of_any_tree_is_refused) {
  for (const char* formula : {"n/(grid-grid)", "n - 1000000", "3"}) {
    EXPECT_THAT(error_after([&](auto& k) {
                  k.order = WARPCHECK_ORDER_HEIGHT;
                  k.order_expression = formula;
                }),
                testing::AllOf(testing::HasSubstr(formula), testing::HasSubstr("at least ceil_log2(n)")))
        << formula;
  }
}

TEST(ReadKernel, takes_over_every_field) {
  warpcheck_kernel data = valid_registration();
  data.accumulation_format = WARPCHECK_FORMAT_FP64;
  data.min_block = 64;
  data.max_block = 512;
  data.block_multiple = 16;
  data.max_grid = 7;
  const KernelInfo kernel = read_kernel(data);
  EXPECT_EQ(kernel.name, "my_sum");
  EXPECT_EQ(kernel.file, "my_sum.cu");
  EXPECT_EQ(kernel.line, 42u);
  EXPECT_EQ(kernel.contract.operation, Operation::sum);
  EXPECT_EQ(kernel.contract.input, numeric::Format::fp32);
  EXPECT_EQ(kernel.contract.accumulation, numeric::Format::fp64);
  EXPECT_EQ(kernel.contract.output, numeric::Format::fp32);
  EXPECT_EQ(kernel.contract.order, Order::tree);
  EXPECT_EQ(kernel.contract.order_expression, "grid_stride_then_shuffle");
  EXPECT_EQ(kernel.contract.determinism, Determinism::schedules);
  EXPECT_EQ(kernel.contract.min_block, 64u);
  EXPECT_EQ(kernel.contract.max_block, 512u);
  EXPECT_EQ(kernel.contract.block_multiple, 16u);
  EXPECT_EQ(kernel.contract.max_grid, 7u);
}

TEST(ReadKernel, names_the_kernel_the_field_its_value_and_what_would_be_right) {
  const auto size = std::to_string(sizeof(warpcheck_kernel));
  EXPECT_EQ(error_after([](auto& k) { k.size = 16; }),
            "kernel without a name: size is 16; expected at least " + size +
                " bytes: build the plug-in with this version's headers");
  EXPECT_EQ(error_after([](auto& k) { k.name = nullptr; }),
            "kernel without a name: name is empty; expected the kernel's name");
  EXPECT_EQ(error_after([](auto& k) { k.name = ""; }),
            "kernel without a name: name is empty; expected the kernel's name");
  EXPECT_EQ(error_after([](auto& k) { k.launch = nullptr; }),
            "kernel \"my_sum\": launch is null; expected the function that launches the kernel");
  EXPECT_EQ(error_after([](auto& k) { k.operation = "mean"; }),
            "kernel \"my_sum\": operation is \"mean\"; expected \"sum\"");
  EXPECT_EQ(error_after([](auto& k) { k.operation = nullptr; }),
            "kernel \"my_sum\": operation is \"\"; expected \"sum\"");
  EXPECT_EQ(error_after([](auto& k) { k.input_format = 0; }),
            "kernel \"my_sum\": input format is 0; expected 1 (fp32) or 2 (fp64)");
  EXPECT_EQ(error_after([](auto& k) { k.accumulation_format = 3; }),
            "kernel \"my_sum\": accumulation format is 3; expected 1 (fp32) or 2 (fp64)");
  EXPECT_EQ(error_after([](auto& k) { k.output_format = 255; }),
            "kernel \"my_sum\": output format is 255; expected 1 (fp32) or 2 (fp64)");
  EXPECT_EQ(
      error_after([](auto& k) { k.input_format = WARPCHECK_FORMAT_FP64; }),
      "kernel \"my_sum\": accumulation format is fp32; expected one at least as wide as the input's, fp64");
  EXPECT_EQ(error_after([](auto& k) { k.order = 0; }),
            "kernel \"my_sum\": order is 0; expected 1 (any), 2 (height) or 3 (tree)");
  EXPECT_EQ(error_after([](auto& k) { k.order_expression = "pairwise"; }),
            "kernel \"my_sum\": tree is \"pairwise\"; expected one of serial, grid_stride_then_tree, "
            "grid_stride_then_shuffle");
  EXPECT_EQ(error_after([](auto& k) { k.order_expression = nullptr; }),
            "kernel \"my_sum\": tree is empty; expected one of serial, grid_stride_then_tree, "
            "grid_stride_then_shuffle");
  EXPECT_EQ(error_after([](auto& k) {
              k.order = WARPCHECK_ORDER_HEIGHT;
              k.order_expression = nullptr;
            }),
            "kernel \"my_sum\": height formula is empty; expected a formula of n, grid and block, such as "
            "\"n - 1\"");
  EXPECT_EQ(error_after([](auto& k) {
              k.order = WARPCHECK_ORDER_HEIGHT;
              k.order_expression = "n - ";
            }),
            "kernel \"my_sum\": height formula is \"n - \"; expected height formula, position 5: found the "
            "end of the "
            "formula, expected a number, n, grid, block, min, max, ceil_div, ceil_log2 or (");
  EXPECT_EQ(
      error_after([](auto& k) { k.determinism = 4; }),
      "kernel \"my_sum\": determinism is 4; expected 0 (not), 1 (runs), 2 (schedules) or 3 (geometries)");
  EXPECT_EQ(error_after([](auto& k) { k.min_block = 0; }),
            "kernel \"my_sum\": smallest block is 0; expected 1 to 1024 threads");
  EXPECT_EQ(error_after([](auto& k) { k.max_block = 1025; }),
            "kernel \"my_sum\": largest block is 1025; expected at most 1024 threads");
  EXPECT_EQ(error_after([](auto& k) { k.max_block = 16; }),
            "kernel \"my_sum\": smallest block is 32; expected at most the largest block, 16");
  EXPECT_EQ(error_after([](auto& k) { k.block_multiple = 0; }),
            "kernel \"my_sum\": block multiple is 0; expected at least 1");
  EXPECT_EQ(error_after([](auto& k) {
              k.min_block = 33;
              k.max_block = 63;
            }),
            "kernel \"my_sum\": block multiple is 32; expected one with a multiple from 33 to 63");
  EXPECT_EQ(error_after([](auto& k) { k.max_grid = 0; }),
            "kernel \"my_sum\": largest grid is 0; expected at least 1 block");
  EXPECT_EQ(
      error_after([](auto& k) {
        k.order_expression = "grid_stride_then_tree";
        k.min_block = 1;
        k.block_multiple = 1;
      }),
      "kernel \"my_sum\": smallest block is 1; expected at least 2: with blocks of one thread, the passes of "
      "grid_stride_then_tree never end");
}

TEST(ReadKernel, accepts_the_edges_of_every_range) {
  EXPECT_EQ(error_after([](auto& k) { k.file = nullptr; }), "no error");
  EXPECT_EQ(error_after([](auto& k) { k.size += 8; }), "no error") << "a later version appends fields";
  EXPECT_EQ(error_after([](auto& k) { k.min_block = k.max_block = k.block_multiple = 1024; }), "no error");
  EXPECT_EQ(error_after([](auto& k) { k.min_block = k.max_block = k.block_multiple = 1; }), "no error");
  EXPECT_EQ(error_after([](auto& k) { k.max_grid = 0xffffffffu; }), "no error");
  EXPECT_EQ(error_after([](auto& k) {
              k.min_block = 33;
              k.max_block = 64;
            }),
            "no error");
  EXPECT_EQ(error_after([](auto& k) {
              k.order = WARPCHECK_ORDER_ANY;
              k.order_expression = nullptr;
            }),
            "no error");
}

TEST(KernelContract, accepts_exactly_the_declared_geometries) {
  const KernelContract contract = contract_after([](auto& k) {
    k.min_block = 48;
    k.max_block = 100;
    k.block_multiple = 24;
    k.max_grid = 3;
  });
  std::set<std::uint32_t> blocks;
  for (std::uint32_t block = 0; block <= 1100; ++block) {
    if (contract.accepts({1, block})) blocks.insert(block);
  }
  EXPECT_EQ(blocks, (std::set<std::uint32_t>{48, 72, 96}));
  EXPECT_FALSE(contract.accepts({0, 48}));
  EXPECT_TRUE(contract.accepts({3, 48}));
  EXPECT_FALSE(contract.accepts({4, 48}));
}

TEST(KernelContract, nearest_geometry_is_the_nearest_of_all_accepted) {
  const std::vector<std::array<std::uint32_t, 3>> blocks{{32, 1024, 32}, {1, 1024, 1},     {2, 512, 2},
                                                         {48, 100, 24},  {600, 1000, 100}, {256, 256, 256}};
  for (const auto& [smallest, largest, multiple] : blocks) {
    KernelContract contract;
    contract.min_block = smallest;
    contract.max_block = largest;
    contract.block_multiple = multiple;
    contract.max_grid = 5;
    for (std::uint32_t wanted = 0; wanted <= 1100; ++wanted) {
      std::uint32_t best = 0;
      const auto distance = [wanted](std::uint32_t block) {
        return block > wanted ? block - wanted : wanted - block;
      };
      for (std::uint32_t block = 1; block <= 1024; ++block) {
        if (contract.accepts({1, block}) && (best == 0 || distance(block) < distance(best))) best = block;
      }
      ASSERT_EQ(contract.nearest({1, wanted}), (Geometry{1, best})) << "wanted " << wanted;
    }
    EXPECT_EQ(contract.nearest({0, 0}), (Geometry{1, contract.smallest_block()}));
    EXPECT_EQ(contract.nearest({0xffffffffu, 0xffffffffu}), (Geometry{5, contract.largest_block()}));
  }
}

TEST(KernelContract, gives_the_bound_what_it_declares) {
  const KernelContract tree = contract_after([](auto& k) { k.accumulation_format = WARPCHECK_FORMAT_FP64; });
  const numeric::SumModel model = tree.model(1 << 20, {64, 256});
  EXPECT_EQ(model.input, numeric::Format::fp32);
  EXPECT_EQ(model.accumulation, numeric::Format::fp64);
  EXPECT_EQ(model.output, numeric::Format::fp32);
  EXPECT_EQ(model.height, 77u);
  EXPECT_FALSE(model.any_order);

  const KernelContract formula = contract_after([](auto& k) {
    k.order = WARPCHECK_ORDER_HEIGHT;
    k.order_expression = "n/grid + block";
  });
  EXPECT_EQ(formula.model(100, {10, 32}).height, 42u);
  EXPECT_FALSE(formula.model(100, {10, 32}).any_order);

  const KernelContract any = contract_after([](auto& k) { k.order = WARPCHECK_ORDER_ANY; });
  EXPECT_EQ(any.model(100, {10, 32}).height, std::nullopt);
  EXPECT_TRUE(any.model(100, {10, 32}).any_order);
}

TEST(KernelContract, refuses_the_height_of_an_empty_geometry) {
  const KernelContract contract = contract_after([](auto&) {});
  EXPECT_THROW(contract.height(10, {0, 32}), std::invalid_argument);
  EXPECT_THROW(contract.height(10, {1, 0}), std::invalid_argument);
}

TEST(KernelContract, hash_changes_with_every_field_and_with_nothing_else) {
  using Change = std::function<void(warpcheck_kernel&)>;
  const std::vector<Change> changes{
      [](auto&) {},
      [](auto& k) { k.accumulation_format = WARPCHECK_FORMAT_FP64; },
      [](auto& k) { k.output_format = WARPCHECK_FORMAT_FP64; },
      [](auto& k) {
        k.input_format = WARPCHECK_FORMAT_FP64;
        k.accumulation_format = WARPCHECK_FORMAT_FP64;
      },
      [](auto& k) { k.order_expression = "serial"; },
      [](auto& k) { k.order = WARPCHECK_ORDER_ANY; },
      [](auto& k) {
        k.order = WARPCHECK_ORDER_HEIGHT;
        k.order_expression = "n";
      },
      [](auto& k) {
        k.order = WARPCHECK_ORDER_HEIGHT;
        k.order_expression = "n ";
      },
      [](auto& k) { k.determinism = WARPCHECK_DETERMINISTIC_RUNS; },
      [](auto& k) { k.min_block = 64; },
      [](auto& k) { k.max_block = 512; },
      [](auto& k) { k.block_multiple = 16; },
      [](auto& k) { k.max_grid = 65534; },
  };
  std::set<std::string> hashes;
  for (const Change& change : changes) {
    const std::string hash = contract_after(change).hash();
    EXPECT_EQ(hash.size(), 16u);
    EXPECT_EQ(hash.find_first_not_of("0123456789abcdef"), std::string::npos) << hash;
    EXPECT_TRUE(hashes.insert(hash).second) << "two contracts share " << hash;
  }
  EXPECT_EQ(contract_after([](auto& k) { k.name = "other"; }).hash(), contract_after([](auto&) {}).hash());
  // Stored counterexamples carry it: it must not change from one version to the next.
  EXPECT_EQ(contract_after([](auto&) {}).hash(), "89a925dd951e72bf");
}

TEST(Names, of_operations_and_levels_of_determinism) {
  EXPECT_EQ(name_of(Operation::sum), "sum");
  EXPECT_EQ(name_of(Determinism::none), "none");
  EXPECT_EQ(name_of(Determinism::runs), "runs");
  EXPECT_EQ(name_of(Determinism::schedules), "schedules");
  EXPECT_EQ(name_of(Determinism::geometries), "geometries");
}

}  // namespace
}  // namespace warpcheck

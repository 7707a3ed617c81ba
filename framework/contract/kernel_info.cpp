#include "framework/contract/kernel_info.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>
#include <string_view>

#include "framework/contract/height.hpp"

namespace warpcheck {
namespace {

constexpr std::uint32_t kLargestBlock = 1024;
constexpr std::array<std::string_view, 4> kDeterminism{"none", "runs", "schedules", "geometries"};

class Reader {
 public:
  explicit Reader(const warpcheck_kernel& data) : data_(data) {}

  KernelInfo read() {
    if (data_.size < sizeof(warpcheck_kernel)) {
      fail("size", std::to_string(data_.size),
           "at least " + std::to_string(sizeof(warpcheck_kernel)) +
               " bytes: build the plug-in with this version's headers");
    }
    if (data_.name == nullptr || *data_.name == '\0') fail("name", "empty", "the kernel's name");
    if (data_.launch == nullptr) fail("launch", "null", "the function that launches the kernel");

    KernelInfo info;
    info.name = data_.name;
    info.file = data_.file == nullptr ? "" : data_.file;
    info.line = data_.line;
    KernelContract& contract = info.contract;
    contract.operation = operation();
    contract.input = format("input format", data_.input_format);
    contract.accumulation = format("accumulation format", data_.accumulation_format);
    contract.output = format("output format", data_.output_format);
    if (contract.accumulation < contract.input) {
      fail("accumulation format", std::string(numeric::name(contract.accumulation)),
           "one at least as wide as the input's, " + std::string(numeric::name(contract.input)));
    }
    read_order(contract);
    contract.determinism = determinism();
    read_flags(contract);
    read_geometry(contract);
    if (contract.order == Order::height) check_height(contract);
    return info;
  }

 private:
  Operation operation() const {
    const std::string_view name = data_.operation == nullptr ? "" : data_.operation;
    if (name != "sum") fail("operation", quoted(name), "\"sum\"");
    return Operation::sum;
  }

  numeric::Format format(std::string_view field, std::uint8_t code) const {
    switch (code) {
      case WARPCHECK_FORMAT_FP32:
        return numeric::Format::fp32;
      case WARPCHECK_FORMAT_FP64:
        return numeric::Format::fp64;
      default:
        fail(field, std::to_string(code), "1 (fp32) or 2 (fp64)");
    }
  }

  void read_order(KernelContract& contract) const {
    const bool has_expression = data_.order_expression != nullptr && *data_.order_expression != '\0';
    switch (data_.order) {
      case WARPCHECK_ORDER_ANY:
        contract.order = Order::any;
        return;
      case WARPCHECK_ORDER_HEIGHT:
        contract.order = Order::height;
        if (!has_expression)
          fail("height formula", "empty", "a formula of n, grid and block, such as \"n - 1\"");
        contract.order_expression = data_.order_expression;
        try {
          // A formula parses alike for all values.
          evaluate_height(contract.order_expression, 1, 1, kLargestBlock);
        } catch (const std::invalid_argument& error) {
          fail("height formula", quoted(contract.order_expression), error.what());
        }
        return;
      case WARPCHECK_ORDER_TREE:
        contract.order = Order::tree;
        if (!has_expression || find_tree(data_.order_expression) == nullptr) {
          fail("tree", has_expression ? quoted(data_.order_expression) : "empty", "one of " + tree_names());
        }
        contract.order_expression = data_.order_expression;
        return;
      default:
        fail("order", std::to_string(data_.order), "1 (any), 2 (height) or 3 (tree)");
    }
  }

  /// No tree of n leaves is lower than ceil_log2(n): a formula that says so is wrong, and its tolerance too
  /// small.
  void check_height(const KernelContract& contract) const {
    for (const std::uint64_t n : {2u, 100u, 1000u, 1u << 20}) {
      for (const Geometry& geometry :
           {Geometry{1, contract.smallest_block()},
            Geometry{std::min(contract.max_grid, 64u), contract.largest_block()}}) {
        const std::uint64_t height = *contract.height(n, geometry);
        if (height >= static_cast<std::uint64_t>(numeric::ceil_log2(n))) continue;
        fail("height formula", quoted(contract.order_expression),
             "at least ceil_log2(n) = " + std::to_string(numeric::ceil_log2(n)) +
                 " for n = " + std::to_string(n) + ", grid " + std::to_string(geometry.grid) + ", block " +
                 std::to_string(geometry.block) + ", where it gives " + std::to_string(height));
      }
    }
  }

  void read_flags(KernelContract& contract) const {
    constexpr std::uint8_t known = WARPCHECK_FLUSHES_SUBNORMALS | WARPCHECK_THREADS_MAY_EXIT_EARLY;
    if ((data_.flags & ~known) != 0) {
      fail("flags", std::to_string(data_.flags),
           "flags that this version knows, at most " + std::to_string(known));
    }
    contract.flushes_subnormals = (data_.flags & WARPCHECK_FLUSHES_SUBNORMALS) != 0;
    contract.threads_may_exit_early = (data_.flags & WARPCHECK_THREADS_MAY_EXIT_EARLY) != 0;
  }

  Determinism determinism() const {
    if (data_.determinism >= kDeterminism.size()) {
      fail("determinism", std::to_string(data_.determinism),
           "0 (not), 1 (runs), 2 (schedules) or 3 (geometries)");
    }
    return static_cast<Determinism>(data_.determinism);
  }

  void read_geometry(KernelContract& contract) const {
    const std::string min_text = std::to_string(data_.min_block);
    const std::string max_text = std::to_string(data_.max_block);
    if (data_.min_block == 0) fail("smallest block", "0", "1 to 1024 threads");
    if (data_.max_block > kLargestBlock) fail("largest block", max_text, "at most 1024 threads");
    if (data_.min_block > data_.max_block) {
      fail("smallest block", min_text, "at most the largest block, " + max_text);
    }
    if (data_.block_multiple == 0) fail("block multiple", "0", "at least 1");
    if (data_.max_block / data_.block_multiple * data_.block_multiple < data_.min_block) {
      fail("block multiple", std::to_string(data_.block_multiple),
           "one with a multiple from " + min_text + " to " + max_text);
    }
    if (data_.max_grid == 0) fail("largest grid", "0", "at least 1 block");
    if (contract.order == Order::tree && contract.order_expression == "grid_stride_then_tree" &&
        data_.min_block < 2 && data_.max_grid > 1) {
      fail("smallest block", min_text,
           "at least 2: with blocks of one thread, the passes of grid_stride_then_tree never end");
    }
    contract.min_block = data_.min_block;
    contract.max_block = data_.max_block;
    contract.block_multiple = data_.block_multiple;
    contract.max_grid = data_.max_grid;
  }

  static std::string quoted(std::string_view text) {
    std::string result(1, '"');
    return result.append(text).append(1, '"');
  }

  static std::string tree_names() {
    std::string names;
    for (const NamedTree& tree : named_trees()) {
      if (!names.empty()) names += ", ";
      names += tree.name;
    }
    return names;
  }

  [[noreturn]] void fail(std::string_view field, const std::string& value, const std::string& right) const {
    const bool named = data_.size >= sizeof(warpcheck_kernel) && data_.name != nullptr && *data_.name != '\0';
    throw std::invalid_argument("kernel " + (named ? quoted(data_.name) : std::string("without a name")) +
                                ": " + std::string(field) + " is " + value + "; expected " + right);
  }

  const warpcheck_kernel& data_;
};

}  // namespace

std::string_view name_of(Operation) {
  return "sum";
}
std::string_view name_of(Determinism level) {
  return kDeterminism.at(static_cast<std::size_t>(level));
}

bool KernelContract::accepts(const Geometry& geometry) const {
  return geometry.grid >= 1 && geometry.grid <= max_grid && geometry.block >= min_block &&
         geometry.block <= max_block && geometry.block % block_multiple == 0;
}

std::uint32_t KernelContract::smallest_block() const {
  return static_cast<std::uint32_t>(numeric::ceil_div(min_block, block_multiple)) * block_multiple;
}

std::uint32_t KernelContract::largest_block() const {
  return max_block / block_multiple * block_multiple;
}

Geometry KernelContract::nearest(const Geometry& wanted) const {
  // Within the range first, so that nothing overflows.
  const std::uint32_t block = std::clamp(wanted.block, smallest_block(), largest_block());
  const std::uint32_t below = block / block_multiple * block_multiple;
  const bool down = block - below <= below + block_multiple - block;
  return {std::clamp(wanted.grid, 1u, max_grid), down ? below : below + block_multiple};
}

std::optional<std::uint64_t> KernelContract::height(std::uint64_t n, const Geometry& geometry) const {
  if (geometry.grid == 0 || geometry.block == 0) {
    throw std::invalid_argument("a geometry of " + std::to_string(geometry.grid) + " blocks of " +
                                std::to_string(geometry.block) + " threads; expected at least 1 of each");
  }
  switch (order) {
    case Order::any:
      return std::nullopt;
    case Order::height:
      return evaluate_height(order_expression, n, geometry.grid, geometry.block);
    case Order::tree:
      break;
  }
  const NamedTree* tree = find_tree(order_expression);
  if (tree == nullptr) throw std::invalid_argument("\"" + order_expression + "\" is no summation tree");
  return tree->height(n, geometry.grid, geometry.block);
}

numeric::SumModel KernelContract::model(std::uint64_t n, const Geometry& geometry) const {
  numeric::SumModel model;
  model.input = input;
  model.accumulation = accumulation;
  model.output = output;
  model.height = height(n, geometry);
  model.any_order = order == Order::any;
  model.flushes_subnormals = flushes_subnormals;
  return model;
}

std::string KernelContract::hash() const {
  // Every field by name, so that no two contracts share a text. Numbers of the enumerators stay out: they may
  // move.
  constexpr std::array<std::string_view, 3> orders{"any", "height", "tree"};
  std::string text;
  const auto field = [&text](std::string_view name, std::string_view value) {
    text.append(name).append("=").append(std::to_string(value.size())).append(":").append(value).append("\n");
  };
  field("operation", name_of(operation));
  field("input", numeric::name(input));
  field("accumulation", numeric::name(accumulation));
  field("output", numeric::name(output));
  field("order", orders.at(static_cast<std::size_t>(order)));
  field("expression", order_expression);
  field("determinism", name_of(determinism));
  field("min_block", std::to_string(min_block));
  field("max_block", std::to_string(max_block));
  field("block_multiple", std::to_string(block_multiple));
  field("max_grid", std::to_string(max_grid));
  // Only where they are set, so that stored counterexamples of other kernels keep their contract.
  if (flushes_subnormals) field("flushes_subnormals", "yes");
  if (threads_may_exit_early) field("threads_may_exit_early", "yes");

  // FNV-1a, 64 bits: stable across machines, which std::hash is not.
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3u;
  }
  constexpr std::string_view digits = "0123456789abcdef";
  std::string result(16, '0');
  for (std::size_t i = 16; i-- > 0; hash >>= 4) result[i] = digits[hash & 15u];
  return result;
}

KernelInfo read_kernel(const warpcheck_kernel& registration) {
  return Reader(registration).read();
}

}  // namespace warpcheck

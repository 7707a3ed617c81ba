#pragma once

#include <warpcheck/abi.h>

#include <cstdint>
#include <optional>
#include <string>

#include "framework/numeric/bound.hpp"
#include "framework/numeric/format.hpp"

namespace warpcheck {

/// The launch geometry of a case: blocks, threads a block.
struct Geometry {
  std::uint32_t grid{1};
  std::uint32_t block{32};

  std::uint64_t threads() const { return std::uint64_t{grid} * block; }
  bool operator==(const Geometry&) const = default;
};

enum class Operation : std::uint8_t { sum };

/// How a contract states the order of additions.
enum class Order : std::uint8_t { any, height, tree };

/// What a result does not depend on; each level includes those before it.
enum class Determinism : std::uint8_t { none, runs, schedules, geometries };

std::string_view name_of(Operation operation);
std::string_view name_of(Determinism level);

/// What a kernel promises, read from its plug-in and checked: every field is within its range.
struct KernelContract {
  Operation operation{};
  numeric::Format input{}, accumulation{}, output{};
  Order order{};
  std::string order_expression;  ///< the tree's name or the height's formula; empty for any order
  Determinism determinism{};
  std::uint32_t min_block{32}, max_block{1024};
  std::uint32_t block_multiple{32};
  std::uint32_t max_grid{65535};
  bool flushes_subnormals{};      ///< subnormals may become zero
  bool threads_may_exit_early{};  ///< before a barrier that others of their block wait at

  /// true if the kernel accepts this geometry.
  bool accepts(const Geometry& geometry) const;

  /// The smallest and the largest block size that the kernel accepts.
  std::uint32_t smallest_block() const;
  std::uint32_t largest_block() const;

  /// The accepted geometry nearest to `wanted`, grid and block each by itself; the smaller block of two.
  Geometry nearest(const Geometry& wanted) const;

  /// The declared height for n elements, in additions that can round; nullopt for any order.
  std::optional<std::uint64_t> height(std::uint64_t n, const Geometry& geometry) const;

  /// What the error bound needs to know of this contract for n elements.
  numeric::SumModel model(std::uint64_t n, const Geometry& geometry) const;

  /// Sixteen hex digits that change when anything in the contract does.
  std::string hash() const;

  bool operator==(const KernelContract&) const = default;
};

/// A kernel as the engine knows it.
struct KernelInfo {
  std::string name;
  KernelContract contract;
  std::string file;  ///< where it is registered
  std::uint32_t line{};
  std::string plugin;      ///< path of the shared library
  std::string built_with;  ///< compiler and flags, as the plug-in says
  std::uint32_t index{};   ///< within the plug-in
};

/// Checks one registration. Throws std::invalid_argument with one line that names the kernel, the field, its
/// value and what would be right.
KernelInfo read_kernel(const warpcheck_kernel& registration);

}  // namespace warpcheck

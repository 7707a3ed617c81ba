#pragma once

/// What the author of a reduction kernel includes: the launch geometry, the contract, and the registration.
///
///     cudaError_t my_sum(const float* x, std::size_t n, float* sum, const warpcheck::Geometry& g,
///     cudaStream_t stream);
///
///     WARPCHECK_KERNEL(my_sum, warpcheck::sum<float>()
///         .tree(warpcheck::grid_stride_then_shuffle)
///         .deterministic_across(warpcheck::schedules)
///         .blocks(32, 1024).multiples_of(32));
///
/// This header includes no library but the CUDA runtime's types, and leaves nothing in the plug-in but data.

#include <driver_types.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "warpcheck/abi.h"

/// Compiler and flags that change results, for reports; warpcheck_add_kernels defines it.
#ifndef WARPCHECK_BUILT_WITH
#define WARPCHECK_BUILT_WITH ""
#endif

namespace warpcheck {

/// The launch geometry that a case asks for: `grid` blocks of `block` threads. A kernel may launch fewer
/// blocks.
using Geometry = warpcheck_geometry;

/// A named summation tree that the engine knows, as a function of n and the geometry.
struct Tree {
  const char* name;
};

/// One thread adds the elements in their order: height n − 1.
inline constexpr Tree serial{"serial"};
/// Each thread adds the elements i, i + grid·block, … in order; each block adds its threads' sums by halving
/// in shared memory; passes of min(grid, ⌈k/block⌉) blocks repeat until one value is left.
inline constexpr Tree grid_stride_then_tree{"grid_stride_then_tree"};
/// Each thread adds the elements i, i + grid·block, … in order; each warp adds its lanes' sums by shuffling
/// down 16, 8, 4, 2, 1; the first warp does the same with the warps' sums; one block does the same with the
/// blocks' sums.
inline constexpr Tree grid_stride_then_shuffle{"grid_stride_then_shuffle"};

/// What the result does not depend on; each level includes those before it.
enum Determinism : std::uint8_t {
  runs = WARPCHECK_DETERMINISTIC_RUNS,              ///< the same launch again
  schedules = WARPCHECK_DETERMINISTIC_SCHEDULES,    ///< any order of threads, warps and blocks
  geometries = WARPCHECK_DETERMINISTIC_GEOMETRIES,  ///< any grid and block size
};

namespace detail {

template <class T>
constexpr std::uint8_t format_of() {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>,
                "warpcheck: the element type must be float or double");
  return std::is_same_v<T, float> ? WARPCHECK_FORMAT_FP32 : WARPCHECK_FORMAT_FP64;
}

}  // namespace detail

/// A contract under construction. `Declared` becomes true with the order of additions; a kernel cannot be
/// registered before that, because every tolerance follows from it.
template <class In, class Out, bool Declared>
class Contract {
 public:
  constexpr explicit Contract(const warpcheck_kernel& data) : data_(data) {}

  /// The precision of the additions; that of the input unless stated.
  template <class T>
  constexpr Contract accumulates_in() const {
    static_assert(detail::format_of<T>() >= detail::format_of<In>(),
                  "warpcheck: the accumulation must be at least as wide as the input");
    Contract next = *this;
    next.data_.accumulation_format = detail::format_of<T>();
    return next;
  }

  /// The type of the result; that of the input unless stated.
  template <class T>
  constexpr Contract<In, T, Declared> outputs() const {
    warpcheck_kernel data = data_;
    data.output_format = detail::format_of<T>();
    return Contract<In, T, Declared>(data);
  }

  /// The order of additions is that of a named tree.
  constexpr Contract<In, Out, true> tree(Tree tree) const {
    return declared(WARPCHECK_ORDER_TREE, tree.name);
  }

  /// The order is some tree whose height is at most this formula of n, grid and block, in integer arithmetic
  /// with
  /// + - * / ( ), min(a,b), max(a,b), ceil_div(a,b), ceil_log2(a): "ceil_div(n, grid*block) - 1 +
  /// ceil_log2(grid*block)".
  constexpr Contract<In, Out, true> height(const char* formula) const {
    return declared(WARPCHECK_ORDER_HEIGHT, formula);
  }

  /// Nothing is promised about the order (atomics, say): the widest tolerance.
  constexpr Contract<In, Out, true> any_order() const { return declared(WARPCHECK_ORDER_ANY, nullptr); }

  constexpr Contract deterministic_across(Determinism level) const {
    Contract next = *this;
    next.data_.determinism = level;
    return next;
  }

  /// Block sizes that the kernel accepts, in threads; 32 to 1024 unless stated.
  constexpr Contract blocks(std::uint32_t smallest, std::uint32_t largest) const {
    Contract next = *this;
    next.data_.min_block = smallest;
    next.data_.max_block = largest;
    return next;
  }

  /// Block sizes are multiples of this; 32 unless stated.
  constexpr Contract multiples_of(std::uint32_t step) const {
    Contract next = *this;
    next.data_.block_multiple = step;
    return next;
  }

  /// The largest grid that the kernel accepts, in blocks; 65,535 unless stated.
  constexpr Contract grids_up_to(std::uint32_t largest) const {
    Contract next = *this;
    next.data_.max_grid = largest;
    return next;
  }

  /// Subnormal elements, partial sums and results may become zero. Say so for kernels that add with
  /// atomicAdd(float*) in global memory, which flushes (PTX ISA, atom and red), or that are built with
  /// -ftz=true.
  constexpr Contract flushes_subnormals() const { return flagged(WARPCHECK_FLUSHES_SUBNORMALS); }

  /// Some threads of a block may exit before a barrier that the others wait at. Recent devices let that pass;
  /// unless a contract says so it is an error.
  constexpr Contract threads_may_exit_early() const { return flagged(WARPCHECK_THREADS_MAY_EXIT_EARLY); }

  constexpr const warpcheck_kernel& data() const { return data_; }

 private:
  constexpr Contract flagged(std::uint8_t flag) const {
    Contract next = *this;
    next.data_.flags = static_cast<std::uint8_t>(next.data_.flags | flag);
    return next;
  }

  constexpr Contract<In, Out, true> declared(std::uint8_t order, const char* expression) const {
    warpcheck_kernel data = data_;
    data.order = order;
    data.order_expression = expression;
    return Contract<In, Out, true>(data);
  }

  warpcheck_kernel data_;
};

/// The sum of n ≥ 0 elements of type T; +0 for n = 0. The array may begin at any multiple of sizeof(T), so a
/// kernel that loads vectors treats a misaligned beginning itself.
template <class T>
constexpr Contract<T, T, false> sum() {
  warpcheck_kernel data{};
  data.size = sizeof(warpcheck_kernel);
  data.operation = "sum";
  data.input_format = data.accumulation_format = data.output_format = detail::format_of<T>();
  data.min_block = 32;
  data.max_block = 1024;
  data.block_multiple = 32;
  data.max_grid = 65535;
  return Contract<T, T, false>(data);
}

namespace detail {

/// The kernels of this plug-in. Hidden, so that plug-ins in one process do not share it.
struct __attribute__((visibility("hidden"))) Registry {
  const warpcheck_kernel* kernels[WARPCHECK_MAX_KERNELS];
  std::uint32_t count;
  warpcheck_plugin plugin;
};
__attribute__((visibility("hidden"))) inline Registry registry{};

template <class Function, class In, class Out>
inline constexpr bool fits =
    std::is_invocable_r_v<cudaError_t, Function, const In*, std::size_t, Out*, const Geometry&, cudaStream_t>;

template <class Function, class In, class Out, bool Declared>
struct __attribute__((visibility("hidden"))) Registration {
  static_assert(Declared,
                "warpcheck: the contract must declare the order of additions: .tree(...), .height(...) or "
                ".any_order()");
  static_assert(
      fits<Function, In, Out>,
      "warpcheck: the kernel must be callable as cudaError_t(const In* x, std::size_t n, Out* result, "
      "const warpcheck::Geometry& geometry, cudaStream_t stream) with the contract's In and Out");

  Registration(const char* name, const char* file, std::uint32_t line,
               const Contract<In, Out, Declared>& contract, warpcheck_launch launch)
      : data(contract.data()) {
    data.name = name;
    data.file = file;
    data.line = line;
    data.launch = launch;
    if (registry.count < WARPCHECK_MAX_KERNELS) registry.kernels[registry.count] = &data;
    ++registry.count;
  }
  warpcheck_kernel data;
};

template <class Function, class In, class Out, bool Declared>
Registration<Function, In, Out, Declared> make_registration(Function*, const char* name, const char* file,
                                                            std::uint32_t line,
                                                            const Contract<In, Out, Declared>& contract,
                                                            warpcheck_launch launch) {
  return {name, file, line, contract, launch};
}

/// Calls the kernel with the types of its contract. A function that does not fit them was refused by
/// Registration.
template <class In, class Out, bool Declared, class Function>
int launch(const Contract<In, Out, Declared>&, Function function, const void* input, std::uint64_t n,
           void* output, const warpcheck_geometry& geometry, void* stream) {
  if constexpr (fits<Function, In, Out>) {
    return static_cast<int>(function(static_cast<const In*>(input), static_cast<std::size_t>(n),
                                     static_cast<Out*>(output), geometry, static_cast<cudaStream_t>(stream)));
  } else {
    return 1;
  }
}

}  // namespace detail
}  // namespace warpcheck

extern "C" __attribute__((visibility("default"), used)) inline const warpcheck_plugin*
warpcheck_plugin_entry_point(void) asm("warpcheck_plugin");
inline const warpcheck_plugin* warpcheck_plugin_entry_point(void) {
  auto& registry = warpcheck::detail::registry;
  registry.plugin = {WARPCHECK_ABI_VERSION, registry.count, registry.kernels, WARPCHECK_BUILT_WITH};
  return &registry.plugin;
}

/// Registers the host function FUNCTION, visible under its own name, with a contract. At namespace scope,
/// once a function; a plug-in holds up to 256.
#define WARPCHECK_KERNEL(FUNCTION, ...) WARPCHECK_KERNEL_NAMED(#FUNCTION, FUNCTION, __VA_ARGS__)

/// The same under another name, for templates and overloads.
#define WARPCHECK_KERNEL_NAMED(NAME, FUNCTION, ...) \
  WARPCHECK_KERNEL_AT(NAME, FUNCTION, __COUNTER__, __VA_ARGS__)
#define WARPCHECK_KERNEL_AT(NAME, FUNCTION, ID, ...) \
  WARPCHECK_KERNEL_EXPANDED(NAME, FUNCTION, ID, __VA_ARGS__)
#define WARPCHECK_KERNEL_EXPANDED(NAME, FUNCTION, ID, ...)                                          \
  namespace {                                                                                       \
  int warpcheck_launch_##ID(const void* input, std::uint64_t n, void* output,                       \
                            const warpcheck_geometry* geometry, void* stream) {                     \
    return ::warpcheck::detail::launch(__VA_ARGS__, FUNCTION, input, n, output, *geometry, stream); \
  }                                                                                                 \
  const auto warpcheck_registration_##ID = ::warpcheck::detail::make_registration(                  \
      FUNCTION, NAME, __FILE__, __LINE__, __VA_ARGS__, &warpcheck_launch_##ID);                     \
  }                                                                                                 \
  static_assert(true, "")

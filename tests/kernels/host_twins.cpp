#include "tests/kernels/host_twins.hpp"

#include <algorithm>
#include <vector>

namespace warpcheck {
namespace {

/// What thread `thread` of `threads` adds up: every threads-th element, in order.
template <class T, class In>
T strided_sum(std::span<const In> x, std::size_t thread, std::size_t threads) {
  T sum = 0;
  for (std::size_t i = thread; i < x.size(); i += threads) sum += static_cast<T>(x[i]);
  return sum;
}

/// Lane 0 of a warp that adds what lies 16, 8, 4, 2 and 1 lanes above; lanes beyond the end keep their own.
template <class T>
T shuffled(std::vector<T> lanes) {
  for (std::size_t offset = 16; offset > 0; offset /= 2) {
    const std::vector<T> before = lanes;
    for (std::size_t lane = 0; lane < 32; ++lane)
      lanes[lane] += before[lane + offset < 32 ? lane + offset : lane];
  }
  return lanes[0];
}

template <class T>
T shuffled_block(const std::vector<T>& threads) {
  std::vector<T> warps(32, 0);
  for (std::size_t warp = 0; warp < threads.size() / 32; ++warp) {
    const auto first = threads.begin() + static_cast<std::ptrdiff_t>(32 * warp);
    warps[warp] = shuffled(std::vector<T>(first, first + 32));
  }
  return shuffled(warps);
}

template <class T, class In>
std::vector<T> shuffle_pass(std::span<const In> x, std::size_t grid, std::size_t block) {
  std::vector<T> sums;
  for (std::size_t b = 0; b < grid; ++b) {
    std::vector<T> threads;
    for (std::size_t t = 0; t < block; ++t) threads.push_back(strided_sum<T>(x, b * block + t, grid * block));
    sums.push_back(shuffled_block(threads));
  }
  return sums;
}

template <class T>
float two_shuffle_passes(std::span<const float> x, const Geometry& geometry) {
  const std::vector<T> partials = shuffle_pass<T>(x, geometry.grid, geometry.block);
  return static_cast<float>(shuffle_pass<T>(std::span<const T>(partials), 1, geometry.block).front());
}

}  // namespace

float serial_twin(std::span<const float> x) {
  return strided_sum<float>(x, 0, 1);
}

float tree_two_pass_twin(std::span<const float> x, const Geometry& geometry) {
  std::vector<float> values(x.begin(), x.end());
  for (;;) {
    const std::size_t blocks =
        std::clamp<std::size_t>((values.size() + geometry.block - 1) / geometry.block, 1, geometry.grid);
    std::vector<float> sums;
    for (std::size_t b = 0; b < blocks; ++b) {
      std::vector<float> threads;
      for (std::size_t t = 0; t < geometry.block; ++t) {
        threads.push_back(strided_sum<float>(std::span<const float>(values), b * geometry.block + t,
                                             blocks * geometry.block));
      }
      while (threads.size() > 1) {
        const std::size_t kept = (threads.size() + 1) / 2;
        for (std::size_t t = 0; t < threads.size() / 2; ++t) threads[t] += threads[t + kept];
        threads.resize(kept);
      }
      sums.push_back(threads.front());
    }
    if (blocks == 1) return sums.front();
    values = sums;
  }
}

float shuffle_two_pass_twin(std::span<const float> x, const Geometry& geometry) {
  return two_shuffle_passes<float>(x, geometry);
}

float shuffle_two_pass_fp64_twin(std::span<const float> x, const Geometry& geometry) {
  return two_shuffle_passes<double>(x, geometry);
}

}  // namespace warpcheck

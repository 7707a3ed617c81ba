// Cooperative groups: tile reductions, a block and a grid barrier.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

__global__ void grouped(const float* in, float* out, int n) {
  auto grid = cg::this_grid();
  auto block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  float v = 0;
  for (auto i = grid.thread_rank(); i < n; i += grid.size()) v += in[i];
  v = cg::reduce(tile, v, cg::plus<float>());
  if (tile.thread_rank() == 0) out[grid.thread_rank() / 16] = v;
  block.sync();
  grid.sync();
  if (grid.thread_rank() == 0)
    for (unsigned i = 1; i < grid.size() / 16; ++i) out[0] += out[i];
}

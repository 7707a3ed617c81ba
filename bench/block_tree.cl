// The algorithm that both executors run: a block tree of 256 threads, one element a thread.

__kernel void block_tree(__global const float* x, __global float* sums, __local float* values) {
  const uint thread = get_local_id(0);
  values[thread] = x[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (thread < step) values[thread] += values[thread + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (thread == 0) sums[get_group_id(0)] = values[0];
}

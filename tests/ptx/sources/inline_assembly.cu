// Inline PTX: nested scopes, registers without a percent sign, guards on any instruction, labels inside a
// scope that is instantiated twice, predicate pairs, and constant expressions.
__device__ __forceinline__ float shuffle_add(float x, int offset) {
  float r;
  asm volatile(
      "{\n\t"
      ".reg .f32 r0;\n\t"
      ".reg .pred p;\n\t"
      "shfl.sync.down.b32 r0|p, %1, %2, 0x1fU, 0xffffffff;\n\t"
      "@p add.f32 r0, r0, %1;\n\t"
      "@!p mov.f32 r0, 0f00000000;\n\t"
      "mov.f32 %0, r0;\n\t"
      "}"
      : "=f"(r)
      : "f"(x), "r"(offset));
  return r;
}

__device__ __forceinline__ int count_down(int n) {
  int r;
  asm volatile(
      "{\n"
      "  .reg .s32 i; .reg .pred more;\n"
      "  mov.s32 i, %1;\n"
      "  mov.s32 %0, (WARP_SZ * 2 - 1) & 0x3f80U;\n"
      "again:\n"
      "  sub.s32 i, i, 1;  // one step\n"
      "  setp.gt.s32 more, i, 0;\n"
      "  @more bra again;\n"
      "  { .reg .s32 i; mov.s32 i, %%laneid; add.s32 %0, %0, i; }\n"
      "}\n"
      : "=r"(r)
      : "r"(n));
  return r;
}

__global__ void assembly(const float* in, float* out, int* counts, int n) {
  float v = in[threadIdx.x];
  v = shuffle_add(v, 16);
  v = shuffle_add(v, 8);
  out[threadIdx.x] = v;
  counts[threadIdx.x] = count_down(n) + count_down(n + 1);
  unsigned long long clock;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock));
  float4 q;
  asm volatile("ld.global.nc.L1::no_allocate.v4.f32 {%0, %1, %2, %3}, [%4 + 16];"
               : "=f"(q.x), "=f"(q.y), "=f"(q.z), "=f"(q.w)
               : "l"(in));
  out[threadIdx.x + 32] = q.x + q.y + q.z + q.w + float(clock & 1);
}

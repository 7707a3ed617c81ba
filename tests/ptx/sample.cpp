#include "tests/ptx/parsed.hpp"

namespace warpcheck::ptx {

std::string_view sample() {
  return R"(// A module that uses every part of the grammar.
.version 8.3
.target sm_90a, debug
.address_size 64
.pragma "nounroll";
/* a comment
   of two lines */
.extern .func  (.param .b32 func_retval0) vprintf
(
	.param .b64 vprintf_param_0,
	.param .b64 vprintf_param_1
)
;
.visible .func (.reg .f32 %fv1) twice (.reg .f32 %fa1) .noreturn;
.extern .global .align 4 .u32 elsewhere;
.weak .const .align 8 .f64 weights[2][2] = { {0.5, -1.0}, {0d3FF0000000000000} };
.global .attribute(.managed) .align 4 .b32 managed = 0x7U;
.global .v4 .f32 quads[] = { {1.0, 2.0, 3.0, 4.0}, {0f3F800000, 2., .5, 1e3} };
.visible .global .align 8 .u64 table[4] = {generic(quads)+16, twice, weights, (1 << 4) % 5 ? 7 : ~0};
.global .align 8 .b8 packed[10] = {1, 0xFF(generic(quads)), 0xFF00(generic(quads)), 0xFF0000(generic(quads)), 0xFF000000(generic(quads)), 0xFF00000000(generic(quads)), 0xFF0000000000(generic(quads)), 0xFF000000000000(generic(quads)), 0xFF00000000000000(generic(quads)), 0xFF(256+2)};
.common .global .u32 numbered<3>;
.extern .shared .align 16 .b8 dynamic[];
.visible .func also(.param .align 4 .b8 rest[]);
.func (.reg .f32 %fv1) twice (.reg .f32 %fa1) { add.f32 %fv1, %fa1, %fa1; ret; }
.func real(.param .align 4 .b8 rest[]) { ret; }
.alias also, real;
.visible .entry kernel(
	.param .u64 .ptr .global .align 16 kernel_param_0,
	.param .align 8 .b8 kernel_param_1[24]
)
.maxntid 256, 2
.minnctapersm 2
.pragma "nounroll";
{
	.reg .pred 	%p<4>, q;
	.reg .b32 	%r<9>;
	.reg .b64 	%rd<5>;
	.reg .f32 	%f<9>;
	.reg .v4 .f32 v;
	.shared .align 4 .b8 s[1024];
	.local .align 8 .b8 __local_depot0[16], second[8];
	.loc	1 5 3
	ld.param.u64 	%rd1, [kernel_param_0];
	ld.param.f32 	%f1, [kernel_param_1+4];
	.loc	1 9 3, function_name $L__info_string0, inlined_at 1 5 3
	.pragma "used_bytes_mask 0xfff";
	ld.global.L1::evict_first.v4.f32 	{%f1, %f2, %f3, _}, [%rd1+-16];
	.loc	1 14 3, function_name $L__info_string0+4, inlined_at 1 9 3
	ld.global.v4.f32 v, [%rd1 + 4 * (2 + 2)];
	add.rn.ftz.f32 %f4, v.x, v.w;
	mov.u32 	%r1, %tid.x;
	setp.eq.and.s32 	%p1|%p2, %r1, WARP_SZ - 1, !q;
	@%p1 bra 	$L__BB0_2;
	{ // callseq 0, 0
	.reg .b32 temp_param_reg;
	.param .b64 param0;
	st.param.b64 	[param0+0], %rd1;
	.param .b32 retval0;
	call.uni (retval0), 
	vprintf, 
	(
	param0, 
	param0
	);
	ld.param.b32 	%r3, [retval0+0];
	} // callseq 0
	call (%f5), twice, (%f4);
	mov.b64 %rd2, twice;
	prototype_0 : .callprototype (.reg .f32 _) _ (.reg .f32 _) ;
	call (%f6), %rd2, (%f5), prototype_0;
	names: .calltargets twice;
	call (%f6), %rd2, (0f3F800000), names;
	call real;
	{
	.reg .f32 r0; .reg .pred p;
	shfl.sync.down.b32 r0|p, %f2, %r1, 0x1fU, 0xffffffff;
	@!p mov.f32 r0, 0f00000000;
again:
	@p bra again;
	}
	{ again: bra.uni again; }
targets: .branchtargets $L__BB0_2, case<2>;
	brx.idx %r1, targets;
case0:
	vadd.u32.u32.u32 %r1, %r1.b0, %r2.h1;
case1:
	tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];
	mov.b64 {_, %r2}, %rd1;
	st.shared.u32 [s+4], %r2;
	mov.u64 %rd3, s;
	mov.u32 %r4, numbered2;
	fma.rn.f32 %f7, %f1, 1.5, -2e-3;
	cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%rd1], [%rd2, {%r1}], [%rd3];
$L__BB0_2:
	bar.sync 0;
	ret;
$L__end:
}
	.file	1 "a folder/file.cu", 1700000000, 1234
	.file	3 "quoted \"name\".cuh"
	.section	.debug_str
	{
$L__info_string0:
.b8 97
.b8 100, 100
.b8 0
.b8 95, 90
.b8 0
	}
.section .debug_info { .b32 $L__end-$L__BB0_2, -4 .b64 $L__end+8 label: .b16 .debug_str }
)";
}

}  // namespace warpcheck::ptx

#ifndef WARPCHECK_ABI_H
#define WARPCHECK_ABI_H

/* What a plug-in exports: kernels and their contracts as plain data, over a versioned C interface.
 *
 * A reader accepts a plug-in when `abi_version` equals its own. Fields are only ever appended to the
 * structures; the size members say how much of them a plug-in knows. */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define WARPCHECK_ABI_VERSION 1

/* Element formats. */
#define WARPCHECK_FORMAT_FP32 1
#define WARPCHECK_FORMAT_FP64 2

/* How a contract states the order of additions. */
#define WARPCHECK_ORDER_ANY 1    /* nothing is promised */
#define WARPCHECK_ORDER_HEIGHT 2 /* `order_expression` is a formula for the height */
#define WARPCHECK_ORDER_TREE 3   /* `order_expression` names a summation tree */

/* What stays the same from one run to the next, each including those before it. */
#define WARPCHECK_DETERMINISTIC_NOT 0
#define WARPCHECK_DETERMINISTIC_RUNS 1       /* the same launch again */
#define WARPCHECK_DETERMINISTIC_SCHEDULES 2  /* any order of threads, warps and blocks */
#define WARPCHECK_DETERMINISTIC_GEOMETRIES 3 /* any grid and block size */

/* Further promises and exceptions, in warpcheck_kernel.flags. */
#define WARPCHECK_FLUSHES_SUBNORMALS 1 /* subnormal elements, partial sums and results may become zero */
#define WARPCHECK_THREADS_MAY_EXIT_EARLY \
  2 /* some threads of a block may exit before a barrier of the others */

/* Kernels that one plug-in may register. */
#define WARPCHECK_MAX_KERNELS 256

typedef struct warpcheck_geometry {
  uint32_t grid;  /* blocks */
  uint32_t block; /* threads a block */
} warpcheck_geometry;

/* Reduces the n elements at `input` (device memory) into the one element at `output` (device memory), on
 * `stream` (a cudaStream_t). Returns a cudaError_t. */
typedef int (*warpcheck_launch)(const void* input, uint64_t n, void* output,
                                const warpcheck_geometry* geometry, void* stream);

typedef struct warpcheck_kernel {
  uint32_t size; /* of this structure, as the plug-in knows it */
  uint32_t line; /* of the registration */
  const char* name;
  const char* file;
  const char* operation; /* "sum" */
  uint8_t input_format;
  uint8_t accumulation_format;
  uint8_t output_format;
  uint8_t order;
  const char* order_expression; /* 0 for WARPCHECK_ORDER_ANY */
  uint8_t determinism;
  uint8_t flags;
  uint8_t reserved[2];
  uint32_t min_block;
  uint32_t max_block;
  uint32_t block_multiple; /* block sizes are multiples of this; 1: any */
  uint32_t max_grid;
  warpcheck_launch launch;
} warpcheck_kernel;

typedef struct warpcheck_plugin {
  uint32_t abi_version;
  uint32_t kernel_count; /* registrations; more than WARPCHECK_MAX_KERNELS are not all in `kernels` */
  const warpcheck_kernel* const* kernels;
  const char* built_with; /* compiler and flags that change results, for reports */
} warpcheck_plugin;

/* The one function that a plug-in exports. */
typedef const warpcheck_plugin* (*warpcheck_plugin_entry)(void);
#define WARPCHECK_PLUGIN_ENTRY "warpcheck_plugin"

#ifdef __cplusplus
}
#endif

#endif

#pragma once

#include <cuda_runtime_api.h>

// What the plug-in of these tests asks of the CUDA runtime that stands in for NVIDIA's, beside CUDA's own
// functions.
//
// The stand-in's device memory is host memory, so a loop of the host can play the kernel. Two environment
// variables describe its machine: FAKE_CUDART_DEVICES (1 unless set) and FAKE_CUDART_COUNT_ERROR, an error
// that cudaGetDeviceCount returns.

extern "C" {

/// The next cudaMalloc of the stand-in fails with this error.
void fake_cudart_fail_next_malloc(cudaError_t error);

/// What a refused launch leaves behind: the next cudaGetLastError returns it, once.
void fake_cudart_leave_error(cudaError_t error);

/// What a fault inside a kernel does: unseen until something waits for the device, and from then on every
/// call returns it, to the end of the process.
void fake_cudart_fault(cudaError_t error);

/// Blocks that cudaMalloc of the stand-in has handed out and cudaFree has not taken back.
int fake_cudart_live_blocks();
}

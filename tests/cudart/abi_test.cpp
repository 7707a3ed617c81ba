// Our declarations of CUDA's binary interface against the toolkit's headers.

#include "framework/cudart/cuda_abi.hpp"

#include <cuda_runtime_api.h>
#include <gtest/gtest.h>

#include <type_traits>

namespace warpcheck::cudart::abi {
namespace {

#if CUDART_VERSION >= 13000
using Properties = DeviceProperties13;
#else
using Properties = DeviceProperties12;
#endif

#define EXPECT_SAME_PLACE(ours, our_field, theirs, their_field) \
  EXPECT_EQ(offsetof(ours, our_field), offsetof(theirs, their_field)) << #their_field

TEST(CudaAbi, has_the_toolkits_device_properties) {
  EXPECT_EQ(sizeof(Properties), sizeof(cudaDeviceProp));
  EXPECT_SAME_PLACE(Properties, total_global_memory, cudaDeviceProp, totalGlobalMem);
  EXPECT_SAME_PLACE(Properties, shared_per_block, cudaDeviceProp, sharedMemPerBlock);
  EXPECT_SAME_PLACE(Properties, registers_per_block, cudaDeviceProp, regsPerBlock);
  EXPECT_SAME_PLACE(Properties, warp_size, cudaDeviceProp, warpSize);
  EXPECT_SAME_PLACE(Properties, max_threads_per_block, cudaDeviceProp, maxThreadsPerBlock);
  EXPECT_SAME_PLACE(Properties, max_block, cudaDeviceProp, maxThreadsDim);
  EXPECT_SAME_PLACE(Properties, max_grid, cudaDeviceProp, maxGridSize);
  EXPECT_SAME_PLACE(Properties, total_constant_memory, cudaDeviceProp, totalConstMem);
  EXPECT_SAME_PLACE(Properties, major, cudaDeviceProp, major);
  EXPECT_SAME_PLACE(Properties, texture_alignment, cudaDeviceProp, textureAlignment);
  EXPECT_SAME_PLACE(Properties, multiprocessors, cudaDeviceProp, multiProcessorCount);
  EXPECT_SAME_PLACE(Properties, integrated, cudaDeviceProp, integrated);
  EXPECT_SAME_PLACE(Properties, can_map_host_memory, cudaDeviceProp, canMapHostMemory);
  EXPECT_SAME_PLACE(Properties, texture_limits_a, cudaDeviceProp, maxTexture1D);
  EXPECT_SAME_PLACE(Properties, surface_limits, cudaDeviceProp, maxSurface1D);
  EXPECT_SAME_PLACE(Properties, surface_alignment, cudaDeviceProp, surfaceAlignment);
  EXPECT_SAME_PLACE(Properties, concurrent_kernels, cudaDeviceProp, concurrentKernels);
  EXPECT_SAME_PLACE(Properties, unified_addressing, cudaDeviceProp, unifiedAddressing);
  EXPECT_SAME_PLACE(Properties, l2_cache_size, cudaDeviceProp, l2CacheSize);
  EXPECT_SAME_PLACE(Properties, max_threads_per_multiprocessor, cudaDeviceProp, maxThreadsPerMultiProcessor);
  EXPECT_SAME_PLACE(Properties, shared_per_multiprocessor, cudaDeviceProp, sharedMemPerMultiprocessor);
  EXPECT_SAME_PLACE(Properties, registers_per_multiprocessor, cudaDeviceProp, regsPerMultiprocessor);
  EXPECT_SAME_PLACE(Properties, managed_memory, cudaDeviceProp, managedMemory);
  EXPECT_SAME_PLACE(Properties, concurrent_managed_access, cudaDeviceProp, concurrentManagedAccess);
  EXPECT_SAME_PLACE(Properties, cooperative_launch, cudaDeviceProp, cooperativeLaunch);
  EXPECT_SAME_PLACE(Properties, shared_per_block_optin, cudaDeviceProp, sharedMemPerBlockOptin);
  EXPECT_SAME_PLACE(Properties, max_blocks_per_multiprocessor, cudaDeviceProp, maxBlocksPerMultiProcessor);
  EXPECT_SAME_PLACE(Properties, reserved_shared_per_block, cudaDeviceProp, reservedSharedMemPerBlock);
  EXPECT_SAME_PLACE(Properties, memory_pools_supported, cudaDeviceProp, memoryPoolsSupported);
  EXPECT_SAME_PLACE(Properties, cluster_launch, cudaDeviceProp, clusterLaunch);
  EXPECT_SAME_PLACE(Properties, unified_function_pointers, cudaDeviceProp, unifiedFunctionPointers);
  EXPECT_SAME_PLACE(Properties, reserved, cudaDeviceProp, reserved);
}

TEST(CudaAbi, keeps_the_size_of_cuda_12s_device_properties) {
  // CUDA 12's cudaDeviceProp takes 1,032 bytes; its caller has no room for more.
  EXPECT_EQ(sizeof(DeviceProperties12), 1032u);
}

TEST(CudaAbi, has_the_toolkits_function_attributes) {
  EXPECT_EQ(sizeof(FuncAttributes), sizeof(cudaFuncAttributes));
  EXPECT_SAME_PLACE(FuncAttributes, shared_size_bytes, cudaFuncAttributes, sharedSizeBytes);
  EXPECT_SAME_PLACE(FuncAttributes, const_size_bytes, cudaFuncAttributes, constSizeBytes);
  EXPECT_SAME_PLACE(FuncAttributes, local_size_bytes, cudaFuncAttributes, localSizeBytes);
  EXPECT_SAME_PLACE(FuncAttributes, max_threads_per_block, cudaFuncAttributes, maxThreadsPerBlock);
  EXPECT_SAME_PLACE(FuncAttributes, registers, cudaFuncAttributes, numRegs);
  EXPECT_SAME_PLACE(FuncAttributes, ptx_version, cudaFuncAttributes, ptxVersion);
  EXPECT_SAME_PLACE(FuncAttributes, binary_version, cudaFuncAttributes, binaryVersion);
  EXPECT_SAME_PLACE(FuncAttributes, max_dynamic_shared_size_bytes, cudaFuncAttributes,
                    maxDynamicSharedSizeBytes);
  EXPECT_SAME_PLACE(FuncAttributes, preferred_shared_carveout, cudaFuncAttributes, preferredShmemCarveout);
  EXPECT_EQ(static_cast<int>(kMaxDynamicSharedMemorySize), cudaFuncAttributeMaxDynamicSharedMemorySize);
  EXPECT_EQ(static_cast<int>(kPreferredSharedMemoryCarveout), cudaFuncAttributePreferredSharedMemoryCarveout);
}

TEST(CudaAbi, has_the_toolkits_launch_structures) {
  EXPECT_EQ(sizeof(Dim3), sizeof(dim3));
  EXPECT_EQ(sizeof(LaunchConfig), sizeof(cudaLaunchConfig_t));
  EXPECT_SAME_PLACE(LaunchConfig, dynamic_shared_bytes, cudaLaunchConfig_t, dynamicSmemBytes);
  EXPECT_SAME_PLACE(LaunchConfig, stream, cudaLaunchConfig_t, stream);
  EXPECT_SAME_PLACE(LaunchConfig, attributes, cudaLaunchConfig_t, attrs);
  EXPECT_SAME_PLACE(LaunchConfig, attribute_count, cudaLaunchConfig_t, numAttrs);
  EXPECT_EQ(sizeof(LaunchAttribute), sizeof(cudaLaunchAttribute));
  EXPECT_SAME_PLACE(LaunchAttribute, value, cudaLaunchAttribute, val);
  EXPECT_EQ(static_cast<int>(kCooperative), cudaLaunchAttributeCooperative);
  EXPECT_EQ(static_cast<int>(kClusterDimension), cudaLaunchAttributeClusterDimension);
  EXPECT_EQ(static_cast<int>(kPriority), cudaLaunchAttributePriority);
  EXPECT_EQ(static_cast<int>(kProgrammaticStreamSerialization),
            cudaLaunchAttributeProgrammaticStreamSerialization);
}

TEST(CudaAbi, has_the_toolkits_copy_structures_and_pointer_attributes) {
  EXPECT_EQ(sizeof(Memcpy3DParameters), sizeof(cudaMemcpy3DParms));
  EXPECT_SAME_PLACE(Memcpy3DParameters, source, cudaMemcpy3DParms, srcPtr);
  EXPECT_SAME_PLACE(Memcpy3DParameters, target_array, cudaMemcpy3DParms, dstArray);
  EXPECT_SAME_PLACE(Memcpy3DParameters, extent, cudaMemcpy3DParms, extent);
  EXPECT_SAME_PLACE(Memcpy3DParameters, kind, cudaMemcpy3DParms, kind);
  EXPECT_EQ(sizeof(PitchedPointer), sizeof(cudaPitchedPtr));
  EXPECT_SAME_PLACE(PointerAttributes, device_pointer, cudaPointerAttributes, devicePointer);
  EXPECT_SAME_PLACE(PointerAttributes, host_pointer, cudaPointerAttributes, hostPointer);
  EXPECT_EQ(static_cast<int>(kDeviceToHost), cudaMemcpyDeviceToHost);
  EXPECT_EQ(static_cast<int>(kDefault), cudaMemcpyDefault);
  EXPECT_EQ(static_cast<int>(kManaged), cudaMemoryTypeManaged);
}

TEST(CudaAbi, has_the_toolkits_error_codes) {
  const std::pair<Error, cudaError_t> codes[] = {
      {Error::success, cudaSuccess},
      {Error::invalid_value, cudaErrorInvalidValue},
      {Error::memory_allocation, cudaErrorMemoryAllocation},
      {Error::invalid_configuration, cudaErrorInvalidConfiguration},
      {Error::invalid_pitch_value, cudaErrorInvalidPitchValue},
      {Error::invalid_symbol, cudaErrorInvalidSymbol},
      {Error::invalid_memcpy_direction, cudaErrorInvalidMemcpyDirection},
      {Error::missing_configuration, cudaErrorMissingConfiguration},
      {Error::invalid_device_function, cudaErrorInvalidDeviceFunction},
      {Error::invalid_device, cudaErrorInvalidDevice},
      {Error::no_kernel_image_for_device, cudaErrorNoKernelImageForDevice},
      {Error::unsupported_limit, cudaErrorUnsupportedLimit},
      {Error::invalid_ptx, cudaErrorInvalidPtx},
      {Error::unsupported_ptx_version, cudaErrorUnsupportedPtxVersion},
      {Error::invalid_resource_handle, cudaErrorInvalidResourceHandle},
      {Error::symbol_not_found, cudaErrorSymbolNotFound},
      {Error::not_ready, cudaErrorNotReady},
      {Error::illegal_address, cudaErrorIllegalAddress},
      {Error::launch_timeout, cudaErrorLaunchTimeout},
      {Error::assert_failed, cudaErrorAssert},
      {Error::illegal_instruction, cudaErrorIllegalInstruction},
      {Error::misaligned_address, cudaErrorMisalignedAddress},
      {Error::launch_failure, cudaErrorLaunchFailure},
      {Error::cooperative_launch_too_large, cudaErrorCooperativeLaunchTooLarge},
      {Error::not_supported, cudaErrorNotSupported},
      {Error::unknown, cudaErrorUnknown},
  };
  for (const auto& [ours, theirs] : codes) EXPECT_EQ(static_cast<int>(ours), static_cast<int>(theirs));
}

}  // namespace
}  // namespace warpcheck::cudart::abi

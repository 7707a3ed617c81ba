#pragma once

#include <cstddef>
#include <cstdint>

/// The binary interface of the CUDA runtime: numbers and layouts that compiled programs rely on.
///
/// These are our own declarations, so that one build serves programs of CUDA 12 and 13 and needs no toolkit;
/// a test compares them with the toolkit's headers where there are any. Enumerations travel as int, handles
/// as void*.
namespace warpcheck::cudart::abi {

/// Result of every call. The values are CUDA's; names and texts of all codes are in api_error.cpp.
enum class Error : int {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  invalid_configuration = 9,
  invalid_pitch_value = 12,
  invalid_symbol = 13,
  invalid_memcpy_direction = 21,
  missing_configuration = 52,
  invalid_device_function = 98,
  invalid_device = 101,
  no_kernel_image_for_device = 209,
  unsupported_limit = 215,
  invalid_ptx = 218,
  unsupported_ptx_version = 222,
  invalid_resource_handle = 400,
  symbol_not_found = 500,
  not_ready = 600,
  illegal_address = 700,
  launch_timeout = 702,
  assert_failed = 710,
  illegal_instruction = 715,
  misaligned_address = 716,
  launch_failure = 719,
  cooperative_launch_too_large = 720,
  not_supported = 801,
  unknown = 999,
};

struct Dim3 {
  unsigned x, y, z;
};

enum MemcpyKind : int {
  kHostToHost = 0,
  kHostToDevice = 1,
  kDeviceToHost = 2,
  kDeviceToDevice = 3,
  kDefault = 4,
};

enum MemoryType : int {
  kUnregistered = 0,
  kHost = 1,
  kDevice = 2,
  kManaged = 3,
};

struct PointerAttributes {
  int type;  ///< MemoryType
  int device;
  void* device_pointer;
  void* host_pointer;
  long reserved[8];  ///< CUDA 13 only: a CUDA 12 caller has no room for it, so it is never written
};

struct FuncAttributes {
  std::size_t shared_size_bytes;
  std::size_t const_size_bytes;
  std::size_t local_size_bytes;
  int max_threads_per_block;
  int registers;
  int ptx_version;     ///< 10 * major + minor
  int binary_version;  ///< likewise
  int cache_mode_ca;
  int max_dynamic_shared_size_bytes;
  int preferred_shared_carveout;
  int cluster_must_be_set;
  int required_cluster[3];
  int cluster_scheduling_policy;
  int non_portable_cluster_allowed;
  int reserved[16];
};

enum FuncAttribute : int {
  kMaxDynamicSharedMemorySize = 8,
  kPreferredSharedMemoryCarveout = 9,
};

enum LaunchAttributeId : int {
  kIgnore = 0,
  kAccessPolicyWindow = 1,
  kCooperative = 2,
  kSynchronizationPolicy = 3,
  kClusterDimension = 4,
  kClusterSchedulingPolicy = 5,
  kProgrammaticStreamSerialization = 6,
  kPriority = 8,
  kMemSyncDomainMap = 9,
  kMemSyncDomain = 10,
  kPreferredClusterDimension = 11,
  kSharedMemoryCarveout = 14,
};

struct LaunchAttribute {
  int id;  ///< LaunchAttributeId
  char pad[4];
  union {
    char bytes[64];
    int number;
    Dim3 cluster;
  } value;
};

struct LaunchConfig {
  Dim3 grid;
  Dim3 block;
  std::size_t dynamic_shared_bytes;
  void* stream;
  const LaunchAttribute* attributes;
  unsigned attribute_count;
};

struct PitchedPointer {
  void* pointer;
  std::size_t pitch;
  std::size_t width;
  std::size_t height;
};

struct Extent {
  std::size_t width, height, depth;
};

struct Position {
  std::size_t x, y, z;
};

struct Memcpy3DParameters {
  void* source_array;
  Position source_position;
  PitchedPointer source;
  void* target_array;
  Position target_position;
  PitchedPointer target;
  Extent extent;
  int kind;
};

/// cudaDeviceProp of CUDA 12; programs call cudaGetDeviceProperties_v2 for it.
struct DeviceProperties12 {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned luid_device_node_mask;
  std::size_t total_global_memory;
  std::size_t shared_per_block;
  int registers_per_block;
  int warp_size;
  std::size_t memory_pitch;
  int max_threads_per_block;
  int max_block[3];
  int max_grid[3];
  int clock_rate;
  std::size_t total_constant_memory;
  int major, minor;
  std::size_t texture_alignment, texture_pitch_alignment;
  int device_overlap;
  int multiprocessors;
  int kernel_timeout_enabled;
  int integrated;
  int can_map_host_memory;
  int compute_mode;
  int texture_limits_a[26];
  int surface_limits[14];
  std::size_t surface_alignment;
  int concurrent_kernels;
  int ecc_enabled;
  int pci_bus, pci_device, pci_domain;
  int tcc_driver;
  int async_engines;
  int unified_addressing;
  int memory_clock_rate;
  int memory_bus_width;
  int l2_cache_size;
  int persisting_l2_cache_max_size;
  int max_threads_per_multiprocessor;
  int stream_priorities_supported;
  int global_l1_cache_supported, local_l1_cache_supported;
  std::size_t shared_per_multiprocessor;
  int registers_per_multiprocessor;
  int managed_memory;
  int is_multi_gpu_board, multi_gpu_board_group;
  int host_native_atomic_supported;
  int single_to_double_ratio;
  int pageable_memory_access;
  int concurrent_managed_access;
  int compute_preemption_supported;
  int can_use_host_pointer_for_registered_memory;
  int cooperative_launch;
  int cooperative_multi_device_launch;
  std::size_t shared_per_block_optin;
  int pageable_memory_access_uses_host_page_tables;
  int direct_managed_memory_access_from_host;
  int max_blocks_per_multiprocessor;
  int access_policy_max_window_size;
  std::size_t reserved_shared_per_block;
  int host_register_supported;
  int sparse_array_supported;
  int host_register_read_only_supported;
  int timeline_semaphore_interop_supported;
  int memory_pools_supported;
  int gpu_direct_rdma[3];
  unsigned memory_pool_handle_types;
  int deferred_mapping_array_supported;
  int ipc_event_supported;
  int cluster_launch;
  int unified_function_pointers;
  int reserved[63];
};

/// cudaDeviceProp of CUDA 13; programs call cudaGetDeviceProperties for it.
struct DeviceProperties13 {
  char name[256];
  char uuid[16];
  char luid[8];
  unsigned luid_device_node_mask;
  std::size_t total_global_memory;
  std::size_t shared_per_block;
  int registers_per_block;
  int warp_size;
  std::size_t memory_pitch;
  int max_threads_per_block;
  int max_block[3];
  int max_grid[3];
  std::size_t total_constant_memory;
  int major, minor;
  std::size_t texture_alignment, texture_pitch_alignment;
  int multiprocessors;
  int integrated;
  int can_map_host_memory;
  int texture_limits_a[25];
  int surface_limits[14];
  std::size_t surface_alignment;
  int concurrent_kernels;
  int ecc_enabled;
  int pci_bus, pci_device, pci_domain;
  int tcc_driver;
  int async_engines;
  int unified_addressing;
  int memory_bus_width;
  int l2_cache_size;
  int persisting_l2_cache_max_size;
  int max_threads_per_multiprocessor;
  int stream_priorities_supported;
  int global_l1_cache_supported, local_l1_cache_supported;
  std::size_t shared_per_multiprocessor;
  int registers_per_multiprocessor;
  int managed_memory;
  int is_multi_gpu_board, multi_gpu_board_group;
  int host_native_atomic_supported;
  int pageable_memory_access;
  int concurrent_managed_access;
  int compute_preemption_supported;
  int can_use_host_pointer_for_registered_memory;
  int cooperative_launch;
  std::size_t shared_per_block_optin;
  int pageable_memory_access_uses_host_page_tables;
  int direct_managed_memory_access_from_host;
  int max_blocks_per_multiprocessor;
  int access_policy_max_window_size;
  std::size_t reserved_shared_per_block;
  int host_register_supported;
  int sparse_array_supported;
  int host_register_read_only_supported;
  int timeline_semaphore_interop_supported;
  int memory_pools_supported;
  int gpu_direct_rdma[3];
  unsigned memory_pool_handle_types;
  int deferred_mapping_array_supported;
  int ipc_event_supported;
  int cluster_launch;
  int unified_function_pointers;
  int numa_config, numa_id;
  int mps_enabled;
  int host_numa_id;
  unsigned pci_device_id, pci_subsystem_id;
  int host_numa_multinode_ipc_supported;
  int reserved[56];
};

}  // namespace warpcheck::cudart::abi

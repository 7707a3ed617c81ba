// Kernels and host code that use the runtime as ordinary programs do. Every exported function returns a CUDA
// error code unless it says otherwise.

#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cassert>
#include <cstdio>

__device__ float table[4] = {1.0f, 2.0f, 3.0f, 4.0f};
__constant__ int scale = 7;
__device__ int counter;
__managed__ int shared_counter = 5;

__global__ void add(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

__global__ void sum_warp(const float* x, float* out) {
  float v = x[threadIdx.x];
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0) *out = v;
}

__global__ void scale_table(float* out) {
  out[threadIdx.x] = table[threadIdx.x] * scale;
  if (threadIdx.x == 0) counter += 1;
}

__global__ void double_managed() {
  shared_counter *= 2;
}

__global__ void store_at(int* p, int index) {
  p[index] = 1;
}
__global__ void store_misaligned(char* p) {
  *reinterpret_cast<int*>(p + 2) = 1;
}
__global__ void fail_assert(int n) {
  assert(n == 0);
}
__global__ void execute_trap() {
  __trap();
}
__global__ void spin(volatile int* p) {
  while (*p == 0) {
  }
}
__global__ void __launch_bounds__(128) bounded(int* p) {
  p[threadIdx.x] = static_cast<int>(threadIdx.x);
}

__global__ void reverse_dynamic(int* p, int n) {
  extern __shared__ int room[];
  room[threadIdx.x] = p[threadIdx.x];
  __syncthreads();
  p[threadIdx.x] = room[n - 1 - threadIdx.x];
}

// Nothing else launches this: generated code asks for a kernel's handle once, when it is first launched.
__global__ void first_after_fault(int* p) {
  *p = 9;
}

__global__ void say(int n) {
  printf("n = %d, half = %.2f\n", n, n / 2.0);
}

__global__ void sum_grid(const int* x, int* partial, int* out) {
  auto grid = cooperative_groups::this_grid();
  if (threadIdx.x == 0) partial[blockIdx.x] = x[blockIdx.x];
  grid.sync();
  if (grid.thread_rank() == 0) {
    int s = 0;
    for (unsigned i = 0; i < gridDim.x; ++i) s += partial[i];
    *out = s;
  }
}

struct Triple {
  char c;
  double d;
  short s;
};
__global__ void unpack(Triple t, char first, double* out, float last) {
  out[0] = t.c;
  out[1] = t.d;
  out[2] = t.s;
  out[3] = first;
  out[4] = last;
}

#define RETURN_IF(call)                         \
  do {                                          \
    const cudaError_t status_ = (call);         \
    if (status_ != cudaSuccess) return status_; \
  } while (false)

extern "C" {

int vector_add(const float* a, const float* b, float* c, int n) {
  float *da, *db, *dc;
  const size_t bytes = n * sizeof(float);
  RETURN_IF(cudaMalloc(&da, bytes));
  RETURN_IF(cudaMalloc(&db, bytes));
  RETURN_IF(cudaMalloc(&dc, bytes));
  RETURN_IF(cudaMemcpy(da, a, bytes, cudaMemcpyHostToDevice));
  RETURN_IF(cudaMemcpy(db, b, bytes, cudaMemcpyDefault));
  add<<<(n + 127) / 128, 128>>>(da, db, dc, n);
  RETURN_IF(cudaGetLastError());
  RETURN_IF(cudaDeviceSynchronize());
  RETURN_IF(cudaMemcpy(c, dc, bytes, cudaMemcpyDeviceToHost));
  RETURN_IF(cudaFree(da));
  RETURN_IF(cudaFree(db));
  return cudaFree(dc);
}

int warp_sum(const float* host, float* result) {
  float *x, *out;
  RETURN_IF(cudaMallocManaged(&x, 32 * sizeof(float)));
  RETURN_IF(cudaMallocHost(&out, sizeof(float)));
  for (int i = 0; i < 32; ++i) x[i] = host[i];
  cudaStream_t stream;
  RETURN_IF(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  cudaEvent_t event;
  RETURN_IF(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  sum_warp<<<1, 32, 0, stream>>>(x, out);
  RETURN_IF(cudaEventRecord(event, stream));
  RETURN_IF(cudaStreamWaitEvent(cudaStreamLegacy, event, 0));
  RETURN_IF(cudaEventSynchronize(event));
  RETURN_IF(cudaStreamSynchronize(stream));
  *result = *out;
  RETURN_IF(cudaEventDestroy(event));
  RETURN_IF(cudaStreamDestroy(stream));
  RETURN_IF(cudaFree(x));
  return cudaFreeHost(out);
}

// out[0..3]: the scaled table; count: how often the kernel ran since the module's initial state.
int use_symbols(float third, int factor, float* out, int* count) {
  if (third != 0) RETURN_IF(cudaMemcpyToSymbol(table, &third, sizeof third, 2 * sizeof(float)));
  if (factor != 0) RETURN_IF(cudaMemcpyToSymbol(scale, &factor, sizeof factor));
  float* device;
  RETURN_IF(cudaMalloc(&device, 4 * sizeof(float)));
  scale_table<<<1, 4>>>(device);
  RETURN_IF(cudaMemcpy(out, device, 4 * sizeof(float), cudaMemcpyDeviceToHost));
  RETURN_IF(cudaMemcpyFromSymbol(count, counter, sizeof *count));
  void* address;
  RETURN_IF(cudaGetSymbolAddress(&address, counter));
  int again = 0;
  RETURN_IF(cudaMemcpy(&again, address, sizeof again, cudaMemcpyDeviceToHost));
  size_t size = 0;
  RETURN_IF(cudaGetSymbolSize(&size, table));
  if (again != *count || size != sizeof table) return -1;
  return cudaFree(device);
}

int counter_address(void** address) {
  return cudaGetSymbolAddress(address, counter);
}

int use_managed_variable(int add_first, int* result) {
  shared_counter += add_first;
  double_managed<<<1, 1>>>();
  RETURN_IF(cudaDeviceSynchronize());
  *result = shared_counter;
  return cudaSuccess;
}

int launch_add(unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, size_t shared) {
  add<<<dim3(gx, gy, gz), dim3(bx, by, bz), shared>>>(nullptr, nullptr, nullptr, 0);
  return cudaGetLastError();
}

int launch_bounded(int threads) {
  int* p;
  RETURN_IF(cudaMalloc(&p, 1024 * sizeof(int)));
  bounded<<<1, threads>>>(p);
  const int status = cudaGetLastError();
  cudaFree(p);
  return status;
}

// Reverses n ints with a shared memory request of `bytes`; raises the limit first if `raise` is not 0.
int reverse_with_shared(int* host, int n, size_t bytes, int raise) {
  if (raise != 0) {
    RETURN_IF(cudaFuncSetAttribute(reverse_dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, raise));
  }
  int* p;
  RETURN_IF(cudaMalloc(&p, n * sizeof(int)));
  RETURN_IF(cudaMemcpy(p, host, n * sizeof(int), cudaMemcpyHostToDevice));
  reverse_dynamic<<<1, n, bytes>>>(p, n);
  const int status = cudaGetLastError();
  cudaMemcpy(host, p, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(p);
  return status;
}

// The code that the next synchronisation returns. kind: 0 none, 1 out of bounds, 2 misaligned, 3 assert, 4
// trap, 5 null pointer, 6 endless loop, 7 use after free, 8 a host pointer.
int fault(int kind) {
  int* p;
  RETURN_IF(cudaMalloc(&p, 16));
  RETURN_IF(cudaMemset(p, 0, 16));
  static int on_host = 0;
  switch (kind) {
    case 1:
      store_at<<<1, 1>>>(p, 4);
      break;
    case 2:
      store_misaligned<<<1, 1>>>(reinterpret_cast<char*>(p));
      break;
    case 3:
      fail_assert<<<1, 1>>>(1);
      break;
    case 4:
      execute_trap<<<1, 1>>>();
      break;
    case 5:
      store_at<<<1, 1>>>(nullptr, 0);
      break;
    case 6:
      spin<<<1, 1>>>(p);
      break;
    case 7:
      RETURN_IF(cudaFree(p));
      store_at<<<1, 1>>>(p, 0);
      break;
    case 8:
      store_at<<<1, 1>>>(&on_host, 0);
      break;
    default:
      store_at<<<1, 1>>>(p, 3);
      break;
  }
  const int status = cudaDeviceSynchronize();
  if (kind != 7) cudaFree(p);
  return status;
}

int launch_first_after_fault(int* p) {
  first_after_fault<<<1, 1>>>(p);
  return cudaGetLastError();
}

int malloc_and_leak(size_t bytes, void** p) {
  return cudaMalloc(p, bytes);
}
int get_last_error() {
  return cudaGetLastError();
}
int peek_last_error() {
  return cudaPeekAtLastError();
}
const char* error_name(int code) {
  return cudaGetErrorName(static_cast<cudaError_t>(code));
}
const char* error_string(int code) {
  return cudaGetErrorString(static_cast<cudaError_t>(code));
}
int free_device(void* p) {
  return cudaFree(p);
}
int free_host(void* p) {
  return cudaFreeHost(p);
}
int copy(void* to, const void* from, size_t bytes, int kind) {
  return cudaMemcpy(to, from, bytes, static_cast<cudaMemcpyKind>(kind));
}
int copy_2d(void* to, size_t to_pitch, const void* from, size_t from_pitch, size_t width, size_t height,
            int kind) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, height, static_cast<cudaMemcpyKind>(kind));
}
int set_bytes(void* p, int value, size_t bytes) {
  return cudaMemset(p, value, bytes);
}
int malloc_pitch(void** p, size_t* pitch, size_t width, size_t height) {
  return cudaMallocPitch(p, pitch, width, height);
}

// A box of 3 x 2 x 2 bytes from the middle of one 3-D block to the corner of another; out gets all of the
// target.
int copy_3d(unsigned char* out) {
  const cudaExtent extent = make_cudaExtent(5, 4, 3);
  cudaPitchedPtr from, to;
  RETURN_IF(cudaMalloc3D(&from, extent));
  RETURN_IF(cudaMalloc3D(&to, extent));
  unsigned char host[5 * 4 * 3];
  for (int i = 0; i < 60; ++i) host[i] = static_cast<unsigned char>(i);
  cudaMemcpy3DParms p = {};
  p.srcPtr = make_cudaPitchedPtr(host, 5, 5, 4);
  p.dstPtr = from;
  p.extent = extent;
  p.kind = cudaMemcpyHostToDevice;
  RETURN_IF(cudaMemcpy3D(&p));
  RETURN_IF(cudaMemset3D(to, 0xff, extent));
  p.srcPtr = from;
  p.srcPos = make_cudaPos(1, 2, 1);
  p.dstPtr = to;
  p.extent = make_cudaExtent(3, 2, 2);
  p.kind = cudaMemcpyDeviceToDevice;
  RETURN_IF(cudaMemcpy3D(&p));
  cudaMemcpy3DParms back = {};
  back.srcPtr = to;
  back.dstPtr = make_cudaPitchedPtr(out, 5, 5, 4);
  back.extent = extent;
  back.kind = cudaMemcpyDeviceToHost;
  RETURN_IF(cudaMemcpy3D(&back));
  RETURN_IF(cudaFree(from.ptr));
  return cudaFree(to.ptr);
}

int memory_type(const void* p, int* type) {
  cudaPointerAttributes attributes;
  RETURN_IF(cudaPointerGetAttributes(&attributes, p));
  *type = attributes.type;
  return cudaSuccess;
}

int elapsed(float* milliseconds) {
  cudaEvent_t a, b;
  RETURN_IF(cudaEventCreate(&a));
  RETURN_IF(cudaEventCreate(&b));
  RETURN_IF(cudaEventRecord(a));
  RETURN_IF(cudaEventRecord(b));
  const int status = cudaEventElapsedTime(milliseconds, a, b);
  cudaEventDestroy(a);
  cudaEventDestroy(b);
  return status;
}

int destroy_stream_twice() {
  cudaStream_t stream;
  RETURN_IF(cudaStreamCreate(&stream));
  RETURN_IF(cudaStreamDestroy(stream));
  return cudaStreamDestroy(stream);
}

int launch_in_destroyed_stream() {
  cudaStream_t stream;
  RETURN_IF(cudaStreamCreate(&stream));
  RETURN_IF(cudaStreamDestroy(stream));
  execute_trap<<<1, 1, 0, stream>>>();
  return cudaGetLastError();
}

void count_call(void* calls) {
  ++*static_cast<int*>(calls);
}
int call_host(int* calls) {
  return cudaLaunchHostFunc(nullptr, count_call, calls);
}

int print_from_kernel(int n) {
  say<<<1, 1>>>(n);
  return cudaDeviceSynchronize();
}

int pass_arguments(double* out) {
  double* device;
  RETURN_IF(cudaMalloc(&device, 5 * sizeof(double)));
  const Triple triple{'\x07', 2.5, -3};
  unpack<<<1, 1>>>(triple, 'A', device, 0.25f);
  RETURN_IF(cudaMemcpy(out, device, 5 * sizeof(double), cudaMemcpyDeviceToHost));
  return cudaFree(device);
}

int cooperative_sum(const int* host, int blocks, int* result) {
  int *x, *partial, *out;
  RETURN_IF(cudaMalloc(&x, blocks * sizeof(int)));
  RETURN_IF(cudaMalloc(&partial, blocks * sizeof(int)));
  RETURN_IF(cudaMalloc(&out, sizeof(int)));
  RETURN_IF(cudaMemcpy(x, host, blocks * sizeof(int), cudaMemcpyHostToDevice));
  void* arguments[] = {&x, &partial, &out};
  const cudaError_t status =
      cudaLaunchCooperativeKernel(sum_grid, dim3(blocks), dim3(64), arguments, 0, nullptr);
  if (status == cudaSuccess) RETURN_IF(cudaMemcpy(result, out, sizeof(int), cudaMemcpyDeviceToHost));
  cudaFree(x);
  cudaFree(partial);
  cudaFree(out);
  return status;
}

// numbers: multiprocessors, warp size, threads a block, shared bytes a block, opt-in shared bytes, 10 * major
// + minor
int device_numbers(int* properties, int* attributes) {
  cudaDeviceProp p;
  RETURN_IF(cudaGetDeviceProperties(&p, 0));
  const int from_properties[] = {p.multiProcessorCount,
                                 p.warpSize,
                                 p.maxThreadsPerBlock,
                                 static_cast<int>(p.sharedMemPerBlock),
                                 static_cast<int>(p.sharedMemPerBlockOptin),
                                 10 * p.major + p.minor};
  for (int i = 0; i < 6; ++i) properties[i] = from_properties[i];
  int major = 0, minor = 0;
  RETURN_IF(cudaDeviceGetAttribute(attributes, cudaDevAttrMultiProcessorCount, 0));
  RETURN_IF(cudaDeviceGetAttribute(attributes + 1, cudaDevAttrWarpSize, 0));
  RETURN_IF(cudaDeviceGetAttribute(attributes + 2, cudaDevAttrMaxThreadsPerBlock, 0));
  RETURN_IF(cudaDeviceGetAttribute(attributes + 3, cudaDevAttrMaxSharedMemoryPerBlock, 0));
  RETURN_IF(cudaDeviceGetAttribute(attributes + 4, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
  RETURN_IF(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
  RETURN_IF(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
  attributes[5] = 10 * major + minor;
  return cudaSuccess;
}

int other_device(int device) {
  return cudaSetDevice(device);
}

int occupancy(int threads, size_t shared, int* blocks) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, add, threads, shared);
}

int function_attributes(int* ptx_version, int* max_threads, int* max_dynamic) {
  cudaFuncAttributes attributes;
  RETURN_IF(cudaFuncGetAttributes(&attributes, bounded));
  *ptx_version = attributes.ptxVersion;
  *max_threads = attributes.maxThreadsPerBlock;
  *max_dynamic = attributes.maxDynamicSharedSizeBytes;
  return cudaSuccess;
}

int begin_graph() {
  cudaGraph_t graph;
  return cudaGraphCreate(&graph, 0);
}

int capture_status(int* status) {
  cudaStreamCaptureStatus now = cudaStreamCaptureStatusActive;
  RETURN_IF(cudaStreamIsCapturing(nullptr, &now));
  *status = now;
  return cudaSuccess;
}

int launch_unregistered() {
  void* none[] = {nullptr};
  return cudaLaunchKernel(reinterpret_cast<const void*>(&device_numbers), dim3(1), dim3(1), none, 0, nullptr);
}

int launch_by_handle(int* value) {
  cudaKernel_t kernel;
  RETURN_IF(cudaGetKernel(&kernel, store_at));
  int* p;
  RETURN_IF(cudaMalloc(&p, 2 * sizeof(int)));
  int index = 1;
  void* arguments[] = {&p, &index};
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(1);
  config.blockDim = dim3(1);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  RETURN_IF(cudaLaunchKernelExC(&config, reinterpret_cast<const void*>(kernel), arguments));
  RETURN_IF(cudaMemcpy(value, p + 1, sizeof(int), cudaMemcpyDeviceToHost));
  return cudaFree(p);
}

int launch_cluster(unsigned size) {
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(4);
  config.blockDim = dim3(32);
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = size;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  config.attrs = &attribute;
  config.numAttrs = 1;
  const float* none = nullptr;
  float* out = nullptr;
  return cudaLaunchKernelEx(&config, add, none, none, out, 0);
}

int pool_allocation(int* value) {
  cudaMemPool_t pool;
  RETURN_IF(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long keep = 1 << 20, read = 0;
  RETURN_IF(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  RETURN_IF(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &read));
  if (read != keep) return -1;
  int* p;
  RETURN_IF(cudaMallocAsync(&p, sizeof(int), cudaStreamPerThread));
  store_at<<<1, 1, 0, cudaStreamPerThread>>>(p, 0);
  RETURN_IF(cudaMemcpyAsync(value, p, sizeof(int), cudaMemcpyDeviceToHost, cudaStreamPerThread));
  RETURN_IF(cudaFreeAsync(p, cudaStreamPerThread));
  return cudaMemPoolTrimTo(pool, 0);
}

int memory_info(size_t* free_bytes, size_t* total) {
  return cudaMemGetInfo(free_bytes, total);
}

int versions(int* runtime, int* driver) {
  RETURN_IF(cudaRuntimeGetVersion(runtime));
  return cudaDriverGetVersion(driver);
}

}  // extern "C"

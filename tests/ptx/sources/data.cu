// Module variables: constants, initialised structures with pointers, arrays of several dimensions, managed
// memory, and parameters that are large structures.
struct Node {
  int value;
  const Node* next;
};

__device__ int counter = 41;
__device__ float table[3][4] = {{1, 2, 3, 4}, {5.5f, -0.0f}, {1e-40f}};
__device__ double weights[] = {0.5, 0.25, 1.0 / 3};
__constant__ short offsets[5] = {-1, 2, -3};
__device__ Node tail = {7, nullptr};
__device__ Node head = {5, &tail};
__device__ const float* into_table = &table[1][2];
__device__ const char* name = "sum";
__device__ unsigned char flags[6] = {1, 0, 255};
__managed__ int managed_value = 3;
__device__ __align__(64) long long big[4] = {-1, 0x0123456789abcdefLL};

struct Arguments {
  const float* in;
  float scale[37];
  char tag;
};

__global__ void use(const __grid_constant__ Arguments a, float* out, int index) {
  const Arguments* pointer = &a;
  out[0] = a.scale[index & 31] * table[index & 1][index & 3] + float(offsets[index & 3]) + *into_table;
  out[1] = float(head.next->value) + float(weights[index & 1]) + float(name[index & 1]) + pointer->tag;
  counter += flags[index & 3] + managed_value + int(big[index & 3]);
  int local[16];
  for (int i = 0; i < 16; ++i) local[i] = i * index;
  out[2] = float(local[index & 15]);
}

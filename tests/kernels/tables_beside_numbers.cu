// A table of pointers travels in a struct, by value, with the sizes and the number of its arrays beside it, and one loop of the host fills
// them all: what is stored to the sizes is not in the table, as each index stays in its array.
// given: pointers that the caller has in an array (ok); the first one of them at all places (bad). made: each an allocation of
// its own (ok); one for all (bad). members: out of structs (ok).
// words: the loop stores numbers through a pointer of another type, perhaps over the table (any). reached: the kernel reads pointers at
// places that are no index of the array, so that a size may be one of them (any).
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict made_ok: race-free
//@ verdict made_bad: racy
//@ verdict members_ok: race-free
//@ verdict words_any: undecided
//@ verdict reached_any: undecided
#include <cuda_runtime.h>

struct Table {
  float *array[40];
  int size[40];
  int count;
};
struct Array {
  float *data;
  int size;
};

static __device__ void fill(const Table &t) {
  int k = blockIdx.y;
  if (k >= t.count)
    return;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < t.size[k]; i += gridDim.x * blockDim.x)
    t.array[k][i] = k; // expect-race[given] expect-race[made]
}
__global__ void given_ok(Table t) { fill(t); } // expect-clean
__global__ void given_bad(Table t) { fill(t); }
__global__ void made_ok(Table t) { fill(t); } // expect-clean
__global__ void made_bad(Table t) { fill(t); }
__global__ void members_ok(Table t) { fill(t); } // expect-clean
__global__ void words_any(Table t) { fill(t); }
__global__ void reached_any(Table t, int from) {
  float **first = (float **)((char *)&t + from * sizeof(float *));
  first[blockIdx.y][threadIdx.x] = blockIdx.y;
}

void given(int n, float **arrays, const int *sizes) {
  Table t;
  t.count = n;
  for (int k = 0; k < n; k++) {
    t.array[k] = arrays[k];
    t.size[k] = sizes[k];
  }
  given_ok<<<dim3(16, n), 256>>>(t);
  for (int k = 0; k < n; k++) {
    t.array[k] = arrays[0];
    t.size[k] = sizes[k];
  }
  given_bad<<<dim3(16, n), 256>>>(t);
}

void made(int n, const int *sizes) {
  Table t;
  t.count = n;
  for (int k = 0; k < n; k++) {
    cudaMalloc((void **)&t.array[k], sizes[k] * sizeof(float));
    t.size[k] = sizes[k];
  }
  made_ok<<<dim3(16, n), 256>>>(t);
  float *one;
  cudaMalloc((void **)&one, 4096);
  for (int k = 0; k < n; k++) {
    t.array[k] = one;
    t.size[k] = 1024;
  }
  made_bad<<<dim3(16, n), 256>>>(t);
}

void members(int n, const Array *arrays) {
  Table t;
  t.count = n;
  for (int k = 0; k < n; k++) {
    t.array[k] = arrays[k].data;
    t.size[k] = arrays[k].size;
  }
  members_ok<<<dim3(16, n), 256>>>(t);
}

void words(int n, float **arrays, const int *words) {
  Table t;
  t.count = n;
  int *at = (int *)&t;
  for (int k = 0; k < n; k++) {
    t.array[k] = arrays[k];
    at[k] = words[k];
  }
  words_any<<<dim3(16, n), 256>>>(t);
}

void reached(int n, float **arrays, const int *sizes) {
  Table t;
  t.count = n;
  for (int k = 0; k < n; k++) {
    t.array[k] = arrays[k];
    t.size[k] = sizes[k];
  }
  reached_any<<<dim3(1, n), 256>>>(t, n);
}

// What a kernel finds in memory that device code launches: what the host's launch found, unless a kernel on the way has written there.
// flag: who launches it has raised another flag (ok), or the one that it waits for (bad).
// set: the host has cleared the flag (ok), or set it to one (bad). counter: the host has cleared it (ok), the launching kernel has set it
// to one, so that the last but one counts as the last (bad).
// beside: another kernel that device code launches raises another flag (ok), or that one (bad).
// again: one thread launches it (ok), or each of two (bad), and nobody clears the flag between.
// variable, table, member: the pointers that it reads are those of the host (ok), or the launching kernel has put one twice there (bad).
// texture: it writes other memory than a texture is of (ok), or that (bad).
//@ verdict flag_ok: race-free
//@ verdict flag_bad: racy
//@ verdict set_ok: race-free
//@ leans set_ok: !A11
//@ verdict set_bad: racy
//@ verdict counter_ok: race-free
//@ verdict counter_bad: racy
//@ known-undecided counter_bad: what the launching kernel stores is not followed
//@ verdict beside_ok: race-free
//@ verdict beside_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict variable_ok: race-free
//@ verdict variable_bad: racy
//@ known-undecided variable_bad: what the launching kernel stores is not followed
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ known-undecided table_bad: what the launching kernel stores is not followed
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ known-undecided member_bad: what the launching kernel stores is not followed
//@ verdict texture_ok: race-free
//@ verdict texture_bad: racy
//@ known-undecided texture_bad: reads through textures are no accesses
//@ verdict raise: race-free
//@ verdict flags: undecided
//@ verdict twice: undecided
//@ verdict sides: undecided
//@ verdict sums: undecided
//@ verdict once: undecided
//@ verdict pointers: undecided
//@ verdict others: undecided
//@ verdict textures: undecided
#include <cuda_runtime.h>

struct Pair {
  int *to, *from;
};
__device__ int *kept, *put;

__device__ void pass_on(int *data, int *flag) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 5; // expect-race[any]
    __threadfence();
    atomicExch(flag, 77);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    data[1] = data[0]; // expect-race[any]
  }
}

__device__ void sum_up(int *part, int *counter, int *sum) {
  if (threadIdx.x) return;
  part[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (atomicAdd(counter, 1) == gridDim.x - 1) {
    __threadfence();
    int all = 0;
    for (int i = 0; i < gridDim.x; i++)
      all += part[i];
    *sum = all;
  }
}

__global__ void flag_ok(int *data, int *flag) { pass_on(data, flag); } // expect-clean
__global__ void flag_bad(int *data, int *flag) { pass_on(data, flag); }
__global__ void set_ok(int *data, int *flag) { pass_on(data, flag); } // expect-clean
__global__ void set_bad(int *data, int *flag) { pass_on(data, flag); }
__global__ void beside_ok(int *data, int *flag) { pass_on(data, flag); } // expect-clean
__global__ void beside_bad(int *data, int *flag) { pass_on(data, flag); }
__global__ void again_ok(int *data, int *flag) { pass_on(data, flag); } // expect-clean
__global__ void again_bad(int *data, int *flag) { pass_on(data, flag); }
__global__ void counter_ok(int *part, int *counter, int *sum) { sum_up(part, counter, sum); } // expect-clean
__global__ void counter_bad(int *part, int *counter, int *sum) { sum_up(part, counter, sum); }
__global__ void raise(int *flag) { *flag = 1; } // expect-clean

__global__ void flags(int *data, int *raised, int *quiet, int *cleared, int *one) {
  *raised = 1;
  flag_ok<<<2, 32>>>(data, quiet);
  flag_bad<<<2, 32>>>(data, raised);
  set_ok<<<2, 32>>>(data, cleared);
  set_bad<<<2, 32>>>(data, one);
}

__global__ void sides(int *data, int *raised, int *quiet) {
  raise<<<1, 1>>>(raised);
  beside_ok<<<2, 32>>>(data, quiet);
  beside_bad<<<2, 32>>>(data, raised);
}

__global__ void sums(int *part, int *zero, int *one, int *sum) {
  *one = 1;
  counter_ok<<<4, 32>>>(part, zero, sum);
  counter_bad<<<4, 32>>>(part, one, sum);
}

__global__ void once(int *data, int *flag) { again_ok<<<2, 32>>>(data, flag); }
__global__ void twice(int *data, int *flag) { again_bad<<<2, 32>>>(data, flag); }

__global__ void variable_ok(int *x) { kept[threadIdx.x] = x[threadIdx.x + 1]; } // expect-clean
__global__ void variable_bad(int *x) {
  put[threadIdx.x] = x[threadIdx.x + 1]; // expect-race
}
__global__ void table_ok(int **t) { t[0][threadIdx.x] = t[1][threadIdx.x + 1]; } // expect-clean
__global__ void table_bad(int **t) {
  t[0][threadIdx.x] = t[1][threadIdx.x + 1]; // expect-race
}
__global__ void member_ok(Pair *p) { p->to[threadIdx.x] = p->from[threadIdx.x + 1]; } // expect-clean
__global__ void member_bad(Pair *p) {
  p->to[threadIdx.x] = p->from[threadIdx.x + 1]; // expect-race
}
__global__ void pointers(int *x, int **rows, Pair *pair) {
  put = x;
  rows[1] = rows[0];
  pair->from = pair->to;
  variable_bad<<<1, 64>>>(x);
  table_bad<<<1, 64>>>(rows);
  member_bad<<<1, 64>>>(pair);
}
__global__ void others(int *x, int **rows, Pair *pair) {
  variable_ok<<<1, 64>>>(x);
  table_ok<<<1, 64>>>(rows);
  member_ok<<<1, 64>>>(pair);
}

__global__ void texture_ok(int *p, cudaTextureObject_t x) { // expect-clean
  p[threadIdx.x] = tex1Dfetch<int>(x, threadIdx.x + 1);
}
__global__ void texture_bad(int *p, cudaTextureObject_t x) {
  p[threadIdx.x] = tex1Dfetch<int>(x, threadIdx.x + 1); // expect-race
}
__global__ void textures(int *p, int *other, cudaTextureObject_t x) {
  texture_ok<<<1, 64>>>(other, x);
  texture_bad<<<1, 64>>>(p, x);
}

static int *words(int byte) {
  int *made;
  cudaMalloc(&made, 512);
  cudaMemset(made, byte, 512);
  return made;
}

static cudaTextureObject_t texture_of(int *memory) {
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 512;
  cudaTextureDesc how = {};
  cudaTextureObject_t made;
  cudaCreateTextureObject(&made, &resource, &how, 0);
  return made;
}

static void with_pointers() {
  int *x = words(0), *y = words(0), *rows[2] = {x, y}, **table, **other;
  Pair pair = {x, y}, *d, *e;
  cudaMalloc(&table, sizeof rows);
  cudaMemcpy(table, rows, sizeof rows, cudaMemcpyHostToDevice);
  cudaMalloc(&d, sizeof pair);
  cudaMemcpy(d, &pair, sizeof pair, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(kept, &y, sizeof y);
  others<<<1, 1>>>(x, table, d);
  cudaMalloc(&other, sizeof rows);
  cudaMemcpy(other, rows, sizeof rows, cudaMemcpyHostToDevice);
  cudaMalloc(&e, sizeof pair);
  cudaMemcpy(e, &pair, sizeof pair, cudaMemcpyHostToDevice);
  pointers<<<1, 1>>>(x, other, e);
}

int main() {
  with_pointers();
  int *data = words(0), *memory = words(0);
  flags<<<1, 1>>>(data, words(0), words(0), words(0), words(1));
  sides<<<1, 1>>>(data, words(0), words(0));
  sums<<<1, 1>>>(words(0), words(0), words(0), words(0));
  once<<<1, 1>>>(data, words(0));
  twice<<<2, 1>>>(data, words(0));
  textures<<<1, 1>>>(memory, words(0), texture_of(memory));
  return cudaDeviceSynchronize();
}

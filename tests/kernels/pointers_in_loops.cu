// Pointers that a loop of the host copies to the device: what a kernel reads there is what some round of the loop has put there.
// again: every round to the same place; parts: another part of one allocation each, side by side (ok), longer than they are apart (bad); symbols: to places
// of a variable; from: out of an array; members: a struct each; put: by a function; late: a variable is set at the end of each round of a loop of
// launches, to another allocation (ok), to the one that the kernel is given (bad); swapped: to one of two that change places; wide: two at once.
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict parts_ok: race-free
//@ verdict parts_bad: racy
//@ verdict symbols_ok: race-free
//@ verdict symbols_bad: racy
//@ verdict from_ok: race-free
//@ verdict from_bad: racy
//@ verdict members_ok: race-free
//@ known-undecided members_ok: what lies beside the pointer in a struct that a loop copies is not told from one
//@ verdict members_bad: racy
//@ known-undecided members_bad: what lies beside the pointer in a struct that a loop copies is not told from one
//@ verdict put_ok: race-free
//@ verdict put_bad: racy
//@ verdict late_ok: race-free
//@ verdict late_bad: racy
//@ verdict swapped_ok: race-free
//@ verdict swapped_bad: racy
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
#include <cuda_runtime.h>
#include <utility>

struct Row {
  int *at;
  int n;
};
__device__ int *apart[4], *close[4], *other, *same, *turn, *both;

__global__ void again_ok(int *const *r, int *b) { // expect-clean
  b[threadIdx.x] = 1;
  r[0][63 - threadIdx.x] = 0;
}
__global__ void again_bad(int *const *r, int *b) {
  b[threadIdx.x] = 1;         // expect-race[again]
  r[0][63 - threadIdx.x] = 0; // expect-race[again]
}
__global__ void parts_ok(int *const *r) { r[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void parts_bad(int *const *r) { r[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-race
__global__ void symbols_ok() { apart[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void symbols_bad() { close[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-race
__global__ void from_ok(int *const *r) { r[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void from_bad(int *const *r) { r[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-race
__global__ void members_ok(const Row *r) { r[blockIdx.x].at[threadIdx.x] = r[blockIdx.x].n; } // expect-clean
__global__ void members_bad(const Row *r) { r[blockIdx.x].at[threadIdx.x] = r[blockIdx.x].n; }
__global__ void put_ok(int *const *r) { r[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void put_bad(int *const *r) { r[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-race
__global__ void late_ok(int *a) { a[threadIdx.x] = other[threadIdx.x ^ 1] + 1; } // expect-clean
__global__ void late_bad(int *a) { a[threadIdx.x] = same[threadIdx.x ^ 1] + 1; } // expect-race
__global__ void swapped_ok(int *a) { a[threadIdx.x] = turn[threadIdx.x ^ 1] + 1; } // expect-clean
__global__ void swapped_bad(int *a) { a[threadIdx.x] = both[threadIdx.x ^ 1] + 1; } // expect-race
__global__ void wide_ok(int *const *r) { r[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void wide_bad(int *const *r) { r[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-race

static void put(int **to, int *pointer) { cudaMemcpy(to, &pointer, sizeof pointer, cudaMemcpyHostToDevice); }

static int **table() {
  int **made;
  cudaMalloc((void **)&made, 64);
  return made;
}

int main() {
  int *b, *c, *x, *y;
  cudaMalloc((void **)&b, 4096);
  cudaMalloc((void **)&c, 4096);
  cudaMalloc((void **)&x, 4096);
  cudaMalloc((void **)&y, 4096);
  int **again_c = table(), **again_b = table();
  for (int i = 0; i < 2; i++)
    cudaMemcpy(again_c, &c, 8, cudaMemcpyHostToDevice);
  for (int i = 0; i < 2; i++)
    cudaMemcpy(again_b, &b, 8, cudaMemcpyHostToDevice);
  again_ok<<<1, 64>>>(again_c, b);
  again_bad<<<1, 64>>>(again_b, b);

  int **beside = table(), **over = table();
  for (int i = 0; i < 4; i++) {
    int *part = b + i * 64;
    cudaMemcpy(beside + i, &part, 8, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(apart, &part, 8, i * 8);
  }
  for (int i = 0; i < 4; i++) {
    int *part = b + i * 60;
    cudaMemcpy(over + i, &part, 8, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(close, &part, 8, i * 8);
  }
  parts_ok<<<4, 64>>>(beside);
  parts_bad<<<4, 64>>>(over);
  symbols_ok<<<4, 64>>>();
  symbols_bad<<<4, 64>>>();

  int *two[2] = {b, b + 64}, *near[2] = {b, b + 32};
  int **from_two = table(), **from_near = table();
  for (int i = 0; i < 2; i++)
    cudaMemcpyAsync(&from_two[i], &two[i], sizeof(int *), cudaMemcpyHostToDevice, 0);
  for (int i = 0; i < 2; i++)
    cudaMemcpyAsync(&from_near[i], &near[i], sizeof(int *), cudaMemcpyHostToDevice, 0);
  from_ok<<<2, 64>>>(from_two);
  from_bad<<<2, 64>>>(from_near);

  Row *rows, *short_rows;
  cudaMalloc((void **)&rows, 4 * sizeof(Row));
  cudaMalloc((void **)&short_rows, 4 * sizeof(Row));
  for (int i = 0; i < 4; i++) {
    Row row = {b + i * 64, i};
    cudaMemcpy(&rows[i], &row, sizeof row, cudaMemcpyHostToDevice);
  }
  for (int i = 0; i < 4; i++) {
    Row row = {b + i * 32, i};
    cudaMemcpy(&short_rows[i], &row, sizeof row, cudaMemcpyHostToDevice);
  }
  members_ok<<<4, 64>>>(rows);
  members_bad<<<4, 64>>>(short_rows);

  int **put_beside = table(), **put_over = table();
  for (int i = 0; i < 2; i++)
    put(put_beside + i, b + i * 64);
  for (int i = 0; i < 2; i++)
    put(put_over + i, b);
  put_ok<<<2, 64>>>(put_beside);
  put_bad<<<2, 64>>>(put_over);

  cudaMemcpyToSymbol(other, &c, 8);
  cudaMemcpyToSymbol(same, &c, 8);
  for (int i = 0; i < 4; i++) {
    late_ok<<<1, 64>>>(b);
    late_bad<<<1, 64>>>(b);
    cudaMemcpyToSymbol(other, &c, 8);
    cudaMemcpyToSymbol(same, &b, 8);
  }

  int **wide_two = table(), **wide_near = table();
  for (int i = 0; i < 2; i++)
    cudaMemcpy(wide_two, two, 16, cudaMemcpyHostToDevice);
  for (int i = 0; i < 2; i++)
    cudaMemcpy(wide_near, near, 16, cudaMemcpyHostToDevice);
  wide_ok<<<2, 64>>>(wide_two);
  wide_bad<<<2, 64>>>(wide_near);

  for (int i = 0; i < 4; i++) {
    cudaMemcpyToSymbol(turn, &y, 8);
    cudaMemcpyToSymbol(both, &x, 8);
    swapped_ok<<<1, 64>>>(x);
    swapped_bad<<<1, 64>>>(x);
    std::swap(x, y);
  }
}

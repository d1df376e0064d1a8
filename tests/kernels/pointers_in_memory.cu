// Pointers that the host copies to the device as bytes: what a kernel reads there is what was put there, and may be what the
// kernel is given as well. Two allocations stay two (ok), one that is kept twice is one (bad).
// symbols: in two variables. member: a struct in device memory and an argument; members: two members of it. row: an array of pointers. moved: a pointer into
// the middle. stored: by host code, in managed memory. again: in a loop of the host, behind a kernel that writes through such pointers. deep: a
// table behind a pointer of a struct. rows: each row an allocation of a loop, another one than its neighbour. twice: one of them is kept at
// two places. parts: rows are parts of one allocation, side by side (ok), longer than they are apart (bad).
//@ verdict symbols_ok: race-free
//@ verdict symbols_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict members_ok: race-free
//@ verdict members_bad: racy
//@ verdict row_ok: race-free
//@ verdict row_bad: racy
//@ verdict moved_ok: race-free
//@ verdict moved_bad: racy
//@ verdict stored_ok: race-free
//@ verdict stored_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict deep_ok: race-free
//@ verdict deep_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict parts_ok: race-free
//@ verdict parts_bad: racy
#include <cuda_runtime.h>

struct Both {
  int n;
  int *a, *b;
};
struct Deep {
  int **rows;
  int *out;
};
__device__ int *left, *right, *first, *second, *half, *middle, *before, *behind;

__global__ void symbols_ok() { // expect-clean
  left[threadIdx.x] = 1;
  right[63 - threadIdx.x] = 2;
}
__global__ void symbols_bad() {
  first[threadIdx.x] = 1;       // expect-race[symbols]
  second[63 - threadIdx.x] = 2; // expect-race[symbols]
}
__global__ void member_ok(const Both *both, int *out) { // expect-clean
  both->b[threadIdx.x] = both->n;
  out[63 - threadIdx.x] = 2;
}
__global__ void member_bad(const Both *both, int *out) {
  both->b[threadIdx.x] = both->n; // expect-race[member]
  out[63 - threadIdx.x] = 2;      // expect-race[member]
}
__global__ void members_ok(const Both *both) { // expect-clean
  both->b[threadIdx.x] = both->n;
  both->a[63 - threadIdx.x] = 2;
}
__global__ void members_bad(const Both *both) {
  both->b[threadIdx.x] = both->n; // expect-race[members]
  both->a[63 - threadIdx.x] = 2;  // expect-race[members]
}
__global__ void row_ok(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void row_bad(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-race
__global__ void moved_ok(int *out) { // expect-clean
  half[threadIdx.x] = 1;
  out[63 - threadIdx.x] = 2;
}
__global__ void moved_bad(int *out) {
  middle[threadIdx.x] = 1;   // expect-race[moved]
  out[63 - threadIdx.x] = 2; // expect-race[moved]
}
__global__ void stored_ok(int *const *rows) { // expect-clean
  rows[0][threadIdx.x] = 1;
  rows[1][63 - threadIdx.x] = 2;
}
__global__ void stored_bad(int *const *rows) {
  rows[0][threadIdx.x] = 1;      // expect-race[stored]
  rows[1][63 - threadIdx.x] = 2; // expect-race[stored]
}
__global__ void again_ok(int *out) { // expect-clean
  before[threadIdx.x] = 1;
  out[63 - threadIdx.x] = 2;
}
__global__ void again_bad(int *out) {
  behind[threadIdx.x] = 1;   // expect-race[again]
  out[63 - threadIdx.x] = 2; // expect-race[again]
}
__global__ void deep_ok(const Deep *deep) { // expect-clean
  deep->rows[1][threadIdx.x] = 1;
  deep->out[63 - threadIdx.x] = 2;
}
__global__ void deep_bad(const Deep *deep) {
  deep->rows[1][threadIdx.x] = 1;  // expect-race[deep]
  deep->out[63 - threadIdx.x] = 2; // expect-race[deep]
}
__global__ void rows_ok(int *const *rows) { // expect-clean
  rows[blockIdx.x][threadIdx.x] = rows[blockIdx.x][threadIdx.x] + 1;
}
__global__ void rows_bad(int *const *rows) {
  rows[blockIdx.x][threadIdx.x] = rows[blockIdx.x + 1][threadIdx.x] + 1; // expect-race
}

__global__ void twice_ok(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void twice_bad(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-race
__global__ void parts_ok(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void parts_bad(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-race

template <class T> static T *copied(const T *host, size_t count) {
  T *made;
  cudaMalloc((void **)&made, count * sizeof(T));
  cudaMemcpy(made, host, count * sizeof(T), cudaMemcpyHostToDevice);
  return made;
}

int main() {
  int *out, *other;
  cudaMalloc((void **)&out, 1024);
  cudaMalloc((void **)&other, 1024);

  cudaMemcpyToSymbol(left, &out, sizeof out);
  cudaMemcpyToSymbolAsync(right, &other, sizeof other);
  symbols_ok<<<1, 64>>>();
  cudaMemcpyToSymbol(first, &out, sizeof out);
  cudaMemcpyToSymbolAsync(second, &out, sizeof out);
  symbols_bad<<<1, 64>>>();

  Both apart = {1, out, other}, one = {1, out, out};
  Both *d_apart, *d_one;
  cudaMalloc((void **)&d_apart, sizeof apart);
  cudaMemcpy(d_apart, &apart, sizeof apart, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&d_one, sizeof one);
  cudaMemcpy(d_one, &one, sizeof one, cudaMemcpyHostToDevice);
  member_ok<<<1, 64>>>(d_apart, out);
  member_bad<<<1, 64>>>(d_one, out);
  members_ok<<<1, 64>>>(d_apart);
  members_bad<<<1, 64>>>(d_one);

  int *two[2] = {out, other}, *same[2] = {other, other};
  int **d_two = copied(two, 2), **d_same = copied(same, 2);
  row_ok<<<2, 64>>>(d_two);
  row_bad<<<2, 64>>>(d_same);

  int *to_half = out + 64, *to_middle = out + 62;
  cudaMemcpyToSymbol(half, &to_half, sizeof to_half);
  moved_ok<<<1, 64>>>(out);
  cudaMemcpyToSymbol(middle, &to_middle, sizeof to_middle);
  moved_bad<<<1, 64>>>(out);

  int **m_two, **m_same;
  cudaMallocManaged((void **)&m_two, 16);
  m_two[0] = out;
  m_two[1] = other;
  stored_ok<<<1, 64>>>(m_two);
  cudaMallocManaged((void **)&m_same, 16);
  m_same[0] = out;
  m_same[1] = out;
  stored_bad<<<1, 64>>>(m_same);

  cudaMemcpyToSymbol(before, &other, sizeof other);
  cudaMemcpyToSymbol(behind, &out, sizeof out);
  for (int i = 0; i < 9; i++) {
    again_ok<<<1, 64>>>(out);
    again_bad<<<1, 64>>>(out);
  }

  Deep deep = {d_two, out}, flat = {d_same, other};
  Deep *d_deep, *d_flat;
  cudaMalloc((void **)&d_deep, sizeof deep);
  cudaMemcpy(d_deep, &deep, sizeof deep, cudaMemcpyHostToDevice);
  cudaMalloc((void **)&d_flat, sizeof flat);
  cudaMemcpy(d_flat, &flat, sizeof flat, cudaMemcpyHostToDevice);
  deep_ok<<<1, 64>>>(d_deep);
  deep_bad<<<1, 64>>>(d_flat);

  int *rows[8];
  for (int i = 0; i < 8; i++)
    cudaMalloc((void **)&rows[i], 256);
  int **d_rows = copied(rows, 8);
  rows_ok<<<7, 64>>>(d_rows);
  rows_bad<<<7, 64>>>(d_rows);

  int *more[8];
  for (int i = 0; i < 8; i++)
    cudaMalloc((void **)&more[i], 256);
  twice_ok<<<8, 64>>>(copied(more, 8));
  more[3] = more[1];
  twice_bad<<<8, 64>>>(copied(more, 8));

  int *all, *parts[8], *close[8];
  cudaMalloc((void **)&all, 4096);
  for (int i = 0; i < 8; i++)
    parts[i] = all + 64 * i;
  parts_ok<<<8, 64>>>(copied(parts, 8));
  for (int i = 0; i < 8; i++)
    close[i] = all + 60 * i;
  parts_bad<<<8, 64>>>(copied(close, 8));
}

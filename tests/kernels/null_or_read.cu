// Which pointers may be null, whatever the kernel's parameters are? Of what is read from memory it is not known, unless the program says what lies
// there; what goes through a loop may have entered as null; of a number that was made from a pointer nothing is known. What only some threads find
// null is a branch that they take.
// read: of a row that may be null one word is set by all who find it so (bad), or by nobody else (ok). table: pointers that the host has put into a
// variable, some of which may be null. fixed: a constant table with a gap. number: the pointer as a number. looped: a pointer that becomes null in a
// loop. set: only one thread's is not null (ok), or many threads' (bad).
//@ verdict read_ok: race-free
//@ verdict read_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict fixed_ok: race-free
//@ verdict fixed_bad: racy
//@ verdict number_ok: race-free
//@ verdict number_bad: racy
//@ known-undecided number_bad: the number of an address is not followed
//@ verdict looped_ok: race-free
//@ verdict looped_bad: racy
//@ verdict set_ok: race-free
//@ verdict set_bad: racy
#include <cuda_runtime.h>

__global__ void read_ok(int **rows, int *out) { // expect-clean
  int t = threadIdx.x;
  if (rows[t] == nullptr) out[t] = t;
}
__global__ void read_bad(int **rows, int *out) {
  int t = threadIdx.x;
  if (rows[t] == nullptr) out[0] = t; // expect-race[read]
}

__device__ int *table[4];
__global__ void table_ok() { // expect-clean
  int t = threadIdx.x;
  if (table[0] == nullptr) table[1][t] = t;
}
__global__ void table_bad() {
  int t = threadIdx.x;
  if (table[0] == nullptr) table[1][0] = t; // expect-race[table]
}

__device__ int x[64], y[64];
__device__ int *const gaps[3] = {x, nullptr, nullptr};
__device__ int *const full[2] = {x, y};
__global__ void fixed_ok(int *out, int i) { // expect-clean
  int t = threadIdx.x;
  if (full[i] == nullptr) out[0] = t;
}
__global__ void fixed_bad(int *out, int i) {
  int t = threadIdx.x;
  if (gaps[i] == nullptr) out[0] = t; // expect-race[fixed]
}

__global__ void number_ok(int *a, int *out) { // expect-clean
  int t = threadIdx.x;
  if ((unsigned long long)a == 0) out[t] = t;
}
__global__ void number_bad(int *a, int *out) {
  int t = threadIdx.x;
  if ((unsigned long long)a == 0) out[0] = t;
}

__global__ void looped_ok(const int *base, int *out, int n) { // expect-clean
  int t = threadIdx.x;
  const int *p = base;
  for (int i = 0; i < n; i++)
    p = base[i] > 3 ? nullptr : p + base[i + 7];
  if (p == nullptr) out[t] = t;
}
__global__ void looped_bad(const int *base, int *out, int n) {
  int t = threadIdx.x;
  const int *p = base;
  for (int i = 0; i < n; i++)
    p = base[i] > 3 ? nullptr : p + base[i + 7];
  if (p == nullptr) out[0] = t; // expect-race[looped]
}

__global__ void set_ok(int *a, int *out) { // expect-clean
  int t = threadIdx.x;
  int *p = t == 3 ? a : nullptr;
  if (p) out[0] = t;
}
__global__ void set_bad(int *a, int *out) {
  int t = threadIdx.x;
  int *p = t >= 3 ? a : nullptr;
  if (p) out[0] = t; // expect-race[set]
}

void host(int *one, int *other, int **rows, int *out, int n) {
  int *held[4] = {one, other, out, out};
  cudaMemcpyToSymbol(table, held, sizeof held);
  table_ok<<<1, 64>>>();
  table_bad<<<1, 64>>>();
  read_ok<<<1, 64>>>(rows, out);
  read_bad<<<1, 64>>>(rows, out);
  fixed_ok<<<1, 64>>>(out, n & 1);
  fixed_bad<<<1, 64>>>(out, n & 1);
  number_ok<<<1, 64>>>(one, out);
  number_bad<<<1, 64>>>(one, out);
  int *base;
  cudaMalloc(&base, 4096);
  looped_ok<<<1, 64>>>(base, out, n);
  looped_bad<<<1, 64>>>(base, out, n);
  set_ok<<<1, 64>>>(one, out);
  set_bad<<<1, 64>>>(one, out);
}

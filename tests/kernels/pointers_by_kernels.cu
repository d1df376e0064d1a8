// Pointers that a kernel of the program has put into memory: what a later kernel reads there is what was stored, of which it is given the same
// allocation (bad) or another one (ok). variable: a variable that the host never names; rows: parts of one allocation, side by side, or longer than they are
// apart; members: of a struct; copied, moved, turned: a kernel copies pointers, moves them on, or overwrites some that the host has put there, which is not
// followed; flat: numbers that a kernel puts beside pointers are none; filled: an algorithm of thrust has put them there; plane: a copy of rows of the host's.
//@ verdict init: race-free
//@ verdict variable_ok: race-free
//@ verdict variable_bad: racy
//@ verdict set_rows: race-free
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict make: race-free
//@ verdict members_ok: race-free
//@ verdict members_bad: racy
//@ verdict copy: race-free
//@ verdict copied_ok: race-free
//@ known-undecided copied_ok: which pointers a kernel copies is not followed
//@ verdict copied_bad: racy
//@ known-undecided copied_bad: which pointers a kernel copies is not followed
//@ verdict move_on: race-free
//@ verdict moved_ok: race-free
//@ known-undecided moved_ok: pointers that a kernel reads and stores again are not followed
//@ verdict moved_bad: racy
//@ known-undecided moved_bad: pointers that a kernel reads and stores again are not followed
//@ verdict turn: race-free
//@ verdict turned_ok: race-free
//@ known-undecided turned_ok: pointers that a kernel exchanges are not followed
//@ verdict turned_bad: racy
//@ known-undecided turned_bad: pointers that a kernel exchanges are not followed
//@ verdict number: race-free
//@ verdict flat_ok: race-free
//@ verdict flat_bad: racy
//@ verdict filled_ok: race-free
//@ known-undecided filled_ok: which pointers thrust puts there is not followed
//@ verdict filled_bad: racy
//@ known-undecided filled_bad: which pointers thrust puts there is not followed
//@ verdict plane_ok: race-free
//@ known-undecided plane_ok: copies of rows are not followed
//@ verdict plane_bad: racy
//@ known-undecided plane_bad: copies of rows are not followed
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/fill.h>

struct Queue {
  int *items;
  int *flags;
};
struct Row {
  int *at;
  int n;
};
__device__ int *first, *second, *now, *next, *now_too, *next_too;

__global__ void init(int *a, int *b) { // expect-clean
  first = a;
  second = b;
}
__global__ void variable_ok(int *a) { a[threadIdx.x] = second[threadIdx.x ^ 1] + 1; } // expect-clean
__global__ void variable_bad(int *a) { a[threadIdx.x] = first[threadIdx.x ^ 1] + 1; } // expect-race

__global__ void set_rows(int **rows, int *base, int stride) { rows[threadIdx.x] = base + threadIdx.x * stride; } // expect-clean
__global__ void rows_ok(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }                        // expect-clean
__global__ void rows_bad(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }                       // expect-race

__global__ void make(Queue *queue, int *memory, int n) { // expect-clean
  queue->items = memory;
  queue->flags = memory + n;
}
__global__ void members_ok(const Queue *queue) { // expect-clean
  queue->items[threadIdx.x] = 1;
  queue->flags[threadIdx.x] = 0;
}
__global__ void members_bad(const Queue *queue) {
  queue->items[threadIdx.x] = 1; // expect-race[members]
  queue->flags[threadIdx.x] = 0; // expect-race[members]
}

__global__ void copy(int **to, int *const *from) { to[threadIdx.x] = from[threadIdx.x]; } // expect-clean
__global__ void copied_ok(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void copied_bad(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }

__global__ void move_on(int **rows, int by) { rows[threadIdx.x] += threadIdx.x * by; } // expect-clean
__global__ void moved_ok(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void moved_bad(int *const *rows) { rows[blockIdx.x][threadIdx.x] = blockIdx.x; }

__global__ void turn() { // expect-clean
  int *kept = now;
  now = next;
  next = kept;
  now_too = next_too;
}
__global__ void turned_ok() { next[threadIdx.x] = now[threadIdx.x ^ 1]; } // expect-clean
__global__ void turned_bad() { next_too[threadIdx.x] = now_too[threadIdx.x ^ 1]; }

__global__ void number(Row *rows) { rows[threadIdx.x].n = threadIdx.x; }                             // expect-clean
__global__ void flat_ok(const Row *rows) { rows[blockIdx.x].at[threadIdx.x] = rows[blockIdx.x].n; }  // expect-clean
__global__ void flat_bad(const Row *rows) { rows[blockIdx.x].at[threadIdx.x] = rows[blockIdx.x].n; } // expect-race

__global__ void filled_ok(int *const *rows, int *b) { b[threadIdx.x] = rows[blockIdx.x][threadIdx.x ^ 1]; } // expect-clean
__global__ void filled_bad(int *const *rows, int *b) { b[threadIdx.x] = rows[blockIdx.x][threadIdx.x ^ 1]; }
__global__ void plane_ok(int *const *rows) { rows[2 * blockIdx.x][threadIdx.x] = blockIdx.x; } // expect-clean
__global__ void plane_bad(int *const *rows) { rows[2 * blockIdx.x][threadIdx.x] = blockIdx.x; }

static int **table() {
  int **made;
  cudaMalloc((void **)&made, 64);
  return made;
}
static int **table_of(int *one, int *other) {
  int **made = table(), *pointers[2] = {one, other};
  cudaMemcpy(made, pointers, sizeof pointers, cudaMemcpyHostToDevice);
  return made;
}

int main() {
  int *a, *b;
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&b, 4096);
  init<<<1, 1>>>(a, b);
  variable_ok<<<1, 64>>>(a);
  variable_bad<<<1, 64>>>(a);

  int **beside = table(), **over = table();
  set_rows<<<1, 8>>>(beside, a, 64);
  rows_ok<<<8, 64>>>(beside);
  set_rows<<<1, 8>>>(over, a, 60);
  rows_bad<<<8, 64>>>(over);

  Queue *apart, *close;
  cudaMalloc((void **)&apart, sizeof(Queue));
  cudaMalloc((void **)&close, sizeof(Queue));
  make<<<1, 1>>>(apart, a, 64);
  members_ok<<<1, 64>>>(apart);
  make<<<1, 1>>>(close, a, 63);
  members_bad<<<1, 64>>>(close);

  int **copies = table(), **same = table();
  copy<<<1, 2>>>(copies, table_of(a, b));
  copied_ok<<<2, 64>>>(copies);
  copy<<<1, 2>>>(same, table_of(a, a + 32));
  copied_bad<<<2, 64>>>(same);

  int **forward = table_of(a, a), **back = table_of(a, a + 64);
  move_on<<<1, 2>>>(forward, 64);
  moved_ok<<<2, 64>>>(forward);
  move_on<<<1, 2>>>(back, -4);
  moved_bad<<<2, 64>>>(back);

  cudaMemcpyToSymbol(now, &a, 8);
  cudaMemcpyToSymbol(next, &b, 8);
  cudaMemcpyToSymbol(now_too, &a, 8);
  cudaMemcpyToSymbol(next_too, &b, 8);
  turn<<<1, 1>>>();
  turned_ok<<<1, 64>>>();
  turned_bad<<<1, 64>>>();

  Row far[2] = {{a, 0}, {b, 0}}, near[2] = {{a, 0}, {a + 32, 0}}, *d_far, *d_near;
  cudaMalloc((void **)&d_far, sizeof far);
  cudaMalloc((void **)&d_near, sizeof near);
  cudaMemcpy(d_far, far, sizeof far, cudaMemcpyHostToDevice);
  cudaMemcpy(d_near, near, sizeof near, cudaMemcpyHostToDevice);
  number<<<1, 2>>>(d_far);
  number<<<1, 2>>>(d_near);
  flat_ok<<<2, 64>>>(d_far);
  flat_bad<<<2, 64>>>(d_near);

  int **filled = table(), **filled_too = table();
  thrust::fill(thrust::device_ptr<int *>(filled), thrust::device_ptr<int *>(filled) + 8, a);
  filled_ok<<<1, 64>>>(filled, b);
  thrust::fill(thrust::device_ptr<int *>(filled_too), thrust::device_ptr<int *>(filled_too) + 8, b);
  filled_bad<<<1, 64>>>(filled_too, b);

  int *two[2] = {a, b}, *one[2] = {a, a}, **plane = table(), **plane_too = table();
  cudaMemcpy2D(plane, 16, two, 8, 8, 2, cudaMemcpyHostToDevice);
  cudaMemcpy2D(plane_too, 16, one, 8, 8, 2, cudaMemcpyHostToDevice);
  plane_ok<<<2, 64>>>(plane);
  plane_bad<<<2, 64>>>(plane_too);
}

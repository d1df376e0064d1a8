// Code that is not seen was given an address once: it may have kept it, and write there whenever it is called, whatever it is
// given then: members of a struct, whole objects, arrays of the device, those whose address lies where it can read it.
// The twins let the address out behind the launch, or keep it where no other file can name it.
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict whole_ok: race-free
//@ verdict whole_bad: racy
//@ verdict method_ok: race-free
//@ verdict method_bad: racy
//@ verdict array_ok: race-free
//@ verdict array_bad: undecided
//@ verdict managed_bad: undecided
//@ verdict callee_bad: undecided
//@ verdict named_ok: race-free
//@ verdict named_bad: racy
//@ verdict exchanged_ok: race-free
//@ verdict exchanged_bad: racy
#include <cuda_runtime.h>

struct Settings {
  int step, count;
};

void keep(int *);
void keep_whole(Settings *);
void use();

__global__ void member_ok(int *a, int step) { // expect-clean
  a[threadIdx.x * step] = threadIdx.x;
}

__global__ void member_bad(int *a, int step) {
  a[threadIdx.x * step] = threadIdx.x; // expect-race {{/possible/}}
}

void member(int *a) {
  Settings good, bad;
  good.step = 2;
  use();
  member_ok<<<1, 64>>>(a, good.step);
  keep(&good.step);
  keep(&bad.step);
  bad.step = 2;
  use();
  member_bad<<<1, 64>>>(a, bad.step);
}

__global__ void whole_ok(int *a, int step) { // expect-clean
  a[threadIdx.x * step] = threadIdx.x;
}

__global__ void whole_bad(int *a, int step) {
  a[threadIdx.x * step] = threadIdx.x; // expect-race {{/possible/}}
}

void whole(int *a) {
  Settings good, bad;
  good.step = 2;
  use();
  whole_ok<<<1, 64>>>(a, good.step);
  keep_whole(&good);
  keep_whole(&bad);
  bad.step = 2;
  use();
  whole_bad<<<1, 64>>>(a, bad.step);
}

__global__ void method_ok(int *a, int step) { // expect-clean
  a[threadIdx.x * step] = threadIdx.x;
}

__global__ void method_bad(int *a, int step) {
  a[threadIdx.x * step] = threadIdx.x; // expect-race {{/possible/}}
}

struct Solver {
  Settings settings;
  Solver(bool is_kept) {
    if (is_kept) keep_whole(&settings);
  }
  void run_ok(int *a) {
    settings.step = 2;
    use();
    method_ok<<<1, 64>>>(a, settings.step);
  }
  void run_bad(int *a) {
    settings.step = 2;
    use();
    method_bad<<<1, 64>>>(a, settings.step);
  }
};

__global__ void array_ok(int *a, const int *ix) { // expect-clean
  a[ix[threadIdx.x]] = threadIdx.x;
}

__global__ void array_bad(int *a, const int *ix) {
  a[ix[threadIdx.x]] = threadIdx.x;
}

__global__ void managed_bad(int *a, const int *ix) {
  a[ix[threadIdx.x]] = threadIdx.x;
}

__global__ void callee_bad(int *a, const int *ix) {
  a[ix[threadIdx.x]] = threadIdx.x;
}

__attribute__((noinline)) void hand_over(int *ix) {
  keep(ix);
}

void arrays(int *a) {
  int h[256], *good, *bad, *managed, *deep;
  for (int i = 0; i < 256; i++)
    h[i] = i;
  cudaMalloc(&good, sizeof h);
  cudaMemcpy(good, h, sizeof h, cudaMemcpyHostToDevice);
  use();
  array_ok<<<1, 256>>>(a, good);
  keep(good);

  cudaMalloc(&bad, sizeof h);
  keep(bad);
  cudaMemcpy(bad, h, sizeof h, cudaMemcpyHostToDevice);
  use();
  array_bad<<<1, 256>>>(a, bad);

  cudaMallocManaged(&managed, sizeof h);
  keep(managed);
  for (int i = 0; i < 256; i++)
    managed[i] = i;
  use();
  managed_bad<<<1, 256>>>(a, managed);

  cudaMalloc(&deep, sizeof h);
  hand_over(deep);
  cudaMemcpy(deep, h, sizeof h, cudaMemcpyHostToDevice);
  use();
  callee_bad<<<1, 256>>>(a, deep);
}

__global__ void named_ok(int *a, const int *ix) { // expect-clean
  a[ix[threadIdx.x]] = threadIdx.x;
}

__global__ void named_bad(int *a, const int *ix) {
  a[ix[threadIdx.x]] = threadIdx.x; // expect-race {{/possible/}}
}

__global__ void exchanged_ok(int *a, const int *ix) { // expect-clean
  a[ix[threadIdx.x]] = threadIdx.x;
}

__global__ void exchanged_bad(int *a, const int *ix) {
  a[ix[threadIdx.x]] = threadIdx.x; // expect-race {{/possible/}}
}

static int *own_indices, *own_exchanged;
int *shared_indices, *shared_exchanged; // that another file may name

__attribute__((noinline)) int *of_own() {
  return own_indices ? own_indices : own_exchanged;
}

void named(int *a) {
  int h[256], *good, *bad;
  for (int i = 0; i < 256; i++)
    h[i] = i;
  cudaMalloc(&good, sizeof h);
  cudaMalloc(&bad, sizeof h);
  cudaMemcpy(good, h, sizeof h, cudaMemcpyHostToDevice);
  own_indices = good;
  use();
  named_ok<<<1, 256>>>(a, good);
  cudaMemcpy(bad, h, sizeof h, cudaMemcpyHostToDevice);
  shared_indices = bad;
  use();
  named_bad<<<1, 256>>>(a, bad);
}

// By atomic operations of the host.
void exchanged(int *a) {
  int h[256], *good, *bad;
  for (int i = 0; i < 256; i++)
    h[i] = i;
  cudaMalloc(&good, sizeof h);
  cudaMalloc(&bad, sizeof h);
  cudaMemcpy(good, h, sizeof h, cudaMemcpyHostToDevice);
  __atomic_exchange_n(&own_exchanged, good, __ATOMIC_SEQ_CST);
  use();
  exchanged_ok<<<1, 256>>>(a, good);
  cudaMemcpy(bad, h, sizeof h, cudaMemcpyHostToDevice);
  __atomic_exchange_n(&shared_exchanged, bad, __ATOMIC_SEQ_CST);
  use();
  exchanged_bad<<<1, 256>>>(a, bad);
}

int main() {
  int *a;
  cudaMalloc(&a, 4000);
  member(a);
  whole(a);
  Solver(false).run_ok(a);
  Solver(true).run_bad(a);
  arrays(a);
  named(a);
  exchanged(a);
  return of_own() != nullptr;
}

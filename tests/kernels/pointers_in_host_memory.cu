// Pointers that host code stores by itself into memory that kernels read as well. managed: a variable of both sides, by its name; table: one that is given as an
// argument; pinned: memory of the host. Another allocation than the kernel's other argument (ok), the same (bad).
//@ verdict managed_ok: race-free
//@ verdict managed_bad: racy
//@ verdict table_ok: race-free
//@ verdict table_bad: racy
//@ verdict pinned_ok: race-free
//@ verdict pinned_bad: racy
#include <cuda_runtime.h>

__managed__ int *far, *near, *table_far[2], *table_near[2];

__global__ void managed_ok(int *a) { a[threadIdx.x] = far[threadIdx.x ^ 1] + 1; } // expect-clean
__global__ void managed_bad(int *a) { a[threadIdx.x] = near[threadIdx.x ^ 1] + 1; } // expect-race
__global__ void table_ok(int *a, int **t) { a[threadIdx.x] = t[0][threadIdx.x ^ 1] + 1; } // expect-clean
__global__ void table_bad(int *a, int **t) { a[threadIdx.x] = t[0][threadIdx.x ^ 1] + 1; } // expect-race
__global__ void pinned_ok(int *a, int **t) { a[threadIdx.x] = t[0][threadIdx.x ^ 1] + 1; } // expect-clean
__global__ void pinned_bad(int *a, int **t) { a[threadIdx.x] = t[0][threadIdx.x ^ 1] + 1; } // expect-race

int main() {
  int *a, *b, **pinned_far, **pinned_near;
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&b, 4096);
  far = b;
  near = a;
  managed_ok<<<1, 64>>>(a);
  managed_bad<<<1, 64>>>(a);
  table_far[0] = b;
  table_near[0] = a;
  table_ok<<<1, 64>>>(a, table_far);
  table_bad<<<1, 64>>>(a, table_near);
  cudaMallocHost((void **)&pinned_far, 64);
  cudaMallocHost((void **)&pinned_near, 64);
  for (int i = 0; i < 3; i++)
    pinned_far[i] = b;
  for (int i = 0; i < 3; i++)
    pinned_near[i] = a;
  pinned_ok<<<1, 64>>>(a, pinned_far);
  pinned_bad<<<1, 64>>>(a, pinned_near);
}

// What the library does with its storage: whose part is which is not known, and it is the library's from the call to a barrier behind it.
// sort: the storage is a union with the program's memory, used behind a sort; a barrier between (ok), none (bad). twice: sorted again in the same storage.
// rakes: the program reads its memory before a raking reduction begins to use it: a barrier between (ok), none (bad). own: a thread's own element
// is no better, the storage is padded. mean: the usual reduction of warps, twice, with a barrier between (ok), without (bad).
// scan: a scan of one warp is made of shuffles, which order nothing: with a barrier of the warp (ok), without (bad).
//@ verdict sort_ok: race-free
//@ verdict sort_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict rakes_ok: race-free
//@ verdict rakes_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict mean_ok: race-free
//@ verdict mean_bad: racy
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
#include <cub/cub.cuh>

template <bool MEETS> __device__ void sort(int *a, int *o) {
  typedef cub::BlockRadixSort<int, 128, 4> Sort;
  __shared__ union {
    typename Sort::TempStorage sort;
    int x[128];
  } u;
  int key[4];
  for (int i = 0; i < 4; i++)
    key[i] = a[threadIdx.x * 4 + i];
  Sort(u.sort).Sort(key); // expect-race[sort]
  if (MEETS) __syncthreads();
  u.x[threadIdx.x] = key[0]; // expect-race[sort]
  __syncthreads();
  o[threadIdx.x] = u.x[127 - threadIdx.x];
}
__global__ void sort_ok(int *a, int *o) { sort<true>(a, o); } // expect-clean
__global__ void sort_bad(int *a, int *o) { sort<false>(a, o); }

template <bool MEETS> __device__ void twice(int *a, int *o) {
  typedef cub::BlockRadixSort<int, 128, 4> Sort;
  __shared__ typename Sort::TempStorage s;
  int key[4];
  for (int i = 0; i < 4; i++)
    key[i] = a[threadIdx.x * 4 + i];
  Sort(s).Sort(key); // expect-race[twice]
  if (MEETS) __syncthreads();
  Sort(s).SortDescending(key); // expect-race[twice]
  o[threadIdx.x] = key[0];
}
__global__ void twice_ok(int *a, int *o) { twice<true>(a, o); } // expect-clean
__global__ void twice_bad(int *a, int *o) { twice<false>(a, o); }

template <bool MEETS> __device__ void rakes(int *a, int *o) {
  typedef cub::BlockReduce<int, 128, cub::BLOCK_REDUCE_RAKING> Reduce;
  __shared__ union {
    typename Reduce::TempStorage r;
    int x[128];
  } u;
  int t = threadIdx.x;
  u.x[t] = a[t];
  __syncthreads();
  int v = t >= 64 ? u.x[191 - t] : 0; // expect-race[rakes]
  if (MEETS) __syncthreads();
  int sum = Reduce(u.r).Sum(v); // expect-race[rakes]
  if (t == 0) o[0] = sum;
}
__global__ void rakes_ok(int *a, int *o) { rakes<true>(a, o); } // expect-clean
__global__ void rakes_bad(int *a, int *o) { rakes<false>(a, o); }

template <bool MEETS> __device__ void own(int *a, int *o) {
  typedef cub::BlockReduce<int, 128, cub::BLOCK_REDUCE_RAKING> Reduce;
  __shared__ union {
    typename Reduce::TempStorage r;
    int x[128];
  } u;
  int t = threadIdx.x;
  u.x[t] = a[t]; // expect-race[own]
  if (MEETS) __syncthreads();
  int sum = Reduce(u.r).Sum(t); // expect-race[own]
  if (t == 0) o[0] = sum;
}
__global__ void own_ok(int *a, int *o) { own<true>(a, o); } // expect-clean
__global__ void own_bad(int *a, int *o) { own<false>(a, o); }

template <bool MEETS> __device__ void mean(int *a, int *o) {
  typedef cub::BlockReduce<int, 128> Reduce;
  __shared__ typename Reduce::TempStorage r;
  int t = threadIdx.x;
  int sum = Reduce(r).Sum(a[t]); // expect-race[mean]
  if (MEETS) __syncthreads();
  int most = Reduce(r).Reduce(a[t], cub::Max()); // expect-race[mean]
  if (t == 0) o[0] = sum / most;
}
__global__ void mean_ok(int *a, int *o) { mean<true>(a, o); } // expect-clean
__global__ void mean_bad(int *a, int *o) { mean<false>(a, o); }

template <bool MEETS> __device__ void scan(int *a, int *o) {
  typedef cub::BlockScan<int, 32> Scan;
  __shared__ typename Scan::TempStorage s;
  __shared__ int x[32];
  int t = threadIdx.x, w;
  x[t] = a[t]; // expect-race[scan]
  Scan(s).ExclusiveSum(a[t], w);
  if (MEETS) __syncwarp();
  o[t] = x[31 - t] + w; // expect-race[scan]
}
__global__ void scan_ok(int *a, int *o) { scan<true>(a, o); } // expect-clean
__global__ void scan_bad(int *a, int *o) { scan<false>(a, o); }

int main() {
  int *a, *o;
  cudaMalloc(&a, 4096);
  cudaMalloc(&o, 4096);
  sort_ok<<<1, 128>>>(a, o);
  sort_bad<<<1, 128>>>(a, o);
  twice_ok<<<1, 128>>>(a, o);
  twice_bad<<<1, 128>>>(a, o);
  rakes_ok<<<1, 128>>>(a, o);
  rakes_bad<<<1, 128>>>(a, o);
  own_ok<<<1, 128>>>(a, o);
  own_bad<<<1, 128>>>(a, o);
  mean_ok<<<1, 128>>>(a, o);
  mean_bad<<<1, 128>>>(a, o);
  scan_ok<<<1, 32>>>(a, o);
  scan_bad<<<1, 32>>>(a, o);
}

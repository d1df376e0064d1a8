// Warps that take turns in one storage meet at barriers of the block: such a load is not for a part of the block (bad); where each warp has
// storage of its own it is (ok). What such barriers order is open. stored, exchanged: the store and the exchange alike.
//@ verdict loaded_ok: race-free
//@ verdict loaded_bad: racy
//@ verdict stored_ok: race-free
//@ verdict stored_bad: racy
//@ verdict exchanged_ok: race-free
//@ verdict exchanged_bad: racy
#include <cub/cub.cuh>

template <cub::BlockLoadAlgorithm BY> __device__ void loaded(int *a, int *o) {
  typedef cub::BlockLoad<int, 128, 4, BY> Load;
  __shared__ typename Load::TempStorage s;
  int v[4] = {0, 0, 0, 0};
  if (threadIdx.x < 64) Load(s).Load(a, v); // expect-divergence[loaded] expect-race[loaded]
  o[threadIdx.x] = v[1];
}
__global__ void loaded_ok(int *a, int *o) { loaded<cub::BLOCK_LOAD_WARP_TRANSPOSE>(a, o); } // expect-clean
__global__ void loaded_bad(int *a, int *o) { loaded<cub::BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED>(a, o); }

template <cub::BlockStoreAlgorithm BY> __device__ void stored(int *o) {
  typedef cub::BlockStore<int, 128, 4, BY> Store;
  __shared__ typename Store::TempStorage s;
  int v[4] = {0, 0, 0, 0};
  if (threadIdx.x < 64) Store(s).Store(o, v); // expect-divergence[stored] expect-race[stored]
  o[512 + threadIdx.x] = v[1];
}
__global__ void stored_ok(int *o) { stored<cub::BLOCK_STORE_WARP_TRANSPOSE>(o); } // expect-clean
__global__ void stored_bad(int *o) { stored<cub::BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED>(o); }

template <bool SLICES> __device__ void exchanged(int *o) {
  typedef cub::BlockExchange<int, 128, 4, SLICES> Exchange;
  __shared__ typename Exchange::TempStorage s;
  int v[4] = {0, 0, 0, 0};
  if (threadIdx.x < 64) Exchange(s).BlockedToWarpStriped(v); // expect-divergence[exchanged] expect-race[exchanged]
  o[threadIdx.x] = v[1];
}
__global__ void exchanged_ok(int *o) { exchanged<false>(o); } // expect-clean
__global__ void exchanged_bad(int *o) { exchanged<true>(o); }

int main() {
  int *a, *o;
  cudaMalloc(&a, 4096);
  cudaMalloc(&o, 4096);
  loaded_ok<<<1, 128>>>(a, o);
  loaded_bad<<<1, 128>>>(a, o);
  stored_ok<<<1, 128>>>(o);
  stored_bad<<<1, 128>>>(o);
  exchanged_ok<<<1, 128>>>(o);
  exchanged_bad<<<1, 128>>>(o);
}

// What the host copies element by element from another array: another word in each round, also where that array was
// filled by a copy from the device, before the loop, or by the caller. starts: who begins a run of equal numbers stores where it begins;
// only if the numbers ascend each is stored once. copied_bad, twice_bad, given_bad: nobody says that they ascend; counted_ok: the host counts them up.
//@ verdict copied_bad: racy
//@ verdict twice_bad: racy
//@ verdict given_bad: racy
//@ verdict counted_ok: race-free
//@ verdict make_keys: race-free
#include <cstdlib>
__device__ void store_starts(int *start, const int *key, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && (i == 0 || key[i] != key[i - 1])) start[key[i]] = i; // expect-race
}
__global__ void copied_bad(int *start, const int *key, int n) { store_starts(start, key, n); }
__global__ void twice_bad(int *start, const int *key, int n) { store_starts(start, key, n); }
__global__ void given_bad(int *start, const int *key, int n) { store_starts(start, key, n); }
__global__ void counted_ok(int *start, const int *key, int n) { store_starts(start, key, n); } // expect-clean
__global__ void make_keys(int *key, const float *in, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) key[i] = (int)in[i];
}

enum { N = 5000 };
void check(const float *in, const int *given) {
  int *start, *key, *own;
  cudaMalloc(&start, 4 * N);
  cudaMalloc(&key, 4 * N);
  cudaMalloc(&own, 4 * N);
  int *read = (int *)malloc(4 * N), *once = (int *)malloc(4 * N), *twice = (int *)malloc(4 * N);
  make_keys<<<20, 256>>>(key, in, N);
  cudaMemcpy(read, key, 4 * N, cudaMemcpyDeviceToHost);
  for (int i = 0; i < N; i++) once[i] = read[i];
  for (int i = 0; i < N; i++) twice[i] = once[i];
  cudaMemcpy(own, once, 4 * N, cudaMemcpyHostToDevice);
  copied_bad<<<20, 256>>>(start, own, N);
  cudaMemcpy(own, twice, 4 * N, cudaMemcpyHostToDevice);
  twice_bad<<<20, 256>>>(start, own, N);
  for (int i = 0; i < N; i++) once[i] = given[i];
  cudaMemcpy(own, once, 4 * N, cudaMemcpyHostToDevice);
  given_bad<<<20, 256>>>(start, own, N);
  for (int i = 0; i < N; i++) once[i] = i;
  for (int i = 0; i < N; i++) twice[i] = once[i];
  cudaMemcpy(own, twice, 4 * N, cudaMemcpyHostToDevice);
  counted_ok<<<20, 256>>>(start, own, N);
}

// Which kernels have run before hangs on the host's branches, and those that have not run have left nothing. by_key leaves numbers each
// of which is there once, halves each number twice. Few elements go through the first branch, many through the second one: few_ok
// reads what by_key has left, many_bad what halves has. A launch of no blocks is an error that writes nothing: of fewer than 50
// elements, whole blocks only (none_bad) are none, so that the zeros are left; the last part of a block is one, too (part_ok).
//@ pairs: exact
//@ verdict by_key: race-free
//@ verdict halves: race-free
//@ verdict few_ok: race-free
//@ known-undecided few_ok: that no number is there twice is only seen in runs
//@ verdict many_bad: racy
//@ verdict part_ok: race-free
//@ known-undecided part_ok: that no number is there twice is only seen in runs
//@ verdict none_bad: racy
#include <cstdio>

// The numbers of the elements in the order of their keys, 64 of them at a time.
__global__ void by_key(int *order, const int *keys, int n) { // expect-clean
  __shared__ int key[64], number[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  key[t] = i < n ? keys[i] : 0x7fffffff;
  number[t] = i;
  __syncthreads();
  for (int round = 0; round < 64; round++) {
    int left = 2 * t + round % 2;
    if (left + 1 < 64 && key[left] > key[left + 1]) {
      int other_key = key[left], other = number[left];
      key[left] = key[left + 1];
      number[left] = number[left + 1];
      key[left + 1] = other_key;
      number[left + 1] = other;
    }
    __syncthreads();
  }
  order[i] = number[t];
}

__global__ void halves(int *order, const int *keys) { // expect-clean
  __shared__ int number[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  number[t] = i / 2;
  __syncthreads();
  for (int round = 0; round < 3; round++) {
    int left = 2 * t + round % 2;
    if (left + 1 < 64 && keys[left] > keys[left + 1]) {
      int other = number[left];
      number[left] = number[left + 1];
      number[left + 1] = other;
    }
    __syncthreads();
  }
  order[i] = number[t];
}

__global__ void few_ok(float *out, const int *order, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[order[i]] = i;
}

__global__ void many_bad(float *out, const int *order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[order[i]] = i; // expect-race(intra-block,intra-warp)
}

__global__ void part_ok(float *out, const int *order, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[order[i]] = i;
}

__global__ void none_bad(float *out, const int *order, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[order[i]] = i; // expect-race(intra-block,intra-warp)
}

int main() {
  int n, few;
  if (scanf("%d %d", &n, &few) != 2 || n < 1 || few < 1 || few > 50) return 1;
  int blocks = (n + 63) / 64;
  int *order, *whole, *part, *keys;
  float *out;
  cudaMalloc((void **)&order, blocks * 64 * sizeof(int));
  cudaMalloc((void **)&whole, 64 * sizeof(int));
  cudaMalloc((void **)&part, 64 * sizeof(int));
  cudaMalloc((void **)&keys, blocks * 64 * sizeof(int));
  cudaMalloc((void **)&out, blocks * 64 * sizeof(float));
  if (n < 100)
    by_key<<<blocks, 64>>>(order, keys, n);
  else
    halves<<<blocks, 64>>>(order, keys);
  if (n < 100)
    few_ok<<<blocks, 64>>>(out, order, n);
  else
    many_bad<<<blocks, 64>>>(out, order, n);
  cudaMemset(part, 0, 64 * sizeof(int));
  by_key<<<(few + 63) / 64, 64>>>(part, keys, few);
  part_ok<<<(few + 63) / 64, 64>>>(out, part, few);
  cudaMemset(whole, 0, 64 * sizeof(int));
  by_key<<<few / 64, 64>>>(whole, keys, few);
  none_bad<<<(few + 63) / 64, 64>>>(out, whole, few);
  return 0;
}

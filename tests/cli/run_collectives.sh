# hgrd-run: collectives of cub and numbers of cuRAND have values; storage that is used again without a barrier is the race that it is.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
hgrd_run=$HGRD_BUILD/hgrd-run
cat >collectives.cu <<'CU'
#include <cstdio>
#include <cub/cub.cuh>
#include <curand_kernel.h>
template <int T, cub::BlockReduceAlgorithm A> __global__ void reduce(const int *in, int *out) {
  typedef cub::BlockReduce<int, T, A> Reduce;
  __shared__ typename Reduce::TempStorage temp;
  int sum = Reduce(temp).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) out[0] = sum;
#ifndef AGAIN
  __syncthreads();
#endif
  int most = Reduce(temp).Reduce(in[threadIdx.x], cub::Max(), T - 3);
  if (threadIdx.x == 0) out[1] = most;
}
template <int T> __global__ void scan(const int *in, int *out) {
  typedef cub::BlockScan<int, T> Scan;
  __shared__ typename Scan::TempStorage temp;
  int sum, most, all, items[2] = {in[threadIdx.x], 1};
  Scan(temp).ExclusiveSum(in[threadIdx.x], sum, all);
  out[threadIdx.x] = sum;
  __syncthreads();
  Scan(temp).InclusiveScan(in[threadIdx.x], most, cub::Max());
  out[T + threadIdx.x] = most;
  __syncthreads();
  Scan(temp).InclusiveSum(items, items);
  out[2 * T + threadIdx.x] = items[1];
  out[3 * T] = all; // one value
}
__global__ void warps(const int *in, int *out) {
  typedef cub::WarpReduce<int> Reduce;
  typedef cub::WarpScan<int, 8> Scan;
  __shared__ Reduce::TempStorage temp[4];
  __shared__ Scan::TempStorage parts[16];
  int sum = Reduce(temp[threadIdx.x / 32]).Sum(in[threadIdx.x]), before;
  if (threadIdx.x % 32 == 0) out[threadIdx.x / 32] = sum;
  Scan(parts[threadIdx.x / 8]).ExclusiveSum(in[threadIdx.x], before);
  out[32 + threadIdx.x] = before;
}
__global__ void sort(const int *in, int *keys, int *values) {
  typedef cub::BlockRadixSort<int, 64, 2, int> Sort;
  __shared__ Sort::TempStorage temp;
  int k[2], v[2];
  for (int i = 0; i < 2; i++)
    v[i] = 2 * threadIdx.x + i, k[i] = in[v[i]];
  Sort(temp).SortDescending(k, v);
  for (int i = 0; i < 2; i++)
    keys[2 * threadIdx.x + i] = k[i], values[2 * threadIdx.x + i] = v[i];
}
__global__ void numbers(float *out) {
  curandState state;
  curand_init(7, threadIdx.x, 0, &state);
  float even = 0, normal = 0;
  for (int i = 0; i < 100; i++)
    even += curand_uniform(&state) / 100, normal += curand_normal(&state) / 100;
  out[threadIdx.x] = even;
  out[256 + threadIdx.x] = normal;
}
int in[128], out[1024], *d_in, *d_out, wrong;
void check(bool is_right, const char *what) {
  if (!is_right && ++wrong) printf("wrong: %s\n", what);
}
void fetch() { cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost); }
int main() {
  int sum = 0, most = -100, most_of_125 = -100;
  for (int i = 0; i < 128; i++)
    sum += in[i] = i * 37 % 101 - 20;
  for (int i = 0; i < 125; i++)
    if (in[i] > most_of_125) most_of_125 = in[i];
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  reduce<128, cub::BLOCK_REDUCE_WARP_REDUCTIONS><<<1, 128>>>(d_in, d_out);
  fetch(), check(out[0] == sum && out[1] == most_of_125, "reduce");
  reduce<128, cub::BLOCK_REDUCE_RAKING><<<1, 128>>>(d_in, d_out);
  fetch(), check(out[0] == sum && out[1] == most_of_125, "reduce, raking");
#ifndef AGAIN
  scan<128><<<1, 128>>>(d_in, d_out);
  fetch(), check(out[384] == sum, "total");
  sum = 0;
  for (int i = 0; i < 128; i++) {
    check(out[i] == sum, "sum");
    sum += in[i];
    most = in[i] > most ? in[i] : most;
    check(out[128 + i] == most && out[256 + i] == sum + i + 1, "scan");
  }
  warps<<<1, 128>>>(d_in, d_out), fetch();
  for (int i = 0, in_warp = 0, in_part = 0; i < 128; i++) {
    if (i % 32 == 0) in_warp = 0;
    if (i % 8 == 0) in_part = 0;
    check(out[32 + i] == in_part, "parts");
    in_warp += in[i], in_part += in[i];
    if (i % 32 == 31) check(out[i / 32] == in_warp, "warps");
  }
  sort<<<1, 64>>>(d_in, d_out, d_out + 128), fetch();
  for (int i = 0; i < 128; i++) {
    check(out[i] == in[out[128 + i]], "pairs");
    if (i) check(out[i - 1] > out[i] || (out[i - 1] == out[i] && out[127 + i] < out[128 + i]), "order");
  }
  float *d_numbers, got[512], even = 0, normal = 0;
  cudaMalloc(&d_numbers, sizeof got);
  numbers<<<1, 256>>>(d_numbers);
  cudaMemcpy(got, d_numbers, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i++)
    even += got[i] / 256, normal += got[256 + i] / 256;
  check(even > 0.49 && even < 0.51 && normal > -0.03 && normal < 0.03, "numbers");
#endif
  printf("%d wrong\n", wrong);
  return wrong;
}
CU
run "$hgrd_run" --all collectives.cu
status_is 0
has out '^0 wrong$'
has err ': 0 races'
run "$hgrd_run" --schedules=2 collectives.cu -- -DAGAIN
status_is 1
has err '^collectives.cu:12:[0-9]+: warning: observed race: write by thread .* races with read'

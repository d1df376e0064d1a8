# hgrd-run: what kernels may be made of comes to what it should. Each line of the program's output is computed here, too.
# SPDX-License-Identifier: Apache-2.0
source "$HGRD_ROOT/tests/cli/lib.bash" || exit 1
cat >other.cu <<'CU'
static __device__ int own = 5;
static __global__ void same_name(int *out) { out[1] = own; }
__device__ int of_other(int x) { return x + own; }
void launch_other(int *out) { same_name<<<1, 1>>>(out); }
CU
cat >main.cu <<'CU'
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_pipeline.h>
namespace cg = cooperative_groups;
static __device__ int own = 7;
static __global__ void same_name(int *out) { out[0] = own; }
extern __device__ int of_other(int x);
void launch_other(int *out);
__device__ int counter;
__constant__ int factor[4];
struct Params {
  int a;
  char b;
  double c[3];
};
template <class T> __global__ void dynamic(T *out, Params p, float4 v) {
  extern __shared__ char bytes[];
  T *s = (T *)bytes;
  int t = threadIdx.x;
  s[t] = (T)(p.a + t * factor[t % 4]);
  p.a = 0; // its own
  __syncthreads();
  out[blockIdx.x * blockDim.x + t] = s[blockDim.x - 1 - t] + (T)v.z + (T)p.c[2];
  atomicAdd(&counter, 1);
}
__global__ void lanes(int *out) {
  int t = threadIdx.x, sum = t;
  for (int o = 16; o; o /= 2)
    sum += __shfl_down_sync(~0u, sum, o);
  unsigned odd = __ballot_sync(~0u, t & 1);
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int pair = tile.shfl_xor(t, 1), few = __syncthreads_count(t < 10), active = 0;
  if (t % 32 < 5) active = __popc(__activemask());
  if (t == 32) printf("%d %x %d %d %d %s %5.2f %lld%%\n", sum, odd, pair, few, active, "text", 1.5, 1234567890123LL);
}
__global__ void grid(int *a, int *b) {
  cg::grid_group all = cg::this_grid();
  int i = all.thread_rank();
  a[i] = i;
  all.sync();
  b[i] = a[(i + 33) % all.size()];
}
__global__ void heap(int *out) {
  int *p = new int[4];
  for (int i = 0; i < 4; i++)
    p[i] = i + sqrt(16 * (i + 1)); // of an integer
  out[0] = p[0] + p[3] + __popc(0xff) + __byte_perm(0x03020100, 0x07060504, 0x7531) + of_other(1);
  delete[] p;
}
__global__ void copies(int *out, const int *in) {
  __shared__ int4 s[2];
  __pipeline_memcpy_async(&s[0], in, 16);
  __pipeline_memcpy_async(&s[1], in, 16, 8); // zeros in the second half
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[0] = s[0].w, out[1] = s[1].y, out[2] = s[1].z;
}
int main() {
  int *d, h[256], factors[4] = {1, 2, 3, 4}, seen = 0;
  float *f, hf[128];
  cudaMalloc(&d, 4096), cudaMalloc(&f, 512);
  cudaMemcpyToSymbol(factor, factors, sizeof factors);
  Params p = {10, 'b', {1, 2, 3}};
  dynamic<float><<<2, 64, 64 * sizeof(float)>>>(f, p, make_float4(1, 2, 30, 4));
  cudaMemcpy(hf, f, sizeof hf, cudaMemcpyDeviceToHost);
  cudaMemcpyFromSymbol(&seen, counter, sizeof seen);
  printf("%g %g %d\n", hf[0], hf[127], seen);
  lanes<<<1, 64>>>(d);
  int *a = d, *b = d + 512;
  void *arguments[] = {&a, &b};
  int status = cudaLaunchCooperativeKernel((void *)grid, dim3(4), dim3(32), arguments, 0, 0);
  cudaMemcpy(h, b, 512, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", status, h[0], h[127]);
  same_name<<<1, 1>>>(d);
  launch_other(d);
  cudaMemcpy(h, d, 8, cudaMemcpyDeviceToHost);
  printf("%d %d\n", h[0], h[1]);
  cudaMemcpy(d + 64, factors, 16, cudaMemcpyHostToDevice);
  copies<<<1, 1>>>(d, d + 64);
  cudaMemcpy(h, d, 12, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", h[0], h[1], h[2]);
  heap<<<1, 1>>>(d);
  cudaMemcpy(h, d, 4, cudaMemcpyDeviceToHost);
  printf("%d %s\n", h[0], cudaGetErrorString(cudaDeviceSynchronize()));
}
CU
run "$HGRD_BUILD/hgrd-run" --schedules=2 main.cu other.cu
status_is 0
# 63 * 4 + 10 + 30 + 3; the first thread of the block reads the last one's; 32 + ... + 63; bytes 1, 3, 5, 7.
cat >expected <<EOF2
295 43 128
1520 aaaaaaaa 33 10 5 text  1.50 1234567890123%
0 33 32
7 5
4 2 0
$((4 + 11 + 8 + 0x07050301 + 6)) no error
EOF2
same out expected
has_not err 'warning|error'

# Shared memory outside of a function, with the word that clang keeps for tools.
cat >outside.cu <<'CU'
#include <cstdio>
__device__ __shared__ int part[64];
__global__ void turn(int *out) {
  part[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = part[63 - threadIdx.x];
}
int main() {
  int *out, first = 0;
  cudaMalloc(&out, 64 * sizeof(int));
  turn<<<1, 64>>>(out);
  cudaMemcpy(&first, out, sizeof first, cudaMemcpyDeviceToHost);
  printf("%d\n", first);
}
CU
run "$HGRD_BUILD/hgrd-run" --all outside.cu
status_is 0 && has out '^63$' && has err ', 192 accesses watched: 0 races'

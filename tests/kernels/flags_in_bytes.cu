// Places found out by summing up flags that stand in short words. scan: sums of bytes, for which 128 flags are few enough (ok), and
// 512 too many: they come round (bad). serial: one thread sums up, in a byte (ok, bad likewise). signed: 200 flags do not fit
// bytes with a sign, whose places then lie before the block's (bad). again: whether a thread has a place is read again from the
// flags (ok), or from those of its neighbour (bad). truths: each thread counts those before it that are true (ok), or only the
// first half of them (bad).
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
//@ verdict serial_ok: race-free
//@ verdict serial_bad: racy
//@ verdict signed_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict truths_ok: race-free
//@ verdict truths_bad: racy
#include <cuda_runtime.h>

template <int THREADS, class Word> __device__ void scan(const int *in, int *out) {
  __shared__ Word sum[THREADS];
  int t = threadIdx.x, flag = in[blockIdx.x * THREADS + t] > 0;
  sum[t] = flag;
  __syncthreads();
  for (int d = 1; d < THREADS; d *= 2) {
    Word v = t >= d ? sum[t - d] : 0;
    __syncthreads();
    sum[t] += v;
    __syncthreads();
  }
  if (flag) out[blockIdx.x * THREADS + sum[t] - 1] = t; // expect-race[scan]
}
__global__ void scan_ok(const int *in, int *out) { scan<128, unsigned char>(in, out); } // expect-clean
__global__ void scan_bad(const int *in, int *out) { scan<512, unsigned char>(in, out); }
__global__ void signed_bad(const int *in, int *out) { scan<200, signed char>(in, out); }

template <int THREADS> __device__ void serial(const int *in, int *out) {
  __shared__ unsigned char flag[THREADS], at[THREADS];
  int t = threadIdx.x;
  flag[t] = in[blockIdx.x * THREADS + t] > 0;
  __syncthreads();
  if (t == 0) {
    unsigned char sum = 0;
    for (int i = 0; i < THREADS; i++) {
      at[i] = sum;
      sum += flag[i];
    }
  }
  __syncthreads();
  if (flag[t]) out[blockIdx.x * THREADS + at[t]] = t; // expect-race[serial]
}
__global__ void serial_ok(const int *in, int *out) { serial<256>(in, out); } // expect-clean
__global__ void serial_bad(const int *in, int *out) { serial<512>(in, out); }

template <int BESIDE> __device__ void again(const int *in, int *out) {
  __shared__ int flag[256], sum[256];
  int t = threadIdx.x;
  flag[t] = sum[t] = in[blockIdx.x * 256 + t] > 0;
  __syncthreads();
  for (int d = 1; d < 256; d *= 2) {
    int v = t >= d ? sum[t - d] : 0;
    __syncthreads();
    sum[t] += v;
    __syncthreads();
  }
  if (flag[t ^ BESIDE]) out[blockIdx.x * 257 + sum[t]] = t; // expect-race[again]
}
__global__ void again_ok(const int *in, int *out) { again<0>(in, out); } // expect-clean
__global__ void again_bad(const int *in, int *out) { again<1>(in, out); }

template <int PART> __device__ void truths(const int *in, int *out) {
  __shared__ bool is_set[256];
  int t = threadIdx.x, at = 0;
  bool flag = in[blockIdx.x * 256 + t] > 0;
  is_set[t] = flag;
  __syncthreads();
  for (int i = 0; i < t / PART; i++)
    if (is_set[i]) at++;
  if (flag) out[blockIdx.x * 256 + at] = t; // expect-race[truths]
}
__global__ void truths_ok(const int *in, int *out) { truths<1>(in, out); } // expect-clean
__global__ void truths_bad(const int *in, int *out) { truths<2>(in, out); }

void run(const int *in, int *out, int blocks) {
  scan_ok<<<blocks, 128>>>(in, out);
  scan_bad<<<blocks, 512>>>(in, out);
  signed_bad<<<blocks, 200>>>(in, out);
  serial_ok<<<blocks, 256>>>(in, out);
  serial_bad<<<blocks, 512>>>(in, out);
  again_ok<<<blocks, 256>>>(in, out);
  again_bad<<<blocks, 256>>>(in, out);
  truths_ok<<<blocks, 256>>>(in, out);
  truths_bad<<<blocks, 256>>>(in, out);
}

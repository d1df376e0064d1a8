// Threads go round a loop by their own numbers, and yet together: each decides alike in each round, which divergence analysis does not see.
//   rounds: ranks by a serial scan in a loop of one round; the twin stores all elements, by ranks among those that are kept.
//   twice: the same in two rounds, by blocks of 256.
//   stripes: the lanes of a warp go by numbers of their own through rows of 64, twice in each; ranks by ballot are places of their own,
//     unless those store as well who voted no.
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict stripes_ok: race-free
//@ verdict stripes_bad: racy
#include <cuda_runtime.h>

template <bool ALL, int END> __device__ void rounds(const int *x, int *out) {
  __shared__ int in[256], sum[257], buf[257];
  for (int p = threadIdx.x; p < END; p += 256) {
    int v = x[p], f = v > 1;
    in[threadIdx.x] = f;
    __syncthreads();
    if (threadIdx.x == 0) {
      sum[0] = 0;
      for (int i = 1; i <= 256; i++)
        sum[i] = sum[i - 1] + in[i - 1];
    }
    __syncthreads();
    int r = sum[threadIdx.x];
    if (ALL || f) buf[r] = v; // expect-race[rounds]
    __syncthreads();
    out[p] = buf[threadIdx.x];
    __syncthreads();
  }
}
__global__ void rounds_ok(const int *x, int *out) { rounds<false, 256>(x, out); } // expect-clean
__global__ void rounds_bad(const int *x, int *out) { rounds<true, 256>(x, out); }
__global__ void twice_ok(const int *x, int *out) { rounds<false, 512>(x, out); } // expect-clean
__global__ void twice_bad(const int *x, int *out) { rounds<true, 512>(x, out); }

template <bool ALL> __device__ void stripes(const int *in, int *out, int n) {
  int w = threadIdx.x / 32, l = threadIdx.x % 32;
  for (int row = blockIdx.x * 8 + w; row < n; row += gridDim.x * 8)
    for (int at = l; at < 64; at += 32) {
      int v = in[row * 64 + at];
      bool f = v > 0;
      unsigned vote = __ballot_sync(0xffffffffu, f);
      int rank = __popc(vote & ((1u << l) - 1));
      if (ALL || f) out[row * 64 + at / 32 * 32 + rank] = v; // expect-race[stripes]
    }
}
__global__ void stripes_ok(const int *in, int *out, int n) { stripes<false>(in, out, n); } // expect-clean
__global__ void stripes_bad(const int *in, int *out, int n) { stripes<true>(in, out, n); }

int main(int argc, char **argv) {
  int *a, *b, *c, n = argc * 1000;
  cudaMalloc(&a, 256 * n + 2048);
  cudaMalloc(&b, 4 * n + 2048);
  cudaMalloc(&c, 256 * n);
  rounds_ok<<<1, 256>>>(a, b);
  rounds_bad<<<1, 256>>>(a, b);
  twice_ok<<<1, 256>>>(a, b);
  twice_bad<<<1, 256>>>(a, b);
  stripes_ok<<<(n + 7) / 8, 256>>>(a, c, n);
  stripes_bad<<<(n + 7) / 8, 256>>>(a, c, n);
}

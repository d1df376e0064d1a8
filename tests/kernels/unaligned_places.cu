// Accesses whose place is no multiple of their width: copies of cuda::memcpy_async and of groups may begin at any byte, whatever their length (halves,
// rows, halo), and what a number of threads or rounds says of an address counts against the alignment that the type promises (wide, rounds, masked).
// In the twin the parts of two threads do not overlap (ok).
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict object_ok: race-free
//@ verdict object_bad: racy
//@ verdict rows_ok: race-free
//@ verdict rows_bad: racy
//@ verdict halo_ok: race-free
//@ verdict halo_bad: racy
//@ verdict wide_ok: race-free
//@ verdict wide_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_bad: racy
//@ verdict masked_ok: race-free
//@ verdict masked_bad: racy
//@ verdict guarded_ok: race-free
//@ verdict vectors_ok: race-free
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
namespace cg = cooperative_groups;

template <int step> __device__ void halves(int *out, const int *in) {
  __shared__ int s[512];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x * step], in + 2 * threadIdx.x, 8, pipe); // expect-race[halves]
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void halves_ok(int *out, const int *in) { halves<2>(out, in); } // expect-clean
__global__ void halves_bad(int *out, const int *in) { halves<1>(out, in); }

template <int step> __device__ void object(int *out, const int *in) {
  __shared__ int s[512];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  if (threadIdx.x == 0) init(&full, blockDim.x);
  __syncthreads();
  cuda::memcpy_async(&s[threadIdx.x * step], in + 4 * threadIdx.x, 16, full); // expect-race[object]
  full.arrive_and_wait();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void object_ok(int *out, const int *in) { object<4>(out, in); } // expect-clean
__global__ void object_bad(int *out, const int *in) { object<2>(out, in); }

template <int step> __device__ void rows(int *out, const int *in) {
  __shared__ int s[64];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  unsigned w = threadIdx.x / 32;
  cg::memcpy_async(warp, &s[w * step], in + 4 * w, 16); // expect-race[rows]
  cg::wait(warp);
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x % 16];
}
__global__ void rows_ok(int *out, const int *in) { rows<4>(out, in); } // expect-clean
__global__ void rows_bad(int *out, const int *in) { rows<3>(out, in); }

template <int last> __device__ void halo(int *out, const int *in) {
  __shared__ int s[272];
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[2 * threadIdx.x + 1], in + 2 * threadIdx.x, 8, pipe);      // expect-race[halo]
  if (threadIdx.x == 0) cuda::memcpy_async(&s[last], in + 256, 8, pipe); // expect-race[halo]
  pipe.producer_commit();
  pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x + 1];
}
__global__ void halo_ok(int *out, const int *in) { halo<257>(out, in); } // expect-clean
__global__ void halo_bad(int *out, const int *in) { halo<256>(out, in); }

__global__ void wide_ok(int *out) { *(long long *)(out + 2 * threadIdx.x) = threadIdx.x; } // expect-clean
__global__ void wide_bad(int *out) { *(long long *)(out + threadIdx.x) = threadIdx.x; }    // expect-race

template <int step> __device__ void rounds(int *out) {
  for (int i = 0; i < 64; i += step)
    if (i / step % 32 == threadIdx.x) *(double *)(out + i) = threadIdx.x + i; // expect-race[rounds]
}
__global__ void rounds_ok(int *out) { rounds<2>(out); } // expect-clean
__global__ void rounds_bad(int *out) { rounds<1>(out); }

__global__ void masked_ok(char *out) { if (threadIdx.x % 4 == 0) *(int *)(out + (threadIdx.x & ~3u)) = threadIdx.x; } // expect-clean
__global__ void masked_bad(char *out) { if (threadIdx.x % 4 == 0) *(int *)(out + (threadIdx.x & ~3u) / 2) = threadIdx.x; } // expect-race

__global__ void guarded_ok(int *out) { // expect-clean
  if (threadIdx.x % 2 == 0) *(long long *)(out + threadIdx.x) = threadIdx.x;
}

// Rows whose length the program keeps a multiple of four, which nothing shows: that they are aligned is assumed.
__global__ void vectors_ok(float *out, int length) { // expect-clean
  int column = threadIdx.x * 4;
  if (column < length) *(float4 *)(out + blockIdx.x * length + column) = make_float4(1, 2, 3, threadIdx.x);
}

int main(int argc, char **) {
  int *out, *in;
  char *bytes;
  cudaMalloc(&out, 65536);
  cudaMalloc(&in, 65536);
  cudaMalloc(&bytes, 4096);
  halves_ok<<<1, 128>>>(out, in);
  halves_bad<<<1, 128>>>(out, in);
  object_ok<<<1, 128>>>(out, in);
  object_bad<<<1, 128>>>(out, in);
  rows_ok<<<1, 128>>>(out, in);
  rows_bad<<<1, 128>>>(out, in);
  halo_ok<<<1, 128>>>(out, in);
  halo_bad<<<1, 128>>>(out, in);
  wide_ok<<<1, 128>>>(out);
  wide_bad<<<1, 128>>>(out);
  rounds_ok<<<1, 32>>>(out);
  rounds_bad<<<1, 32>>>(out);
  masked_ok<<<1, 64>>>(bytes);
  masked_bad<<<1, 64>>>(bytes);
  guarded_ok<<<1, 64>>>(out);
  vectors_ok<<<8, 64>>>((float *)out, 4 * argc);
  cudaDeviceSynchronize();
}

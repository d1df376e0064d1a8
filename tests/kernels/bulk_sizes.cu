// How many bytes a bulk copy brings is computed, and its barrier object is told of just as many.
// one: a copy of n elements (ok), of which the object is told of n elements of half the size (half), of m elements (other), nothing (untold), the
// copy is one element longer (longer), it is told only where m is not zero (some), behind its arrival (behind).
// two: two copies of n and of m elements on one object (ok), told of the one (first), of twice the one (twice).
// rounds: in each round a row as long as a table says, two buffers in turn (ok), the row behind is told (next), nothing frees the buffer (free).
//@ verdict one_ok: race-free
//@ verdict one_half_bad: racy
//@ verdict one_other_bad: racy
//@ verdict one_untold_bad: racy
//@ verdict one_longer_bad: racy
//@ verdict one_some_bad: racy
//@ verdict one_behind_bad: racy
//@ verdict two_ok: race-free
//@ verdict two_first_bad: racy
//@ verdict two_twice_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_next_bad: racy
//@ verdict rounds_free_bad: racy
#include <cuda/ptx>

namespace ptx = cuda::ptx;
enum Mistake { OK, HALF, OTHER, UNTOLD, LONGER, SOME, BEHIND, FIRST, TWICE, NEXT, FREE };

__device__ void announce(uint64_t *full, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, bytes);
}
__device__ void fetch(int *to, const int *from, int n, uint64_t *full) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, n * 4, full); // expect-race
}
__device__ void await(uint64_t *object, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(object, parity))
    ;
}

template <Mistake mistake> __device__ void one(const int *in, int *out, int n, int m) {
  __shared__ alignas(128) int s[256];
  __shared__ uint64_t full;
  int t = threadIdx.x;
  if (t == 0)
    ptx::mbarrier_init(&full, 1);
  __syncthreads();
  if (t == 0) {
    if (mistake == UNTOLD || (mistake == SOME && m == 0))
      ptx::mbarrier_arrive(&full);
    else if (mistake == BEHIND) {
      ptx::mbarrier_arrive(&full);
      ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full, n * 4);
    } else
      announce(&full, mistake == HALF ? n * 2 : mistake == OTHER ? m * 4 : n * 4);
    fetch(s, in, mistake == LONGER ? n + 4 : n, &full);
  }
  await(&full, 0);
  out[blockIdx.x * 128 + t] = s[127 - t]; // expect-race
}
__global__ void one_ok(const int *in, int *out, int n, int m) { one<OK>(in, out, n, m); } // expect-clean
__global__ void one_half_bad(const int *in, int *out, int n, int m) { one<HALF>(in, out, n, m); }
__global__ void one_other_bad(const int *in, int *out, int n, int m) { one<OTHER>(in, out, n, m); }
__global__ void one_untold_bad(const int *in, int *out, int n, int m) { one<UNTOLD>(in, out, n, m); }
__global__ void one_longer_bad(const int *in, int *out, int n, int m) { one<LONGER>(in, out, n, m); }
__global__ void one_some_bad(const int *in, int *out, int n, int m) { one<SOME>(in, out, n, m); }
__global__ void one_behind_bad(const int *in, int *out, int n, int m) { one<BEHIND>(in, out, n, m); }

template <Mistake mistake> __device__ void two(const int *in, int *out, int n, int m) {
  __shared__ alignas(128) int a[256], b[256];
  __shared__ uint64_t full;
  int t = threadIdx.x;
  if (t == 0)
    ptx::mbarrier_init(&full, 1);
  __syncthreads();
  if (t == 0) {
    announce(&full, mistake == FIRST ? n * 4 : mistake == TWICE ? n * 8 : n * 4 + m * 4);
    fetch(a, in, n, &full);
    fetch(b, in + n, m, &full);
  }
  await(&full, 0);
  out[blockIdx.x * 128 + t] = a[127 - t] + b[t ^ 1]; // expect-race
}
__global__ void two_ok(const int *in, int *out, int n, int m) { two<OK>(in, out, n, m); } // expect-clean
__global__ void two_first_bad(const int *in, int *out, int n, int m) { two<FIRST>(in, out, n, m); }
__global__ void two_twice_bad(const int *in, int *out, int n, int m) { two<TWICE>(in, out, n, m); }

template <Mistake mistake> __device__ void rounds(const int *in, const int *length, int *out, int n) {
  __shared__ alignas(128) int s[2][128];
  __shared__ uint64_t full[2];
  int t = threadIdx.x, sum = 0;
  if (t < 2)
    ptx::mbarrier_init(&full[t], 1);
  __syncthreads();
  for (int k = 0; k < n; k++) {
    if (t == 0) {
      announce(&full[k & 1], 4 * length[mistake == NEXT ? k + 1 : k]);
      fetch(s[k & 1], in + k * 128, length[k], &full[k & 1]);
    }
    await(&full[k & 1], (k / 2) & 1);
    sum += s[k & 1][127 - t]; // expect-race
    if (mistake != FREE)
      __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}
__global__ void rounds_ok(const int *in, const int *l, int *out, int n) { rounds<OK>(in, l, out, n); } // expect-clean
__global__ void rounds_next_bad(const int *in, const int *l, int *out, int n) { rounds<NEXT>(in, l, out, n); }
__global__ void rounds_free_bad(const int *in, const int *l, int *out, int n) { rounds<FREE>(in, l, out, n); }

int main() {
  int *in, *length, *out;
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&length, 1 << 10);
  cudaMalloc(&out, 1 << 20);
  one_ok<<<4, 128>>>(in, out, 128, 64);
  one_half_bad<<<4, 128>>>(in, out, 128, 64);
  one_other_bad<<<4, 128>>>(in, out, 128, 64);
  one_untold_bad<<<4, 128>>>(in, out, 128, 64);
  one_longer_bad<<<4, 128>>>(in, out, 128, 64);
  one_some_bad<<<4, 128>>>(in, out, 128, 0);
  one_behind_bad<<<4, 128>>>(in, out, 128, 64);
  two_ok<<<4, 128>>>(in, out, 128, 64);
  two_first_bad<<<4, 128>>>(in, out, 128, 64);
  two_twice_bad<<<4, 128>>>(in, out, 64, 128);
  rounds_ok<<<4, 128>>>(in, length, out, 16);
  rounds_next_bad<<<4, 128>>>(in, length, out, 16);
  rounds_free_bad<<<4, 128>>>(in, length, out, 16);
}

// A ring of tiles that one thread fills with bulk copies: the first ones before the loop, as many as there are buffers (or tiles), each later one
// as soon as its buffer is free. How many are issued before the loop follows from what the loop asks for.
// ring: a block barrier frees the buffer, of which there are four, two or one (ok); none (barrier), one before the tile is read (early), the next
// tile is read (next), the next tile goes to the buffer behind (place), the parity stays (parity), all first tiles go to one buffer
// (first), one tile more than there are buffers is issued at the start (more), the first tiles are counted by another number (other: undecided),
// the copies of the loop are for the object behind (object: undecided).
// ahead: one less is issued before the loop, and two tiles go to each buffer, on one object (ok); the object is told of one of them (bytes), nothing frees the
// buffer (barrier), the second tile goes to the one that is being read (place).
// freed: the threads say that they have read by objects of their own, and the thread that fills waits for these (ok), does not (wait), for the phase
// before (parity), they say so before they read (told).
//@ verdict ring4_ok: race-free
//@ verdict ring2_ok: race-free
//@ verdict ring1_ok: race-free
//@ verdict ring_barrier_bad: racy
//@ verdict ring_early_bad: racy
//@ verdict ring_next_bad: racy
//@ verdict ring_place_bad: racy
//@ verdict ring_parity_bad: racy
//@ verdict ring_first_bad: racy
//@ verdict ring_more_bad: racy
//@ verdict ring_other: undecided
//@ verdict ring_object: undecided
//@ verdict ahead_ok: race-free
//@ verdict ahead_bytes_bad: racy
//@ verdict ahead_barrier_bad: racy
//@ verdict ahead_place_bad: racy
//@ verdict freed_ok: race-free
//@ verdict freed_wait_bad: racy
//@ verdict freed_parity_bad: racy
//@ verdict freed_told_bad: racy
#include <cuda/ptx>

namespace ptx = cuda::ptx;
enum Mistake { OK, BARRIER, EARLY, NEXT, PLACE, PARITY, FIRST, MORE, OTHER, OBJECT, BYTES, WAIT, TOLD };

__device__ void announce(uint64_t *full, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, bytes);
}
__device__ void fetch(int *to, const int *from, uint64_t *full) {
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, 512u, full); // expect-race
}
__device__ void await(uint64_t *object, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(object, parity))
    ;
}

template <int S, Mistake mistake> __device__ void ring(const int *in, int *out, int n, int m) {
  __shared__ alignas(128) int s[S][128];
  __shared__ uint64_t full[S];
  int t = threadIdx.x, sum = 0;
  if (t == 0) {
    for (int i = 0; i < S; i++)
      ptx::mbarrier_init(&full[i], 1);
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  if (t == 0)
    for (int i = 0; i < S + (mistake == MORE) && i < (mistake == OTHER ? m : n); i++) {
      announce(&full[i % S], 512);
      fetch(s[mistake == FIRST ? 0 : i % S], in + i * 128, &full[i % S]);
    }
  for (int k = 0; k < n; k++) {
    int stage = k % S;
    await(&full[stage], mistake == PARITY ? 0 : (k / S) & 1);
    if (mistake == EARLY)
      __syncthreads();
    sum += s[mistake == NEXT ? (k + 1) % S : stage][127 - t]; // expect-race
    if (mistake != BARRIER && mistake != EARLY)
      __syncthreads();
    if (t == 0 && k + S < n) {
      int object = mistake == OBJECT ? (k + 1) % S : stage;
      announce(&full[object], 512);
      fetch(s[mistake == PLACE ? (k + 1) % S : stage], in + (k + S) * 128, &full[object]);
    }
  }
  out[blockIdx.x * 128 + t] = sum;
}
__global__ void ring4_ok(const int *in, int *out, int n, int m) { ring<4, OK>(in, out, n, m); } // expect-clean
__global__ void ring2_ok(const int *in, int *out, int n, int m) { ring<2, OK>(in, out, n, m); } // expect-clean
__global__ void ring1_ok(const int *in, int *out, int n, int m) { ring<1, OK>(in, out, n, m); } // expect-clean
__global__ void ring_barrier_bad(const int *in, int *out, int n, int m) { ring<4, BARRIER>(in, out, n, m); }
__global__ void ring_early_bad(const int *in, int *out, int n, int m) { ring<4, EARLY>(in, out, n, m); }
__global__ void ring_next_bad(const int *in, int *out, int n, int m) { ring<4, NEXT>(in, out, n, m); }
__global__ void ring_place_bad(const int *in, int *out, int n, int m) { ring<4, PLACE>(in, out, n, m); }
__global__ void ring_parity_bad(const int *in, int *out, int n, int m) { ring<4, PARITY>(in, out, n, m); }
__global__ void ring_first_bad(const int *in, int *out, int n, int m) { ring<4, FIRST>(in, out, n, m); }
__global__ void ring_more_bad(const int *in, int *out, int n, int m) { ring<4, MORE>(in, out, n, m); }
__global__ void ring_other(const int *in, int *out, int n, int m) { ring<4, OTHER>(in, out, n, m); } // expect-clean
__global__ void ring_object(const int *in, int *out, int n, int m) { ring<4, OBJECT>(in, out, n, m); } // expect-clean

template <Mistake mistake> __device__ void ahead(const int *a, const int *b, int *out, int n) {
  constexpr int S = 3;
  __shared__ alignas(128) int left[S][128], right[S][128];
  __shared__ uint64_t full[S];
  int t = threadIdx.x, sum = 0;
  if (t == 0)
    for (int i = 0; i < S; i++)
      ptx::mbarrier_init(&full[i], 1);
  __syncthreads();
  if (t == 0)
    for (int i = 0; i < S - 1; i++)
      if (i < n) {
        announce(&full[i], 1024);
        fetch(left[i], a + i * 128, &full[i]);
        fetch(right[i], b + i * 128, &full[i]);
      }
  for (int k = 0; k < n; k++) {
    int next = k + S - 1, place = next % S;
    if (t == 0 && next < n) {
      announce(&full[place], mistake == BYTES ? 512 : 1024);
      fetch(left[place], a + next * 128, &full[place]);
      fetch(right[mistake == PLACE ? k % S : place], b + next * 128, &full[place]);
    }
    await(&full[k % S], (k / S) & 1);
    sum += left[k % S][127 - t] * right[k % S][t ^ 1]; // expect-race
    if (mistake != BARRIER)
      __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}
__global__ void ahead_ok(const int *a, const int *b, int *out, int n) { ahead<OK>(a, b, out, n); } // expect-clean
__global__ void ahead_bytes_bad(const int *a, const int *b, int *out, int n) { ahead<BYTES>(a, b, out, n); }
__global__ void ahead_barrier_bad(const int *a, const int *b, int *out, int n) { ahead<BARRIER>(a, b, out, n); }
__global__ void ahead_place_bad(const int *a, const int *b, int *out, int n) { ahead<PLACE>(a, b, out, n); }

template <Mistake mistake> __device__ void freed(const int *in, int *out, int n) {
  constexpr int S = 2;
  __shared__ alignas(128) int s[S][128];
  __shared__ uint64_t full[S], empty[S];
  int t = threadIdx.x, sum = 0;
  if (t == 0)
    for (int i = 0; i < S; i++) {
      ptx::mbarrier_init(&full[i], 1);
      ptx::mbarrier_init(&empty[i], 128);
    }
  __syncthreads();
  if (t == 0)
    for (int i = 0; i < S && i < n; i++) {
      announce(&full[i], 512);
      fetch(s[i], in + i * 128, &full[i]);
    }
  for (int k = 0; k < n; k++) {
    int stage = k % S;
    await(&full[stage], (k / S) & 1);
    if (mistake == TOLD)
      ptx::mbarrier_arrive(&empty[stage]);
    sum += s[stage][127 - t]; // expect-race
    if (mistake != TOLD)
      ptx::mbarrier_arrive(&empty[stage]);
    if (t == 0 && k + S < n) {
      if (mistake != WAIT)
        await(&empty[stage], (mistake == PARITY ? k / S + 1 : k / S) & 1);
      announce(&full[stage], 512);
      fetch(s[stage], in + (k + S) * 128, &full[stage]);
    }
  }
  out[blockIdx.x * 128 + t] = sum;
}
__global__ void freed_ok(const int *in, int *out, int n) { freed<OK>(in, out, n); } // expect-clean
__global__ void freed_wait_bad(const int *in, int *out, int n) { freed<WAIT>(in, out, n); }
__global__ void freed_parity_bad(const int *in, int *out, int n) { freed<PARITY>(in, out, n); }
__global__ void freed_told_bad(const int *in, int *out, int n) { freed<TOLD>(in, out, n); }

int main(int count, char **words) {
  int *in, *out;
  cudaMalloc((void **)&in, 1 << 24);
  cudaMalloc((void **)&out, 1 << 24);
  ring4_ok<<<8, 128>>>(in, out, count, 3);
  ring2_ok<<<8, 128>>>(in, out, count, 3);
  ring1_ok<<<8, 128>>>(in, out, count, 3);
  ring_barrier_bad<<<8, 128>>>(in, out, count, 3);
  ring_early_bad<<<8, 128>>>(in, out, count, 3);
  ring_next_bad<<<8, 128>>>(in, out, count, 3);
  ring_place_bad<<<8, 128>>>(in, out, count, 3);
  ring_parity_bad<<<8, 128>>>(in, out, count, 3);
  ring_first_bad<<<8, 128>>>(in, out, count, 3);
  ring_more_bad<<<8, 128>>>(in, out, count, 3);
  ring_other<<<8, 128>>>(in, out, count, 3);
  ring_object<<<8, 128>>>(in, out, count, 3);
  ahead_ok<<<8, 128>>>(in, in, out, count);
  ahead_bytes_bad<<<8, 128>>>(in, in, out, count);
  ahead_barrier_bad<<<8, 128>>>(in, in, out, count);
  ahead_place_bad<<<8, 128>>>(in, in, out, count);
  freed_ok<<<8, 128>>>(in, out, count);
  freed_wait_bad<<<8, 128>>>(in, out, count);
  freed_parity_bad<<<8, 128>>>(in, out, count);
  freed_told_bad<<<8, 128>>>(in, out, count);
  return 0;
}

// Asynchronous copies that complete on a barrier object, and who waits for them.
// one: the thread that copies in bulk waits alone, and a block barrier tells the others (ok), no barrier (barrier), another phase (phase), another object (object),
// it waits before it copies (before). rounds: the same in each round, two buffers in turn (ok), the next buffer is read (next), nothing frees the buffer (free).
// ring: half of the threads fill buffers by copies whose completion is the arrival (noinc), the others read and give back (ok); what the threads wrote themselves
// is not told by that (plain), but by an arrival of their own besides (told_ok); they do not wait for free buffers (wait), always for the same parity (phase); the readers give
// back before they read (early).
// shared: the block shares the copies of a tile, each thread some elements, on two objects in turn, one round ahead (ok); the tile of the next round is read (next),
// no barrier frees the buffer (free), the first tile's copies are for the other object (object), issued behind the arrival (before).
//@ verdict shared_ok: race-free
//@ verdict shared_next_bad: racy
//@ verdict shared_free_bad: racy
//@ verdict shared_object_bad: racy
//@ verdict shared_before_bad: racy
//@ verdict one_ok: race-free
//@ verdict one_barrier_bad: racy
//@ verdict one_phase_bad: racy
//@ verdict one_object_bad: racy
//@ verdict one_before_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_next_bad: racy
//@ verdict rounds_free_bad: racy
//@ verdict ring_ok: race-free
//@ verdict ring_plain_bad: racy
//@ known-undecided ring_told_ok: two arrivals of a thread in one phase are not followed
//@ verdict ring_told_ok: race-free
//@ verdict ring_wait_bad: racy
//@ verdict ring_phase_bad: racy
//@ verdict ring_early_bad: racy
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
enum Mistake { OK, BARRIER, PHASE, OBJECT, BEFORE, NEXT, FREE, PLAIN, TOLD, WAIT, EARLY };

__device__ void fetch(int *to, const int *from, uint64_t *full) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 512u);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, 512u, full); // expect-race
}
__device__ void await(uint64_t *object, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(object, parity))
    ;
}

template <Mistake mistake> __device__ void one(const int *in, int *out) {
  __shared__ alignas(16) int s[128];
  __shared__ uint64_t full, other;
  int t = threadIdx.x;
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_init(&other, 1);
  }
  __syncthreads();
  if (t == 0) {
    if (mistake == OBJECT)
      ptx::mbarrier_arrive(&other);
    if (mistake == BEFORE)
      await(&full, 1);
    fetch(s, in, &full);
    if (mistake != BEFORE)
      await(mistake == OBJECT ? &other : &full, mistake == PHASE ? 1 : 0);
  }
  if (mistake != BARRIER)
    __syncthreads();
  out[blockIdx.x * 128 + t] = s[127 - t]; // expect-race
}
__global__ void one_ok(const int *in, int *out) { one<OK>(in, out); } // expect-clean
__global__ void one_barrier_bad(const int *in, int *out) { one<BARRIER>(in, out); }
__global__ void one_phase_bad(const int *in, int *out) { one<PHASE>(in, out); }
__global__ void one_object_bad(const int *in, int *out) { one<OBJECT>(in, out); }
__global__ void one_before_bad(const int *in, int *out) { one<BEFORE>(in, out); }

template <Mistake mistake> __device__ void rounds(const int *in, int *out, int n) {
  __shared__ alignas(16) int s[2][128];
  __shared__ uint64_t full[2];
  int t = threadIdx.x, sum = 0;
  if (t < 2)
    ptx::mbarrier_init(&full[t], 1);
  __syncthreads();
  for (int k = 0; k < n; k++) {
    int place = k % 2;
    if (t == 0) {
      fetch(s[place], in + k * 128, &full[place]);
      await(&full[place], (k / 2) & 1);
    }
    __syncthreads();
    sum += s[mistake == NEXT ? 1 - place : place][127 - t]; // expect-race
    if (mistake != FREE && mistake != NEXT)
      __syncthreads();
    if (mistake == FREE && t == 0)
      fetch(s[place], in, &full[place]);
    if (mistake == FREE && t == 0)
      await(&full[place], (k / 2 + 1) & 1);
  }
  out[blockIdx.x * 128 + t] = sum;
}
__global__ void rounds_ok(const int *in, int *out, int n) { rounds<OK>(in, out, n); } // expect-clean
__global__ void rounds_next_bad(const int *in, int *out, int n) { rounds<NEXT>(in, out, n); }
__global__ void rounds_free_bad(const int *in, int *out, int n) { rounds<FREE>(in, out, n); }

template <Mistake mistake> __device__ void ring(const int *in, int *out, int n) {
  __shared__ int s[2][32], own[2][32];
  __shared__ uint64_t full[2], empty[2];
  int t = threadIdx.x, sum = 0;
  if (t < 2) {
    ptx::mbarrier_init(&full[t], mistake == TOLD ? 64 : 32);
    ptx::mbarrier_init(&empty[t], 32);
  }
  __syncthreads();
  if (t < 32) {
    for (int k = 0; k < n; k++) {
      int place = k % 2;
      if (mistake != WAIT)
        await(&empty[place], mistake == PHASE ? 1 : (k / 2 + 1) & 1);
      unsigned to = (unsigned)__cvta_generic_to_shared(&s[place][t]), object = (unsigned)__cvta_generic_to_shared(&full[place]);
      asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(in + k * 32 + t) : "memory"); // expect-race
      if (mistake == PLAIN || mistake == TOLD)
        own[place][t] = k; // expect-race
      asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(object) : "memory");
      if (mistake == TOLD)
        ptx::mbarrier_arrive(&full[place]);
    }
  } else {
    for (int k = 0; k < n; k++) {
      int place = k % 2;
      await(&full[place], (k / 2) & 1);
      if (mistake == EARLY)
        ptx::mbarrier_arrive(&empty[place]);
      sum += s[place][63 - t]; // expect-race
      if (mistake == PLAIN || mistake == TOLD)
        sum += own[place][63 - t]; // expect-race
      if (mistake != EARLY)
        ptx::mbarrier_arrive(&empty[place]);
    }
    out[blockIdx.x * 32 + t - 32] = sum;
  }
}
__global__ void ring_ok(const int *in, int *out, int n) { ring<OK>(in, out, n); } // expect-clean
__global__ void ring_plain_bad(const int *in, int *out, int n) { ring<PLAIN>(in, out, n); }
__global__ void ring_told_ok(const int *in, int *out, int n) { ring<TOLD>(in, out, n); } // expect-clean
__global__ void ring_wait_bad(const int *in, int *out, int n) { ring<WAIT>(in, out, n); }
__global__ void ring_phase_bad(const int *in, int *out, int n) { ring<PHASE>(in, out, n); }
__global__ void ring_early_bad(const int *in, int *out, int n) { ring<EARLY>(in, out, n); }

template <Mistake mistake> __device__ void shared(const int *in, int *out, int n) {
  using block_barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ block_barrier full[2];
  __shared__ int s[2][256];
  auto block = cooperative_groups::this_thread_block();
  int t = threadIdx.x, sum = 0;
  if (t < 2)
    init(&full[t], 128);
  block.sync();
  cuda::memcpy_async(block, s[0], in, sizeof(int) * 256, full[mistake == OBJECT ? 1 : 0]); // expect-race
  for (int k = 0; k < n; k++) {
    int here = k % 2, next = (k + 1) % 2;
    block_barrier::arrival_token token;
    if (mistake == BEFORE)
      token = full[here].arrive();
    if (k + 1 < n)
      cuda::memcpy_async(block, s[mistake == BEFORE ? here : next], in + (k + 1) * 256, sizeof(int) * 256, full[next]); // expect-race
    if (mistake != BEFORE)
      token = full[here].arrive();
    full[here].wait(std::move(token));
    sum += s[mistake == NEXT ? next : here][255 - t]; // expect-race
    if (mistake != FREE)
      block.sync();
  }
  out[blockIdx.x * 128 + t] = sum;
}
__global__ void shared_ok(const int *in, int *out, int n) { shared<OK>(in, out, n); } // expect-clean
__global__ void shared_next_bad(const int *in, int *out, int n) { shared<NEXT>(in, out, n); }
__global__ void shared_free_bad(const int *in, int *out, int n) { shared<FREE>(in, out, n); }
__global__ void shared_object_bad(const int *in, int *out, int n) { shared<OBJECT>(in, out, n); }
__global__ void shared_before_bad(const int *in, int *out, int n) { shared<BEFORE>(in, out, n); }

int main(int count, char **words) {
  int *in, *out;
  cudaMalloc((void **)&in, 1 << 24);
  cudaMalloc((void **)&out, 1 << 20);
  one_ok<<<8, 128>>>(in, out);
  one_barrier_bad<<<8, 128>>>(in, out);
  one_phase_bad<<<8, 128>>>(in, out);
  one_object_bad<<<8, 128>>>(in, out);
  one_before_bad<<<8, 128>>>(in, out);
  rounds_ok<<<8, 128>>>(in, out, count);
  rounds_next_bad<<<8, 128>>>(in, out, count);
  rounds_free_bad<<<8, 128>>>(in, out, count);
  ring_ok<<<8, 64>>>(in, out, count);
  ring_plain_bad<<<8, 64>>>(in, out, count);
  ring_told_ok<<<8, 64>>>(in, out, count);
  ring_wait_bad<<<8, 64>>>(in, out, count);
  ring_phase_bad<<<8, 64>>>(in, out, count);
  ring_early_bad<<<8, 64>>>(in, out, count);
  shared_ok<<<8, 128>>>(in, out, count);
  shared_next_bad<<<8, 128>>>(in, out, count);
  shared_free_bad<<<8, 128>>>(in, out, count);
  shared_object_bad<<<8, 128>>>(in, out, count);
  shared_before_bad<<<8, 128>>>(in, out, count);
  return 0;
}

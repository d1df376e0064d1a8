// Copies that cp.async.mbarrier.arrive (without noinc) binds to a barrier object behind which they are then done, and barrier objects of an array
// that its threads use in turn, each time all of them.
// once: copied, bound, arrived, waited for by the token (ok), bound to another object (object), no wait (wait), bound only if a number is large
// (some), or behind the arrival (behind), or behind the wait (late); another copy is issued behind the binding (more).
// turns: two objects in turn, one tile ahead (ok), both tiles are bound to the object whose turn it is, which comes earlier (early_ok), the next tile is
// read (next), nothing frees the buffer (free), the next copy goes where the tile is being read (place), it is bound before it is issued (before),
// all but the last one are not bound (last).
// ahead: cuda::memcpy_async by each thread onto objects that thread 0 sets up, one tile ahead (ok), the next tile is read (next), read before the wait
// (early), nothing frees the buffer (free), the object whose turn it is not is waited for (other), half the arrivals are expected (half).
//@ verdict once_ok: race-free
//@ verdict once_object_bad: racy
//@ verdict once_wait_bad: racy
//@ verdict once_some_bad: racy
//@ verdict once_behind_bad: racy
//@ verdict once_late_bad: racy
//@ verdict once_more_bad: racy
//@ verdict turns_ok: race-free
//@ verdict turns_early_ok: race-free
//@ verdict turns_next_bad: racy
//@ verdict turns_free_bad: racy
//@ verdict turns_place_bad: racy
//@ verdict turns_before_bad: racy
//@ verdict turns_last_bad: racy
//@ verdict ahead_ok: race-free
//@ verdict ahead_next_bad: racy
//@ verdict ahead_early_bad: racy
//@ verdict ahead_free_bad: racy
//@ verdict ahead_other_bad: racy
//@ verdict ahead_half_bad: racy
#include <cooperative_groups.h>
#include <cstdint>
#include <cuda/barrier>

enum Mistake { OK, OBJECT, WAIT, SOME, BEHIND, LATE, MORE, EARLY, NEXT, FREE, PLACE, BEFORE, LAST, OTHER, HALF };

__device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ void set_up(uint64_t *object, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(object)), "r"(count) : "memory");
}
__device__ void copy(float4 *to, const float4 *from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory"); // expect-race
}
__device__ void bind(uint64_t *object) {
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];" ::"r"(shared_address(object)) : "memory");
}
__device__ uint64_t arrive(uint64_t *object) {
  uint64_t token;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(token) : "r"(shared_address(object)) : "memory");
  return token;
}
__device__ void await(uint64_t *object, uint64_t token) {
  uint32_t is_over;
  do {
    asm volatile("{\n.reg .pred p;\nmbarrier.test_wait.shared::cta.b64 p, [%1], %2;\nselp.u32 %0, 1, 0, p;\n}"
                 : "=r"(is_over)
                 : "r"(shared_address(object)), "l"(token)
                 : "memory");
  } while (!is_over);
}

template <Mistake mistake> __device__ void once(const float4 *in, float *out, int n) {
  __shared__ float4 s[128];
  __shared__ uint64_t object, other;
  int t = threadIdx.x;
  if (t == 0) {
    set_up(&object, 128);
    set_up(&other, 128);
  }
  __syncthreads();
  copy(&s[t], &in[blockIdx.x * 128 + t]);
  if (mistake == SOME ? n > 3 : mistake != BEHIND && mistake != LATE)
    bind(mistake == OBJECT ? &other : &object);
  if (mistake == MORE)
    copy(&s[t ^ 1], &in[t]);
  uint64_t token = arrive(&object);
  if (mistake == BEHIND)
    bind(&object);
  if (mistake != WAIT)
    await(&object, token);
  if (mistake == LATE)
    bind(&object);
  out[blockIdx.x * 128 + t] = s[127 - t].x; // expect-race
}

template <Mistake mistake> __device__ void turns(const float4 *in, float *out, int n) {
  __shared__ float4 s[2][128];
  __shared__ uint64_t objects[2];
  int t = threadIdx.x;
  float sum = 0;
  if (t == 0)
    for (int i = 0; i < 2; i++)
      set_up(&objects[i], 128);
  __syncthreads();
  copy(&s[0][t], &in[t]);
  bind(&objects[0]);
  for (int k = 0; k < n; k++) {
    int here = k & 1, next = here ^ 1;
    if (k + 1 < n) {
      if (mistake == BEFORE)
        bind(&objects[next]);
      copy(&s[mistake == PLACE ? here : next][t], &in[(k + 1) * 128 + t]);
      if (mistake != BEFORE && (mistake != LAST || k + 2 == n))
        bind(&objects[mistake == EARLY ? here : next]);
    }
    await(&objects[here], arrive(&objects[here]));
    sum += s[mistake == NEXT ? next : here][127 - t].x; // expect-race
    if (mistake != FREE)
      __syncthreads();
  }
  out[blockIdx.x * 128 + t] = sum;
}

template <Mistake mistake> __device__ void ahead(const float4 *in, float *out, int n) {
  using Barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ float4 s[2][128];
  __shared__ Barrier objects[2];
  auto block = cooperative_groups::this_thread_block();
  int t = block.thread_rank(), stage = 0;
  float sum = 0;
  if (t == 0) {
    init(&objects[0], mistake == HALF ? block.size() / 2 : block.size());
    init(&objects[1], block.size());
  }
  block.sync();
  cuda::memcpy_async(&s[0][t], &in[t], sizeof(float4), objects[0]); // expect-race
  for (int k = 0; k < n; k++) {
    int next = stage ^ 1;
    if (k + 1 < n)
      cuda::memcpy_async(&s[next][t], &in[(k + 1) * 128 + t], sizeof(float4), objects[next]); // expect-race
    if (mistake == EARLY)
      sum += s[stage][t].x; // expect-race
    objects[mistake == OTHER ? next : stage].arrive_and_wait();
    sum += s[mistake == NEXT ? next : stage][127 - t].x; // expect-race
    if (mistake != FREE)
      block.sync();
    stage = next;
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void once_ok(const float4 *in, float *out, int n) { once<OK>(in, out, n); } // expect-clean
__global__ void once_object_bad(const float4 *in, float *out, int n) { once<OBJECT>(in, out, n); }
__global__ void once_wait_bad(const float4 *in, float *out, int n) { once<WAIT>(in, out, n); }
__global__ void once_some_bad(const float4 *in, float *out, int n) { once<SOME>(in, out, n); }
__global__ void once_behind_bad(const float4 *in, float *out, int n) { once<BEHIND>(in, out, n); }
__global__ void once_late_bad(const float4 *in, float *out, int n) { once<LATE>(in, out, n); }
__global__ void once_more_bad(const float4 *in, float *out, int n) { once<MORE>(in, out, n); }
__global__ void turns_ok(const float4 *in, float *out, int n) { turns<OK>(in, out, n); } // expect-clean
__global__ void turns_early_ok(const float4 *in, float *out, int n) { turns<EARLY>(in, out, n); } // expect-clean
__global__ void turns_next_bad(const float4 *in, float *out, int n) { turns<NEXT>(in, out, n); }
__global__ void turns_free_bad(const float4 *in, float *out, int n) { turns<FREE>(in, out, n); }
__global__ void turns_place_bad(const float4 *in, float *out, int n) { turns<PLACE>(in, out, n); }
__global__ void turns_before_bad(const float4 *in, float *out, int n) { turns<BEFORE>(in, out, n); }
__global__ void turns_last_bad(const float4 *in, float *out, int n) { turns<LAST>(in, out, n); }
__global__ void ahead_ok(const float4 *in, float *out, int n) { ahead<OK>(in, out, n); } // expect-clean
__global__ void ahead_next_bad(const float4 *in, float *out, int n) { ahead<NEXT>(in, out, n); }
__global__ void ahead_early_bad(const float4 *in, float *out, int n) { ahead<EARLY>(in, out, n); }
__global__ void ahead_free_bad(const float4 *in, float *out, int n) { ahead<FREE>(in, out, n); }
__global__ void ahead_other_bad(const float4 *in, float *out, int n) { ahead<OTHER>(in, out, n); }
__global__ void ahead_half_bad(const float4 *in, float *out, int n) { ahead<HALF>(in, out, n); }

int main(int count, char **words) {
  float4 *in;
  float *out;
  cudaMalloc((void **)&in, 1 << 24);
  cudaMalloc((void **)&out, 1 << 20);
  once_ok<<<8, 128>>>(in, out, count);
  once_object_bad<<<8, 128>>>(in, out, count);
  once_wait_bad<<<8, 128>>>(in, out, count);
  once_some_bad<<<8, 128>>>(in, out, count);
  once_behind_bad<<<8, 128>>>(in, out, count);
  once_late_bad<<<8, 128>>>(in, out, count);
  once_more_bad<<<8, 128>>>(in, out, count);
  turns_ok<<<8, 128>>>(in, out, count);
  turns_early_ok<<<8, 128>>>(in, out, count);
  turns_next_bad<<<8, 128>>>(in, out, count);
  turns_free_bad<<<8, 128>>>(in, out, count);
  turns_place_bad<<<8, 128>>>(in, out, count);
  turns_before_bad<<<8, 128>>>(in, out, count);
  turns_last_bad<<<8, 128>>>(in, out, count);
  ahead_ok<<<8, 128>>>(in, out, count);
  ahead_next_bad<<<8, 128>>>(in, out, count);
  ahead_early_bad<<<8, 128>>>(in, out, count);
  ahead_free_bad<<<8, 128>>>(in, out, count);
  ahead_other_bad<<<8, 128>>>(in, out, count);
  ahead_half_bad<<<8, 128>>>(in, out, count);
  return 0;
}

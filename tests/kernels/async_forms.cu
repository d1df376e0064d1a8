// Asynchronous copies in their other forms, and those that the copying thread itself does not wait for.
// own: each thread reads what it copied, behind the wait (ok), before it (bad): no other thread is needed for that race.
// again: a second copy to the same place is issued while the first may still go on (bad), behind a wait (ok).
// source: a thread overwrites what it is copying from: behind the wait (ok), before it (bad).
// ptx: cp.async and cp.async.wait_all of inline assembly (ok); wait_group 1 leaves the only group under way (bad).
// pipe: cuda::pipeline of one thread, two stages in flight, consumer_wait for the older one each round (ok); an empty stage
// is committed besides, so that each wait is for a stage too old (bad).
// group: memcpy_async and wait of cooperative groups, a block at a time (ok); a barrier does not stand for the wait (bad).
// guarded: a copy of inline assembly under a predicate, in a block with a register of its own (ok); the barrier alone (bad).
// guide: a pipeline of one thread is filled ahead in a loop of its own, as in the programming guide (ok), one stage too far (bad).
// proxy: a bulk copy reads shared memory past what threads wrote, unless a fence between the two ways to memory stands behind the writes,
// each writer's own (ok); without it (bad), before the writes (early), of the wrong memory (space); only the issuer's decides nothing (issuer).
// alone: one thread writes and copies, with the fence (ok) and without (bad).
// named: cuda::ptx, a bulk copy into shared memory that is waited for by parity, in a loop of tries (ok), by that of the phase before (bad).
// drained: in each round one thread stores the tile in bulk, and waits until the last one is read (ok), its whole warp does (warp), another warp does (bad), it waits
// once more behind the loop alone (late).
// arrive_on: the barrier object is told of the thread's copies by __pipeline_arrive_on (ok), of nothing (bad).
//@ verdict arrive_on_ok: race-free
//@ verdict arrive_on_bad: racy
//@ verdict drained_warp_ok: race-free
//@ verdict drained_warp_bad: racy
//@ verdict drained_ok: race-free
//@ verdict drained_bad: racy
//@ verdict drained_late: racy
//@ verdict named_ok: race-free
//@ verdict named_bad: racy
//@ verdict proxy_ok: race-free
//@ verdict proxy_bad: racy
//@ verdict proxy_early: racy
//@ verdict proxy_space: racy
//@ verdict proxy_issuer: undecided
//@ verdict alone_ok: race-free
//@ verdict alone_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict source_ok: race-free
//@ verdict source_bad: racy
//@ verdict ptx_ok: race-free
//@ verdict ptx_bad: racy
//@ verdict pipe_ok: race-free
//@ verdict pipe_bad: racy
//@ verdict group_ok: race-free
//@ verdict group_bad: racy
//@ verdict guarded_ok: race-free
//@ verdict guarded_bad: racy
//@ verdict guide_ok: race-free
//@ verdict guide_bad: racy
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <cuda_awbarrier_primitives.h>
#include <cuda_pipeline.h>

__global__ void own_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  out[blockIdx.x * 64 + t] = s[t];
}

__global__ void own_bad(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int)); // expect-race {{definite cause=missing-async-wait}}
  __pipeline_commit();
  out[blockIdx.x * 64 + t] = s[t]; // expect-race
  __pipeline_wait_prior(0);
}

__global__ void again_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    __pipeline_memcpy_async(&s[t], &in[i * 64 + t], sizeof(int));
    __pipeline_commit();
    __pipeline_wait_prior(0);
    sum += s[t];
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void again_bad(const int *in, int *out, int n) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    __pipeline_memcpy_async(&s[t], &in[i * 64 + t], sizeof(int)); // expect-race {{cause=missing-async-wait}}
    __pipeline_commit();
  }
  __pipeline_wait_prior(0);
  sum += s[t];
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void source_ok(int *data, int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &data[i], sizeof(int));
  __pipeline_commit();
  __pipeline_wait_prior(0);
  data[i] = 0;
  out[i] = s[t];
}

__global__ void source_bad(int *data, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  __pipeline_memcpy_async(&s[t], &data[i], sizeof(int)); // expect-race {{cause=missing-async-wait}}
  __pipeline_commit();
  data[i] = 0; // expect-race
  __pipeline_wait_prior(0);
  out[i] = s[t];
}

__global__ void ptx_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(&in[t]) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void ptx_bad(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(at), "l"(&in[t]) : "memory"); // expect-race {{cause=missing-async-wait}}
  asm volatile("cp.async.commit_group;" ::: "memory");
  asm volatile("cp.async.wait_group 1;" ::: "memory");
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
}

__global__ void pipe_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
  pipe.producer_commit();
  for (int k = 0; k < n; k++) {
    pipe.producer_acquire();
    if (k + 1 < n)
      cuda::memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(int), pipe);
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    sum += s[k % 2][63 - t];
    __syncthreads();
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void pipe_bad(const int *in, int *out, int n) {
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[0][t], &in[t], sizeof(int), pipe);
  pipe.producer_commit();
  pipe.producer_acquire();
  pipe.producer_commit();
  for (int k = 0; k < n; k++) {
    pipe.producer_acquire();
    if (k + 1 < n)
      cuda::memcpy_async(&s[(k + 1) % 2][t], &in[(k + 1) * 64 + t], sizeof(int), pipe); // expect-race {{cause=missing-async-wait}}
    pipe.producer_commit();
    pipe.consumer_wait();
    __syncthreads();
    sum += s[k % 2][63 - t]; // expect-race
    __syncthreads();
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}

__global__ void group_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[64];
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, s, in, sizeof(int) * 64);
  cooperative_groups::wait(block);
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x];
}

__global__ void group_bad(const int *in, int *out) {
  __shared__ int s[64];
  auto block = cooperative_groups::this_thread_block();
  cooperative_groups::memcpy_async(block, s, in, sizeof(int) * 64); // expect-race {{cause=missing-async-wait}}
  block.sync();
  out[blockIdx.x * 64 + threadIdx.x] = s[63 - threadIdx.x]; // expect-race
}

__global__ void guarded_ok(const int *in, int *out) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 4; }" ::"r"(at), "l"(&in[t]),
               "r"((int)(t < 50)));
  asm volatile("cp.async.wait_all;" ::);
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void guarded_bad(const int *in, int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  unsigned at = (unsigned)__cvta_generic_to_shared(&s[t]);
  // expect-race@+1 {{cause=missing-async-wait}}
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %2, 0; @p cp.async.ca.shared.global [%0], [%1], 4; }" ::"r"(at), "l"(&in[t]),
               "r"((int)(t < 50)));
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race
  asm volatile("cp.async.wait_all;" ::);
}

template <int ahead> __device__ void fill_ahead(const int *in, int *out, int n) {
  __shared__ int s[2][64];
  int t = threadIdx.x, sum = 0;
  auto pipe = cuda::make_pipeline();
  for (int done = 0, next = 0; done < n; done++) {
    for (; next < n && next < done + ahead; next++) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[next % 2][t], &in[next * 64 + t], sizeof(int), pipe); // expect-race {{cause=missing-async-wait}}
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    __syncthreads();
    sum += s[done % 2][63 - t]; // expect-race
    __syncthreads();
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}
__global__ void guide_ok(const int *in, int *out, int n) { fill_ahead<2>(in, out, n); } // expect-clean
__global__ void guide_bad(const int *in, int *out, int n) { fill_ahead<3>(in, out, n); }

__device__ void store_tile(int *out, const int *tile) {
  unsigned from = (unsigned)__cvta_generic_to_shared(tile);
  // expect-race@+1 {{cause=missing-proxy-fence}}
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(out + blockIdx.x * 256), "r"(from), "r"(1024));
  asm volatile("cp.async.bulk.commit_group;");
  asm volatile("cp.async.bulk.wait_group 0;");
}

__global__ void proxy_ok(int *out) { // expect-clean
  __shared__ alignas(16) int tile[256];
  tile[threadIdx.x] = threadIdx.x;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) store_tile(out, tile);
}

__global__ void proxy_bad(int *out) {
  __shared__ alignas(16) int tile[256];
  tile[threadIdx.x] = threadIdx.x; // expect-race
  __syncthreads();
  if (threadIdx.x == 0) store_tile(out, tile);
}

__global__ void proxy_early(int *out) {
  __shared__ alignas(16) int tile[256];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  tile[threadIdx.x] = threadIdx.x; // expect-race
  __syncthreads();
  if (threadIdx.x == 0) store_tile(out, tile);
}

__global__ void proxy_space(int *out) {
  __shared__ alignas(16) int tile[256];
  tile[threadIdx.x] = threadIdx.x; // expect-race
  asm volatile("fence.proxy.async.global;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) store_tile(out, tile);
}

__global__ void proxy_issuer(int *out) { // expect-clean
  __shared__ alignas(16) int tile[256];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    store_tile(out, tile);
  }
}

__global__ void alone_ok(int *out) { // expect-clean
  __shared__ alignas(16) int tile[256];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 256; i++)
      tile[i] = i;
    asm volatile("fence.proxy.async;" ::: "memory");
    store_tile(out, tile);
  }
}

__global__ void alone_bad(int *out) {
  __shared__ alignas(16) int tile[256];
  if (threadIdx.x == 0) {
    for (int i = 0; i < 256; i++)
      tile[i] = i; // expect-race
    store_tile(out, tile);
  }
}

template <unsigned parity> __device__ void load_by_name(const int *in, int *out) {
  namespace ptx = cuda::ptx;
  __shared__ alignas(16) int tile[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0)
    ptx::mbarrier_init(&full, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 1024u);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, tile, in, 1024u, &full); // expect-race
  }
  while (!ptx::mbarrier_try_wait_parity(&full, parity)) {
  }
  out[blockIdx.x * 256 + threadIdx.x] = tile[255 - threadIdx.x]; // expect-race
}
__global__ void named_ok(const int *in, int *out) { load_by_name<0>(in, out); } // expect-clean
__global__ void named_bad(const int *in, int *out) { load_by_name<1>(in, out); }

template <int waiting> __device__ void drain(int *out, int n) {
  __shared__ alignas(16) int tile[64];
  int t = threadIdx.x;
  for (int i = 0; i < n; i++) {
    if (waiting < 32 ? t == waiting : t / 32 == waiting - 100)
      asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    __syncthreads();
    tile[t] = i + t; // expect-race
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (t == 0) {
      unsigned from = (unsigned)__cvta_generic_to_shared(tile);
      int *to = out + (blockIdx.x * n + i) * 64;
      // expect-race@+1
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 256;" ::"l"(to), "r"(from) : "memory");
      asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    }
  }
  if (t == 0)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}
__global__ void drained_ok(int *out, int n) { drain<0>(out, n); } // expect-clean
__global__ void drained_bad(int *out, int n) { drain<1>(out, n); }
__global__ void drained_warp_ok(int *out, int n) { drain<100>(out, n); } // expect-clean
__global__ void drained_warp_bad(int *out, int n) { drain<101>(out, n); }
__global__ void drained_late(int *out, int n) { drain<102>(out, n); }

template <bool tells> __device__ void arrive_on(const int *in, int *out) {
  __shared__ __mbarrier_t barrier;
  __shared__ int s[256];
  int t = threadIdx.x;
  if (t == 0)
    __mbarrier_init(&barrier, 256);
  __syncthreads();
  __pipeline_memcpy_async(&s[t], &in[t], sizeof(int)); // expect-race
  if (tells)
    __pipeline_arrive_on(&barrier);
  __mbarrier_token_t token = __mbarrier_arrive(&barrier);
  while (!__mbarrier_test_wait(&barrier, token))
    ;
  out[blockIdx.x * 256 + t] = s[255 - t]; // expect-race
}
__global__ void arrive_on_ok(const int *in, int *out) { arrive_on<true>(in, out); } // expect-clean
__global__ void arrive_on_bad(const int *in, int *out) { arrive_on<false>(in, out); }

int main() {
  int *in, *out;
  cudaMalloc((void **)&in, 1 << 20);
  cudaMalloc((void **)&out, 1 << 20);
  own_ok<<<8, 64>>>(in, out);
  own_bad<<<8, 64>>>(in, out);
  again_ok<<<8, 64>>>(in, out, 100);
  again_bad<<<8, 64>>>(in, out, 100);
  source_ok<<<8, 64>>>(in, out);
  source_bad<<<8, 64>>>(in, out);
  ptx_ok<<<8, 64>>>(in, out);
  ptx_bad<<<8, 64>>>(in, out);
  pipe_ok<<<8, 64>>>(in, out, 100);
  pipe_bad<<<8, 64>>>(in, out, 100);
  group_ok<<<8, 64>>>(in, out);
  group_bad<<<8, 64>>>(in, out);
  guarded_ok<<<8, 64>>>(in, out);
  guarded_bad<<<8, 64>>>(in, out);
  guide_ok<<<8, 64>>>(in, out, 100);
  guide_bad<<<8, 64>>>(in, out, 100);
  int *copied;
  cudaMalloc((void **)&copied, 8 * 256 * sizeof(int));
  named_ok<<<8, 256>>>(in, copied);
  named_bad<<<8, 256>>>(in, copied);
  proxy_ok<<<8, 256>>>(copied);
  proxy_bad<<<8, 256>>>(copied);
  proxy_early<<<8, 256>>>(copied);
  proxy_space<<<8, 256>>>(copied);
  proxy_issuer<<<8, 256>>>(copied);
  alone_ok<<<8, 256>>>(copied);
  alone_bad<<<8, 256>>>(copied);
  drained_ok<<<8, 64>>>(out, 4);
  drained_bad<<<8, 64>>>(out, 4);
  drained_warp_ok<<<8, 64>>>(out, 4);
  drained_warp_bad<<<8, 64>>>(out, 4);
  drained_late<<<8, 64>>>(out, 4);
  arrive_on_ok<<<8, 256>>>(in, out);
  arrive_on_bad<<<8, 256>>>(in, out);
  return 0;
}

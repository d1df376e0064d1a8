// Reductions that go on beside their thread: out of shared memory in bulk (cp.reduce.async.bulk, of a bulk group), and of one
// value on a barrier object (red.async). Two of them with elements of one size may meet; anything else may not. Stores of that kind
// (st.async) are no reductions: two of them meet (both), and who reads one has to wait for it (handed).
//@ args: --arch=sm_90
//@ verdict sum_ok: race-free
//@ verdict counted_ok: race-free
//@ verdict copied_bad: racy
//@ verdict reused_bad: racy
//@ verdict fence_bad: racy
//@ verdict widths_bad: racy
//@ verdict stored_bad: racy
//@ verdict counted_bad: racy
//@ verdict late_bad: racy
//@ verdict handed_ok: race-free
//@ verdict handed_bad: racy
//@ verdict both_ok: race-free
//@ verdict both_bad: racy
#include <cuda/ptx>
namespace ptx = cuda::ptx;

__device__ void fill(int *s) {
  s[threadIdx.x] = threadIdx.x;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
}

__global__ void sum_ok(int *out) { // expect-clean
  __shared__ alignas(128) int s[128];
  fill(s);
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, s, 512);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>{});
  }
  __syncthreads();
  s[threadIdx.x] = 0;
}
__global__ void copied_bad(int *out) {
  __shared__ alignas(128) int s[128];
  fill(s);
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk(ptx::space_global, ptx::space_shared, out, s, 512); // expect-race
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}
__global__ void reused_bad(int *out) {
  __shared__ alignas(128) int s[128];
  fill(s);
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, s, 512); // expect-race[reused]
    ptx::cp_async_bulk_commit_group();
  }
  __syncthreads();
  s[threadIdx.x] = 0; // expect-race[reused]
}
__global__ void fence_bad(int *out) {
  __shared__ alignas(128) int s[128];
  s[threadIdx.x] = threadIdx.x; // expect-race[fence]
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, s, 512); // expect-race[fence]
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}
__global__ void widths_bad(int *out) {
  __shared__ alignas(128) int s[128];
  fill(s);
  if (threadIdx.x == 0 && blockIdx.x % 2 == 0)
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, out, s, 512); // expect-race[widths]
  if (threadIdx.x == 0 && blockIdx.x % 2 == 1)
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_add, (uint64_t *)out, (uint64_t *)s, 512); // expect-race[widths]
  if (threadIdx.x == 0) {
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
}
__global__ void stored_bad(int *out) {
  __shared__ alignas(128) int s[128];
  fill(s);
  if (threadIdx.x == 0 && blockIdx.x > 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, ptx::op_max, out, s, 512); // expect-race[stored]
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>{});
  }
  if (blockIdx.x == 0) out[threadIdx.x] = 0; // expect-race[stored]
}

// All arrive, each announces its own bytes. `late`: behind its arrival, when the phase may be over.
enum Mistake { OK, WAIT, LATE };
template <Mistake mistake> __device__ void counted(int *out) {
  __shared__ int sum;
  __shared__ uint64_t full;
  if (threadIdx.x == 0) {
    sum = 0;
    ptx::mbarrier_init(&full, 128);
  }
  __syncthreads();
  uint64_t state;
  if (mistake == LATE) {
    state = ptx::mbarrier_arrive(&full);
    ptx::mbarrier_expect_tx(ptx::sem_relaxed, ptx::scope_cta, ptx::space_shared, &full, 4);
  } else {
    state = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 4);
  }
  ptx::red_async(ptx::op_add, &sum, (int)threadIdx.x, &full); // expect-race[counted]
  if (mistake != WAIT)
    while (!ptx::mbarrier_try_wait(&full, state)) {
    }
  out[blockIdx.x * 128 + threadIdx.x] = sum; // expect-race[counted]
}
__global__ void counted_ok(int *out) { counted<OK>(out); } // expect-clean
__global__ void counted_bad(int *out) { counted<WAIT>(out); }
__global__ void late_bad(int *out) { counted<LATE>(out); }

template <bool waits> __device__ void handed(int *out) {
  __shared__ int cells[128];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 128);
  __syncthreads();
  uint64_t state = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 4);
  ptx::st_async(&cells[threadIdx.x], (int)threadIdx.x, &full); // expect-race[handed]
  if (waits)
    while (!ptx::mbarrier_try_wait(&full, state)) {
    }
  out[blockIdx.x * 128 + threadIdx.x] = cells[(threadIdx.x + 1) % 128]; // expect-race[handed]
}
__global__ void handed_ok(int *out) { handed<true>(out); } // expect-clean
__global__ void handed_bad(int *out) { handed<false>(out); }

template <int sharers> __device__ void both(int *out) {
  __shared__ float pairs[256];
  __shared__ uint64_t full;
  if (threadIdx.x == 0) ptx::mbarrier_init(&full, 128);
  __syncthreads();
  uint64_t state = ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 8);
  float two[2] = {threadIdx.x * 1.f, 1};
  ptx::st_async(&pairs[threadIdx.x / sharers * 2], two, &full); // expect-race[both]
  while (!ptx::mbarrier_try_wait(&full, state)) {
  }
  out[blockIdx.x * 128 + threadIdx.x] = pairs[threadIdx.x];
}
__global__ void both_ok(int *out) { both<1>(out); } // expect-clean
__global__ void both_bad(int *out) { both<2>(out); }

int main() {
  int *out;
  cudaMalloc(&out, 4096);
  sum_ok<<<8, 128>>>(out);
  copied_bad<<<8, 128>>>(out);
  reused_bad<<<8, 128>>>(out);
  fence_bad<<<8, 128>>>(out);
  widths_bad<<<8, 128>>>(out);
  stored_bad<<<8, 128>>>(out);
  counted_ok<<<8, 128>>>(out);
  counted_bad<<<8, 128>>>(out);
  late_bad<<<8, 128>>>(out);
  handed_ok<<<8, 128>>>(out);
  handed_bad<<<8, 128>>>(out);
  both_ok<<<8, 128>>>(out);
  both_bad<<<8, 128>>>(out);
  return cudaDeviceSynchronize();
}

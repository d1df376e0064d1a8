// cuda::atomic and what belongs to it: intrinsics with constant order and scope.
//@ call: __hgrd_atomic_rmw_32
//@ call: __hgrd_atomic_rmw_64
//@ call: __hgrd_atomic_cas_32
//@ call: __hgrd_atomic_load_32
//@ call: __hgrd_atomic_store_32
//@ call: __hgrd_atomic_fadd_f32
//@ call: __hgrd_fence
//@ call: __hgrd_async_commit
//@ call: __hgrd_mbarrier_arrive
// SPDX-License-Identifier: Apache-2.0
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/atomic>
#include <cuda_pipeline.h>

static_assert(cuda::memory_order_release == HGRD_ORDER_RELEASE, "orders are those of the IR");
static_assert(cuda::memory_order_seq_cst == HGRD_ORDER_SEQ_CST, "orders are those of the IR");
static_assert(cuda::thread_scope_block == HGRD_SCOPE_BLOCK, "scopes are those of the IR");
static_assert(cuda::thread_scope_device == HGRD_SCOPE_DEVICE, "scopes are those of the IR");
static_assert(sizeof(cuda::atomic<int>) == 4, "an atomic has the layout of its value");

__device__ cuda::atomic<int, cuda::thread_scope_device> flag;
__device__ cuda::std::atomic<unsigned long long> total{0};

__global__ void kernel(int *a, float *f) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int s[32];
  if (threadIdx.x == 0)
    init(&barrier, blockDim.x);
  __syncthreads();
  auto pipe = cuda::make_pipeline();
  pipe.producer_acquire();
  cuda::memcpy_async(&s[threadIdx.x], &a[threadIdx.x], sizeof(int), pipe);
  pipe.producer_commit();
  pipe.consumer_wait();
  pipe.consumer_release();
  __pipeline_memcpy_async(&s[0], &a[0], 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  barrier.arrive_and_wait();
  auto token = barrier.arrive();
  barrier.wait(std::move(token));
  total.fetch_add(1, cuda::std::memory_order_relaxed);
  cuda::atomic_ref<float, cuda::thread_scope_block> sum(f[0]);
  sum.fetch_add(1.0f, cuda::memory_order_relaxed);
  int expected = 0;
  while (!flag.compare_exchange_weak(expected, 1, cuda::memory_order_acquire, cuda::memory_order_relaxed))
    expected = 0;
  flag.store(0, cuda::memory_order_release);
  flag++;
  a[0] = flag.load(cuda::memory_order_acquire) + ((volatile decltype(flag) *)&flag)->load(cuda::memory_order_acquire);
  __nv_atomic_fetch_max((unsigned long long *)f, 3, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_store_n(a, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);
}
int main() {
  kernel<<<1, 32>>>(nullptr, nullptr);
  cuda::atomic<int> host(3);
  host.fetch_max(4);
  volatile cuda::std::atomic<int> seen(1);
  return host.load() + seen.load() + cuda::atomic_load(&seen);
}

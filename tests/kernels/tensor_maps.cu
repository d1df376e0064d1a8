// Copies by tensor maps and other instructions that go on beside their thread: what they touch is not known, and no kernel that has one is proved. In
// all spellings (PTX, cuda::ptx, cuda::device::experimental); kernels that only ask for what is to be cached are proved.
//@ known-undecided load_ok: the box of a tensor map is not followed
//@ verdict load_ok: race-free
//@ known-undecided load_wait_bad: the box of a tensor map is not followed
//@ verdict load_wait_bad: racy
//@ known-undecided spelled_bad: the box of a tensor map is not followed
//@ verdict spelled_bad: racy
//@ known-undecided old_ok: the box of a tensor map is not followed
//@ verdict old_ok: race-free
//@ known-undecided old_wait_bad: the box of a tensor map is not followed
//@ verdict old_wait_bad: racy
//@ known-undecided store_ok: the box of a tensor map is not followed
//@ verdict store_ok: race-free
//@ known-undecided store_wait_bad: the box of a tensor map is not followed
//@ verdict store_wait_bad: racy
//@ known-undecided product_ok: what a matrix product reads is not followed
//@ verdict product_ok: race-free
//@ known-undecided product_wait_bad: what a matrix product reads is not followed
//@ verdict product_wait_bad: racy
//@ verdict reduce_wait_bad: racy
//@ verdict remote_bad: racy
//@ verdict several_bad: racy
//@ verdict tensor_memory: undecided
//@ verdict prefetch_ok: race-free
#include <cuda.h>
#include <cuda/barrier>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
namespace cde = cuda::device::experimental;
using barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ unsigned in_shared(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ void announce(uint64_t *full, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, bytes);
}
__device__ void await(uint64_t *object, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(object, parity))
    ;
}

template <bool waits, bool by_name> __device__ void load(const CUtensorMap *map, float *out) {
  __shared__ alignas(128) float s[32][32];
  __shared__ uint64_t full;
  int t = threadIdx.x;
  if (t == 0)
    ptx::mbarrier_init(&full, 1);
  __syncthreads();
  if (t == 0) {
    announce(&full, sizeof s);
    int at[2] = {0, (int)blockIdx.x * 32};
    if (by_name)
      ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s, map, at, &full);
    else
      asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%3, %4}], [%2];" ::"r"(
                       in_shared(s)),
                   "l"(map), "r"(in_shared(&full)), "r"(at[0]), "r"(at[1])
                   : "memory");
  }
  if (waits)
    await(&full, 0);
  else
    __syncthreads();
  out[blockIdx.x * 1024 + t] = s[t / 32][t % 32];
}
__global__ void load_ok(const __grid_constant__ CUtensorMap map, float *out) { load<true, false>(&map, out); } // expect-clean
__global__ void load_wait_bad(const __grid_constant__ CUtensorMap map, float *out) { load<false, false>(&map, out); }
__global__ void spelled_bad(const __grid_constant__ CUtensorMap map, float *out) { load<false, true>(&map, out); }

template <bool waits> __device__ void old(const CUtensorMap *map, float *out) {
  __shared__ alignas(128) float s[32][32];
  __shared__ barrier full;
  int t = threadIdx.x;
  if (t == 0) {
    init(&full, blockDim.x);
    cde::fence_proxy_async_shared_cta();
  }
  __syncthreads();
  barrier::arrival_token token;
  if (t == 0) {
    cde::cp_async_bulk_tensor_3d_global_to_shared(s, map, 0, 0, blockIdx.x, full);
    token = cuda::device::barrier_arrive_tx(full, 1, sizeof s);
  } else
    token = full.arrive();
  if (waits)
    full.wait(std::move(token));
  out[blockIdx.x * 1024 + t] = s[t / 32][t % 32];
}
__global__ void old_ok(const __grid_constant__ CUtensorMap map, float *out) { old<true>(&map, out); } // expect-clean
__global__ void old_wait_bad(const __grid_constant__ CUtensorMap map, float *out) { old<false>(&map, out); }

template <bool waits> __device__ void store(const CUtensorMap *map) {
  __shared__ alignas(128) float s[32];
  int t = threadIdx.x;
  s[t] = t;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    int at[1] = {(int)blockIdx.x * 32};
    ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, map, at, s);
    ptx::cp_async_bulk_commit_group();
    if (waits)
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
  }
  __syncthreads();
  s[t] = 2 * t;
}
__global__ void store_ok(const __grid_constant__ CUtensorMap map) { store<true>(&map); } // expect-clean
__global__ void store_wait_bad(const __grid_constant__ CUtensorMap map) { store<false>(&map); }

template <bool waits> __device__ void product(float *out) {
  __shared__ alignas(128) short a[64 * 16], b[16 * 8];
  int t = threadIdx.x;
  float d[4] = {};
  for (int i = 0; i < 8; i++)
    a[i * 128 + t] = i;
  b[t] = t;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"((uint64_t)in_shared(a) >> 4), "l"((uint64_t)in_shared(b) >> 4));
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  if (waits)
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
  __syncthreads();
  b[t] = 2 * t;
  out[blockIdx.x * 128 + t] = d[0] + d[1] + d[2] + d[3];
}
__global__ void product_ok(float *out) { product<true>(out); } // expect-clean
__global__ void product_wait_bad(float *out) { product<false>(out); }

__global__ void reduce_wait_bad(float *out) {
  __shared__ alignas(128) float s[128];
  int t = threadIdx.x;
  s[t] = 1;
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (t == 0) {
    asm volatile( // expect-race[reduce]
      "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], 512;" ::"l"(out), "r"(in_shared(s))
                 : "memory");
    ptx::cp_async_bulk_commit_group();
  }
  __syncthreads();
  s[t] = 2; // expect-race[reduce]
}
__global__ void remote_bad() {
  __shared__ int s;
  __shared__ uint64_t full;
  asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(in_shared(&s)), "r"(threadIdx.x), // expect-race
               "r"(in_shared(&full))
               : "memory");
}
__global__ void several_bad(float *out) {
  asm volatile("multimem.st.weak.global.f32 [%0], %1;" ::"l"(out), "f"(threadIdx.x * 1.f) : "memory"); // expect-race
}
__global__ void tensor_memory(unsigned *out) {
  unsigned x;
  asm volatile("tcgen05.ld.sync.aligned.32x32b.x1.b32 {%0}, [%1];" : "=r"(x) : "r"(0));
  out[blockIdx.x * 128 + threadIdx.x] = x;
}
__global__ void prefetch_ok(const __grid_constant__ CUtensorMap map, int *out) { // expect-clean
  asm volatile("prefetch.tensormap [%0];" ::"l"(&map) : "memory");
  asm volatile("cp.async.bulk.prefetch.tensor.1d.L2.global [%0, {%1}];" ::"l"(&map), "r"(0) : "memory");
  out[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}

int main() {
  float *out;
  CUtensorMap map;
  uint64_t sizes[2] = {32, 128}, strides[1] = {128};
  uint32_t box[2] = {32, 32}, elements[2] = {1, 1};
  cudaMalloc(&out, 1 << 20);
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, out, sizes, strides, box, elements, CU_TENSOR_MAP_INTERLEAVE_NONE,
                         CU_TENSOR_MAP_SWIZZLE_NONE, CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  load_ok<<<4, 1024>>>(map, out);
  load_wait_bad<<<4, 1024>>>(map, out);
  spelled_bad<<<4, 1024>>>(map, out);
  old_ok<<<4, 1024>>>(map, out);
  old_wait_bad<<<4, 1024>>>(map, out);
  store_ok<<<4, 32>>>(map);
  store_wait_bad<<<4, 32>>>(map);
  product_ok<<<4, 128>>>(out);
  product_wait_bad<<<4, 128>>>(out);
  reduce_wait_bad<<<1, 128>>>(out);
  remote_bad<<<1, 128>>>();
  several_bad<<<1, 128>>>(out);
  tensor_memory<<<4, 128>>>((unsigned *)out);
  prefetch_ok<<<4, 128>>>(map, (int *)out);
}

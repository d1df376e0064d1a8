// Shared memory of other blocks of a cluster, where one goes wrong easily. own: the block's own memory by its rank, behind a barrier of the
// block (ok), without (bad). single: clusters of one block (ok, bad). half: two threads write one cell of the next block. content: a number that the block itself has
// set (ok), that another block has set since. word: read between barriers of the block, while another block sets it. flag, spin: threads tell each other
// through it: not followed. draw: places drawn from the own counter (ok), from that of another block: what it counts is not followed; put elsewhere (bad). ring: each
// block writes into the next one (ok), two into one (bad), which reads too early (read). square: clusters along two axes (ok), the rank without the length of a row (bad).
// dynamic: two arrays in one (ok), that overlap (bad). chosen: own memory or that of another block (ok, bad). unread: a size that is not known. left: a block that has gone home. halves: an access
// before (ok) and behind the arrival at the last barrier. registers: 32-bit addresses of PTX, an addition of cluster scope (ok), of block scope (narrow), a store (bad). started: no
// barrier before. object: a barrier object of another block. nobody: a rank that no block of the cluster has, or of the one block (alone).
//@ args: --arch=sm_90
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict single_ok: race-free
//@ verdict single_bad: racy
//@ verdict half_bad: racy
//@ verdict content_ok: race-free
//@ verdict content_bad: racy
//@ known-undecided content_bad: what other blocks write into shared memory is not followed
//@ verdict word_bad: racy
//@ verdict flag_ok: race-free
//@ known-undecided flag_ok: flags in shared memory of other blocks are not followed
//@ verdict flag_bad: racy
//@ verdict spin_bad: racy
//@ known-undecided spin_bad: flags in shared memory of other blocks are not followed
//@ verdict draw_ok: race-free
//@ verdict draw_far: race-free
//@ known-undecided draw_far: counters in shared memory of other blocks are not followed
//@ verdict draw_bad: racy
//@ known-undecided draw_bad: counters in shared memory of other blocks are not followed
//@ verdict ring_ok: race-free
//@ verdict ring_bad: racy
//@ verdict ring_read: racy
//@ verdict square_ok: race-free
//@ verdict square_bad: racy
//@ verdict dynamic_ok: race-free
//@ verdict dynamic_bad: racy
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
//@ verdict unread: undecided
//@ verdict left_bad: undecided
//@ verdict halves_ok: race-free
//@ verdict halves_bad: undecided
//@ verdict registers_ok: race-free
//@ verdict registers_narrow: racy
//@ verdict registers_bad: racy
//@ verdict started_bad: undecided
//@ verdict object_bad: undecided
//@ verdict nobody_bad: undecided
//@ verdict nobody_alone: undecided
#include <cooperative_groups.h>
#include <cuda/barrier>
namespace cg = cooperative_groups;
#define OF_FOUR __cluster_dims__(4, 1, 1)

template <bool waits, bool is_alone> __device__ void own(int *out) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  int t = threadIdx.x;
  cluster.sync();
  s[t] = t; // expect-race(intra-block)
  if (waits) __syncthreads();
  out[blockIdx.x * 64 + t] = cluster.map_shared_rank(s, is_alone ? 0 : cluster.block_rank())[63 - t]; // expect-race(intra-block)
  cluster.sync();
}
OF_FOUR __global__ void own_ok(int *out) { own<true, false>(out); } // expect-clean
OF_FOUR __global__ void own_bad(int *out) { own<false, false>(out); }
__global__ void single_ok(int *out) { own<true, true>(out); } // expect-clean
__global__ void single_bad(int *out) { own<false, true>(out); }

OF_FOUR __global__ void half_bad(int *out) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  cluster.sync();
  cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x / 2] = threadIdx.x; // expect-race(intra-warp)
  cluster.sync();
  out[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

template <bool by_other> __device__ void content(int *a) {
  __shared__ int offset;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) offset = 0;
  cluster.sync();
  if (by_other && threadIdx.x == 0 && cluster.block_rank() == 1) *cluster.map_shared_rank(&offset, 0) = 64;
  cluster.sync();
  a[blockIdx.x * 64 + threadIdx.x + offset] = blockIdx.x;
}
OF_FOUR __global__ void content_ok(int *a) { content<false>(a); } // expect-clean
OF_FOUR __global__ void content_bad(int *a) { content<true>(a); }

OF_FOUR __global__ void word_bad(int *a) {
  __shared__ int word;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) word = 0;
  cluster.sync();
  int before = word; // expect-race(inter-block)
  __syncthreads();
  if (threadIdx.x == 0 && cluster.block_rank() == 1) *cluster.map_shared_rank(&word, 0) = 1; // expect-race(inter-block)
  __syncthreads();
  a[blockIdx.x * 64 + threadIdx.x] = before + word; // expect-race(inter-block)
  cluster.sync();
}

// The block `first` sets the flag of block `whose`, block `second` waits for its own.
template <int first, int whose, int second> __device__ void flag(int *a) {
  __shared__ int set;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) set = 0;
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == first) {
    a[blockIdx.x / 4] = 7; // expect-race(inter-block)
    __threadfence();
    atomicExch(cluster.map_shared_rank(&set, whose), 1);
  }
  if (threadIdx.x == 0 && cluster.block_rank() == second) {
    if (whose == second)
      while (atomicAdd(&set, 0) == 0);
    __threadfence();
    a[1000 + blockIdx.x / 4] = a[blockIdx.x / 4]; // expect-race(inter-block)
  }
  cluster.sync();
}
OF_FOUR __global__ void flag_ok(int *a) { flag<1, 0, 0>(a); } // expect-clean
OF_FOUR __global__ void flag_bad(int *a) { flag<1, 0, 2>(a); }

OF_FOUR __global__ void spin_bad(int *a) {
  __shared__ int set;
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) set = 0;
  cluster.sync();
  if (threadIdx.x == 0 && cluster.block_rank() == 2) *(volatile int *)&set = 1;
  if (threadIdx.x == 0 && cluster.block_rank() == 0) {
    a[blockIdx.x / 4] = 7; // expect-race(inter-block)
    __threadfence();
    *(volatile int *)&set = 1;
  }
  if (threadIdx.x == 0 && cluster.block_rank() == 1) {
    while (*(volatile int *)cluster.map_shared_rank(&set, 2) == 0);
    __threadfence();
    a[1000 + blockIdx.x / 4] = a[blockIdx.x / 4]; // expect-race(inter-block)
  }
  cluster.sync();
}

// A place from the counter of block `counter`, in the queue of block `queue`; 4: of the thread's own choice.
template <bool is_own, bool is_mixed> __device__ void draw(int *a) {
  __shared__ int count, queue[512];
  auto cluster = cg::this_cluster();
  if (threadIdx.x == 0) count = 0;
  cluster.sync();
  unsigned to = is_own ? cluster.block_rank() : threadIdx.x % 4;
  int place = is_own ? atomicAdd(&count, 1) : atomicAdd(cluster.map_shared_rank(&count, to), 1);
  if (is_own)
    queue[place] = threadIdx.x;
  else
    cluster.map_shared_rank(queue, is_mixed ? 0 : to)[place] = threadIdx.x;
  cluster.sync();
  a[blockIdx.x * 64 + threadIdx.x] = queue[threadIdx.x];
}
OF_FOUR __global__ void draw_ok(int *a) { draw<true, false>(a); } // expect-clean
OF_FOUR __global__ void draw_far(int *a) { draw<false, false>(a); } // expect-clean
OF_FOUR __global__ void draw_bad(int *a) { draw<false, true>(a); }

template <int factor, int step, bool waits> __device__ void ring(int *a) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = 0;
  cluster.sync();
  cluster.map_shared_rank(s, (cluster.block_rank() * factor + step) % cluster.num_blocks())[threadIdx.x] = blockIdx.x; // expect-race(inter-block)
  if (waits) cluster.sync();
  a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x]; // expect-race(inter-block)
  cluster.sync();
}
OF_FOUR __global__ void ring_ok(int *a) { ring<1, 1, true>(a); } // expect-clean
OF_FOUR __global__ void ring_bad(int *a) { ring<2, 1, true>(a); }
OF_FOUR __global__ void ring_read(int *a) { ring<1, 1, false>(a); }

template <int row> __device__ void square(int *a) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  dim3 at = cluster.block_index();
  cluster.sync();
  cluster.map_shared_rank(s, (at.x ^ 1) + row * at.y)[threadIdx.x] = blockIdx.x + 100 * blockIdx.y; // expect-race(inter-block)
  cluster.sync();
  a[(blockIdx.x + blockIdx.y * gridDim.x) * 64 + threadIdx.x] = s[threadIdx.x];
}
__cluster_dims__(2, 2, 1) __global__ void square_ok(int *a) { square<2>(a); } // expect-clean
__cluster_dims__(2, 2, 1) __global__ void square_bad(int *a) { square<1>(a); }

template <int length> __device__ void dynamic(int *a) {
  extern __shared__ int both[];
  auto cluster = cg::this_cluster();
  int t = threadIdx.x, *second = both + length;
  both[t] = t;
  cluster.sync();
  int v = cluster.map_shared_rank(both, cluster.block_rank() ^ 1)[t]; // expect-race(inter-block)
  second[t] = v;                                                      // expect-race(inter-block)
  cluster.sync();
  a[blockIdx.x * 64 + t] = cluster.map_shared_rank(second, cluster.block_rank() ^ 2)[t];
  cluster.sync();
}
OF_FOUR __global__ void dynamic_ok(int *a) { dynamic<64>(a); } // expect-clean
OF_FOUR __global__ void dynamic_bad(int *a) { dynamic<32>(a); }

template <bool waits> __device__ void chosen(int which) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  int *from = which ? s : cluster.map_shared_rank(s, 2);
  int v = from[63 - threadIdx.x]; // expect-race(inter-block)
  if (waits)
    cluster.sync();
  else
    __syncthreads();
  s[threadIdx.x] = v; // expect-race(inter-block)
  cluster.sync();
}
OF_FOUR __global__ void chosen_ok(int which) { chosen<true>(which); } // expect-clean
OF_FOUR __global__ void chosen_bad(int which) { chosen<false>(which); }

__device__ void read_first(int *a) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  cg::this_cluster().sync();
  a[blockIdx.x * 64 + threadIdx.x] = cg::this_cluster().map_shared_rank(s, 1)[threadIdx.x];
}
__global__ void unread(int *a) { // expect-clean
  read_first(a);
  cg::this_cluster().sync();
}
OF_FOUR __global__ void left_bad(int *a, int n) { // expect-clean
  cg::this_cluster().sync();
  if (blockIdx.x == n) return;
  read_first(a);
  cg::this_cluster().sync();
}

template <bool is_before> __device__ void halves(int *a) {
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  s[threadIdx.x] = threadIdx.x;
  cluster.sync();
  const int *other = cluster.map_shared_rank(s, cluster.block_rank() ^ 1);
  if (is_before) a[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];
  asm volatile("barrier.cluster.arrive.aligned;" ::: "memory");
  if (!is_before) a[blockIdx.x * 64 + threadIdx.x] = other[threadIdx.x];
  asm volatile("barrier.cluster.wait.aligned;" ::: "memory");
}
OF_FOUR __global__ void halves_ok(int *a) { halves<true>(a); } // expect-clean
OF_FOUR __global__ void halves_bad(int *a) { halves<false>(a); } // expect-clean

enum { WIDE, NARROW, STORE };
template <int how> __device__ void registers(int *a) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  cg::this_cluster().sync();
  unsigned own = (unsigned)__cvta_generic_to_shared(&count), first;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(first) : "r"(own), "r"(0));
  if (how == WIDE) asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], 1;" ::"r"(first) : "memory");
  if (how == NARROW) asm volatile("red.relaxed.cta.shared::cluster.add.s32 [%0], 1;" ::"r"(first) : "memory"); // expect-race(inter-block)
  if (how == STORE && threadIdx.x == 0)
    asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(first), "r"(blockIdx.x) : "memory"); // expect-race(inter-block)
  cg::this_cluster().sync();
  if (threadIdx.x == 0) a[blockIdx.x] = count;
}
OF_FOUR __global__ void registers_ok(int *a) { registers<WIDE>(a); } // expect-clean
OF_FOUR __global__ void registers_narrow(int *a) { registers<NARROW>(a); }
OF_FOUR __global__ void registers_bad(int *a) { registers<STORE>(a); }

OF_FOUR __global__ void started_bad(int *a) { // expect-clean
  __shared__ int s[64];
  auto cluster = cg::this_cluster();
  cluster.map_shared_rank(s, cluster.block_rank() ^ 1)[threadIdx.x] = blockIdx.x;
  cluster.sync();
  a[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}

OF_FOUR __global__ void object_bad(int *a) { // expect-clean
  __shared__ unsigned long long object;
  unsigned own = (unsigned)__cvta_generic_to_shared(&object), first;
  if (threadIdx.x == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(own), "r"(64) : "memory");
  cg::this_cluster().sync();
  a[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(first) : "r"(own), "r"(0));
  asm volatile("mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%0];" ::"r"(first) : "memory");
  cg::this_cluster().sync();
}

__device__ void nobody(int *a, int rank) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  cg::this_cluster().sync();
  a[blockIdx.x * 64 + threadIdx.x] = cg::this_cluster().map_shared_rank(s, rank)[63 - threadIdx.x];
  cg::this_cluster().sync();
}
OF_FOUR __global__ void nobody_bad(int *a) { nobody(a, 4); } // expect-clean
__global__ void nobody_alone(int *a) { nobody(a, cg::this_cluster().block_rank() ^ 1); } // expect-clean

int main(int argc, char **) {
  int *a;
  cudaMalloc(&a, 1 << 20);
  own_ok<<<64, 64>>>(a);
  own_bad<<<64, 64>>>(a);
  single_ok<<<64, 64>>>(a);
  single_bad<<<64, 64>>>(a);
  half_bad<<<64, 64>>>(a);
  content_ok<<<64, 64>>>(a);
  content_bad<<<64, 64>>>(a);
  word_bad<<<64, 64>>>(a);
  flag_ok<<<64, 64>>>(a);
  flag_bad<<<64, 64>>>(a);
  spin_bad<<<64, 64>>>(a);
  draw_ok<<<64, 64>>>(a);
  draw_far<<<64, 64>>>(a);
  draw_bad<<<64, 64>>>(a);
  ring_ok<<<64, 64>>>(a);
  ring_bad<<<64, 64>>>(a);
  ring_read<<<64, 64>>>(a);
  square_ok<<<dim3(4, 4), 64>>>(a);
  square_bad<<<dim3(4, 4), 64>>>(a);
  dynamic_ok<<<64, 64, 512>>>(a);
  dynamic_bad<<<64, 64, 512>>>(a);
  chosen_ok<<<64, 64>>>(argc);
  chosen_bad<<<64, 64>>>(argc);
  left_bad<<<64, 64>>>(a, argc);
  halves_ok<<<64, 64>>>(a);
  halves_bad<<<64, 64>>>(a);
  registers_ok<<<64, 64>>>(a);
  registers_narrow<<<64, 64>>>(a);
  registers_bad<<<64, 64>>>(a);
  started_bad<<<64, 64>>>(a);
  object_bad<<<64, 64>>>(a);
  nobody_bad<<<64, 64>>>(a);
  nobody_alone<<<64, 64>>>(a);
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(16);
  config.blockDim = dim3(64);
  config.numAttrs = argc;
  cudaLaunchKernelEx(&config, unread, a);
  return 0;
}

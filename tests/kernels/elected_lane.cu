// One lane of each warp is elected (elect.sync): it may be any, but is one.
// write: it alone writes, and its warp reads behind a warp barrier (ok), without one (barrier), what another warp wrote (warp), all lanes write (all).
// again: the same lane is elected once more (ok), lane 0 reads instead (lane).
// copy: it alone issues a bulk copy that all wait for (ok), each warp's does (each), all lanes of a warp do (all).
// chosen: likewise, by a thread that a number in memory names (ok), which nobody waits for (wait).
// tell: it writes and arrives at an object that another warp waits for (ok), lane 0 writes (zero), behind a warp barrier (met_ok), it writes and lane 0 arrives
// (apart), those of two warps do and one is expected (two), the lane above it arrives (above), one lane of the other warp waits for the others (waits).
// role: thread 0 is the producer of a pipeline, and the elected lane, which need not be that one, does what the producer has to do (not followed).
//@ verdict role: undecided
//@ verdict tell_ok: race-free
//@ verdict tell_zero_bad: racy
//@ verdict tell_met_ok: race-free
//@ verdict tell_apart_bad: racy
//@ verdict tell_two_bad: racy
//@ verdict tell_above_bad: racy
//@ verdict tell_waits_bad: racy
//@ verdict write_ok: race-free
//@ verdict write_barrier_bad: racy
//@ verdict write_warp_bad: racy
//@ verdict write_all_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_lane_bad: racy
//@ verdict copy_ok: race-free
//@ verdict copy_each_bad: racy
//@ verdict copy_all_bad: racy
//@ known-undecided chosen_ok: how many threads arrive is found by going through them, and none is named
//@ verdict chosen_ok: race-free
//@ verdict chosen_wait_bad: racy
#include <cooperative_groups.h>
#include <cuda/pipeline>
#include <cuda/ptx>

namespace ptx = cuda::ptx;
enum Mistake { OK, BARRIER, WARP, ALL, LANE, EACH, WAIT, ZERO, MET, APART, TWO, ABOVE, WAITS };

__device__ bool elected() {
  unsigned lane = 0, is_it = 0;
  asm volatile("{\n .reg .b32 %%rx;\n .reg .pred %%px;\n elect.sync %%rx|%%px, %2;\n @%%px mov.s32 %1, 1;\n mov.s32 %0, %%rx;\n}"
               : "+r"(lane), "+r"(is_it)
               : "r"(0xffffffff));
  return is_it;
}

template <Mistake mistake> __device__ void write(int *out) {
  __shared__ int s[4];
  int warp = threadIdx.x / 32;
  if (mistake == ALL || ptx::elect_sync(~0u))
    s[warp] = threadIdx.x; // expect-race
  if (mistake != BARRIER)
    __syncwarp();
  out[threadIdx.x] = s[mistake == WARP ? 3 - warp : warp]; // expect-race
}

template <Mistake mistake> __device__ void again(int *out) {
  __shared__ int s[4];
  int warp = threadIdx.x / 32;
  if (elected())
    s[warp] = warp; // expect-race
  if (mistake == LANE ? threadIdx.x % 32 == 0 : elected())
    out[warp] = s[warp]; // expect-race
}

__device__ void fetch(int *to, const int *from, uint64_t *full) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, full, 512u);
  ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, to, from, 512u, full); // expect-race
}

template <Mistake mistake> __device__ void copy(const int *in, int *out, const int *who) {
  __shared__ alignas(16) int s[128];
  __shared__ alignas(8) uint64_t full;
  int t = threadIdx.x;
  if (t == 0)
    ptx::mbarrier_init(&full, 1);
  __syncthreads();
  bool is_it = who ? t == *who : mistake == ALL ? t < 32 : (mistake == EACH || t < 32) && elected();
  if (is_it)
    fetch(s, in, &full);
  while (mistake != WAIT && !ptx::mbarrier_try_wait_parity(&full, 0))
    ;
  out[t] = s[127 - t]; // expect-race
}

__device__ unsigned elected_lane() {
  unsigned lane = 0;
  asm volatile("{\n .reg .pred %%px;\n elect.sync %0|%%px, 0xffffffff;\n}" : "=r"(lane));
  return lane;
}

template <Mistake mistake> __device__ void tell(int *out) {
  __shared__ int s[2];
  __shared__ uint64_t told;
  int t = threadIdx.x, warp = t / 32, lane = t % 32;
  if (t == 0)
    ptx::mbarrier_init(&told, 1);
  __syncthreads();
  if (warp < (mistake == TWO ? 2 : 1)) {
    bool is_it = elected();
    if (mistake == ZERO || mistake == MET ? lane == 0 : is_it)
      s[warp] = warp; // expect-race
    if (mistake == MET)
      __syncwarp();
    if (mistake == APART ? lane == 0 : mistake == ABOVE ? lane == (elected_lane() + 1) % 32 : is_it)
      ptx::mbarrier_arrive(&told);
  } else if (warp == 2) {
    while ((mistake != WAITS || lane == 0) && !ptx::mbarrier_try_wait_parity(&told, 0))
      ;
    out[t] = s[mistake == TWO ? lane & 1 : 0]; // expect-race
  }
}
__global__ void role(int *out, int n) { // expect-clean
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2];
  int t = threadIdx.x, sum = 0;
  auto of = t == 0 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cooperative_groups::this_thread_block(), &state, of);
  if (t < 32) {
    if (elected())
      for (int k = 0; k < n; k++) {
        pipe.producer_acquire();
        s[k % 2] = k;
        pipe.producer_commit();
      }
  } else {
    for (int k = 0; k < n; k++) {
      pipe.consumer_wait();
      sum += s[k % 2];
      pipe.consumer_release();
    }
    out[t] = sum;
  }
}

__global__ void tell_ok(int *out) { tell<OK>(out); } // expect-clean
__global__ void tell_zero_bad(int *out) { tell<ZERO>(out); }
__global__ void tell_met_ok(int *out) { tell<MET>(out); } // expect-clean
__global__ void tell_apart_bad(int *out) { tell<APART>(out); }
__global__ void tell_two_bad(int *out) { tell<TWO>(out); }
__global__ void tell_above_bad(int *out) { tell<ABOVE>(out); }
__global__ void tell_waits_bad(int *out) { tell<WAITS>(out); }
__global__ void write_ok(int *out) { write<OK>(out); } // expect-clean
__global__ void write_barrier_bad(int *out) { write<BARRIER>(out); }
__global__ void write_warp_bad(int *out) { write<WARP>(out); }
__global__ void write_all_bad(int *out) { write<ALL>(out); }
__global__ void again_ok(int *out) { again<OK>(out); } // expect-clean
__global__ void again_lane_bad(int *out) { again<LANE>(out); }
__global__ void copy_ok(const int *in, int *out) { copy<OK>(in, out, nullptr); } // expect-clean
__global__ void copy_each_bad(const int *in, int *out) { copy<EACH>(in, out, nullptr); }
__global__ void copy_all_bad(const int *in, int *out) { copy<ALL>(in, out, nullptr); }
__global__ void chosen_ok(const int *in, int *out, const int *who) { copy<OK>(in, out, who); } // expect-clean
__global__ void chosen_wait_bad(const int *in, int *out, const int *who) { copy<WAIT>(in, out, who); }

int main(int count, char **words) {
  int *in, *out, *who;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMalloc(&who, sizeof(int));
  role<<<1, 64>>>(out, count);
  tell_ok<<<1, 128>>>(out);
  tell_zero_bad<<<1, 128>>>(out);
  tell_met_ok<<<1, 128>>>(out);
  tell_apart_bad<<<1, 128>>>(out);
  tell_two_bad<<<1, 128>>>(out);
  tell_above_bad<<<1, 128>>>(out);
  tell_waits_bad<<<1, 128>>>(out);
  write_ok<<<1, 128>>>(out);
  write_barrier_bad<<<1, 128>>>(out);
  write_warp_bad<<<1, 128>>>(out);
  write_all_bad<<<1, 128>>>(out);
  again_ok<<<1, 128>>>(out);
  again_lane_bad<<<1, 128>>>(out);
  copy_ok<<<1, 128>>>(in, out);
  copy_each_bad<<<1, 128>>>(in, out);
  copy_all_bad<<<1, 128>>>(in, out);
  chosen_ok<<<1, 128>>>(in, out, who);
  chosen_wait_bad<<<1, 128>>>(in, out, who);
}

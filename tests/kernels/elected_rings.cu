// Rings of tiles as warp-specialised kernels have them: all in one struct, one warp whose elected lane fills by bulk copies, and four that read. "full" is
// for one arrival and the bytes, "empty" for those who have read.
// ring: each reader gives back (ok), all in separate arrays (apart_ok), the readers wait for the phase before (parity), for nothing (wait); the one who
// fills does not wait (empty), fills the stage behind (place), announces the bytes of one copy for two (bytes); all lanes of its warp fill (lanes), half of the
// readers are expected (half), they give back before they read (told), the objects are set up by an elected lane, for whom nobody waits (setup).
// warps: the elected lane of each reading warp gives back, behind a warp barrier (ok), lane 0 does (zero_ok), without that barrier (barrier), one
// warp is expected (one).
// once: the first tiles are fetched before the loop, each next one behind a block barrier (ok), without it (barrier), thread 0
// reads of the first tile before it waits (read).
//@ verdict ring_ok: race-free
//@ verdict ring_apart_ok: race-free
//@ verdict ring_parity_bad: racy
//@ verdict ring_wait_bad: racy
//@ verdict ring_empty_bad: racy
//@ verdict ring_place_bad: racy
//@ verdict ring_bytes_bad: racy
//@ verdict ring_lanes_bad: racy
//@ verdict ring_half_bad: racy
//@ verdict ring_told_bad: racy
//@ verdict ring_setup_bad: racy
//@ verdict warps_ok: race-free
//@ verdict warps_zero_ok: race-free
//@ verdict warps_barrier_bad: racy
//@ verdict warps_one_bad: racy
//@ verdict once_ok: race-free
//@ verdict once_barrier_bad: racy
//@ verdict once_read_bad: racy
#include <cstdint>

enum Mistake { OK, APART, PARITY, WAIT, EMPTY, PLACE, BYTES, LANES, HALF, TOLD, SETUP, ZERO, BARRIER, ONE, READ };
constexpr int S = 3;

__device__ uint32_t shared_address(const void *p) { return (uint32_t)__cvta_generic_to_shared(p); }
__device__ bool elected() {
  uint32_t lane = 0, is_it = 0;
  asm volatile("{\n.reg .b32 %%rx;\n.reg .pred %%px;\nelect.sync %%rx|%%px, %2;\n@%%px mov.s32 %1, 1;\nmov.s32 %0, %%rx;\n}"
               : "+r"(lane), "+r"(is_it)
               : "r"(0xffffffff));
  return is_it;
}
__device__ void set_up(uint64_t *object, unsigned count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(object)), "r"(count) : "memory"); // expect-race
}
__device__ void announce(uint64_t *object, unsigned bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(object)), "r"(bytes) : "memory");
}
__device__ void arrive(uint64_t *object) {
  asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(object)) : "memory");
}
__device__ void await(uint64_t *object, uint32_t parity) {
  asm volatile("{\n.reg .pred P1;\nAGAIN:\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\n@P1 bra DONE;\nbra AGAIN;\nDONE:\n}" ::"r"( // expect-race
                   shared_address(object)),
               "r"(parity)
               : "memory");
}
__device__ void fetch(float *to, const float *from, uint64_t *full) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared_address(to)), // expect-race
               "l"(from), "r"(512), "r"(shared_address(full))
               : "memory");
}

struct Storage {
  alignas(128) float a[S][128], b[S][128];
  uint64_t full[S], empty[S];
};

template <Mistake mistake> __device__ void ring(const float *in, float *out, int n) {
  __shared__ Storage in_one;
  __shared__ alignas(128) float a[S][128], b[S][128];
  __shared__ uint64_t full_apart[S], empty_apart[S];
  constexpr bool apart = mistake == APART;
  float(*left)[128] = apart ? a : in_one.a, (*right)[128] = apart ? b : in_one.b;
  uint64_t *full = apart ? full_apart : in_one.full, *empty = apart ? empty_apart : in_one.empty;
  int warp = threadIdx.x / 32, stage = 0;
  uint32_t phase = 0;
  if (warp == 0 && elected()) {
    for (int i = 0; i < S; i++) {
      set_up(&full[i], 1);
      set_up(&empty[i], mistake == HALF ? 64 : 128);
    }
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  }
  if (mistake != SETUP)
    __syncthreads();
  if (warp == 0) {
    if (mistake == LANES || elected())
      for (int k = 0; k < n; k++) {
        if (mistake != EMPTY)
          await(&empty[stage], phase ^ 1);
        announce(&full[stage], mistake == BYTES ? 512 : 1024);
        fetch(left[mistake == PLACE ? (stage + 1) % S : stage], in + k * 128, &full[stage]);
        fetch(right[stage], in + (n + k) * 128, &full[stage]);
        if (++stage == S) {
          stage = 0;
          phase ^= 1;
        }
      }
  } else {
    float sum = 0;
    int t = threadIdx.x - 32;
    for (int k = 0; k < n; k++) {
      if (mistake != WAIT)
        await(&full[stage], mistake == PARITY ? phase ^ 1 : phase);
      if (mistake == TOLD)
        arrive(&empty[stage]);
      sum += left[stage][127 - t] * right[stage][t ^ 3]; // expect-race
      if (mistake != TOLD)
        arrive(&empty[stage]);
      if (++stage == S) {
        stage = 0;
        phase ^= 1;
      }
    }
    out[blockIdx.x * 128 + t] = sum;
  }
}

template <Mistake mistake> __device__ void warps(const float *in, float *out, int n) {
  __shared__ Storage s;
  int t = threadIdx.x, warp = t / 32;
  if (t == 0)
    for (int i = 0; i < S; i++) {
      set_up(&s.full[i], 1);
      set_up(&s.empty[i], mistake == ONE ? 1 : 4);
    }
  __syncthreads();
  if (warp == 4) {
    if (elected())
      for (int k = 0; k < n; k++) {
        await(&s.empty[k % S], (k / S + 1) & 1);
        announce(&s.full[k % S], 512);
        fetch(s.a[k % S], in + k * 128, &s.full[k % S]);
      }
  } else {
    float sum = 0;
    for (int k = 0; k < n; k++) {
      await(&s.full[k % S], (k / S) & 1);
      sum += s.a[k % S][127 - t]; // expect-race
      if (mistake != BARRIER)
        __syncwarp();
      if (mistake == ZERO ? t % 32 == 0 : elected())
        arrive(&s.empty[k % S]);
    }
    out[blockIdx.x * 128 + t] = sum;
  }
}

template <Mistake mistake> __device__ void once(const float *in, float *out, int n) {
  __shared__ Storage s;
  int t = threadIdx.x, warp = t / 32;
  if (t == 0)
    for (int i = 0; i < S; i++)
      set_up(&s.full[i], 1);
  __syncthreads();
  float sum = 0;
  bool fetches = warp == 0 && elected();
  if (fetches)
    for (int i = 0; i < S - 1 && i < n; i++) {
      announce(&s.full[i], 512);
      fetch(s.a[i], in + i * 128, &s.full[i]);
    }
  if (mistake == READ && t == 0)
    sum = s.a[0][0]; // expect-race
  for (int k = 0; k < n; k++) {
    await(&s.full[k % S], (k / S) & 1);
    sum += s.a[k % S][127 - t]; // expect-race
    if (mistake != BARRIER)
      __syncthreads();
    int next = k + S - 1;
    if (fetches && next < n) {
      announce(&s.full[next % S], 512);
      fetch(s.a[next % S], in + next * 128, &s.full[next % S]);
    }
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void ring_ok(const float *in, float *out, int n) { ring<OK>(in, out, n); } // expect-clean
__global__ void ring_apart_ok(const float *in, float *out, int n) { ring<APART>(in, out, n); } // expect-clean
__global__ void ring_parity_bad(const float *in, float *out, int n) { ring<PARITY>(in, out, n); }
__global__ void ring_wait_bad(const float *in, float *out, int n) { ring<WAIT>(in, out, n); }
__global__ void ring_empty_bad(const float *in, float *out, int n) { ring<EMPTY>(in, out, n); }
__global__ void ring_place_bad(const float *in, float *out, int n) { ring<PLACE>(in, out, n); }
__global__ void ring_bytes_bad(const float *in, float *out, int n) { ring<BYTES>(in, out, n); }
__global__ void ring_lanes_bad(const float *in, float *out, int n) { ring<LANES>(in, out, n); }
__global__ void ring_half_bad(const float *in, float *out, int n) { ring<HALF>(in, out, n); }
__global__ void ring_told_bad(const float *in, float *out, int n) { ring<TOLD>(in, out, n); }
__global__ void ring_setup_bad(const float *in, float *out, int n) { ring<SETUP>(in, out, n); }
__global__ void warps_ok(const float *in, float *out, int n) { warps<OK>(in, out, n); } // expect-clean
__global__ void warps_zero_ok(const float *in, float *out, int n) { warps<ZERO>(in, out, n); } // expect-clean
__global__ void warps_barrier_bad(const float *in, float *out, int n) { warps<BARRIER>(in, out, n); }
__global__ void warps_one_bad(const float *in, float *out, int n) { warps<ONE>(in, out, n); }
__global__ void once_ok(const float *in, float *out, int n) { once<OK>(in, out, n); } // expect-clean
__global__ void once_barrier_bad(const float *in, float *out, int n) { once<BARRIER>(in, out, n); }
__global__ void once_read_bad(const float *in, float *out, int n) { once<READ>(in, out, n); }

int main(int count, char **words) {
  float *in, *out;
  cudaMalloc((void **)&in, 1 << 24);
  cudaMalloc((void **)&out, 1 << 20);
  ring_ok<<<8, 160>>>(in, out, count);
  ring_apart_ok<<<8, 160>>>(in, out, count);
  ring_parity_bad<<<8, 160>>>(in, out, count);
  ring_wait_bad<<<8, 160>>>(in, out, count);
  ring_empty_bad<<<8, 160>>>(in, out, count);
  ring_place_bad<<<8, 160>>>(in, out, count);
  ring_bytes_bad<<<8, 160>>>(in, out, count);
  ring_lanes_bad<<<8, 160>>>(in, out, count);
  ring_half_bad<<<8, 160>>>(in, out, count);
  ring_told_bad<<<8, 160>>>(in, out, count);
  ring_setup_bad<<<8, 160>>>(in, out, count);
  warps_ok<<<8, 160>>>(in, out, count);
  warps_zero_ok<<<8, 160>>>(in, out, count);
  warps_barrier_bad<<<8, 160>>>(in, out, count);
  warps_one_bad<<<8, 160>>>(in, out, count);
  once_ok<<<8, 128>>>(in, out, count);
  once_barrier_bad<<<8, 128>>>(in, out, count);
  once_read_bad<<<8, 128>>>(in, out, count);
  return 0;
}

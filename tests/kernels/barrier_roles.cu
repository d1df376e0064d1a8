// Barrier objects at which a part of the block arrives: one warp fills buffers, the others read them, and objects "full" and
// "empty", used in turn, say so. An arrival is for the phase of its number, a wait for the phase of its parity.
// ring: waits for the empty buffer, fills it, says that it is full; waits for the full one, reads, says that it is empty (ok).
// late: filled before waiting. told: said to be full before it is filled. freed: said to be empty before it is read. parity: waits for
// the phase before. stays: the parity never changes, so that the second turn does not wait. count: the object lets through
// one arrival too early. buffers: fewer buffers than objects. half: only every second thread says that it has read.
// leader: one lane speaks for its warp, behind a warp barrier (ok), without (bad), before it (late_bad). before: all
// buffers are said to be empty at the start, which makes phase 0 (ok), and is waited for as if it did not (bad). tokens: readers arrive at
// "full" themselves and wait by the token (ok), after they have freed the buffer (bad). skipped: the first turn does not wait (ok), nor the
// first buffer of the second (bad). lag: freed a round later (ok), and read once more behind that (bad). guide: both objects are for all threads, as in the
// programming guide (ok), freed too early (bad). carried: place and phase are variables that go round (ok), the phase is not
// flipped (bad). bulk: one thread copies in bulk (ok), and frees before reading (bad). alone: all threads wait for the copy of one
// thread, and a block barrier ends the round (ok), no barrier (bad). some: once, without a loop (ok), the wrong parity (bad).
//@ verdict ring_ok: race-free
//@ verdict late_bad: racy
//@ verdict told_bad: racy
//@ verdict freed_bad: racy
//@ verdict parity_bad: racy
//@ verdict stays_bad: racy
//@ verdict count_bad: racy
//@ verdict buffers_bad: racy
//@ verdict half_bad: racy
//@ verdict leader_ok: race-free
//@ verdict leader_bad: racy
//@ verdict leader_late_bad: racy
//@ verdict before_ok: race-free
//@ verdict before_bad: racy
//@ verdict tokens_ok: race-free
//@ verdict tokens_bad: racy
//@ verdict skipped_ok: race-free
//@ verdict skipped_bad: racy
//@ verdict lag_ok: race-free
//@ verdict lag_bad: racy
//@ verdict guide_ok: race-free
//@ verdict guide_bad: racy
//@ verdict carried_ok: race-free
//@ verdict carried_bad: racy
//@ verdict bulk_ok: race-free
//@ verdict bulk_bad: racy
//@ verdict alone_ok: race-free
//@ verdict alone_bad: racy
//@ verdict some_ok: race-free
//@ verdict some_bad: racy
#include <cuda/barrier>
#include <utility>

using block_barrier = cuda::barrier<cuda::thread_scope_block>;

__global__ void ring_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t];
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32];
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void late_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void told_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      (void)full[i % 3].arrive();
      s[i % 3][t] = in[i * 32 + t]; // expect-race
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void freed_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      (void)empty[i % 3].arrive();
      sum += s[i % 3][t % 32]; // expect-race
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void parity_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3 + 1) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void stays_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity(0);
      sum += s[i % 3][t % 32]; // expect-race
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void count_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 63); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void buffers_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 2][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 2][t % 32]; // expect-race
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void half_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 32); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      if (t % 2) (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void leader_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 2); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t];
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32];
      __syncwarp();
      if (t % 32 == 0) (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void leader_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 2); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      if (t % 32 == 0) (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void leader_late_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 2); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      if (t % 32 == 0) (void)empty[i % 3].arrive();
      __syncwarp();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void before_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3) & 1);
      s[i % 3][t] = in[i * 32 + t];
      (void)full[i % 3].arrive();
    }
  } else {
    for (int j = 0; j < 3; j++)
      (void)empty[j].arrive();
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32];
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void before_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int j = 0; j < 3; j++)
      (void)empty[j].arrive();
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void tokens_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 96); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t];
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].arrive_and_wait();
      sum += s[i % 3][t % 32];
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void tokens_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 96); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      (void)empty[i % 3].arrive();
      full[i % 3].arrive_and_wait();
      sum += s[i % 3][t % 32]; // expect-race
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void skipped_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      if (i >= 3) empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t];
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32];
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void skipped_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      if (i >= 4) empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32]; // expect-race
      (void)empty[i % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void lag_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t];
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      sum += s[i % 3][t % 32];
      if (i > 0) (void)empty[(i - 1) % 3].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void lag_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0;
  if (t < 3) { init(&full[t], 32); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[i % 3].wait_parity((i / 3 + 1) & 1);
      s[i % 3][t] = in[i * 32 + t]; // expect-race
      (void)full[i % 3].arrive();
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 3].wait_parity((i / 3) & 1);
      if (i > 0) (void)empty[(i - 1) % 3].arrive();
      sum += s[(i + 2) % 3][t % 32]; // expect-race
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void guide_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier ready[2], filled[2];
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  if (t < 2) { init(&ready[t], blockDim.x); init(&filled[t], blockDim.x); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      ready[i % 2].arrive_and_wait();
      s[i % 2][t] = in[i * 32 + t];
      (void)filled[i % 2].arrive();
    }
  } else {
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    for (int i = 0; i < n; i++) {
      filled[i % 2].arrive_and_wait();
      sum += s[i % 2][t % 32];
      (void)ready[i % 2].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void guide_bad(const int *in, int *out, int n) {
  __shared__ block_barrier ready[2], filled[2];
  __shared__ int s[2][32];
  int t = threadIdx.x, sum = 0;
  if (t < 2) { init(&ready[t], blockDim.x); init(&filled[t], blockDim.x); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      ready[i % 2].arrive_and_wait();
      s[i % 2][t] = in[i * 32 + t]; // expect-race
      (void)filled[i % 2].arrive();
    }
  } else {
    (void)ready[0].arrive();
    (void)ready[1].arrive();
    for (int i = 0; i < n; i++) {
      filled[i % 2].arrive_and_wait();
      (void)ready[i % 2].arrive();
      sum += s[i % 2][t % 32]; // expect-race
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void carried_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0, stage = 0, phase = 0;
  if (t < 3) { init(&full[t], 1); init(&empty[t], 2); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[stage].wait_parity(phase ^ 1);
      s[stage][t] = in[i * 32 + t];
      __syncwarp();
      if (t == 0) (void)full[stage].arrive();
      if (++stage == 3) { stage = 0; phase ^= 1; }
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[stage].wait_parity(phase);
      sum += s[stage][t % 32];
      __syncwarp();
      if (t % 32 == 0) (void)empty[stage].arrive();
      if (++stage == 3) { stage = 0; phase ^= 1; }
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void carried_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[3], empty[3];
  __shared__ int s[3][32];
  int t = threadIdx.x, sum = 0, stage = 0, phase = 0;
  if (t < 3) { init(&full[t], 1); init(&empty[t], 2); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n; i++) {
      empty[stage].wait_parity(phase ^ 1);
      s[stage][t] = in[i * 32 + t]; // expect-race
      __syncwarp();
      if (t == 0) (void)full[stage].arrive();
      if (++stage == 3) { stage = 0; phase ^= 1; }
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[stage].wait_parity(phase);
      sum += s[stage][t % 32]; // expect-race
      __syncwarp();
      if (t % 32 == 0) (void)empty[stage].arrive();
      if (++stage == 3) { stage = 0; }
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void bulk_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full[2], empty[2];
  __shared__ alignas(128) int s[2][64];
  int t = threadIdx.x, sum = 0;
  if (t < 2) { init(&full[t], 1); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n && t == 0; i++) {
      empty[i % 2].wait_parity((i / 2 + 1) & 1);
      (void)cuda::device::barrier_arrive_tx(full[i % 2], 1, 256);
      cuda::device::memcpy_async_tx(s[i % 2], in + i * 64, cuda::aligned_size_t<16>(256), full[i % 2]);
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 2].wait_parity((i / 2) & 1);
      sum += s[i % 2][t - 32];
      (void)empty[i % 2].arrive();
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void bulk_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full[2], empty[2];
  __shared__ alignas(128) int s[2][64];
  int t = threadIdx.x, sum = 0;
  if (t < 2) { init(&full[t], 1); init(&empty[t], 64); }
  __syncthreads();
  if (t < 32) {
    for (int i = 0; i < n && t == 0; i++) {
      empty[i % 2].wait_parity((i / 2 + 1) & 1);
      (void)cuda::device::barrier_arrive_tx(full[i % 2], 1, 256);
      cuda::device::memcpy_async_tx(s[i % 2], in + i * 64, cuda::aligned_size_t<16>(256), full[i % 2]); // expect-race
    }
  } else {
    for (int i = 0; i < n; i++) {
      full[i % 2].wait_parity((i / 2) & 1);
      (void)empty[i % 2].arrive();
      sum += s[i % 2][t - 32]; // expect-race
    }
    out[blockIdx.x * 64 + t - 32] = sum;
  }
}

__global__ void alone_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full;
  __shared__ alignas(128) int s[96];
  int t = threadIdx.x, sum = 0;
  if (t == 0) init(&full, 1);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    if (t == 0) {
      (void)cuda::device::barrier_arrive_tx(full, 1, 384);
      cuda::device::memcpy_async_tx(s, in + i * 96, cuda::aligned_size_t<16>(384), full);
    }
    full.wait_parity(i & 1);
    sum += s[95 - t];
    __syncthreads();
  }
  out[blockIdx.x * 96 + t] = sum;
}

__global__ void alone_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full;
  __shared__ alignas(128) int s[96];
  int t = threadIdx.x, sum = 0;
  if (t == 0) init(&full, 1);
  __syncthreads();
  for (int i = 0; i < n; i++) {
    if (t == 0) {
      (void)cuda::device::barrier_arrive_tx(full, 1, 384);
      cuda::device::memcpy_async_tx(s, in + i * 96, cuda::aligned_size_t<16>(384), full); // expect-race
    }
    full.wait_parity(i & 1);
    sum += s[95 - t]; // expect-race
    __syncwarp();
  }
  out[blockIdx.x * 96 + t] = sum;
}

__global__ void some_ok(const int *in, int *out, int n) { // expect-clean
  __shared__ block_barrier full;
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t == 0) init(&full, 32);
  __syncthreads();
  if (t < 32) {
    s[t] = in[t];
    (void)full.arrive();
  } else {
    full.wait_parity(0);
    out[blockIdx.x * 64 + t - 32] = s[t % 32];
  }
}

__global__ void some_bad(const int *in, int *out, int n) {
  __shared__ block_barrier full;
  __shared__ int s[32];
  int t = threadIdx.x;
  if (t == 0) init(&full, 32);
  __syncthreads();
  if (t < 32) {
    s[t] = in[t]; // expect-race
    (void)full.arrive();
  } else {
    full.wait_parity(1);
    out[blockIdx.x * 64 + t - 32] = s[t % 32]; // expect-race
  }
}

int main(int argc, char **) {
  int *in, *out;
  cudaMalloc((void **)&in, 1 << 16);
  cudaMalloc((void **)&out, 1 << 16);
  ring_ok<<<8, 96>>>(in, out, argc);
  late_bad<<<8, 96>>>(in, out, 8);
  told_bad<<<8, 96>>>(in, out, 8);
  freed_bad<<<8, 96>>>(in, out, argc);
  parity_bad<<<8, 96>>>(in, out, 8);
  stays_bad<<<8, 96>>>(in, out, 8);
  count_bad<<<8, 96>>>(in, out, 8);
  buffers_bad<<<8, 96>>>(in, out, 8);
  half_bad<<<8, 96>>>(in, out, 8);
  leader_ok<<<8, 96>>>(in, out, argc);
  leader_bad<<<8, 96>>>(in, out, 8);
  leader_late_bad<<<8, 96>>>(in, out, 8);
  before_ok<<<8, 96>>>(in, out, 8);
  before_bad<<<8, 96>>>(in, out, 8);
  tokens_ok<<<8, 96>>>(in, out, 8);
  tokens_bad<<<8, 96>>>(in, out, 8);
  skipped_ok<<<8, 96>>>(in, out, 8);
  skipped_bad<<<8, 96>>>(in, out, 8);
  lag_ok<<<8, 96>>>(in, out, 8);
  lag_bad<<<8, 96>>>(in, out, 8);
  guide_ok<<<8, 96>>>(in, out, 8);
  guide_bad<<<8, 96>>>(in, out, 8);
  carried_ok<<<8, 96>>>(in, out, argc);
  carried_bad<<<8, 96>>>(in, out, argc);
  bulk_ok<<<8, 96>>>(in, out, argc);
  bulk_bad<<<8, 96>>>(in, out, 8);
  alone_ok<<<8, 96>>>(in, out, 8);
  alone_bad<<<8, 96>>>(in, out, 8);
  some_ok<<<8, 96>>>(in, out, 8);
  some_bad<<<8, 96>>>(in, out, 8);
  return 0;
}

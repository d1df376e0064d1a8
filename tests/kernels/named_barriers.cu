// Barriers with a number hold together as many threads as they are told, whoever comes first.
// handover: warps 0 and 1 fill, warps 2 and 3 drain, 128 threads take part (ok). Without it nothing orders them (bad).
// arrive: the ones who fill only arrive, the others wait (ok); they arrive before they fill (bad).
// number: the two halves use two numbers, each of them waits for itself only (bad).
// count: 96 of the 128 are enough to let the others pass, so nobody knows who has come (not race-free).
// half: the first half of the block exchanges values in a loop, two barriers of 64 threads a round (ok); with one of them left
// out the next round overwrites what is being read (bad).
// tile: tiles of 64 threads synchronise (ok); the value comes from the other tile (bad).
// all: a barrier with a number that the whole block takes part in (ok); between blocks it orders nothing (bad).
// ring: in each round of a loop those who fill wait until the others have drained, by two numbers (ok); the drain is told of before
// it is done (bad); nobody waits for it (bad). ahead: the first round is let through before the loop (ok), and a second one (bad).
// fewer: half of the block waits for all of it, which never comes (open); the number counts just those who wait (ok).
// computed: each half of the block has a number of its own, computed from the thread's (ok), the value comes from the other half (bad).
//@ verdict computed_ok: race-free
//@ verdict beside_computed_ok: race-free
//@ verdict beside_computed_bad: racy
//@ verdict computed_bad: racy
//@ verdict fewer_open: undecided
//@ verdict fewer_ok: race-free
//@ verdict handover_ok: race-free
//@ rule handover_ok: named-barrier !barrier
//@ verdict handover_bad: racy
//@ verdict arrive_ok: race-free
//@ verdict arrive_bad: racy
//@ verdict number_bad: racy
//@ verdict count_bad: racy
//@ verdict half_ok: race-free
//@ rule half_ok: barrier !named-barrier
//@ verdict half_bad: racy
//@ verdict tile_ok: race-free
//@ verdict tile_bad: racy
//@ verdict all_ok: race-free
//@ verdict all_bad: racy
//@ verdict ring_ok: race-free
//@ verdict ring_early_bad: racy
//@ verdict ring_bad: racy
//@ verdict ahead_ok: race-free
//@ verdict ahead_bad: racy
#include <cooperative_groups.h>

__global__ void handover_ok(const float *in, float *out) { // expect-clean
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 64) {
    s[t] = in[blockIdx.x * 64 + t];
    asm volatile("bar.sync 1, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 128;" ::: "memory");
    out[blockIdx.x * 64 + t - 64] = s[127 - t];
  }
}

__global__ void handover_bad(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 64)
    s[t] = in[blockIdx.x * 64 + t]; // expect-race {{-Wintra-block-race}}
  else
    out[blockIdx.x * 64 + t - 64] = s[127 - t]; // expect-race {{-Wintra-block-race}}
}

__global__ void arrive_ok(const float *in, float *out) { // expect-clean
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 64) {
    s[t] = in[blockIdx.x * 64 + t];
    asm volatile("bar.arrive 2, 128;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 128;" ::: "memory");
    out[blockIdx.x * 64 + t - 64] = s[127 - t];
  }
}

__global__ void arrive_bad(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 64) {
    asm volatile("bar.arrive 2, 128;" ::: "memory");
    s[t] = in[blockIdx.x * 64 + t]; // expect-race {{-Wintra-block-race}}
  } else {
    asm volatile("bar.sync 2, 128;" ::: "memory");
    out[blockIdx.x * 64 + t - 64] = s[127 - t]; // expect-race
  }
}

__global__ void number_bad(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 64) {
    s[t] = in[blockIdx.x * 64 + t]; // expect-race {{-Wintra-block-race}}
    asm volatile("bar.sync 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 2, 64;" ::: "memory");
    out[blockIdx.x * 64 + t - 64] = s[127 - t]; // expect-race
  }
}

__global__ void count_bad(const float *in, float *out) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t < 64) {
    s[t] = in[blockIdx.x * 64 + t]; // expect-race {{-Wintra-block-race}}
    asm volatile("bar.sync 1, 96;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 96;" ::: "memory");
    out[blockIdx.x * 64 + t - 64] = s[127 - t]; // expect-race
  }
}

__global__ void half_ok(float *out, int n) { // expect-clean
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t >= 64)
    return;
  float x = t;
  for (int i = 0; i < n; i++) {
    s[t] = x;
    asm volatile("bar.sync 3, 64;" ::: "memory");
    x += s[63 - t];
    asm volatile("bar.sync 3, 64;" ::: "memory");
  }
  out[blockIdx.x * 64 + t] = x;
}

__global__ void half_bad(float *out, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  if (t >= 64)
    return;
  float x = t;
  for (int i = 0; i < n; i++) {
    s[t] = x; // expect-race {{-Wintra-block-race}}
    asm volatile("bar.sync 3, 64;" ::: "memory");
    x += s[63 - t]; // expect-race
  }
  out[blockIdx.x * 64 + t] = x;
}

__global__ void tile_ok(float *out) { // expect-clean
  __shared__ float s[128];
  auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
  int t = threadIdx.x;
  s[t] = t;
  tile.sync();
  out[blockIdx.x * 128 + t] = s[t ^ 63];
}

__global__ void tile_bad(float *out) {
  __shared__ float s[128];
  auto tile = cooperative_groups::tiled_partition<64>(cooperative_groups::this_thread_block());
  int t = threadIdx.x;
  s[t] = t; // expect-race {{cause=wrong-group}}
  tile.sync();
  out[blockIdx.x * 128 + t] = s[t ^ 64]; // expect-race
}

__global__ void all_ok(float *out) { // expect-clean
  __shared__ float s[128];
  int t = threadIdx.x;
  s[t] = t;
  asm volatile("bar.sync 4, 128;" ::: "memory");
  out[blockIdx.x * 128 + t] = s[127 - t];
}

__global__ void all_bad(float *a, float *out) {
  int t = threadIdx.x;
  a[blockIdx.x * 128 + t] = t; // expect-race {{-Winter-block-race}}
  asm volatile("bar.sync 4, 128;" ::: "memory");
  out[blockIdx.x * 128 + t] = a[(gridDim.x - 1 - blockIdx.x) * 128 + 127 - t]; // expect-race
}

#define COME(number) asm volatile("bar.arrive " #number ", 128;" ::: "memory")
#define WAIT(number) asm volatile("bar.sync " #number ", 128;" ::: "memory")

__global__ void ring_ok(int *out, int n) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < n; i++) {
    if (t < 64) {
      WAIT(2);
      s[t] = i;
      COME(1);
    } else {
      COME(2);
      WAIT(1);
      sum += s[127 - t];
    }
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void ring_early_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  if (t >= 64)
    COME(2);
  for (int i = 0; i < 10; i++) {
    if (t < 64) {
      WAIT(2);
      s[t] = i; // expect-race {{definite}}
      COME(1);
    } else {
      WAIT(1);
      COME(2);
      sum += s[127 - t]; // expect-race
    }
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void ring_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < 10; i++) {
    if (t < 64) {
      s[t] = i; // expect-race {{definite}}
      COME(1);
    } else {
      WAIT(1);
      sum += s[127 - t]; // expect-race
    }
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void ahead_ok(int *out, int n) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  if (t < 64) {
    for (int i = 0; i < n; i++) {
      WAIT(2);
      s[t] = i;
      COME(1);
    }
  } else {
    COME(2);
    for (int i = 0; i < n; i++) {
      WAIT(1);
      sum += s[127 - t];
      COME(2);
    }
  }
  out[blockIdx.x * 128 + t] = sum;
}

__global__ void ahead_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x, sum = 0;
  if (t < 64) {
    for (int i = 0; i < 10; i++) {
      WAIT(2);
      s[t] = i; // expect-race {{definite}}
      COME(1);
    }
  } else {
    COME(2);
    COME(2);
    for (int i = 0; i < 10; i++) {
      WAIT(1);
      sum += s[127 - t]; // expect-race
      COME(2);
    }
  }
  out[blockIdx.x * 128 + t] = sum;
}

template <int count> __device__ void wait_by_half(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  if (t < 64) {
    s[t] = t;
    asm volatile("bar.sync 1, %0;" ::"n"(count) : "memory"); // expect-misuse {{endless-wait}}
    out[blockIdx.x * 64 + t] = s[63 - t];
  }
}
__global__ void fewer_open(int *out) { wait_by_half<128>(out); }
__global__ void fewer_ok(int *out) { wait_by_half<64>(out); } // expect-clean

template <int other> __device__ void by_computed_number(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x;
  s[t] = t; // expect-race {{definite cause=wrong-group}}
  asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
  out[blockIdx.x * 128 + t] = s[t ^ other]; // expect-race
}
__global__ void computed_ok(int *out) { by_computed_number<63>(out); } // expect-clean
__global__ void computed_bad(int *out) { by_computed_number<64>(out); }

// The last thread of one half writes the first element of the other half, whose threads wait at a barrier of their own.
template <int further> __device__ void beside_computed(int *out) {
  __shared__ int s[129];
  int t = threadIdx.x;
  s[t + 1] = t; // expect-race {{definite cause=wrong-group}}
  asm volatile("bar.sync %0, 64;" ::"r"(1 + t / 64) : "memory");
  out[blockIdx.x * 128 + t] = s[(t ^ 63) + further]; // expect-race
}
__global__ void beside_computed_ok(int *out) { beside_computed<1>(out); } // expect-clean
__global__ void beside_computed_bad(int *out) { beside_computed<0>(out); }

int main() {
  float *in, *out;
  cudaMalloc((void **)&in, 8 * 128 * sizeof(float));
  cudaMalloc((void **)&out, 8 * 128 * sizeof(float));
  fewer_open<<<8, 128>>>((int *)out);
  fewer_ok<<<8, 128>>>((int *)out);
  computed_ok<<<8, 128>>>((int *)out);
  computed_bad<<<8, 128>>>((int *)out);
  beside_computed_ok<<<8, 128>>>((int *)out);
  beside_computed_bad<<<8, 128>>>((int *)out);
  handover_ok<<<8, 128>>>(in, out);
  handover_bad<<<8, 128>>>(in, out);
  arrive_ok<<<8, 128>>>(in, out);
  arrive_bad<<<8, 128>>>(in, out);
  number_bad<<<8, 128>>>(in, out);
  count_bad<<<8, 128>>>(in, out);
  half_ok<<<8, 128>>>(out, 100);
  half_bad<<<8, 128>>>(out, 100);
  tile_ok<<<8, 128>>>(out);
  tile_bad<<<8, 128>>>(out);
  all_ok<<<8, 128>>>(out);
  all_bad<<<8, 128>>>(in, out);
  ring_ok<<<8, 128>>>((int *)out, 10);
  ring_early_bad<<<8, 128>>>((int *)out);
  ring_bad<<<8, 128>>>((int *)out);
  ahead_ok<<<8, 128>>>((int *)out, 10);
  ahead_bad<<<8, 128>>>((int *)out);
  return 0;
}

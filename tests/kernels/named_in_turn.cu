// Barriers with a number that goes with the rounds of a loop (`1 + (i & 1)`), and more groups than a kernel has covers for.
// ring: two buffers, those who fill one wait until it is drained; the numbers are `full` and `empty` ones in turn (ok); told before it is
// drained (early), the buffer of the next round is filled (other), nobody waits for the drain (unwaited), a number is used in two rounds at a time (slow),
// a third buffer would be needed (three_ok has it, three_bad has three buffers and two numbers).
// toggle: the same with a number that is turned over by hand (ok), by one side only (side).
// all: the whole block, two numbers in turn, two buffers (ok), one (one).
// groups: four and eight groups of a block, each with a barrier of its own, in a loop (ok), without the second one (second), across two groups (across);
// some: only the lower half of the block meets, the numbers of the upper half are the same, and it does not come (some_bad), two groups that meet (some_ok);
// odd: the threads of a group do not lie beside each other (ok), the other group's word is read (bad).
//@ verdict ring_ok: race-free
//@ rule ring_ok: named-barrier
//@ verdict ring_early_bad: racy
//@ verdict ring_other_bad: racy
//@ verdict ring_unwaited_bad: racy
//@ verdict ring_slow_ok: race-free
//@ known-undecided ring_slow_ok: numbers that stay for two rounds are in no turn that is looked for
//@ verdict three_ok: race-free
//@ verdict three_bad: racy
//@ verdict toggle_ok: race-free
//@ verdict toggle_side_bad: racy
//@ verdict all_ok: race-free
//@ verdict all_one_bad: racy
//@ verdict groups_ok: race-free
//@ verdict groups_second_bad: racy
//@ verdict groups_across_bad: racy
//@ verdict eight_ok: race-free
//@ verdict eight_second_bad: racy
//@ verdict some_ok: race-free
//@ verdict some_bad: racy
//@ verdict odd_ok: race-free
//@ verdict odd_bad: racy
enum Mistake { OK, EARLY, OTHER, UNWAITED, SLOW, SIDE, ONE, SECOND, ACROSS };

__device__ void meet(int number, int count) { asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(count) : "memory"); }
__device__ void tell(int number, int count) { asm volatile("bar.arrive %0, %1;" ::"r"(number), "r"(count) : "memory"); }

template <int buffers, int numbers, Mistake mistake> __device__ void ring(const float *in, float *out, int n) {
  __shared__ float s[buffers][128];
  int t = threadIdx.x % 128;
  if (threadIdx.x < 128) {
    for (int i = 0; i < n; i++) {
      int at = mistake == SLOW ? (i >> 1) % numbers : i % numbers;
      if (mistake != UNWAITED)
        meet(8 + at, 256);
      s[(mistake == OTHER ? i + 1 : i) % buffers][t] = in[i * 128 + t]; // expect-race
      tell(1 + at, 256);
    }
  } else {
    float sum = 0;
    if (mistake != UNWAITED)
      for (int i = 0; i < numbers; i++)
        tell(8 + i, 256);
    for (int i = 0; i < n; i++) {
      int at = mistake == SLOW ? (i >> 1) % numbers : i % numbers;
      meet(1 + at, 256);
      if (mistake == EARLY && i + numbers < n)
        tell(8 + at, 256);
      sum += s[i % buffers][127 - t]; // expect-race
      if (mistake != EARLY && mistake != UNWAITED && i + numbers < n)
        tell(8 + at, 256);
    }
    out[blockIdx.x * 128 + t] = sum;
  }
}

__global__ void ring_ok(const float *in, float *out, int n) { ring<2, 2, OK>(in, out, n); } // expect-clean
__global__ void ring_early_bad(const float *in, float *out, int n) { ring<2, 2, EARLY>(in, out, n); }
__global__ void ring_other_bad(const float *in, float *out, int n) { ring<2, 2, OTHER>(in, out, n); }
__global__ void ring_unwaited_bad(const float *in, float *out, int n) { ring<2, 2, UNWAITED>(in, out, n); }
__global__ void ring_slow_ok(const float *in, float *out, int n) { ring<2, 2, SLOW>(in, out, n); } // expect-clean
__global__ void three_ok(const float *in, float *out, int n) { ring<3, 3, OK>(in, out, n); } // expect-clean
__global__ void three_bad(const float *in, float *out, int n) { ring<2, 3, OK>(in, out, n); }

template <Mistake mistake> __device__ void toggle(const float *in, float *out, int n) {
  __shared__ float s[2][128];
  int t = threadIdx.x % 128, at = 0;
  if (threadIdx.x < 128) {
    for (int i = 0; i < n; i++) {
      if (i >= 2)
        meet(3 + at, 256);
      s[at][t] = in[i * 128 + t]; // expect-race
      tell(1 + at, 256);
      at ^= 1;
    }
  } else {
    float sum = 0;
    for (int i = 0; i < n; i++) {
      meet(1 + at, 256);
      sum += s[mistake == SIDE ? 0 : at][127 - t]; // expect-race
      if (i + 2 < n)
        tell(3 + at, 256);
      at ^= 1;
    }
    out[blockIdx.x * 128 + t] = sum;
  }
}

__global__ void toggle_ok(const float *in, float *out, int n) { toggle<OK>(in, out, n); } // expect-clean
__global__ void toggle_side_bad(const float *in, float *out, int n) { toggle<SIDE>(in, out, n); }

template <Mistake mistake> __device__ void all(const float *in, float *out, int n) {
  __shared__ float s[2][256];
  int t = threadIdx.x;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    s[mistake == ONE ? 0 : i & 1][t] = in[i * 256 + t]; // expect-race
    meet(3 + (i & 1), 256);
    sum += s[mistake == ONE ? 0 : i & 1][255 - t]; // expect-race
  }
  out[blockIdx.x * 256 + t] = sum;
}

__global__ void all_ok(const float *in, float *out, int n) { all<OK>(in, out, n); } // expect-clean
__global__ void all_one_bad(const float *in, float *out, int n) { all<ONE>(in, out, n); }

template <int size, Mistake mistake> __device__ void groups(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, group = t / size, own = t % size;
  float sum = 0;
  for (int i = 0; i < n; i++) {
    s[t] = in[i * 256 + t]; // expect-race
    meet(1 + group, size);
    sum += s[mistake == ACROSS ? 255 - t : group * size + size - 1 - own]; // expect-race
    if (mistake != SECOND)
      meet(1 + group, size);
  }
  out[blockIdx.x * 256 + t] = sum;
}

__global__ void groups_ok(const float *in, float *out, int n) { groups<64, OK>(in, out, n); } // expect-clean
__global__ void groups_second_bad(const float *in, float *out, int n) { groups<64, SECOND>(in, out, n); }
__global__ void groups_across_bad(const float *in, float *out, int n) { groups<64, ACROSS>(in, out, n); }
__global__ void eight_ok(const float *in, float *out, int n) { groups<32, OK>(in, out, n); } // expect-clean
__global__ void eight_second_bad(const float *in, float *out, int n) { groups<32, SECOND>(in, out, n); }

template <bool all_read> __device__ void some(const float *in, float *out) {
  __shared__ float s[128];
  int t = threadIdx.x, half = t % 128;
  if (t < 128) {
    s[t] = in[t]; // expect-race
    meet(1 + t / 64 % 2, 64);
  }
  if (t < 128 || all_read)
    out[blockIdx.x * 256 + t] = s[half ^ 63]; // expect-race
}

__global__ void some_ok(const float *in, float *out) { some<false>(in, out); } // expect-clean
__global__ void some_bad(const float *in, float *out) { some<true>(in, out); }

template <int other> __device__ void odd(const float *in, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t]; // expect-race
  meet(1 + t / 32 % 2, 128);
  out[blockIdx.x * 256 + t] = s[t ^ other]; // expect-race
}

__global__ void odd_ok(const float *in, float *out) { odd<64>(in, out); } // expect-clean
__global__ void odd_bad(const float *in, float *out) { odd<32>(in, out); }

void run(const float *in, float *out, int n) {
  ring_ok<<<8, 256>>>(in, out, n);
  ring_early_bad<<<8, 256>>>(in, out, n);
  ring_other_bad<<<8, 256>>>(in, out, n);
  ring_unwaited_bad<<<8, 256>>>(in, out, n);
  ring_slow_ok<<<8, 256>>>(in, out, n);
  three_ok<<<8, 256>>>(in, out, n);
  three_bad<<<8, 256>>>(in, out, n);
  toggle_ok<<<8, 256>>>(in, out, n);
  toggle_side_bad<<<8, 256>>>(in, out, n);
  all_ok<<<8, 256>>>(in, out, n);
  all_one_bad<<<8, 256>>>(in, out, n);
  groups_ok<<<8, 256>>>(in, out, n);
  groups_second_bad<<<8, 256>>>(in, out, n);
  groups_across_bad<<<8, 256>>>(in, out, n);
  eight_ok<<<8, 256>>>(in, out, n);
  eight_second_bad<<<8, 256>>>(in, out, n);
  some_ok<<<8, 256>>>(in, out);
  some_bad<<<8, 256>>>(in, out);
  odd_ok<<<8, 256>>>(in, out);
  odd_bad<<<8, 256>>>(in, out);
}

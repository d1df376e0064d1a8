// Each part of the block goes through numbered barriers of its own, again and again; a number that is computed from the thread's is one barrier for each part.
// rounds: two barriers of one number in each round (ok), of two numbers (numbers_ok), only the first one (second), reads what the other part wrote (part), both parts
// share the second number (shared), the number goes with the round (by_round), the count is that of half a part (half).
// steps: the same without a loop (ok), without the middle one (middle).
//@ verdict rounds_ok: race-free
//@ verdict rounds_numbers_ok: race-free
//@ verdict rounds_second_bad: racy
//@ verdict rounds_part_bad: racy
//@ verdict rounds_shared_bad: racy
//@ verdict rounds_by_round_bad: racy
//@ verdict rounds_half_bad: racy
//@ verdict steps_ok: race-free
//@ verdict steps_middle_bad: racy
enum Mistake { OK, NUMBERS, SECOND, PART, SHARED, BY_ROUND, HALF, MIDDLE };

template <int count> __device__ void meet(int number) {
  asm volatile("bar.sync %0, %1;" ::"r"(number), "n"(count) : "memory");
}

template <Mistake mistake> __device__ void rounds(int *data, int n) {
  __shared__ int s[192];
  int t = threadIdx.x, part = t / 64;
  for (int i = 0; i < n; i++) {
    s[t] = data[i * 192 + t]; // expect-race
    meet < mistake == HALF ? 32 : 64 > (mistake == BY_ROUND ? 1 + (i + part) % 3 : 1 + part);
    int other = s[mistake == PART ? (t + 64) % 192 : part * 64 + 63 - t % 64]; // expect-race
    if (mistake != SECOND)
      meet<64>(mistake == SHARED ? 4 : mistake == NUMBERS ? 4 + part : 1 + part);
    data[i * 192 + t] = other;
  }
}

template <Mistake mistake> __device__ void steps(int *data) {
  __shared__ int s[192];
  int t = threadIdx.x, part = t / 64;
  s[t] = data[t];
  meet<64>(1 + part);
  int other = s[t ^ 63]; // expect-race
  if (mistake != MIDDLE)
    meet<64>(1 + part);
  s[t] = other + 1; // expect-race
  meet<64>(1 + part);
  data[t] = s[t ^ 63];
}

__global__ void rounds_ok(int *data, int n) { rounds<OK>(data, n); } // expect-clean
__global__ void rounds_numbers_ok(int *data, int n) { rounds<NUMBERS>(data, n); } // expect-clean
__global__ void rounds_second_bad(int *data, int n) { rounds<SECOND>(data, n); }
__global__ void rounds_part_bad(int *data, int n) { rounds<PART>(data, n); }
__global__ void rounds_shared_bad(int *data, int n) { rounds<SHARED>(data, n); }
__global__ void rounds_by_round_bad(int *data, int n) { rounds<BY_ROUND>(data, n); }
__global__ void rounds_half_bad(int *data, int n) { rounds<HALF>(data, n); }
__global__ void steps_ok(int *data) { steps<OK>(data); } // expect-clean
__global__ void steps_middle_bad(int *data) { steps<MIDDLE>(data); }

int main() {
  int *data;
  cudaMalloc(&data, 40 * 192 * sizeof(int));
  rounds_ok<<<1, 192>>>(data, 40);
  rounds_numbers_ok<<<1, 192>>>(data, 40);
  rounds_second_bad<<<1, 192>>>(data, 40);
  rounds_part_bad<<<1, 192>>>(data, 40);
  rounds_shared_bad<<<1, 192>>>(data, 40);
  rounds_by_round_bad<<<1, 192>>>(data, 40);
  rounds_half_bad<<<1, 192>>>(data, 40);
  steps_ok<<<1, 192>>>(data);
  steps_middle_bad<<<1, 192>>>(data);
}

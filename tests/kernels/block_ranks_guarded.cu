// Ranks by sums of prefixes, where what a thread keeps is looked at behind a guard that the numbers of the launch decide: who passes it
// adds what it has found, who does not adds nothing. all: everybody passes; who keeps nothing has no place of its own (bad). some: the first 20
// pass; the others have no place (bad: the last of those who pass has its place taken by them). again: the guard stands in a loop around the scan, whose lanes
// need not wait for others between its rounds; each round has places of its own, or the last one is that of the next round as well (bad). late: the sum is that of the elements looked at, but the place is used by who has
// looked at another one (bad).
//@ verdict all_ok: race-free
//@ verdict all_bad: racy
//@ verdict some_ok: race-free
//@ verdict some_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict late_ok: race-free
//@ verdict late_bad: racy
__device__ int warp_scan(int value) {
  int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    int before = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= d) value += before;
  }
  return value;
}

template <int also> __device__ void guarded(const int *in, int *out, int n) {
  int t = threadIdx.x;
  int value = t < n ? in[t] : 0;
  int keep = t < n && value > 5 ? 1 : 0;
  int at = warp_scan(keep) - keep;
  if (keep || (also == 1 && value == 0) || (also == 2 && t >= n)) out[at] = t; // expect-race
}
__global__ void all_ok(const int *in, int *out, int n) { guarded<0>(in, out, n); } // expect-clean
__global__ void all_bad(const int *in, int *out, int n) { guarded<1>(in, out, n); }
__global__ void some_ok(const int *in, int *out, int n) { guarded<0>(in, out, n); } // expect-clean
__global__ void some_bad(const int *in, int *out, int n) { guarded<2>(in, out, n); }

template <int stride> __device__ void again(const int *in, int *out, int n, int rounds) {
  int t = threadIdx.x;
  for (int i = 0; i < rounds; i++) {
    int value = t < n ? in[32 * i + t] : 0;
    int keep = t < n && value > 5 ? 1 : 0;
    int at = warp_scan(keep) - keep;
    if (keep) out[stride * i + at] = t; // expect-race
  }
}
__global__ void again_ok(const int *in, int *out, int n, int rounds) { again<32>(in, out, n, rounds); } // expect-clean
__global__ void again_bad(const int *in, int *out, int n, int rounds) { again<31>(in, out, n, rounds); }

template <int shift> __device__ void late(const int *in, int *out, int n) {
  int t = threadIdx.x;
  int value = t < n ? in[t] : 0;
  int keep = t < n && value > 5 ? 1 : 0;
  int at = warp_scan(keep) - keep;
  if (in[(t + shift) % 32] > 5) out[at] = t; // expect-race
}
__global__ void late_ok(const int *in, int *out, int n) { late<0>(in, out, n); } // expect-clean
__global__ void late_bad(const int *in, int *out, int n) { late<1>(in, out, n); }

int main(int argc, char **) {
  int *in, *out;
  cudaMalloc(&in, 4096);
  cudaMalloc(&out, 4096);
  all_ok<<<1, 32>>>(in, out, 32);
  all_bad<<<1, 32>>>(in, out, 32);
  some_ok<<<1, 32>>>(in, out, 20);
  some_bad<<<1, 32>>>(in, out, 20);
  again_ok<<<1, 32>>>(in, out, 32, argc);
  again_bad<<<1, 32>>>(in, out, 32, argc);
  late_ok<<<1, 32>>>(in, out, 32);
  late_bad<<<1, 32>>>(in, out, 32);
  return 0;
}

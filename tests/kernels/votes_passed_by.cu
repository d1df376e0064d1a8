// Lanes that pass a vote by in different rounds meet in their next ones, whichever rounds those are: equal rounds are not one vote
// there. Where each lane comes to the vote in each round, they are.
//   passed: each lane leaves out one round; in round 1 the lower half makes its first vote, the upper one its second.
//   inner: a loop within takes the halves a different number of rounds.
//   each: nobody leaves a round out.
//@ verdict passed_bad: racy
//@ verdict each_ok: race-free
//@ verdict inner_bad: racy
//@ verdict inner_ok: race-free
template <int UPPER> __device__ void passed(int *out) {
  int lane = threadIdx.x;
  for (int i = 0; i < 3; i++) {
    if (UPPER >= 0 && i == (lane < 16 ? 0 : UPPER)) continue;
    int v = __any_sync(0xffffffffu, i == 0);
    if (i == 1 && lane == 0 && v) out[0] = 1;   // expect-race[passed]
    if (i == 1 && lane == 16 && !v) out[0] = 2; // expect-race[passed]
  }
}
__global__ void passed_bad(int *out) { passed<2>(out); }
__global__ void each_ok(int *out) { passed<-1>(out); } // expect-clean

template <bool ALIKE> __device__ void inner(int *out) {
  int lane = threadIdx.x;
  for (int r = 0; r < 2; r++) {
    int n = ALIKE || (lane < 16) == (r == 0) ? 2 : 1;
    for (int i = 0; i < n; i++) {
      int v = __any_sync(0xffffffffu, lane == 3 && r == 1);
      if (r == 1 && i == 0) {
        if (lane == 0 && v) out[0] = 1;   // expect-race[inner]
        if (lane == 20 && !v) out[0] = 2; // expect-race[inner]
      }
    }
  }
}
__global__ void inner_bad(int *out) { inner<false>(out); }
__global__ void inner_ok(int *out) { inner<true>(out); } // expect-clean

int main() {
  int *out;
  cudaMalloc(&out, sizeof(int));
  passed_bad<<<1, 32>>>(out);
  each_ok<<<1, 32>>>(out);
  inner_bad<<<1, 32>>>(out);
  inner_ok<<<1, 32>>>(out);
}

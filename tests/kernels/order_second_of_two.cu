// Of two blocks the one that comes second reads what the first one has written, as it does not get the word (ok); the one that gets
// it reads (bad), or the word is of all blocks (all, bad).
//@ args: --grid-dim=8 --block-dim=32
//@ verdict ok: race-free
//@ rule ok: flag
//@ verdict bad: racy
//@ verdict all_bad: racy
enum { SECOND, FIRST, ALL };

template <int who> __device__ void meet(int *state, int *a, int *out) {
  if (threadIdx.x != 0) return;
  a[blockIdx.x] = blockIdx.x; // expect-race
  __threadfence();
  int found = atomicCAS(&state[who == ALL ? 0 : blockIdx.x / 2], 0, 1);
  if (who == FIRST ? found != 0 : found == 0) return;
  __threadfence();
  out[blockIdx.x] = a[blockIdx.x ^ 1]; // expect-race
}
__global__ void ok(int *state, int *a, int *out) { meet<SECOND>(state, a, out); } // expect-clean
__global__ void bad(int *state, int *a, int *out) { meet<FIRST>(state, a, out); }
__global__ void all_bad(int *state, int *a, int *out) { meet<ALL>(state, a, out); }

// Blocks fetch items from a common queue until it is empty: thread 0 draws a number, all use it behind a barrier, and a
// second barrier keeps the next number from overwriting it too early (ok; without it, bad).
//@ verdict drain_ok: race-free
//@ verdict drain_bad: racy
// Who draws the first number, at either of two places, writes down why, in the words behind the counter (first_ok). It does not if the
// counter is set back (first_back_bad), if what is written may be the counter (first_any_bad), or if the first two may write
// (first_two_bad).
//@ verdict first_ok: race-free
//@ verdict first_back_bad: racy
//@ verdict first_any_bad: racy
//@ verdict first_two_bad: racy
__global__ void drain_ok(int *next, float *items, int n) { // expect-clean
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0)
      item = atomicAdd(next, 1);
    __syncthreads();
    int mine = item;
    __syncthreads();
    if (mine >= n)
      break;
    items[mine * 64 + threadIdx.x] *= 2;
  }
}

__global__ void drain_bad(int *next, float *items, int n) {
  __shared__ int item;
  for (;;) {
    if (threadIdx.x == 0)
      item = atomicAdd(next, 1); // expect-race {{object=item}}
    __syncthreads();
    int mine = item; // expect-race {{object=item}}
    if (mine >= n)
      break;
    items[mine * 64 + threadIdx.x] *= 2;
  }
}

int main(int argc, char **) {
  int n = argc;
  int *next;
  float *items;
  cudaMalloc((void **)&next, sizeof(int));
  cudaMalloc((void **)&items, n * 64 * sizeof(float));
  cudaMemset(next, 0, sizeof(int));
  drain_ok<<<8, 64>>>(next, items, n);
  cudaMemset(next, 0, sizeof(int));
  drain_bad<<<8, 64>>>(next, items, n);
  return 0;
}

enum { TWO = 1, BACK = 2, ANY = 4 };
template <int WRONG> static __device__ void first(int *found, const int *in) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int number = in[i] > 0 ? atomicAdd(&found[0], 1) : -1;
  if (number == 0 || (WRONG & TWO && number == 1)) {
    found[1] = i; // expect-race[why]
    found[2] = in[i]; // expect-race[what]
    if (WRONG & BACK)
      atomicExch(&found[0], 0);
    if (WRONG & ANY)
      atomicExch(&found[in[i] & 1 ? 0 : 4], 0);
  }
  if (in[i] < -5 && atomicAdd(&found[0], 1) == 0)
    found[1] = i; // expect-race[why]
}
__global__ void first_ok(int *found, const int *in) { first<0>(found, in); } // expect-clean
__global__ void first_two_bad(int *found, const int *in) { first<TWO>(found, in); }
__global__ void first_back_bad(int *found, const int *in) { first<BACK>(found, in); }
__global__ void first_any_bad(int *found, const int *in) { first<ANY>(found, in); }

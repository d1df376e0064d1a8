// Bitonic sort in global memory, one launch for each step; the host goes through k and j, which are powers of two. The lower one of two
// partners i and i ^ j orders both; exclusive or with one number is its own inverse, so pairs have no element in common.
// Partners i and i + j (bad): element i + j is the upper one of thread i and the lower one of thread i + j; one writes what the other
// reads [ri], [rp], and both may write it [ww]. j = 1 gives lanes of a warp, last and first threads of warps and of blocks.
// Two threads never have the same lower one, nor the same upper one.
//@ pairs: exact
//@ verdict step_ok: race-free
//@ verdict step_bad: racy
__global__ void step_ok(int *a, int n, int j, int k) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, p = i ^ j;
  if (p > i && p < n) {
    int x = a[i], y = a[p];
    if ((x > y) == ((i & k) == 0)) {
      a[i] = y;
      a[p] = x;
    }
  }
}

__global__ void step_bad(int *a, int n, int j, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, p = i + j;
  if (p > i && p < n) {
    int x = a[i], y = a[p]; // expect-race[ri](every) expect-race[rp](every)
    if ((x > y) == ((i & k) == 0)) {
      a[i] = y; // expect-race[ri](every) expect-race[ww](every)
      a[p] = x; // expect-race[rp](every) expect-race[ww](every)
    }
  }
}

int main() {
  const int n = 1 << 20;
  int *a;
  cudaMalloc((void **)&a, n * sizeof(int));
  for (int k = 2; k <= n; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      step_ok<<<n / 256, 256>>>(a, n, j, k);
      step_bad<<<n / 256, 256>>>(a, n, j, k);
    }
  return 0;
}

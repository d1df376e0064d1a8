// The least value so far: all accesses atomic (ok). A plain look before the atomic operation is a race with the atomic
// operations of others, however well it may work in practice (bad).
//@ verdict least_ok: race-free
//@ verdict least_bad: racy
__global__ void least_ok(const int *a, int *best) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicMin(best, a[i]);
}

__global__ void least_bad(const int *a, int *best) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (a[i] < *best)        // expect-race
    atomicMin(best, a[i]); // expect-race
}

int main() {
  int *a, *best;
  cudaMalloc((void **)&a, 1024 * sizeof(int));
  cudaMalloc((void **)&best, sizeof(int));
  least_ok<<<8, 128>>>(a, best);
  least_bad<<<8, 128>>>(a, best);
  return 0;
}

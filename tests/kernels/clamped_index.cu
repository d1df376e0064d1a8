// Threads beyond the end return (ok), or are sent to the last element, where they meet (bad).
//@ verdict mark_ok: race-free
//@ verdict mark_bad: racy
__global__ void mark_ok(int *a, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  a[i] = threadIdx.x;
}

__global__ void mark_bad(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    i = n - 1;
  a[i] = threadIdx.x; // expect-race {{-Wintra}}
}

int main(int argc, char **) {
  int n = argc;
  int *a;
  cudaMalloc((void **)&a, n * sizeof(int));
  mark_ok<<<(n + 127) / 128, 128>>>(a, n);
  mark_bad<<<(n + 127) / 128, 128>>>(a, n);
  return 0;
}

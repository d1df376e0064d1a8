// The first half of the threads exchanges with the other end (ok); if all threads do, each pair is exchanged twice (bad).
//@ verdict reverse_ok: race-free
//@ verdict reverse_bad: racy
__global__ void reverse_ok(int *a, int n) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) {
    int keep = a[i];
    a[i] = a[n - 1 - i];
    a[n - 1 - i] = keep;
  }
}

__global__ void reverse_bad(int *a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int keep = a[i];     // expect-race[a]
    a[i] = a[n - 1 - i]; // expect-race[b]
    a[n - 1 - i] = keep; // expect-race[a] expect-race[b]
  }
}

int main(int argc, char **) {
  int n = argc;
  int *a;
  cudaMalloc((void **)&a, n * sizeof(int));
  reverse_ok<<<(n + 127) / 128, 128>>>(a, n);
  reverse_bad<<<(n + 127) / 128, 128>>>(a, n);
  return 0;
}

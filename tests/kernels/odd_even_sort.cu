// Neighbours are compared in pairs that begin at even or odd places; the host alternates the parity (ok). If every thread
// compares with its right neighbour, pairs overlap (bad).
//@ verdict round_ok: race-free
//@ verdict round_bad: racy
__global__ void round_ok(int *a, int n, int parity) { // expect-clean
  int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x) + parity;
  if (i + 1 < n && a[i] > a[i + 1]) {
    int keep = a[i];
    a[i] = a[i + 1];
    a[i + 1] = keep;
  }
}

__global__ void round_bad(int *a, int n, int parity) {
  int i = blockIdx.x * blockDim.x + threadIdx.x + parity;
  if (i + 1 < n && a[i] > a[i + 1]) { // expect-race
    int keep = a[i];                  // expect-race
    a[i] = a[i + 1];                  // expect-race
    a[i + 1] = keep;                  // expect-race
  }
}

int main(int argc, char **) {
  int n = argc;
  int *a;
  cudaMalloc((void **)&a, n * sizeof(int));
  for (int r = 0; r < n; r++) {
    round_ok<<<(n / 2 + 127) / 128, 128>>>(a, n, r % 2);
    round_bad<<<(n + 127) / 128, 128>>>(a, n, r % 2);
  }
  return 0;
}

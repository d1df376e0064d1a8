// A launch of one thread cannot race, whatever it does (ok); two threads doing it do (bad).
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
__global__ void scan_ok(int *a, int n) { // expect-clean
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1];
}

__global__ void scan_bad(int *a, int n) {
  for (int i = 1; i < n; i++)
    a[i] += a[i - 1]; // expect-race {{-Wintra-warp-race}}
}

int main(int argc, char **) {
  int n = argc;
  int *a;
  cudaMalloc((void **)&a, n * sizeof(int));
  scan_ok<<<1, 1>>>(a, n);
  scan_bad<<<1, 2>>>(a, n);
  return 0;
}

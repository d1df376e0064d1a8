// The first run of a do-while body has not passed the condition: threads with t >= n write as well, and t and t + n meet
// (bad). In the while loop every writer has i < n, and i % n = i (ok).
//@ verdict modulo_ok: race-free
//@ verdict modulo_bad: racy
__global__ void modulo_ok(int *a, int n) { // expect-clean
  int i = threadIdx.x;
  while (i < n) {
    a[i % n] = i;
    i += blockDim.x;
  }
}

__global__ void modulo_bad(int *a, int n) {
  int i = threadIdx.x;
  do {
    a[i % n] = i; // expect-race {{-Wintra}}
    i += blockDim.x;
  } while (i < n);
}

int main(int argc, char **) {
  int n = argc;
  if (n <= 0)
    return 1;
  int *a;
  cudaMalloc((void **)&a, n * sizeof(int));
  modulo_ok<<<1, 64>>>(a, n);
  modulo_bad<<<1, 64>>>(a, n);
  return 0;
}

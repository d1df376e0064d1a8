// A report must be a race that can happen. The loop ends with last == t, so only thread 3 writes (ok); a check that drops
// what the loop says about `last` would claim a race of any two threads. With >= many threads write (bad).
//@ verdict last_ok: race-free
//@ verdict last_bad: racy
__global__ void last_ok(int *out) { // expect-clean
  int t = threadIdx.x, last = -1;
  for (int j = 0; j <= t; j++)
    last = j;
  if (last == 3)
    out[blockIdx.x] = t;
}

__global__ void last_bad(int *out) {
  int t = threadIdx.x, last = -1;
  for (int j = 0; j <= t; j++)
    last = j;
  if (last >= 3)
    out[blockIdx.x] = t; // expect-race {{-Wintra-warp-race}}
}

int main() {
  int *out;
  cudaMalloc((void **)&out, 4096);
  last_ok<<<8, 32>>>(out);
  last_bad<<<8, 32>>>(out);
  return 0;
}

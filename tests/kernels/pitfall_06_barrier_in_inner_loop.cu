// zero_trip: the only barrier between the write and the read stands in an inner loop. If that loop may run zero times
// (bad) nothing separates them; the host asserts at least one round in the good case.
// reset: the inner counter starts again at 0 when the outer loop goes round. With at least two inner rounds, the row read
// last (m - 1) and the row written next (0) differ (ok); with one they are the same row (bad).
//@ verdict zero_trip_ok: race-free
//@ verdict zero_trip_bad: racy
//@ verdict reset_ok: race-free
//@ verdict reset_bad: racy
#include <cassert>

__global__ void zero_trip_ok(float *out, int m) { // expect-clean
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t;
  for (int j = 0; j < m; j++)
    __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void zero_trip_bad(float *out, int m) {
  __shared__ float s[64];
  int t = threadIdx.x;
  s[t] = t; // expect-race {{-Wintra-block-race}}
  for (int j = 0; j < m; j++)
    __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t]; // expect-race {{-Wintra-block-race}}
}

__global__ void reset_ok(float *out, int n, int m) { // expect-clean
  __shared__ float row[8][64];
  int t = threadIdx.x;
  float acc = 0;
  for (int o = 0; o < n; o++)
    for (int i = 0; i < m; i++) {
      row[i][t] = o + t;
      __syncthreads();
      acc += row[i][63 - t];
    }
  out[blockIdx.x * 64 + t] = acc;
}

__global__ void reset_bad(float *out, int n, int m) {
  __shared__ float row[8][64];
  int t = threadIdx.x;
  float acc = 0;
  for (int o = 0; o < n; o++)
    for (int i = 0; i < m; i++) {
      row[i][t] = o + t; // expect-race {{-Wintra-block-race}}
      __syncthreads();
      acc += row[i][63 - t]; // expect-race {{-Wintra-block-race}}
    }
  out[blockIdx.x * 64 + t] = acc;
}

int main(int argc, char **argv) {
  int n = argc, m = argv[0][0];
  float *out;
  cudaMalloc((void **)&out, 4 * 64 * sizeof(float));
  zero_trip_bad<<<4, 64>>>(out, m);
  if (m >= 1 && m <= 8)
    reset_bad<<<4, 64>>>(out, n, m);
  assert(m >= 2 && m <= 8);
  zero_trip_ok<<<4, 64>>>(out, m);
  reset_ok<<<4, 64>>>(out, n, m);
  return 0;
}

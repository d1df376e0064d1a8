// A barrier in an inner loop is one of the loop around it where the inner loop is gone round at least once: that follows from
// its start (half of what is 2 or more), or from what the host says. Where it may be passed by, rounds of the outer loop follow
// each other without a barrier.
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict narrow_ok: race-free
//@ verdict narrow_bad: racy
//@ verdict leaves_ok: race-free
//@ verdict leaves_bad: racy
#include <cstdlib>

__global__ void halves_ok(int *out) { // expect-clean
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncthreads();
  for (int k = 2; k <= 128; k *= 2) {
    x += s[127 - t];
    for (int j = k / 2; j > 0; j /= 2) __syncthreads();
    s[t] = x;
    for (int j = k / 2; j > 0; j /= 2) __syncthreads();
  }
  out[blockIdx.x * 128 + t] = x;
}

__global__ void halves_bad(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncthreads();
  for (int k = 2; k <= 128; k *= 2) {
    x += s[127 - t]; // expect-race
    for (int j = k / 4; j > 0; j /= 2) __syncthreads();
    s[t] = x; // expect-race
    for (int j = k / 2; j > 0; j /= 2) __syncthreads();
  }
  out[blockIdx.x * 128 + t] = x;
}

__global__ void given_ok(int *out, int n, int m) { // expect-clean
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    x += s[127 - t];
    for (int j = 0; j < m; j++) __syncthreads();
    s[t] = x;
    for (int j = 0; j < m; j++) __syncthreads();
  }
  out[blockIdx.x * 128 + t] = x;
}

__global__ void given_bad(int *out, int n, int m) {
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    x += s[127 - t]; // expect-race
    for (int j = 1; j < m; j++) __syncthreads();
    s[t] = x; // expect-race
    for (int j = 0; j < m; j++) __syncthreads();
  }
  out[blockIdx.x * 128 + t] = x;
}

// A counter of eight bits: 256 is zero.
__global__ void narrow_ok(int *out) { // expect-clean
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncthreads();
  for (int k = 1; k <= 128; k *= 2) {
    x += s[127 - t];
    for (unsigned char j = k; j > 0; j /= 2) __syncthreads();
    s[t] = x;
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = x;
}

__global__ void narrow_bad(int *out) {
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncthreads();
  for (int k = 1; k <= 256; k *= 2) {
    x += s[127 - t]; // expect-race
    for (unsigned char j = k; j > 0; j /= 2) __syncthreads();
    s[t] = x; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = x;
}

// Gone round at least once, but what is left of the round may be left before the barrier.
__global__ void leaves_ok(int *out, int n, int m) { // expect-clean
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    x += s[127 - t];
    for (int j = 0; j < m; j++) {
      __syncthreads();
      if (j == 2) break;
    }
    s[t] = x;
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = x;
}

__global__ void leaves_bad(int *out, int n, int m) {
  __shared__ int s[128];
  int t = threadIdx.x, x = 0;
  s[t] = t;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    x += s[127 - t]; // expect-race
    for (int j = 0; j < m; j++) {
      if (i == 2) break;
      __syncthreads();
    }
    s[t] = x; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 128 + t] = x;
}

int main(int argc, char **argv) {
  if (argc < 3) return 1;
  int n = atoi(argv[1]), m = atoi(argv[2]);
  if (m < 1) return 1;
  int *out;
  cudaMalloc(&out, 4 * 128 * sizeof(int));
  halves_ok<<<4, 128>>>(out);
  halves_bad<<<4, 128>>>(out);
  given_ok<<<4, 128>>>(out, n, m);
  given_bad<<<4, 128>>>(out, n, m);
  narrow_ok<<<4, 128>>>(out);
  narrow_bad<<<4, 128>>>(out);
  leaves_ok<<<4, 128>>>(out, n, m);
  leaves_bad<<<4, 128>>>(out, n, m);
}

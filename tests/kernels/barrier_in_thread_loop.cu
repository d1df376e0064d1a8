// A loop whose number of rounds is the thread's number has a barrier inside, and another one follows: threads wait at
// different places. What comes after is anybody's guess.
//@ verdict stairs_ok: race-free
//@ verdict stairs_bad: undecided
__global__ void stairs_ok(int *out, int n) { // expect-clean
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < n; i++) {
    s[t] += i;
    __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

__global__ void stairs_bad(int *out) {
  __shared__ int s[64];
  int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < t; i++) {
    s[t] += i;
    __syncthreads(); // expect-divergence
  }
  __syncthreads();
  out[blockIdx.x * 64 + t] = s[63 - t];
}

int main(int argc, char **) {
  int *out;
  cudaMalloc((void **)&out, 8 * 64 * sizeof(int));
  stairs_ok<<<8, 64>>>(out, argc);
  stairs_bad<<<8, 64>>>(out);
  return 0;
}

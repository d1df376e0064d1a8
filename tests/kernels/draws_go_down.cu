// Numbers drawn from a counter are one's own only if nobody counts it down, in whichever round of whichever loop: not only in
// the rounds in which a number is used.
// behind: the counter is counted on behind the draw, by more in each round (ok); by less, and down in the last (bad).
// leader: one thread draws in each round, and only the first number is used; one is added in each round (ok);
// less, and down in the last (bad).
//@ verdict behind_ok: race-free
//@ verdict behind_bad: racy
//@ verdict leader_ok: race-free
//@ verdict leader_bad: racy
__global__ void behind_ok(int *count, int *out) { // expect-clean
  out[atomicAdd(count, 1)] = blockIdx.x;
  __syncthreads();
  for (int round = 0; round < 3; round++) {
    atomicAdd(count, 1 + round);
    __syncthreads();
  }
}

__global__ void behind_bad(int *count, int *out) {
  out[atomicAdd(count, 1)] = blockIdx.x; // expect-race
  __syncthreads();
  for (int round = 0; round < 3; round++) {
    atomicAdd(count, 1 - round);
    __syncthreads();
  }
}

__global__ void leader_ok(int *count, int *out) { // expect-clean
  __shared__ int drawn;
  for (int round = 0; round < 3; round++) {
    if (threadIdx.x == 0) drawn = atomicAdd(count, 1);
    __syncthreads();
    if (round == 0 && threadIdx.x == 1) out[drawn] = blockIdx.x;
    __syncthreads();
  }
}

__global__ void leader_bad(int *count, int *out) {
  __shared__ int drawn;
  for (int round = 0; round < 3; round++) {
    if (threadIdx.x == 0) drawn = atomicAdd(count, 1 - round);
    __syncthreads();
    if (round == 0 && threadIdx.x == 1) out[drawn] = blockIdx.x; // expect-race
    __syncthreads();
  }
}

int main() {
  int *count, *out;
  cudaMalloc(&count, sizeof(int));
  cudaMalloc(&out, 100000);
  cudaMemset(count, 0, sizeof(int));
  behind_ok<<<10, 64>>>(count, out);
  cudaMemset(count, 0, sizeof(int));
  behind_bad<<<10, 64>>>(count, out);
  cudaMemset(count, 0, sizeof(int));
  leader_ok<<<10, 64>>>(count, out);
  cudaMemset(count, 0, sizeof(int));
  leader_bad<<<10, 64>>>(count, out);
  return cudaDeviceSynchronize();
}

// A flag of four bytes, one byte of which is stored by somebody else: who waits for the word not to be zero may have been let through by that
// store, which tells nothing of the data (other_byte_bad). The byte behind the flag is another word (next_byte_ok).
//@ verdict other_byte_bad: racy
//@ verdict next_byte_ok: race-free

__global__ void other_byte_bad(volatile int *flag, int *data, int *out) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 1; // expect-race[data]
    __threadfence();
    flag[0] = 1; // expect-race
  } else if (blockIdx.x == 2 && threadIdx.x == 0) {
    ((volatile char *)flag)[1] = 1; // expect-race
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (flag[0] == 0) { // expect-race
    }
    __threadfence();
    out[0] = data[0]; // expect-race[data]
  }
}

__global__ void next_byte_ok(volatile int *flag, int *data, int *out) { // expect-clean
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    data[0] = 1;
    __threadfence();
    flag[0] = 1;
  } else if (blockIdx.x == 2 && threadIdx.x == 0) {
    ((volatile char *)flag)[4] = 1;
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (flag[0] == 0) {
    }
    __threadfence();
    out[0] = data[0];
  }
}

int main() {
  int *p;
  cudaMalloc(&p, 4096);
  cudaMemset(p, 0, 4096);
  other_byte_bad<<<4, 32>>>(p, p + 64, p + 128);
  next_byte_ok<<<4, 32>>>(p + 256, p + 320, p + 384);
}

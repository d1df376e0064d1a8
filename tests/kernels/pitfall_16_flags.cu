// Block 0 produces, block 1 consumes.
// once: the flag is set once, behind a barrier and a fence; the consumer waits for it, fences, and its block follows
// through a barrier: every write comes before every read (ok). Without the fence before the flag it does not (bad).
// rounds: the flag stays up after the first round, so the producer overwrites while the consumer still reads (bad).
//@ verdict once_ok: race-free
//@ verdict once_bad: racy
//@ verdict rounds_bad: racy
__global__ void once_ok(int *flag, float *buf, float *out) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    buf[t] = t;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(flag, 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = buf[255 - t];
  }
}

__global__ void once_bad(int *flag, float *buf, float *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    buf[t] = t; // expect-race {{-Winter-block-race}}
    __syncthreads();
    if (t == 0)
      atomicExch(flag, 1);
  } else {
    if (t == 0) {
      while (atomicAdd(flag, 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    out[t] = buf[255 - t]; // expect-race {{-Winter-block-race}}
  }
}

__global__ void rounds_bad(int *flag, float *buf, float *out, int n) {
  int t = threadIdx.x;
  for (int r = 0; r < n; r++) {
    if (blockIdx.x == 0) {
      buf[t] = r; // expect-race {{-Winter-block-race}}
      __syncthreads();
      if (t == 0) {
        __threadfence();
        atomicExch(flag, 1);
      }
    } else {
      if (t == 0) {
        while (atomicAdd(flag, 0) == 0) {
        }
        __threadfence();
      }
      __syncthreads();
      out[r * 256 + t] = buf[255 - t]; // expect-race {{-Winter-block-race}}
    }
  }
}

int main(int argc, char **) {
  int *flag;
  float *buf, *out;
  cudaMalloc((void **)&flag, sizeof(int));
  cudaMalloc((void **)&buf, 256 * sizeof(float));
  cudaMalloc((void **)&out, 1 << 20);
  cudaMemset(flag, 0, sizeof(int));
  once_ok<<<2, 256>>>(flag, buf, out);
  cudaMemset(flag, 0, sizeof(int));
  once_bad<<<2, 256>>>(flag, buf, out);
  cudaMemset(flag, 0, sizeof(int));
  rounds_bad<<<2, 256>>>(flag, buf, out, argc);
  return 0;
}

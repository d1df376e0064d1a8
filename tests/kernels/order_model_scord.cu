// In ScoRD's model a fence only makes visible what its own thread wrote: the leader's fence says nothing about the
// writes of the other threads of its block.
// each: every thread fences its own writes before the barrier (ok). leader: only thread 0 does (bad; in CUDA's own model,
// where fences are cumulative, it is right).
//@ args: --memory-model=scord
//@ verdict each_ok: race-free
//@ verdict leader_bad: racy
__global__ void each_ok(int *flag, int *data, int *out) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t;
    __threadfence();
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
    out[t] = data[63 - t];
  }
}

__global__ void leader_bad(int *flag, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race {{cause=missing-fence}}
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
    out[t] = data[63 - t]; // expect-race
  }
}

int main() {
  int *flag, *data, *out;
  cudaMalloc((void **)&flag, sizeof(int));
  cudaMalloc((void **)&data, 64 * sizeof(int));
  cudaMalloc((void **)&out, 64 * sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  each_ok<<<2, 64>>>(flag, data, out);
  leader_bad<<<2, 64>>>(flag, data, out);
  return 0;
}

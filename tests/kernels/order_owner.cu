// A slot is claimed by storing the claimer's number. number: thread numbers begin at 0, which is the free value, so thread 0
// leaves the slot free (bad); from 1 on there is one winner (ok). lane: threads wait for flags of their own, only what
// all of them waited for holds for all (bad).
//@ verdict number_ok: race-free
//@ verdict number_bad: racy
//@ verdict lane_bad: racy
__global__ void number_ok(int *owner, int *log) { // expect-clean
  int t = threadIdx.x, slot = blockIdx.x * 8 + t / 8;
  if (atomicCAS(&owner[slot], 0, t + 1) == 0)
    log[slot] = t;
}

__global__ void number_bad(int *owner, int *log) {
  int t = threadIdx.x, slot = blockIdx.x * 8 + t / 8;
  if (atomicCAS(&owner[slot], 0, t) == 0)
    log[slot] = t; // expect-race
}

__global__ void lane_bad(int *flags, int *data, int *out) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    data[t] = t; // expect-race {{-Winter-block-race}}
    __threadfence();
    atomicExch(&flags[t], 1);
  } else {
    while (atomicAdd(&flags[t], 0) == 0) {
    }
    __threadfence();
    out[t] = data[t ^ 1]; // expect-race {{-Winter-block-race}}
  }
}

int main() {
  int *a, *b, *c;
  cudaMalloc((void **)&a, 4096);
  cudaMalloc((void **)&b, 4096);
  cudaMalloc((void **)&c, 4096);
  cudaMemset(a, 0, 4096);
  number_ok<<<4, 64>>>(a, b);
  number_bad<<<4, 64>>>(a, b);
  lane_bad<<<2, 64>>>(a, b, c);
  return 0;
}

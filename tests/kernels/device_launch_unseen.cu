// Nothing in the file launches the kernels that launch others. Who is launched by one that writes nothing finds flags down, as a kernel does
// of which no launch is seen (ok); the other one has been raised before (bad).
//@ verdict unseen_ok: race-free
//@ leans unseen_ok: A11
//@ verdict unseen_bad: racy
//@ verdict quiet: undecided
//@ verdict loud: undecided
__device__ void pass_on(int *data, int *flag) {
  if (threadIdx.x) return;
  if (blockIdx.x == 0) {
    data[0] = 5; // expect-race[any]
    __threadfence();
    atomicExch(flag, 77);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    data[1] = data[0]; // expect-race[any]
  }
}
__global__ void unseen_ok(int *data, int *flag) { pass_on(data, flag); } // expect-clean
__global__ void unseen_bad(int *data, int *flag) { pass_on(data, flag); }
__global__ void quiet(int *data, int *flag) { unseen_ok<<<2, 32>>>(data, flag); }
__global__ void loud(int *data, int *flag) {
  *flag = 1; // expect-same-value
  unseen_bad<<<2, 32>>>(data, flag);
}

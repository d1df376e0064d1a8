// What a kernel tells the graph that launched it, when it is over, is no access to memory: one thread counts (ok), all of them do (bad).
//@ verdict loop_ok: race-free
//@ verdict loop_bad: racy
#include <cuda_runtime.h>

__global__ void loop_ok(int *left, cudaGraphConditionalHandle again) { // expect-clean
  if (threadIdx.x == 0)
    cudaGraphSetConditional(again, --*left > 0);
}

__global__ void loop_bad(int *left, cudaGraphConditionalHandle again) {
  cudaGraphSetConditional(again, --*left > 0); // expect-race
}

int main() {
  int *left;
  cudaMalloc(&left, sizeof *left);
  loop_ok<<<1, 32>>>(left, {});
  loop_bad<<<1, 32>>>(left, {});
  return 0;
}

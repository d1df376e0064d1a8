// Below sm_70 the lanes of a warp run in lock step, and what its first lane has locked all of them may touch,
// as long as that lane is with them: array (ok); given back before (gone, bad); given back by the first lane
// on its side of a branch while the others are on the other side (side, bad), or come together first (ok); by
// a first lane that has left the loop the others are still in (left, bad); only by the first thread of the
// block, not of each warp (one, bad); only by the warps in which the first lane has work (some, bad); with a
// lock for each row where two rows share the data (next, bad); in a loop that visits rows, all lanes in the same (rows, ok) or lane by
// lane another number of them (uneven, bad).
//@ args: --arch=sm_60
//@ verdict array_ok: race-free
//@ rule array_ok: lockstep
//@ verdict gone_bad: racy
//@ verdict side_bad: racy
//@ verdict side_ok: race-free
//@ verdict left_bad: racy
//@ verdict one_bad: racy
//@ verdict some_bad: racy
//@ verdict next_bad: racy
//@ verdict rows_ok: race-free
//@ verdict uneven_bad: racy
#include <cuda_runtime.h>

#include <cstdlib>

#define ROWS 16

__device__ void give_back(int *lock, int row) {
  __threadfence();
  atomicExch(&lock[row], 0);
}

__global__ void array_ok(int *lock, int *data, const int *work) { // expect-clean
  int lane = threadIdx.x % 32, row = (threadIdx.x / 32 + blockIdx.x) % ROWS;
  while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
  }
  __threadfence();
  data[32 * row + lane] += 1;
  if (lane == 0) give_back(lock, row);
}

__global__ void gone_bad(int *lock, int *data, const int *work) {
  int lane = threadIdx.x % 32, row = (threadIdx.x / 32 + blockIdx.x) % ROWS;
  while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
  }
  __threadfence();
  if (lane == 0) give_back(lock, row);
  data[32 * row + lane] += 1; // expect-race[gone]
}

__global__ void side_bad(int *lock, int *data, const int *work) {
  int lane = threadIdx.x % 32, row = (threadIdx.x / 32 + blockIdx.x) % ROWS;
  while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
  }
  __threadfence();
  if (lane == 0)
    give_back(lock, row);
  else
    data[32 * row + lane] += 1; // expect-race[side]
}

__global__ void side_ok(int *lock, int *data, const int *work) { // expect-clean
  int lane = threadIdx.x % 32, row = (threadIdx.x / 32 + blockIdx.x) % ROWS;
  while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
  }
  __threadfence();
  if (lane == 0)
    data[32 * row] = 0;
  else
    data[32 * row + lane] += 1;
  if (lane == 0) give_back(lock, row);
}

__global__ void left_bad(int *lock, int *data, const int *work) {
  int lane = threadIdx.x % 32, row = (threadIdx.x / 32 + blockIdx.x) % ROWS;
  for (int round = 0; round < (lane == 0 ? 1 : 2); round++) {
    while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
    }
    __threadfence();
    data[32 * row + lane] += 1; // expect-race[left]
    if (lane == 0) give_back(lock, row);
  }
}

__global__ void one_bad(int *lock, int *data, const int *work) {
  int lane = threadIdx.x % 32, row = (threadIdx.x / 32 + blockIdx.x) % ROWS;
  while (threadIdx.x == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
  }
  __threadfence();
  data[32 * row + lane] += 1; // expect-race[one]
  if (threadIdx.x == 0) give_back(lock, row);
}

__global__ void some_bad(int *lock, int *data, const int *work) {
  int lane = threadIdx.x % 32, row = (threadIdx.x / 32 + blockIdx.x) % ROWS;
  if (work[threadIdx.x + blockIdx.x * blockDim.x] > 0) {
    while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
    }
    __threadfence();
    data[32 * row + lane] += 1; // expect-race[some]
    if (lane == 0) give_back(lock, row);
  }
}

__global__ void next_bad(int *lock, int *data, const int *work) {
  int lane = threadIdx.x % 32, row = (threadIdx.x / 32 + blockIdx.x) % ROWS;
  while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
  }
  __threadfence();
  data[32 * (row / 2) + lane] += 1; // expect-race[next]
  if (lane == 0) give_back(lock, row);
}

__global__ void rows_ok(int *lock, int *data, const int *work) { // expect-clean
  int lane = threadIdx.x % 32, row = blockIdx.x;
  for (int round = 0; round < ROWS; round++) {
    while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
    }
    __threadfence();
    data[32 * row + lane] += 1;
    if (lane == 0) give_back(lock, row);
    row = (row + 1) % ROWS;
  }
}

__global__ void uneven_bad(int *lock, int *data, const int *work) {
  int lane = threadIdx.x % 32, row = blockIdx.x;
  for (int round = 0; round < work[lane]; round++) {
    while (lane == 0 && atomicCAS(&lock[row], 0, 1) != 0) {
    }
    __threadfence();
    data[32 * row + lane] += 1; // expect-race[uneven]
    if (lane == 0) give_back(lock, row);
    row = (row + 1) % ROWS;
  }
}

int main(int argc, char **argv) {
  int *lock, *data, *work;
  cudaMalloc(&lock, ROWS * sizeof(int));
  cudaMalloc(&data, 32 * ROWS * sizeof(int));
  cudaMalloc(&work, 64 * ROWS * sizeof(int));
  cudaMemset(lock, 0, ROWS * sizeof(int));
  cudaMemset(data, 0, 32 * ROWS * sizeof(int));
  int host[64 * ROWS];
  for (int i = 0; i < 64 * ROWS; i++)
    host[i] = i < argc ? atoi(argv[i]) : 0;
  cudaMemcpy(work, host, sizeof host, cudaMemcpyHostToDevice);
  array_ok<<<ROWS, 64>>>(lock, data, work);
  gone_bad<<<ROWS, 64>>>(lock, data, work);
  side_bad<<<ROWS, 64>>>(lock, data, work);
  side_ok<<<ROWS, 64>>>(lock, data, work);
  left_bad<<<ROWS, 64>>>(lock, data, work);
  one_bad<<<ROWS, 64>>>(lock, data, work);
  some_bad<<<ROWS, 64>>>(lock, data, work);
  next_bad<<<ROWS, 64>>>(lock, data, work);
  rows_ok<<<ROWS, 64>>>(lock, data, work);
  uneven_bad<<<ROWS, 64>>>(lock, data, work);
  return 0;
}

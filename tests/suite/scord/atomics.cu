// ScoRD's atomic operations: two threads add to one word, in two blocks or in two warps of one block. 4 tests are racy, 5 are not.
// Names as in locks.cu: none is a plain addition, device and block are atomic ones of that scope.
// Why: two atomic operations do not race if the scopes of both hold both threads; a plain access races with anything. indirect: the second addition
// comes after the first one, by a flag of block scope to a third thread and from there by one of device scope; fences are cumulative.
//@ pairs: exact
//@ verdict blocks_device: race-free
//@ verdict warps_block: race-free
//@ verdict warps_device_block: race-free
//@ verdict thread_none_block: race-free
//@ verdict indirect: race-free
//@ verdict blocks_block: racy
//@ verdict blocks_none_device: racy
//@ verdict warps_none_device: racy
//@ verdict warps_none_block: racy

__global__ void blocks_device(int *data) { // expect-clean
  if (threadIdx.x == 0)
    atomicAdd(&data[0], 1);
}

__global__ void warps_block(int *data) { // expect-clean
  if (threadIdx.x % 32 == 0)
    atomicAdd_block(&data[0], 1);
}

__global__ void warps_device_block(int *data) { // expect-clean
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0)
      atomicAdd(&data[0], 1);
    else
      atomicAdd_block(&data[0], 2);
  }
}

__global__ void thread_none_block(int *data) { // expect-clean
  if (threadIdx.x == 0 && blockIdx.x == 0) {
    data[0] += 1;
    atomicAdd_block(&data[0], 2);
  }
}

__global__ void indirect(int *data, int *flags) { // expect-clean
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    atomicAdd_block(&data[0], 1);
    __threadfence_block();
    atomicExch_block(&flags[0], 1);
  } else if (blockIdx.x == 0 && threadIdx.x == 32) {
    while (atomicAdd_block(&flags[0], 0) == 0) {
    }
    __threadfence();
    atomicExch(&flags[1], 1);
  } else if (blockIdx.x == 1 && threadIdx.x == 0) {
    while (atomicAdd(&flags[1], 0) == 0) {
    }
    __threadfence();
    atomicAdd(&data[0], 2);
  }
}

__global__ void blocks_block(int *data) {
  if (threadIdx.x == 0)
    atomicAdd_block(&data[0], 1); // expect-race[data](inter-block) {{cause=insufficient-scope-atomic}}
}

__global__ void blocks_none_device(int *data) {
  if (threadIdx.x == 0) {
    if (blockIdx.x == 0)
      data[0] += 1; // expect-race[data](inter-block) {{cause=atomic-vs-plain}}
    else
      atomicAdd(&data[0], 2); // expect-race[data](inter-block) {{cause=atomic-vs-plain}}
  }
}

__global__ void warps_none_device(int *data) {
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0)
      data[0] += 1; // expect-race[data](intra-block) {{cause=atomic-vs-plain}}
    else
      atomicAdd(&data[0], 2); // expect-race[data](intra-block) {{cause=atomic-vs-plain}}
  }
}

__global__ void warps_none_block(int *data) {
  if (threadIdx.x % 32 == 0) {
    if (threadIdx.x == 0)
      data[0] += 1; // expect-race[data](intra-block) {{cause=atomic-vs-plain}}
    else
      atomicAdd_block(&data[0], 2); // expect-race[data](intra-block) {{cause=atomic-vs-plain}}
  }
}

int main() {
  int *data, *flags;
  cudaMalloc((void **)&flags, 2 * sizeof(int));
  cudaMemset(flags, 0, 2 * sizeof(int));
  cudaMalloc((void **)&data, sizeof(int));
  blocks_device<<<2, 64>>>(data);
  warps_block<<<1, 64>>>(data);
  warps_device_block<<<1, 64>>>(data);
  thread_none_block<<<1, 64>>>(data);
  indirect<<<2, 64>>>(data, flags);
  blocks_block<<<2, 64>>>(data);
  blocks_none_device<<<2, 64>>>(data);
  warps_none_device<<<1, 64>>>(data);
  warps_none_block<<<1, 64>>>(data);
  return 0;
}

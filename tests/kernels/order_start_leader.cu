// A wait that ends at once in block 0, where the word holds at the start what is awaited, made by the leader in the name of its block: that another
// thread of the block than the leader makes the access says nothing of what the leader has found. Each kernel differs from the next in one place.

__device__ int ready_1, ready_2, ready_3;

__device__ void tell(int *ready, int *data) {
  if (threadIdx.x == 5) data[0] = 1; // expect-race[leader] expect-race[other]
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) atomicExch(ready, 100);
}

__device__ void wait(int *ready, int number) {
  if (threadIdx.x == 0)
    while (atomicAdd(ready, 0) < number);
  __threadfence();
  __syncthreads();
}

//@ verdict leader_bad: racy
__global__ void leader_bad(int *data, int *out) {
  if (blockIdx.x == 1) {
    tell(&ready_1, data);
  } else {
    wait(&ready_1, (int)blockIdx.x);
    if (threadIdx.x == 0) out[blockIdx.x] = data[0]; // expect-race[leader]
  }
}

// Was race-free: the block that comes to the wait was taken for the thread that reads.
//@ verdict other_bad: racy
__global__ void other_bad(int *data, int *out) {
  if (blockIdx.x == 1) {
    tell(&ready_2, data);
  } else {
    wait(&ready_2, (int)blockIdx.x);
    if (threadIdx.x == 5) out[blockIdx.x] = data[0]; // expect-race[other]
  }
}

// Block 0 waits as well.
//@ verdict other_ok: race-free
__global__ void other_ok(int *data, int *out) { // expect-clean
  if (blockIdx.x == 1) {
    tell(&ready_3, data);
  } else {
    wait(&ready_3, (int)blockIdx.x + 1);
    if (threadIdx.x == 5) out[blockIdx.x] = data[0];
  }
}

int main() {
  int *data, *out;
  cudaMalloc(&data, 4096);
  cudaMalloc(&out, 4096);
  leader_bad<<<4, 64>>>(data, out);
  other_bad<<<4, 64>>>(data, out);
  other_ok<<<4, 64>>>(data, out);
}

// Numbers that threads draw to know who is the last one: each thread for itself, the first lane of each warp, four blocks at a counter of
// their own, pairs of blocks. Whoever draws the last number reads what the others wrote before (ok); the number before (bad).
// fence: none stands before the drawing (bad). scope: the counter is one of block scope (bad). other: reads the parts of other groups (bad).
// stop: threads work until one of them raises a flag, which is a volatile word and orders nothing (bad); an atomic one (ok).
//@ verdict each_ok: race-free
//@ verdict each_bad: racy
//@ verdict fence_bad: racy
//@ verdict scope_bad: racy
//@ verdict warps_ok: race-free
//@ verdict warps_bad: racy
//@ verdict four_ok: race-free
//@ verdict four_bad: racy
//@ verdict other_bad: racy
//@ verdict pair_ok: race-free
//@ verdict pair_bad: racy
//@ verdict stop_ok: race-free
//@ verdict stop_bad: racy

__device__ int sum_of(const int *part, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    sum += part[i]; // expect-race[each] expect-race[fence] expect-race[scope] expect-race[warps]
  return sum;
}

__global__ void each_ok(int *count, int *part, int *out) { // expect-clean
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x;
  __threadfence();
  if (atomicAdd(count, 1) == gridDim.x * blockDim.x - 1) {
    __threadfence();
    out[0] = sum_of(part, gridDim.x * blockDim.x);
  }
}

__global__ void each_bad(int *count, int *part, int *out) {
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[each]
  __threadfence();
  if (atomicAdd(count, 1) == gridDim.x * blockDim.x - 2) {
    __threadfence();
    out[0] = sum_of(part, gridDim.x * blockDim.x);
  }
}

__global__ void fence_bad(int *count, int *part, int *out) {
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[fence] {{cause=missing-fence}}
  if (atomicAdd(count, 1) == gridDim.x * blockDim.x - 1) {
    __threadfence();
    out[0] = sum_of(part, gridDim.x * blockDim.x);
  }
}

__global__ void scope_bad(int *count, int *part, int *out) {
  part[blockIdx.x * blockDim.x + threadIdx.x] = threadIdx.x; // expect-race[scope] {{cause=insufficient-scope-atomic}}
  __threadfence();
  if (atomicAdd_block(count, 1) == gridDim.x * blockDim.x - 1) { // expect-race {{cause=insufficient-scope-atomic}}
    __threadfence();
    out[0] = sum_of(part, gridDim.x * blockDim.x); // expect-race
  }
}

__global__ void warps_ok(int *count, int *part, int *out) { // expect-clean
  if (threadIdx.x % 32 == 0) {
    part[blockIdx.x * 2 + threadIdx.x / 32] = threadIdx.x;
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x * 2 - 1) {
      __threadfence();
      out[0] = sum_of(part, gridDim.x * 2);
    }
  }
}

__global__ void warps_bad(int *count, int *part, int *out) {
  if (threadIdx.x % 32 == 0) {
    part[blockIdx.x * 2 + threadIdx.x / 32] = threadIdx.x; // expect-race[warps]
    __threadfence();
    if (atomicAdd(count, 1) == gridDim.x - 1) {
      __threadfence();
      out[0] = sum_of(part, gridDim.x * 2);
    }
  }
}

__global__ void four_ok(int *count, int *part, int *out) { // expect-clean
  __shared__ bool last;
  int group = blockIdx.x / 4;
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(&count[group], 1) == 3;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 4; i++)
      sum += part[(group * 4 + i) * 64 + threadIdx.x];
    out[group * 64 + threadIdx.x] = sum;
  }
}

__global__ void four_bad(int *count, int *part, int *out) {
  __shared__ bool last;
  int group = blockIdx.x / 4;
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race[four]
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(&count[group], 1) == 2;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 4; i++)
      sum += part[(group * 4 + i) * 64 + threadIdx.x]; // expect-race[four]
    out[group * 64 + threadIdx.x] = sum;
  }
}

__global__ void other_bad(int *count, int *part, int *out) {
  __shared__ bool last;
  int group = blockIdx.x / 4;
  part[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race[other]
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0)
    last = atomicAdd(&count[group], 1) == 3;
  __syncthreads();
  if (last) {
    __threadfence();
    int sum = 0;
    for (int i = 0; i < 4; i++)
      sum += part[(group * 3 + i) * 64 + threadIdx.x]; // expect-race[other]
    out[group * 64 + threadIdx.x] = sum;
  }
}

__global__ void pair_ok(int *count, int *part, int *out) { // expect-clean
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x * 3;
    __threadfence();
    if (atomicAdd(&count[blockIdx.x / 2], 1) == 1) {
      __threadfence();
      out[blockIdx.x / 2] = part[blockIdx.x] + part[blockIdx.x ^ 1];
    }
  }
}

__global__ void pair_bad(int *count, int *part, int *out) {
  if (threadIdx.x == 0) {
    part[blockIdx.x] = blockIdx.x * 3; // expect-race[pair]
    __threadfence();
    if (atomicAdd(&count[blockIdx.x / 2], 1) == 0) {
      __threadfence();
      out[blockIdx.x / 2] = part[blockIdx.x] + part[blockIdx.x ^ 1]; // expect-race[pair]
    }
  }
}

__global__ void stop_ok(int *stop, const int *a, int n) { // expect-clean
  for (int i = 0; i < n && atomicAdd(stop, 0) == 0; i++)
    if (a[i * 64 + threadIdx.x] == 7)
      atomicExch(stop, 1);
}

__global__ void stop_bad(volatile int *stop, const int *a, int n) {
  for (int i = 0; i < n && *stop == 0; i++) // expect-race[stop]
    if (a[i * 64 + threadIdx.x] == 7)
      *stop = 1; // expect-race[stop] expect-same-value
}

int main(int argc, char **argv) {
  int *count, *part, *out;
  cudaMalloc((void **)&count, 64);
  cudaMalloc((void **)&part, 65536);
  cudaMalloc((void **)&out, 65536);
  cudaMemset(count, 0, 64);
  each_ok<<<2, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  each_bad<<<2, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  fence_bad<<<2, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  scope_bad<<<2, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  warps_ok<<<2, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  warps_bad<<<2, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  four_ok<<<8, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  four_bad<<<8, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  other_bad<<<8, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  pair_ok<<<8, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  pair_bad<<<8, 64>>>(count, part, out);
  cudaMemset(count, 0, 64);
  stop_ok<<<8, 64>>>(count, part, argc);
  cudaMemset(count, 0, 64);
  stop_bad<<<8, 64>>>(count, part, argc);
}

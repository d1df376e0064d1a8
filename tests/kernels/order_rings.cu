// One fills and another one empties, each in a loop of his own; words carry how many have been filled and emptied.
// stream: no buffer is used again (ok); the word is raised before the write (bad), without a fence (bad).
// ring: four buffers, the producer at most four ahead (ok); the place is that of another number of buffers (bad).
// single: one buffer, which is handed to and fro (ok); two producers (bad).
// block: whole blocks fill and empty two halves, their leaders wait and tell (ok); told before the block is done (bad).
//@ verdict stream_ok: race-free
//@ verdict stream_early_bad: racy
//@ verdict stream_fence_bad: racy
//@ verdict ring_ok: race-free
//@ verdict ring_bad: racy
//@ verdict single_ok: race-free
//@ verdict single_bad: racy
//@ verdict block_ok: race-free
//@ verdict block_bad: racy

__device__ void hear(volatile int *word, int least) {
  while (*word < least) {
  }
  __threadfence();
}

__device__ void tell(volatile int *word, int number) {
  __threadfence();
  *word = number;
}

__global__ void stream_ok(volatile int *filled, int *a, int *out, int n) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      a[i] = i * 3;
      tell(filled, i + 1);
    }
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++) {
      hear(filled, i + 1);
      out[i] = a[i];
    }
  }
}

__global__ void stream_early_bad(volatile int *filled, int *a, int *out, int n) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      tell(filled, i + 1);
      a[i] = i * 3; // expect-race[early]
    }
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++) {
      hear(filled, i + 1);
      out[i] = a[i]; // expect-race[early]
    }
  }
}

__global__ void stream_fence_bad(volatile int *filled, int *a, int *out, int n) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      a[i] = i * 3; // expect-race[fence] {{cause=missing-fence}}
      *filled = i + 1;
    }
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++) {
      hear(filled, i + 1);
      out[i] = a[i]; // expect-race[fence]
    }
  }
}

__global__ void ring_ok(volatile int *filled, int *a, int *out, int n) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      hear(filled + 1, i - 3);
      a[i % 4] = i * 3;
      tell(filled, i + 1);
    }
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++) {
      hear(filled, i + 1);
      out[i] = a[i % 4];
      tell(filled + 1, i + 1);
    }
  }
}

__global__ void ring_bad(volatile int *filled, int *a, int *out, int n) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      hear(filled + 1, i - 3);
      a[i % 3] = i * 3; // expect-race[ring]
      tell(filled, i + 1);
    }
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++) {
      hear(filled, i + 1);
      out[i] = a[i % 3]; // expect-race[ring]
      tell(filled + 1, i + 1);
    }
  }
}

__global__ void single_ok(volatile int *filled, int *a, int *out, int n) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      hear(filled + 1, i);
      a[0] = i * 3;
      tell(filled, i + 1);
    }
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++) {
      hear(filled, i + 1);
      out[i] = a[0];
      tell(filled + 1, i + 1);
    }
  }
}

__global__ void single_bad(volatile int *filled, int *a, int *out, int n) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x != 1) {
    for (int i = 0; i < n; i++) {
      hear(filled + 1, i);
      a[0] = i * 3 + blockIdx.x; // expect-race[two] expect-race[single]
      tell(filled, i + 1);
    }
  } else {
    for (int i = 0; i < n; i++) {
      hear(filled, i + 1);
      out[i] = a[0]; // expect-race[single]
      tell(filled + 1, i + 1);
    }
  }
}

__global__ void block_ok(volatile int *filled, int *a, int *out, int n) { // expect-clean
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      if (t == 0)
        hear(filled + 1, i - 1);
      __syncthreads();
      a[i % 2 * 64 + t] = i * t;
      __syncthreads();
      if (t == 0)
        tell(filled, i + 1);
    }
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++) {
      if (t == 0)
        hear(filled, i + 1);
      __syncthreads();
      out[i * 64 + t] = a[i % 2 * 64 + 63 - t];
      __syncthreads();
      if (t == 0)
        tell(filled + 1, i + 1);
    }
  }
}

__global__ void block_bad(volatile int *filled, int *a, int *out, int n) {
  int t = threadIdx.x;
  if (blockIdx.x == 0) {
    for (int i = 0; i < n; i++) {
      if (t == 0)
        hear(filled + 1, i - 1);
      __syncthreads();
      a[i % 2 * 64 + t] = i * t; // expect-race[block]
      if (t == 0)
        tell(filled, i + 1);
    }
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < n; i++) {
      if (t == 0)
        hear(filled, i + 1);
      __syncthreads();
      out[i * 64 + t] = a[i % 2 * 64 + 63 - t]; // expect-race[block]
      __syncthreads();
      if (t == 0)
        tell(filled + 1, i + 1);
    }
  }
}

int main(int argc, char **argv) {
  int *filled, *a, *out;
  cudaMalloc((void **)&filled, 64);
  cudaMalloc((void **)&a, 65536);
  cudaMalloc((void **)&out, 65536);
  cudaMemset(filled, 0, 64);
  stream_ok<<<2, 64>>>(filled, a, out, argc);
  cudaMemset(filled, 0, 64);
  stream_early_bad<<<2, 64>>>(filled, a, out, argc);
  cudaMemset(filled, 0, 64);
  stream_fence_bad<<<2, 64>>>(filled, a, out, argc);
  cudaMemset(filled, 0, 64);
  ring_ok<<<2, 64>>>(filled, a, out, argc);
  cudaMemset(filled, 0, 64);
  ring_bad<<<2, 64>>>(filled, a, out, argc);
  cudaMemset(filled, 0, 64);
  single_ok<<<2, 64>>>(filled, a, out, argc);
  cudaMemset(filled, 0, 64);
  single_bad<<<3, 64>>>(filled, a, out, argc);
  cudaMemset(filled, 0, 64);
  block_ok<<<2, 64>>>(filled, a, out, argc);
  cudaMemset(filled, 0, 64);
  block_bad<<<2, 64>>>(filled, a, out, argc);
}

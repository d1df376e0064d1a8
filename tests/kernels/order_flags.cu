// A flag orders what stands before its fence and store with what stands behind the wait and its fence, for one round.
// message: thread 0 of block 0 writes, fences, sets a volatile flag; another block waits for it (ok). Without the reader's
// fence, with a fence of block scope, with the flag set before the data is written: not ordered (bad).
// chain: each block waits for its left neighbour's flag, reads its sum and sets its own (ok); a block that waits for its
// own flag's left neighbour but reads two to the left is ordered by transitivity only, which is not followed.
// wrong: the flag of another block says nothing about this one's data (bad: undecided at best, the tool may say racy).
// inside: warp 0 hands a value to warp 1 through shared memory and a volatile flag, fences of block scope (ok).
// order: release and acquire on the flag itself (ok).
// look: the volatile flag is not waited for but looked at, with fences (ok), without the one behind the look (bad).
// answer: who has set the flag waits until it is taken down again, which it was at the start, too (ok); taken down too early (bad).
// third: a third block sets the flag as well, which has written nothing (bad). stage: set for the first time before the data are written, for
// which the reader does not wait (bad).
// halves: a fence of release order before the flag, one of acquire order behind the wait (ok); the two changed over (bad).
// gives_up_bad: the wait ends after some tries in any case.
// failure: a compare-and-swap that fails tells that the flag is up; its order where it fails is acquire (ok), or relaxed (bad).
// counted: who comes to a barrier of the grid counts itself in by an atomic addition (ok), or reads, adds and stores, so that two may count
// as one (bad: volatile words of a protocol race where one store of them may lose another). raised: any thread raises the flag that all look
// at, by an exchange (ok), or by a store of its own number (bad). walk: a volatile list is walked to its end (ok), and written there: walking is not waiting (bad).
// begun: block 0 sets the counter to zero while others count already (bad).
//@ verdict begun_bad: racy
//@ verdict counted_ok: race-free
//@ verdict counted_bad: racy
//@ verdict raised_ok: race-free
//@ verdict raised_bad: racy
//@ verdict walk_ok: race-free
//@ verdict walk_bad: racy
//@ verdict failure_ok: race-free
//@ verdict gives_up_bad: racy
//@ verdict failure_bad: racy
//@ verdict halves_ok: race-free
//@ verdict halves_bad: racy
//@ verdict message_ok: race-free
//@ rule message_ok: flag protocol-word !lock
//@ verdict message_bad: racy
//@ verdict narrow_bad: racy
//@ verdict early_bad: racy
//@ rule early_bad: !flag
//@ verdict chain_ok: race-free
//@ verdict inside_ok: race-free
//@ verdict inside_bad: racy
//@ verdict order_ok: race-free
//@ verdict look_ok: race-free
//@ verdict look_bad: racy
//@ verdict answer_ok: race-free
//@ verdict answer_bad: racy
//@ verdict third_bad: racy
//@ verdict stage_bad: racy
#include <cuda/atomic>

__global__ void message_ok(volatile int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0];
  }
}

__global__ void message_bad(volatile int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{cause=missing-acquire-fence}}
    __threadfence();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {
    }
    out[0] = data[0]; // expect-race
  }
}

__global__ void narrow_bad(volatile int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{cause=insufficient-scope-fence}}
    __threadfence_block();
    *flag = 1;
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race
  }
}

__global__ void early_bad(volatile int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    __threadfence();
    *flag = 1;
    data[0] = 42; // expect-race {{-Winter-block-race}}
  } else if (blockIdx.x == 1) {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race
  }
}

__global__ void chain_ok(int *flags, int *sums, const int *in) { // expect-clean
  int b = blockIdx.x;
  if (threadIdx.x == 0) {
    int left = 0;
    if (b > 0) {
      while (atomicAdd(&flags[b - 1], 0) == 0) {
      }
      __threadfence();
      left = sums[b - 1];
    }
    sums[b] = left + in[b];
    __threadfence();
    atomicExch(&flags[b], 1);
  }
}

__global__ void inside_ok(int *out) { // expect-clean
  __shared__ int value;
  __shared__ volatile int ready;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = blockIdx.x;
    __threadfence_block();
    ready = 1;
  } else if (threadIdx.x == 32) {
    while (!ready) {
    }
    __threadfence_block();
    out[blockIdx.x] = value;
  }
}

__global__ void inside_bad(int *out) {
  __shared__ int value;
  __shared__ volatile int ready;
  if (threadIdx.x == 0)
    ready = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = blockIdx.x; // expect-race {{-Wintra-block-race}}
    ready = 1;
  } else if (threadIdx.x == 32) {
    while (!ready) {
    }
    out[blockIdx.x] = value; // expect-race
  }
}

__global__ void order_ok(int *flag, int *data, int *out) { // expect-clean
  cuda::atomic_ref<int, cuda::thread_scope_device> f(*flag);
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    f.store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1) {
    while (f.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = data[0];
  }
}

int main() {
  int *flag, *data, *out;
  cudaMalloc((void **)&flag, 256);
  cudaMalloc((void **)&data, 256);
  cudaMalloc((void **)&out, 256);
  cudaMemset(flag, 0, 256);
  message_ok<<<2, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 256);
  message_bad<<<2, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 256);
  narrow_bad<<<2, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 256);
  early_bad<<<2, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 256);
  chain_ok<<<16, 64>>>(flag, data, out);
  inside_ok<<<16, 64>>>(out);
  inside_bad<<<16, 64>>>(out);
  cudaMemset(flag, 0, 256);
  order_ok<<<2, 32>>>(flag, data, out);
  return 0;
}

__global__ void look_ok(volatile int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    *flag = 1;
  } else if (*flag == 1) {
    __threadfence();
    out[blockIdx.x] = data[0];
  }
}

__global__ void look_bad(volatile int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race[look] {{cause=missing-acquire-fence}}
    __threadfence();
    *flag = 1; // expect-race[flag]
  } else if (*flag == 1) { // expect-race[flag]
    out[blockIdx.x] = data[0]; // expect-race[look]
  }
}

__global__ void answer_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
    while (atomicAdd(flag, 0) == 1) {
    }
    __threadfence();
    data[0] = 43;
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[0] = data[0];
    __threadfence();
    atomicExch(flag, 0);
  }
}

__global__ void answer_bad(int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
    while (atomicAdd(flag, 0) == 1) {
    }
    __threadfence();
    data[0] = 43; // expect-race[answer]
  } else if (blockIdx.x == 1) {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    atomicExch(flag, 0);
    out[0] = data[0]; // expect-race[answer]
  }
}

__global__ void third_bad(int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race[third]
    __threadfence();
    atomicExch(flag, 1);
  } else {
    if (blockIdx.x == 2)
      atomicExch(flag, 1);
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = data[0]; // expect-race[third]
  }
}

__global__ void stage_bad(int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    data[0] = 42; // expect-race[stage]
    __nv_atomic_store_n(flag, 2, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
  } else {
    while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) < 1) {
    }
    out[blockIdx.x] = data[0]; // expect-race[stage]
  }
}

__global__ void halves_ok(int *flag, int *data, int *out) { // expect-clean
  cuda::atomic_ref<int, cuda::thread_scope_device> word(*flag);
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    word.store(1, cuda::memory_order_relaxed);
  } else if (blockIdx.x == 1) {
    while (word.load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    out[0] = data[0];
  }
}

__global__ void halves_bad(int *flag, int *data, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(*flag);
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{cause=missing-fence}}
    cuda::atomic_thread_fence(cuda::memory_order_acquire, cuda::thread_scope_device);
    word.store(1, cuda::memory_order_relaxed);
  } else if (blockIdx.x == 1) {
    while (word.load(cuda::memory_order_relaxed) == 0) {
    }
    cuda::atomic_thread_fence(cuda::memory_order_release, cuda::thread_scope_device);
    out[0] = data[0]; // expect-race
  }
}

// A compare-and-swap that fails tells that the flag is up, with the order of its failure.
template <cuda::memory_order FAILURE> __device__ void failure(int *flag, int *data, int *out) {
  cuda::atomic_ref<int, cuda::thread_scope_device> word(*flag);
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race[failure] {{cause=missing-acquire-fence}}
    word.store(1, cuda::memory_order_release);
  } else if (blockIdx.x == 1) {
    for (bool is_up = false; !is_up;) {
      int none = 0;
      is_up = !word.compare_exchange_strong(none, 0, cuda::memory_order_acquire, FAILURE);
    }
    out[0] = data[0]; // expect-race[failure]
  }
}
__global__ void failure_ok(int *flag, int *data, int *out) { // expect-clean
  failure<cuda::memory_order_acquire>(flag, data, out);
}
__global__ void failure_bad(int *flag, int *data, int *out) {
  failure<cuda::memory_order_relaxed>(flag, data, out);
}

__global__ void gives_up_bad(int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race[up]
    __threadfence();
    atomicExch(flag, 1);
  } else if (blockIdx.x == 1) {
    for (int i = 0; i < 1000 && atomicAdd(flag, 0) == 0; i++) {
    }
    __threadfence();
    out[0] = data[0]; // expect-race[up]
  }
}

__global__ void counted_ok(volatile int *count) { // expect-clean
  if (threadIdx.x != 0)
    return;
  atomicAdd((int *)count, 1);
  while (*count < gridDim.x) {
  }
}
__global__ void begun_bad(volatile int *count) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0)
    *count = 0; // expect-race[begun]
  atomicAdd((int *)count, 1); // expect-race[begun]
  while (*count < gridDim.x) {
  }
}
__global__ void counted_bad(volatile int *count) {
  if (threadIdx.x != 0)
    return;
  *count = *count + 1; // expect-race
  while (*count < gridDim.x) {
  }
}

__global__ void raised_ok(volatile int *stop, const int *data, int n) { // expect-clean
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n && *stop == 0; i += gridDim.x * blockDim.x)
    if (data[i] < 0)
      atomicExch((int *)stop, i + 1);
  while (*stop == 0) {
  }
}
__global__ void raised_bad(volatile int *stop, const int *data, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n && *stop == 0; i += gridDim.x * blockDim.x)
    if (data[i] < 0)
      *stop = i + 1; // expect-race
  while (*stop == 0) {
  }
}

__global__ void walk_ok(volatile int *parent, const int *from, int *out) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = from[i];
  while (parent[at] != at)
    at = parent[at];
  out[i] = at;
}
__global__ void walk_bad(volatile int *parent, const int *from) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = from[i];
  while (parent[at] != at) // expect-race[walk]
    at = parent[at];       // expect-race[walk]
  parent[at] = i;          // expect-race[walk]
}

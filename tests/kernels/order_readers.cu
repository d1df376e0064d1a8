// A lock that several readers hold together, or one writer alone: a word that counts the readers, and is negative while somebody writes.
// one: block 0 writes, the others read (ok); a reader writes as well (writes_bad), counts itself in while somebody writes (enters_bad),
// sets the word free for all (frees_bad), reads when it has counted itself out (late_bad). some: every second block writes (ok).
// positive: the writer leaves 1, which readers take for one of theirs (bad). fences: the writer has none before it gives the word back (bad),
// nor a reader (bad).
//@ verdict one_ok: race-free
//@ rule one_ok: reader-writer-lock !lock
//@ verdict some_ok: race-free
//@ verdict writes_bad: racy
//@ verdict enters_bad: racy
//@ verdict frees_bad: racy
//@ verdict late_bad: racy
//@ verdict positive_bad: racy
//@ verdict writer_fence_bad: racy
//@ verdict reader_fence_bad: racy

__device__ void lock_write(int *word) {
  while (atomicCAS(word, 0, -1) != 0) {
  }
  __threadfence();
}

__device__ void unlock_write(int *word) {
  __threadfence();
  atomicExch(word, 0);
}

__device__ void lock_read(int *word) {
  int seen;
  do {
    seen = atomicAdd(word, 0);
  } while (seen < 0 || atomicCAS(word, seen, seen + 1) != seen);
  __threadfence();
}

__device__ void unlock_read(int *word) {
  __threadfence();
  atomicSub(word, 1);
}

__global__ void one_ok(int *word, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    lock_write(word);
    a[0]++;
    unlock_write(word);
  } else {
    lock_read(word);
    out[blockIdx.x] = a[0];
    unlock_read(word);
  }
}

__global__ void some_ok(int *word, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x % 2 == 0) {
    lock_write(word);
    a[0]++;
    unlock_write(word);
  } else {
    lock_read(word);
    out[blockIdx.x] = a[0];
    unlock_read(word);
  }
}

__global__ void writes_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    lock_write(word);
    a[0]++;
    unlock_write(word);
  } else {
    lock_read(word);
    a[1] += blockIdx.x; // expect-race
    unlock_read(word);
  }
}

__global__ void enters_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    lock_write(word);
    a[0] = 7; // expect-race[enters]
    unlock_write(word);
  } else {
    int seen;
    do {
      seen = atomicAdd(word, 0);
    } while (atomicCAS(word, seen, seen + 1) != seen);
    __threadfence();
    out[blockIdx.x] = a[0]; // expect-race[enters]
    unlock_read(word);
  }
}

__global__ void frees_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    lock_write(word);
    a[0] = 7; // expect-race[frees]
    unlock_write(word);
  } else {
    lock_read(word);
    out[blockIdx.x] = a[0]; // expect-race[frees]
    unlock_write(word);
  }
}

__global__ void late_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    lock_write(word);
    a[0] = 7; // expect-race[late]
    unlock_write(word);
  } else {
    lock_read(word);
    unlock_read(word);
    out[blockIdx.x] = a[0]; // expect-race[late]
  }
}

__global__ void positive_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    while (atomicCAS(word, 0, 1) != 0) {
    }
    __threadfence();
    a[0] = 7; // expect-race[positive]
    unlock_write(word);
  } else {
    lock_read(word);
    out[blockIdx.x] = a[0]; // expect-race[positive]
    unlock_read(word);
  }
}

__global__ void writer_fence_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    lock_write(word);
    a[0] = 7; // expect-race[writer] {{cause=missing-fence}}
    atomicExch(word, 0);
  } else {
    lock_read(word);
    out[blockIdx.x] = a[0]; // expect-race[writer]
    unlock_read(word);
  }
}

__global__ void reader_fence_bad(int *word, int *a, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    lock_write(word);
    a[0] = 7; // expect-race[reader] {{cause=missing-fence}}
    unlock_write(word);
  } else {
    lock_read(word);
    out[blockIdx.x] = a[0]; // expect-race[reader]
    atomicSub(word, 1);
  }
}

int main() {
  int *word, *a, *out;
  cudaMalloc((void **)&word, 64);
  cudaMalloc((void **)&a, 64);
  cudaMalloc((void **)&out, 64);
  cudaMemset(word, 0, 64);
  one_ok<<<4, 64>>>(word, a, out);
  some_ok<<<4, 64>>>(word, a, out);
  writes_bad<<<4, 64>>>(word, a, out);
  enters_bad<<<4, 64>>>(word, a, out);
  frees_bad<<<4, 64>>>(word, a, out);
  late_bad<<<4, 64>>>(word, a, out);
  positive_bad<<<4, 64>>>(word, a, out);
  writer_fence_bad<<<4, 64>>>(word, a, out);
  reader_fence_bad<<<4, 64>>>(word, a, out);
}

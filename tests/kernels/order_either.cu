// A wait that one flag or another may end, or several waits of which a thread passes one.
// either: both are raised behind the data (ok), one of them before the data are there (bad); another block raises one of them (other, bad), having
// waited for the first (third, ok). leave: the other flag makes the thread leave (ok). fence: only one way out has a fence behind it (bad).
// block: the leader waits for its block (ok), no barrier (bad). cases: each way has a wait (ok), one has none (bad).
// number: which of the two is looked at hangs on the block (ok), and one is raised before the data are there (bad). picked: volatile flags, of which the
// host says which one is waited for (ok), or which the waiting threads take down all the same (bad); chosen: likewise by a pointer to the one.
//@ args: --grid-dim=4 --block-dim=64
//@ verdict either_ok: race-free
//@ verdict either_bad: racy
//@ verdict other_bad: racy
//@ verdict third_ok: race-free
//@ verdict leave_ok: race-free
//@ verdict fence_bad: racy
//@ verdict block_ok: race-free
//@ verdict block_bad: racy
//@ verdict cases_ok: race-free
//@ verdict cases_bad: racy
//@ verdict number_ok: race-free
//@ verdict number_bad: racy
//@ verdict picked_ok: race-free
//@ verdict picked_bad: racy
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy

__device__ void raise(int *flag) {
  __threadfence();
  atomicExch(flag, 1);
}

__device__ bool is_up(int *flag) {
  return atomicAdd(flag, 0) != 0;
}

__device__ void hear_either(int *one, int *two) {
  while (!is_up(one) && !is_up(two)) {
  }
  __threadfence();
}

__global__ void either_ok(int *one, int *two, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 1;
    raise(one);
    raise(two);
  } else {
    hear_either(one, two);
    out[blockIdx.x] = a[0];
  }
}

__global__ void either_bad(int *one, int *two, int *a, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    raise(two);
    a[0] = 1; // expect-race[early]
    raise(one);
  } else {
    hear_either(one, two);
    out[blockIdx.x] = a[0]; // expect-race[early]
  }
}

__global__ void other_bad(int *one, int *two, int *a, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 1; // expect-race[other]
    raise(one);
  } else if (blockIdx.x == 1) {
    raise(two);
  } else {
    hear_either(one, two);
    out[blockIdx.x] = a[0]; // expect-race[other]
  }
}

__global__ void third_ok(int *one, int *two, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 1;
    raise(one);
  } else if (blockIdx.x == 1) {
    while (!is_up(one)) {
    }
    raise(two);
  } else {
    hear_either(one, two);
    out[blockIdx.x] = a[0];
  }
}

__global__ void leave_ok(int *one, int *two, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 1;
    raise(one);
  } else if (blockIdx.x == 1) {
    raise(two);
  } else {
    while (!is_up(one))
      if (is_up(two)) return;
    __threadfence();
    out[blockIdx.x] = a[0];
  }
}

__global__ void fence_bad(int *one, int *two, int *a, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 1; // expect-race[fence]
    raise(one);
    raise(two);
  } else {
    for (;;) {
      if (is_up(one)) {
        __threadfence();
        break;
      }
      if (is_up(two)) break;
    }
    out[blockIdx.x] = a[0]; // expect-race[fence]
  }
}

__global__ void block_ok(int *one, int *two, int *a, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    a[threadIdx.x] = 1;
    __syncthreads();
    if (threadIdx.x == 0) raise(one);
    if (threadIdx.x == 0) raise(two);
    return;
  }
  if (threadIdx.x == 0) hear_either(one, two);
  __syncthreads();
  out[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x ^ 1];
}

__global__ void block_bad(int *one, int *two, int *a, int *out) {
  if (blockIdx.x == 0) {
    a[threadIdx.x] = 1; // expect-race[block]
    __syncthreads();
    if (threadIdx.x == 0) raise(one);
    if (threadIdx.x == 0) raise(two);
    return;
  }
  if (threadIdx.x == 0) hear_either(one, two);
  out[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x ^ 1]; // expect-race[block]
}

__device__ void hear_one(int *one, int *two, int which) {
  if (which == 1) {
    while (!is_up(one)) {
    }
  } else if (which == 2) {
    while (!is_up(two)) {
    }
  }
  __threadfence();
}

__global__ void cases_ok(int *one, int *two, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 1;
    raise(one);
    raise(two);
  } else {
    hear_one(one, two, 1 + (blockIdx.x & 1));
    out[blockIdx.x] = a[0];
  }
}

__global__ void cases_bad(int *one, int *two, int *a, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 1; // expect-race[cases]
    raise(one);
    raise(two);
  } else {
    hear_one(one, two, blockIdx.x & 3);
    out[blockIdx.x] = a[0]; // expect-race[cases]
  }
}

__device__ void hear_one_of(int *one, int *two) {
  while (blockIdx.x == 1 ? !is_up(one) : !is_up(two)) {
  }
  __threadfence();
}

__global__ void number_ok(int *one, int *two, int *a, int *out) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    a[0] = 1;
    raise(one);
    raise(two);
  } else {
    hear_one_of(one, two);
    out[blockIdx.x] = a[0];
  }
}

__global__ void number_bad(int *one, int *two, int *a, int *out) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    raise(two);
    a[0] = 1; // expect-race[number]
    raise(one);
  } else {
    hear_one_of(one, two);
    out[blockIdx.x] = a[0]; // expect-race[number]
  }
}

__device__ void hear_picked(volatile int *one, volatile int *two, int first) {
  bool waits;
  do {
    if (first)
      waits = *one == 0;
    else
      waits = *two == 0;
  } while (waits);
}

__global__ void picked_ok(volatile int *one, volatile int *two, int first) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *one = 1;
    *two = 1;
  } else {
    hear_picked(one, two, first);
  }
}

__global__ void picked_bad(volatile int *one, volatile int *two, int first) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *one = 1; // expect-race[lost]
    *two = 1;
  } else {
    hear_picked(one, two, first);
    *one = blockIdx.x; // expect-race[lost]
  }
}

__global__ void chosen_ok(volatile int *one, volatile int *two, int first) { // expect-clean
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *one = 1;
    *two = 1;
  } else {
    volatile int *flag = first ? one : two;
    while (*flag == 0) {
    }
  }
}

__global__ void chosen_bad(volatile int *one, volatile int *two, int first) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    *one = 1; // expect-race[down]
    *two = 1;
  } else {
    volatile int *flag = first ? one : two;
    while (*flag == 0) {
    }
    *one = blockIdx.x; // expect-race[down]
  }
}

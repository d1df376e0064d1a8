// A message and the flag that says that it is there stand in one object: what keeps the threads that fill it away from the flag is the
// condition under which they do so.
// inside: threads below 3 fill the three words before the flag (ok); the flag is set by a plain store (bad).
// tail: the last word of each slot is its flag; threads below the width of the payload fill it (ok); one more thread does (bad).
//@ verdict inside_ok: race-free
//@ verdict inside_bad: racy
//@ verdict tail_ok: race-free
//@ verdict tail_bad: racy

struct Message {
  int payload[3];
  int ready;
};

__global__ void inside_ok(Message *m, int *out) { // expect-clean
  if (blockIdx.x == 0) {
    if (threadIdx.x < 3)
      m->payload[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      *(volatile int *)&m->ready = 1;
    }
  } else {
    if (threadIdx.x == 0) {
      while (*(volatile int *)&m->ready == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    if (threadIdx.x < 3)
      out[blockIdx.x * 3 + threadIdx.x] = m->payload[threadIdx.x];
  }
}

__global__ void inside_bad(Message *m, int *out) {
  if (blockIdx.x == 0) {
    if (threadIdx.x < 3)
      m->payload[threadIdx.x] = threadIdx.x; // expect-race[data] {{inter-block-race]}}
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      m->ready = 1; // expect-race[flag] {{inter-block-race]}}
    }
  } else {
    if (threadIdx.x == 0) {
      while (*(volatile int *)&m->ready == 0) { // expect-race[flag]
      }
      __threadfence();
    }
    __syncthreads();
    if (threadIdx.x < 3)
      out[blockIdx.x * 3 + threadIdx.x] = m->payload[threadIdx.x]; // expect-race[data]
  }
}

__global__ void tail_ok(int *slots, int *out) { // expect-clean
  int t = threadIdx.x, slot = blockIdx.x / 2 * 16;
  if (blockIdx.x % 2 == 0) {
    if (t < 15)
      slots[slot + t] = t;
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(&slots[slot + 15], 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(&slots[slot + 15], 0) == 0) {
      }
      __threadfence();
    }
    __syncthreads();
    if (t < 15)
      out[blockIdx.x * 16 + t] = slots[slot + t];
  }
}

__global__ void tail_bad(int *slots, int *out) {
  int t = threadIdx.x, slot = blockIdx.x / 2 * 16;
  if (blockIdx.x % 2 == 0) {
    if (t < 16)
      slots[slot + t] = t; // expect-race {{inter-block-race]}}
    __syncthreads();
    if (t == 0) {
      __threadfence();
      atomicExch(&slots[slot + 15], 1);
    }
  } else {
    if (t == 0) {
      while (atomicAdd(&slots[slot + 15], 0) == 0) { // expect-race
      }
      __threadfence();
    }
    __syncthreads();
    if (t < 15)
      out[blockIdx.x * 16 + t] = slots[slot + t];
  }
}

// What the flag holds when the kernel starts. cleared: the host has cleared it (ok), or set it before the launch, so that
// nobody waits (bad); waits for 0, and the host has set it to 1 (ok), or cleared it (bad). copied: the first of several
// flags is up, which nobody waits for (ok: the leader of the first block goes ahead), which somebody does (bad). variable: its
// initial data is 0 (ok), 1 (bad). shared: a flag in shared memory holds anything until somebody sets it up before a barrier (ok;
// without: bad; with what ends the wait: bad). ticket: numbers are drawn from 0 on (ok), from 1 on: the last one is drawn by the
// last but one (bad). greater: no block draws a number greater than the last one (ok), the last two draw one greater than
// the last but two (bad). unsaid: the host clears it elsewhere, as is assumed (ok).
//@ verdict cleared_ok: race-free
//@ leans cleared_ok: !A11
//@ verdict cleared_bad: racy
//@ verdict lowered_ok: race-free
//@ verdict lowered_bad: racy
//@ verdict copied_ok: race-free
//@ verdict copied_bad: racy
//@ verdict variable_ok: race-free
//@ verdict variable_bad: racy
//@ verdict shared_ok: race-free
//@ verdict shared_bad: racy
//@ verdict shared_up_bad: racy
//@ verdict ticket_ok: race-free
//@ verdict ticket_bad: racy
//@ verdict greater_ok: race-free
//@ verdict greater_bad: racy
//@ verdict unsaid_ok: race-free
//@ leans unsaid_ok: A11
__device__ void tell(int *flag, int value) {
  __threadfence();
  atomicExch(flag, value);
}
__device__ void hear(int *flag, int value) {
  while (atomicAdd(flag, 0) != value) {
  }
  __threadfence();
}

__global__ void cleared_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    tell(flag, 1);
  } else {
    hear(flag, 1);
    out[0] = data[0];
  }
}

__global__ void cleared_bad(int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{cause=flag-up-at-start}}
    tell(flag, 1);
  } else {
    hear(flag, 1);
    out[0] = data[0]; // expect-race
  }
}

__global__ void lowered_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    tell(flag, 0);
  } else {
    hear(flag, 0);
    out[0] = data[0];
  }
}

__global__ void lowered_bad(int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{cause=flag-up-at-start}}
    tell(flag, 0);
  } else {
    hear(flag, 0);
    out[0] = data[0]; // expect-race
  }
}

__global__ void copied_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  hear(&flag[blockIdx.x], 1);
  data[blockIdx.x] = blockIdx.x ? data[blockIdx.x - 1] : 0;
  tell(&flag[blockIdx.x + 1], 1);
}

__global__ void copied_bad(int *flag, int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  hear(&flag[blockIdx.x], 1);
  data[blockIdx.x] = // expect-race {{cause=flag-up-at-start}}
      blockIdx.x ? data[blockIdx.x - 1] : 0; // expect-race
  tell(&flag[blockIdx.x + 1], 1);
}

__device__ int down, up = 1;

__global__ void variable_ok(int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    tell(&down, 1);
  } else {
    hear(&down, 1);
    out[0] = data[0];
  }
}

__global__ void variable_bad(int *data, int *out) {
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42; // expect-race {{cause=flag-up-at-start}}
    tell(&up, 1);
  } else {
    hear(&up, 1);
    out[0] = data[0]; // expect-race
  }
}

__global__ void shared_ok(int *out) { // expect-clean
  __shared__ int flag, value;
  if (threadIdx.x == 0)
    flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 42;
    tell(&flag, 1);
  } else if (threadIdx.x == 32) {
    hear(&flag, 1);
    out[blockIdx.x] = value;
  }
}

__global__ void shared_bad(int *out) {
  __shared__ int flag, value;
  if (threadIdx.x == 0) {
    value = 42; // expect-race {{cause=flag-not-set-up}}
    tell(&flag, 1);
  } else if (threadIdx.x == 32) {
    hear(&flag, 1);
    out[blockIdx.x] = value; // expect-race
  }
}

__global__ void shared_up_bad(int *out) {
  __shared__ int flag, value;
  if (threadIdx.x == 0)
    flag = 1;
  __syncthreads();
  if (threadIdx.x == 0) {
    value = 42; // expect-race
    tell(&flag, 1);
  } else if (threadIdx.x == 32) {
    hear(&flag, 1);
    out[blockIdx.x] = value; // expect-race
  }
}

__device__ bool is_last(unsigned *count, unsigned from, bool or_later) {
  __shared__ bool last;
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    unsigned mine = atomicAdd(count, 1);
    last = or_later ? mine >= from : mine == from;
  }
  __syncthreads();
  __threadfence();
  return last;
}

__global__ void ticket_ok(unsigned *count, int *data, int *out) { // expect-clean
  data[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (is_last(count, gridDim.x - 1, false))
    for (unsigned i = threadIdx.x; i < gridDim.x * 64; i += 64)
      out[i] = data[i];
}

__global__ void ticket_bad(unsigned *count, int *data, int *out) {
  data[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race {{cause=incomplete-arrival}}
  if (is_last(count, gridDim.x - 1, false))
    for (unsigned i = threadIdx.x; i < gridDim.x * 64; i += 64)
      out[i] = data[i]; // expect-race
}

__global__ void greater_ok(unsigned *count, int *data, int *out) { // expect-clean
  data[blockIdx.x * 64 + threadIdx.x] = threadIdx.x;
  if (is_last(count, gridDim.x - 1, true))
    for (unsigned i = threadIdx.x; i < gridDim.x * 64; i += 64)
      out[i] = data[i];
}

__global__ void greater_bad(unsigned *count, int *data, int *out) {
  data[blockIdx.x * 64 + threadIdx.x] = threadIdx.x; // expect-race[read]
  if (is_last(count, gridDim.x - 2, true))
    for (unsigned i = threadIdx.x; i < gridDim.x * 64; i += 64)
      out[i] = data[i]; // expect-race[read] expect-race[twice]
}

__global__ void unsaid_ok(int *flag, int *data, int *out) { // expect-clean
  if (threadIdx.x != 0)
    return;
  if (blockIdx.x == 0) {
    data[0] = 42;
    tell(flag, 1);
  } else {
    hear(flag, 1);
    out[0] = data[0];
  }
}

void run_unsaid(int *flag, int *data, int *out) { unsaid_ok<<<2, 32>>>(flag, data, out); }

int main() {
  int *flag, *data, *out;
  unsigned *count;
  int one = 1, first[3] = {1, 0, 0}, second[3] = {1, 1, 0};
  cudaMalloc((void **)&flag, 64);
  cudaMalloc((void **)&data, 4096);
  cudaMalloc((void **)&out, 4096);
  cudaMalloc((void **)&count, 4);
  cudaMemset(flag, 0, 64);
  cleared_ok<<<2, 32>>>(flag, data, out);
  cudaMemcpy(flag, &one, 4, cudaMemcpyHostToDevice);
  cleared_bad<<<2, 32>>>(flag, data, out);
  cudaMemcpy(flag, &one, 4, cudaMemcpyHostToDevice);
  lowered_ok<<<2, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  lowered_bad<<<2, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  cudaMemcpy(flag, first, sizeof first, cudaMemcpyHostToDevice);
  copied_ok<<<3, 32>>>(flag, data, out);
  cudaMemset(flag, 0, 64);
  cudaMemcpy(flag, second, sizeof second, cudaMemcpyHostToDevice);
  copied_bad<<<3, 32>>>(flag, data, out);
  variable_ok<<<2, 32>>>(data, out);
  variable_bad<<<2, 32>>>(data, out);
  shared_ok<<<2, 64>>>(out);
  shared_bad<<<2, 64>>>(out);
  shared_up_bad<<<2, 64>>>(out);
  cudaMemset(count, 0, 4);
  ticket_ok<<<4, 64>>>(count, data, out);
  cudaMemcpy(count, &one, 4, cudaMemcpyHostToDevice);
  ticket_bad<<<4, 64>>>(count, data, out);
  cudaMemset(count, 0, 4);
  greater_ok<<<4, 64>>>(count, data, out);
  cudaMemset(count, 0, 4);
  greater_bad<<<4, 64>>>(count, data, out);
  return 0;
}

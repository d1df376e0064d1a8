// Loops that are entered at more than one place, by goto: what stands beside them, in them, and barriers of theirs.
// beside: a pair outside of the loop; inside: one of two rounds of it. in_step: a barrier in each round, and one more. skipped: the loop's
// barrier may be passed by on the way in. machine: a machine of states, with switches.
//@ verdict beside_ok: race-free
//@ verdict beside_bad: racy
//@ verdict inside_ok: race-free
//@ verdict inside_bad: racy
//@ verdict in_step_ok: race-free
//@ verdict in_step_bad: racy
//@ verdict skipped_ok: race-free
//@ verdict skipped_bad: racy
//@ verdict machine_ok: race-free
//@ verdict machine_bad: racy
//@ verdict apart: undecided
#include <cuda_runtime.h>

template <int PER_BLOCK> __device__ void beside(int *p, int n) {
  int i = 0, t = blockIdx.x * PER_BLOCK + threadIdx.x;
  p[t] = t + blockIdx.x; // expect-race[beside](inter-block)
  if (n > 3) goto middle;
top:
  i += 2;
  p[1000 + blockIdx.x * blockDim.x + threadIdx.x] = i;
middle:
  i++;
  if (i < n) goto top;
}
__global__ void beside_ok(int *p, int n) { beside<128>(p, n); } // expect-clean
__global__ void beside_bad(int *p, int n) { beside<100>(p, n); }

template <int STEP> __device__ void inside(int *p, int n) {
  int i = 0, t = blockIdx.x * blockDim.x + threadIdx.x;
  if (n > 3) goto middle;
top:
  p[t + STEP * i] = t; // expect-race[inside]
middle:
  i++;
  if (i < n) goto top;
}
__global__ void inside_ok(int *p, int n) { inside<0>(p, n); } // expect-clean
__global__ void inside_bad(int *p, int n) { inside<1>(p, n); }

template <bool WAITS> __device__ void in_step(int *p, int n) {
  __shared__ int s[128];
  int i = 0, t = threadIdx.x;
  s[t] = t;
  if (n > 3) goto middle;
top:
  i += 2;
  __syncthreads();
  p[blockIdx.x * 128 + t] += s[127 - t]; // expect-race[in_step](intra-block)
  if (WAITS) __syncthreads();
  s[t] = i; // expect-race[in_step](intra-block)
middle:
  i++;
  if (i < n) goto top;
}
__global__ void in_step_ok(int *p, int n) { in_step<true>(p, n); } // expect-clean
__global__ void in_step_bad(int *p, int n) { in_step<false>(p, n); }

template <bool WAITS> __device__ void skipped(int *p, int n) {
  __shared__ int s[128];
  int i = 0, t = threadIdx.x;
  s[t] = t; // expect-race[skipped](intra-block)
  if (WAITS) __syncthreads();
  if (n > 3) goto middle;
top:
  i += 2;
  __syncthreads();
middle:
  p[blockIdx.x * 128 + t] += s[127 - t]; // expect-race[skipped](intra-block)
  i++;
  if (i < n) goto top;
}
__global__ void skipped_ok(int *p, int n) { skipped<true>(p, n); } // expect-clean
__global__ void skipped_bad(int *p, int n) { skipped<false>(p, n); }

template <int FURTHER> __device__ void machine(int *p, const int *q, int n) {
  int k = 0, t = blockIdx.x * blockDim.x + threadIdx.x, x = t;
  if (q[t] & 1) goto two;
one:
  x += 1;
  k++;
  if (k >= n) goto end;
  switch (q[t + k] & 3) {
  case 0: goto one;
  case 1: goto two;
  case 2: goto three;
  default: goto end;
  }
two:
  x *= 2;
  k++;
  if (k >= n) goto end;
  switch (q[t + k] & 3) {
  case 0: goto three;
  case 1: goto one;
  default: goto end;
  }
three:
  p[t + FURTHER] = x; // expect-race[machine]
  k++;
  if (k < n) goto two;
end:
  p[t] += x; // expect-race[machine]
}
__global__ void machine_ok(int *p, const int *q, int n) { machine<0>(p, q, n); } // expect-clean
__global__ void machine_bad(int *p, const int *q, int n) { machine<1>(p, q, n); }

// Some come to the barrier a round later than others.
__global__ void apart(int *p, int n) {
  __shared__ int s[128];
  int i = 0, t = threadIdx.x;
  s[t] = t;
  if (t > 3) goto middle;
top:
  i += 2;
  __syncthreads(); // expect-divergence {{goes another way at line 115}}
middle:
  i++;
  if (i < n) goto top;
  p[blockIdx.x * 128 + t] = s[t];
}

int main(int argc, char **argv) {
  int n = argc + 1, *p, *q;
  cudaMalloc((void **)&p, 1 << 20);
  cudaMalloc((void **)&q, 1 << 20);
  if (n > 100) return 1;
  beside_ok<<<4, 128>>>(p, n);
  beside_bad<<<4, 128>>>(p, n);
  inside_ok<<<4, 128>>>(p, n);
  inside_bad<<<4, 128>>>(p, n);
  in_step_ok<<<4, 128>>>(p, n);
  in_step_bad<<<4, 128>>>(p, n);
  skipped_ok<<<4, 128>>>(p, n);
  skipped_bad<<<4, 128>>>(p, n);
  machine_ok<<<4, 128>>>(p, q, n);
  machine_bad<<<4, 128>>>(p, q, n);
  apart<<<4, 128>>>(p, n);
}

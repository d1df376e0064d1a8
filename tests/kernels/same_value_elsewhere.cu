// That two writes put down the same value in one place of the run, or in one extent, says nothing of the others.
// later: without a round of the loop all write zero, behind one each its own sum (bad), or what all have (ok).
// extents: two blocks put zero at the start, and the threads of one block their own numbers behind it (bad), or one number (ok).
// open: what a barrier with an unknown mask may order stays undecided, though the later rounds write one value.
//@ verdict later_ok: race-free
//@ verdict later_bad: racy
//@ verdict extents_ok: race-free
//@ verdict extents_bad: racy
//@ verdict open: undecided

template <bool own> __device__ int sum_of(const int *in, int *s, int n) {
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    s[t] = in[k * 64 + t];
    __syncthreads();
    sum += s[own ? 63 - t : k % 64];
    __syncthreads();
  }
  return sum;
}
__global__ void later_ok(const int *in, int *out, int n) {
  __shared__ int s[64];
  sum_of<false>(in, s, n);
  out[blockIdx.x * 64 + threadIdx.x / 2] = n; // expect-same-value
}
__global__ void later_bad(const int *in, int *out, int n) {
  __shared__ int s[64];
  int sum = sum_of<true>(in, s, n);
  out[blockIdx.x * 64 + threadIdx.x / 2] = sum; // expect-race
}

__global__ void extents_ok(int *out) {
  if (blockIdx.x == 0 || threadIdx.x == 0)
    out[threadIdx.x > 0] = threadIdx.x > 0; // expect-same-value
}
__global__ void extents_bad(int *out) {
  if (blockIdx.x == 0 || threadIdx.x == 0)
    out[threadIdx.x > 0] = threadIdx.x; // expect-same-value expect-race(intra-block,intra-warp)
}

__global__ void open(const int *in, int *out, int n) {
  int t = threadIdx.x, v = in[t + 5];
  for (int k = 0; k < n; k++) {
    for (int l = 0; l < 2; l++)
      if (t == l) {
        out[0] = v;
        __syncwarp(in[0]);
      } else {
        __syncwarp(in[0]);
      }
    __syncthreads();
    v = n;
  }
}

int main(int argc, char **) {
  int *in, *out;
  cudaMalloc(&in, 1 << 20);
  cudaMalloc(&out, 1 << 20);
  later_ok<<<8, 64>>>(in, out, argc);
  later_bad<<<8, 64>>>(in, out, argc);
  extents_ok<<<8, 64>>>(out);
  extents_bad<<<8, 64>>>(out);
  open<<<1, 32>>>(in, out, argc);
}

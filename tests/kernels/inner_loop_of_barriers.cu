// A loop of a known number of rounds, each with a barrier, inside another loop. Behind the last barrier of the inner loop a
// thread reads what its neighbour stored; the store of the next round of the outer loop follows with no barrier between, so the
// neighbour may overwrite what is still to be read (*_bad). With a barrier behind the inner loop, or one in front of the store,
// nothing is left to race with (*_ok). The same for each way to write the inner loop, and for trees of sums, where the last
// step of the tree reads what the next row stores: by the lanes of one warp, or, if the tree ends early, by another warp.
//@ verdict for_bad: racy
//@ verdict for_ok: race-free
//@ verdict while_bad: racy
//@ verdict while_ok: race-free
//@ verdict do_bad: racy
//@ verdict do_ok: race-free
//@ verdict break_bad: racy
//@ verdict break_ok: race-free
//@ verdict once_bad: racy
//@ verdict once_ok: race-free
//@ verdict three_bad: racy
//@ verdict three_ok: race-free
//@ verdict deep_bad: racy
//@ verdict deep_ok: race-free
//@ verdict two_inner_bad: racy
//@ verdict two_inner_ok: race-free
//@ verdict tree_bad: racy
//@ verdict tree_ok: race-free
//@ verdict tree_between_warps_bad: racy
//@ verdict tree_between_warps_ok: race-free
//@ verdict behind_bad: racy
//@ verdict behind_ok: race-free

__global__ void for_bad(int *out, int n) {
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row; // expect-race[for]
    for (int r = 0; r < 2; r++) {
      __syncthreads();
      found += s[127 - threadIdx.x]; // expect-race[for]
    }
  }
  out[threadIdx.x] = found;
}

__global__ void for_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row;
    for (int r = 0; r < 2; r++) {
      __syncthreads();
      found += s[127 - threadIdx.x];
    }
    __syncthreads();
  }
  out[threadIdx.x] = found;
}

__global__ void while_bad(int *out, int n) {
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row; // expect-race[while]
    int r = 2;
    while (r-- > 0) {
      __syncthreads();
      found += s[127 - threadIdx.x]; // expect-race[while]
    }
  }
  out[threadIdx.x] = found;
}

__global__ void while_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    __syncthreads();
    s[threadIdx.x] = row;
    int r = 2;
    while (r-- > 0) {
      __syncthreads();
      found += s[127 - threadIdx.x];
    }
  }
  out[threadIdx.x] = found;
}

__global__ void do_bad(int *out, int n) {
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row; // expect-race[do]
    int r = 0;
    do {
      __syncthreads();
      found += s[127 - threadIdx.x]; // expect-race[do]
    } while (++r < 3);
  }
  out[threadIdx.x] = found;
}

__global__ void do_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row;
    int r = 0;
    do {
      __syncthreads();
      found += s[127 - threadIdx.x];
      __syncthreads();
    } while (++r < 3);
  }
  out[threadIdx.x] = found;
}

__global__ void break_bad(int *out, int n) {
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row; // expect-race[break]
    for (int r = 0;; r++) {
      __syncthreads();
      found += s[127 - threadIdx.x]; // expect-race[break]
      if (r == 1) break;
    }
  }
  out[threadIdx.x] = found;
}

__global__ void break_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row;
    for (int r = 0;; r++) {
      __syncthreads();
      if (r == 1) break;
      found += s[127 - threadIdx.x];
    }
  }
  out[threadIdx.x] = found;
}

__global__ void once_bad(int *out, int n) {
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row; // expect-race[once]
#pragma unroll 1
    for (int r = 0; r < 1; r++) {
      __syncthreads();
      found += s[127 - threadIdx.x]; // expect-race[once]
    }
  }
  out[threadIdx.x] = found;
}

__global__ void once_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row;
#pragma unroll 1
    for (int r = 0; r < 1; r++) {
      __syncthreads();
      found += s[127 - threadIdx.x];
    }
    __syncthreads();
  }
  out[threadIdx.x] = found;
}

__global__ void three_bad(int *out) { // the outer loop has a known number of rounds as well
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < 5; row++) {
    s[threadIdx.x] = row; // expect-race[three]
    for (int r = 3; r != 0; r--) {
      __syncthreads();
      found += s[127 - threadIdx.x]; // expect-race[three]
    }
  }
  out[threadIdx.x] = found;
}

__global__ void three_ok(int *out) { // expect-clean
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < 1; row++) { // no second row to store
    s[threadIdx.x] = row;
    for (int r = 3; r != 0; r--) {
      __syncthreads();
      found += s[127 - threadIdx.x];
    }
  }
  out[threadIdx.x] = found;
}

__global__ void deep_bad(int *out, int n) {
  __shared__ int s[128];
  int found = 0;
  for (int plane = 0; plane < n; plane++) {
    s[threadIdx.x] = plane; // expect-race[deep]
    for (int row = 0; row < 2; row++) {
      for (int r = 0; r < 2; r++) {
        __syncthreads();
        found += s[127 - threadIdx.x]; // expect-race[deep]
      }
      found *= 3;
    }
  }
  out[threadIdx.x] = found;
}

__global__ void deep_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  int found = 0;
  for (int plane = 0; plane < n; plane++) {
    s[threadIdx.x] = plane;
    for (int row = 0; row < 2; row++) {
      for (int r = 0; r < 2; r++) {
        __syncthreads();
        found += s[127 - threadIdx.x];
      }
      found *= 3;
    }
    __syncthreads();
  }
  out[threadIdx.x] = found;
}

__global__ void two_inner_bad(int *out, int n) { // the second inner loop has no barrier
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row; // expect-race[two_inner]
    for (int r = 0; r < 2; r++)
      __syncthreads();
    for (int r = 0; r < 4; r++)
      found += s[(threadIdx.x + r) % 128]; // expect-race[two_inner]
  }
  out[threadIdx.x] = found;
}

__global__ void two_inner_ok(int *out, int n) { // expect-clean
  __shared__ int s[128];
  int found = 0;
  for (int row = 0; row < n; row++) {
    s[threadIdx.x] = row;
    for (int r = 0; r < 2; r++)
      __syncthreads();
    for (int r = 0; r < 4; r++)
      found += s[(threadIdx.x + r) % 128];
    __syncthreads();
  }
  out[threadIdx.x] = found;
}

__global__ void tree_bad(float *out, const float *in, int n) {
  __shared__ float s[64];
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    s[threadIdx.x] = in[row * 64 + threadIdx.x]; // expect-race[tree](intra-warp)
    for (int stride = 32; stride > 0; stride >>= 1) {
      __syncthreads();
      if (threadIdx.x < stride)
        s[threadIdx.x] += s[stride + threadIdx.x]; // expect-race[tree](intra-warp)
    }
    if (threadIdx.x == 0)
      out[row] = s[0];
  }
}

__global__ void tree_ok(float *out, const float *in, int n) { // expect-clean
  __shared__ float s[64];
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    s[threadIdx.x] = in[row * 64 + threadIdx.x];
    for (int stride = 32; stride > 0; stride >>= 1) {
      __syncthreads();
      if (threadIdx.x < stride)
        s[threadIdx.x] += s[stride + threadIdx.x];
    }
    __syncthreads();
    if (threadIdx.x == 0)
      out[row] = s[0];
  }
}

__global__ void tree_between_warps_bad(float *out, const float *in, int n) {
  __shared__ float s[128];
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    s[threadIdx.x] = in[row * 128 + threadIdx.x]; // expect-race[between](intra-block)
    for (int stride = 64; stride >= 32; stride >>= 1) {
      __syncthreads();
      if (threadIdx.x < stride)
        s[threadIdx.x] += s[stride + threadIdx.x]; // expect-race[between](intra-block)
    }
    if (threadIdx.x == 0)
      out[row] = s[0];
  }
}

__global__ void tree_between_warps_ok(float *out, const float *in, int n) { // expect-clean
  __shared__ float s[128];
  for (int row = blockIdx.x; row < n; row += gridDim.x) {
    s[threadIdx.x] = in[row * 128 + threadIdx.x];
    for (int stride = 64; stride >= 32; stride >>= 1) {
      __syncthreads();
      if (threadIdx.x < stride)
        s[threadIdx.x] += s[stride + threadIdx.x];
    }
    __syncthreads();
    if (threadIdx.x == 0)
      out[row] = s[0];
  }
}

__global__ void behind_bad(int *out, int n) { // what the inner loop left chooses the place
  __shared__ int s[256];
  int found = 0;
  for (int row = 0; row < n; row++) {
    int half = 128;
    s[half - 128 + threadIdx.x] = row; // expect-race[behind]
    for (; half > 32; half >>= 1) {
      __syncthreads();
      found += s[127 - threadIdx.x]; // expect-race[behind]
    }
    s[half + 96 + threadIdx.x] = row; // half is 32: the upper 128 places
  }
  out[threadIdx.x] = found;
}

__global__ void behind_ok(int *out, int n) { // expect-clean
  __shared__ int s[256];
  int found = 0;
  for (int row = 0; row < n; row++) {
    int half = 128;
    for (; half > 32; half >>= 1) {
      __syncthreads();
      found += s[127 - threadIdx.x];
    }
    s[half + 96 + threadIdx.x] = row;
  }
  out[threadIdx.x] = found;
}

void run(int *out, float *sums, const float *in, int n) {
  for_bad<<<1, 128>>>(out, n);
  for_ok<<<1, 128>>>(out, n);
  while_bad<<<1, 128>>>(out, n);
  while_ok<<<1, 128>>>(out, n);
  do_bad<<<1, 128>>>(out, n);
  do_ok<<<1, 128>>>(out, n);
  break_bad<<<1, 128>>>(out, n);
  break_ok<<<1, 128>>>(out, n);
  once_bad<<<1, 128>>>(out, n);
  once_ok<<<1, 128>>>(out, n);
  three_bad<<<1, 128>>>(out);
  three_ok<<<1, 128>>>(out);
  deep_bad<<<1, 128>>>(out, n);
  deep_ok<<<1, 128>>>(out, n);
  two_inner_bad<<<1, 128>>>(out, n);
  two_inner_ok<<<1, 128>>>(out, n);
  tree_bad<<<128, 64>>>(sums, in, n);
  tree_ok<<<128, 64>>>(sums, in, n);
  tree_between_warps_bad<<<128, 128>>>(sums, in, n);
  tree_between_warps_ok<<<128, 128>>>(sums, in, n);
  behind_bad<<<1, 128>>>(out, n);
  behind_ok<<<1, 128>>>(out, n);
}

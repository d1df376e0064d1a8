// Mistakes that real programs have, or had, each in small, beside what is right. None of them is far-fetched: they were found by
// readers, or made by taking a barrier away.
//   maxima: the maxima of a third state begin at n / 256, which is no whole number of blocks away: a block's first state is another
//     one's third (an 8-bit optimizer; `rounded` counts whole blocks).
//   strided: an array unpacked in a grid-stride loop, with a loop of barriers inside by numbers from memory; places of a block
//     are 256 apart (strided_bad: 255).
//   early: the barrier in a guarded part, others have left the kernel; behind it a neighbour is read (early_bad: another warp's, and
//     the barrier is one of the warp).
//   corner: one thread, the far corner, stores what its atomicAdd returned, all read it; the barrier between is missing (corner_bad),
//     behind branches on shared contents.
//   row: thread 0 reads an element of the row by a number from memory while all others clear the row (row_bad).
//   count: all add to one counter in shared memory, thread 0 reads it, the barrier between is missing (count_bad); of floats, with the
//     result of the atomic used, likewise (floats_bad).
//   cleared: counters are cleared, and added to behind a barrier of the warp only (cleared_bad).
//   volatile: a warp stores through a volatile pointer, the other warps read; a barrier is needed (volatile_bad).
//   scan: lanes exchange values through volatile shared memory: in lock step no more, so warp barriers are needed (scan_bad).
//   halving: the barrier stands inside the guarded part of a halving loop (halving_bad).
//@ verdict maxima_ok: race-free
//@ verdict maxima_bad: racy
//@ verdict strided_ok: race-free
//@ verdict strided_bad: racy
//@ verdict early_ok: race-free
//@ verdict early_bad: racy
//@ verdict corner_ok: race-free
//@ verdict corner_bad: racy
//@ verdict row_ok: race-free
//@ verdict row_bad: racy
//@ verdict count_ok: race-free
//@ verdict count_bad: racy
//@ verdict floats_ok: race-free
//@ verdict floats_bad: racy
//@ verdict cleared_ok: race-free
//@ verdict cleared_bad: racy
//@ verdict volatile_ok: race-free
//@ verdict volatile_bad: racy
//@ verdict scan_ok: race-free
//@ verdict scan_bad: racy
//@ verdict halving_ok: race-free
//@ verdict halving_bad: undecided
#include <cuda_runtime.h>

template <bool ROUNDED> __device__ void maxima(float *most, const float *g, int n) {
  __shared__ float m[256];
  int third = ROUNDED ? (n + 255) / 256 : 0;
  for (unsigned i = blockIdx.x * 256; i < (unsigned)n; i += gridDim.x * 256) {
    unsigned other = ROUNDED ? third + i / 256 : (n + i) / 256;
    float s = g[i + threadIdx.x] * most[i / 256]; // expect-race[maxima]
    float t = g[i + threadIdx.x] * most[other];   // expect-race[maxima]
    m[threadIdx.x] = s + t;
    __syncthreads();
    if (threadIdx.x == 0) {
      most[i / 256] = m[0]; // expect-race[maxima]
      most[other] = m[1];   // expect-race[maxima]
    }
    __syncthreads();
  }
}
__global__ void maxima_ok(float *most, const float *g, int n) { maxima<true>(most, g, n); } // expect-clean
__global__ void maxima_bad(float *most, const float *g, int n) { maxima<false>(most, g, n); }

template <int APART> __device__ void strided(const unsigned *in, unsigned *out, const size_t *count, const unsigned char *width) {
  const size_t num = *count;
  const int bits = *width, blocks = (num + 255) / 256;
  __shared__ unsigned buf[256];
  for (int b = blockIdx.x; b < blocks; b += gridDim.x) {
    int o = threadIdx.x + b * APART;
    int first = b * 256 * 32 / bits, last = (b + 1) * 256 * 32 / bits;
    unsigned val = 0;
    for (int s = first; s < last; s += 256) {
      __syncthreads();
      int i = s + threadIdx.x;
      if (i < num) buf[threadIdx.x] = in[i];
      __syncthreads();
      val += buf[255 - threadIdx.x];
    }
    if (o < num) out[o] = val; // expect-race[strided]
  }
}
__global__ void strided_ok(const unsigned *in, unsigned *out, const size_t *count, const unsigned char *bits) { // expect-clean
  strided<256>(in, out, count, bits);
}
__global__ void strided_bad(const unsigned *in, unsigned *out, const size_t *count, const unsigned char *bits) {
  strided<255>(in, out, count, bits);
}

__global__ void early_ok(const int *x, int *out, int n) {
  __shared__ int s[256];
  int t = blockIdx.x * 256 + threadIdx.x;
  if (t < n) {
    s[threadIdx.x] = x[t];
    __syncthreads(); // expect-note {{sm_70 and later}}
    out[t] = s[threadIdx.x ^ 64];
  }
}
__global__ void early_bad(const int *x, int *out, int n) {
  __shared__ int s[256];
  int t = blockIdx.x * 256 + threadIdx.x;
  if (t < n) {
    s[threadIdx.x] = x[t]; // expect-race[early]
    __syncwarp(__activemask());
    out[t] = s[threadIdx.x ^ 64]; // expect-race[early]
  }
}

template <bool BARRIER> __device__ void corner(unsigned *c, const unsigned short *table, unsigned *out, float iso) {
  __shared__ unsigned s[32];
  __shared__ float value[128];
  unsigned t = threadIdx.x + 8 * (threadIdx.y + 4 * threadIdx.z), eds = 7;
  value[t] = t * 0.5f;
  if (threadIdx.x == 7) eds &= 6;
  if (threadIdx.y == 3) eds &= 5;
  if (threadIdx.z == 3) eds &= 3;
  eds <<= 13;
  __syncthreads();
  unsigned cell = 0;
  if (value[t] < iso) cell |= 1;
  if (value[t ^ 1] < iso) cell |= 2;
  unsigned distinct = eds ? table[cell] : 0, n = __popc(distinct &= eds);
  if (eds == 0) s[31] = atomicAdd(c, n); // expect-race[corner]
  if (BARRIER) __syncthreads();
  out[blockIdx.x * 128 + t] = s[31] + n; // expect-race[corner]
}
__global__ void corner_ok(unsigned *c, const unsigned short *table, unsigned *out, float iso) { // expect-clean
  corner<true>(c, table, out, iso);
}
__global__ void corner_bad(unsigned *c, const unsigned short *table, unsigned *out, float iso) { corner<false>(c, table, out, iso); }

template <bool BARRIER> __device__ void row(float *logits, float *losses, const int *targets) {
  int at = targets[blockIdx.x] & 1023;
  if (threadIdx.x == 0) losses[blockIdx.x] = logits[blockIdx.x * 1024 + at]; // expect-race[row]
  if (BARRIER) __syncthreads();
  for (int i = threadIdx.x; i < 1024; i += blockDim.x)
    logits[blockIdx.x * 1024 + i] = 0.f; // expect-race[row]
}
__global__ void row_ok(float *logits, float *losses, const int *targets) { row<true>(logits, losses, targets); } // expect-clean
__global__ void row_bad(float *logits, float *losses, const int *targets) { row<false>(logits, losses, targets); }

template <bool BARRIER> __device__ void count(int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, 1); // expect-race[count]
  if (BARRIER) __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum; // expect-race[count]
}
__global__ void count_ok(int *out) { count<true>(out); } // expect-clean
__global__ void count_bad(int *out) { count<false>(out); }

template <bool BARRIER> __device__ void floats(float *out, float v) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  float o = atomicAdd(&sum, v); // expect-race[floats]
  if (BARRIER) __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum; // expect-race[floats]
  if (threadIdx.x == 255) out[64 + blockIdx.x] = o;
}
__global__ void floats_ok(float *out, float v) { floats<true>(out, v); } // expect-clean
__global__ void floats_bad(float *out, float v) { floats<false>(out, v); }

template <bool BLOCK> __device__ void cleared(int *out, const int *in) {
  __shared__ int h[256];
  h[threadIdx.x] = 0; // expect-race[cleared]
  if (BLOCK)
    __syncthreads();
  else
    __syncwarp();
  atomicAdd(&h[in[threadIdx.x] & 255], 1); // expect-race[cleared]
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = h[threadIdx.x];
}
__global__ void cleared_ok(int *out, const int *in) { cleared<true>(out, in); } // expect-clean
__global__ void cleared_bad(int *out, const int *in) { cleared<false>(out, in); }

template <bool BARRIER> __device__ void through_volatile(int *out) {
  __shared__ int s[64];
  if (threadIdx.x < 32) {
    volatile int *p = s;
    p[threadIdx.x] = threadIdx.x + 1; // expect-race[volatile]
  }
  if (BARRIER) __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x / 32]; // expect-race[volatile]
}
__global__ void volatile_ok(int *out) { through_volatile<true>(out); } // expect-clean
__global__ void volatile_bad(int *out) { through_volatile<false>(out); }

template <bool BARRIER> __device__ void scan(int *out, const int *in) {
  __shared__ volatile int s[64];
  int at = threadIdx.x + 32, t = in[threadIdx.x];
  s[threadIdx.x] = 0; // expect-race[scan]
  s[at] = t;          // expect-race[scan]
  for (int d = 1; d < 32; d *= 2) {
    if (BARRIER) __syncwarp();
    t += s[at - d]; // expect-race[scan]
    if (BARRIER) __syncwarp();
    s[at] = t; // expect-race[scan]
  }
  out[threadIdx.x] = t;
}
__global__ void scan_ok(int *out, const int *in) { scan<true>(out, in); } // expect-clean
__global__ void scan_bad(int *out, const int *in) { scan<false>(out, in); }

template <bool INSIDE> __device__ void halving(const float *x, float *out) {
  __shared__ float s[256];
  s[threadIdx.x] = x[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (unsigned i = blockDim.x / 2; i > 0; i >>= 1) {
    if (threadIdx.x < i) {
      s[threadIdx.x] = fminf(s[threadIdx.x], s[threadIdx.x + i]);
      if (INSIDE) __syncthreads(); // expect-divergence
    }
    if (!INSIDE) __syncthreads();
  }
  __syncthreads();
  out[blockIdx.x * 256 + threadIdx.x] = s[0];
}
__global__ void halving_ok(const float *x, float *out) { halving<false>(x, out); } // expect-clean
__global__ void halving_bad(const float *x, float *out) { halving<true>(x, out); }

void run(float *most, const float *g, int n, int *in, int *out, size_t *num, const unsigned char *bits, size_t max,
         unsigned *counter, const unsigned short *table, float iso) {
  if (n < 1 || max < 1) return;
  maxima_ok<<<(n + 255) / 256, 256>>>(most, g, n);
  maxima_bad<<<(n + 255) / 256, 256>>>(most, g, n);
  int blocks = (max + 255) / 256 < 1024 ? (max + 255) / 256 : 1024;
  strided_ok<<<blocks, 256>>>((unsigned *)in, (unsigned *)out, num, bits);
  strided_bad<<<blocks, 256>>>((unsigned *)in, (unsigned *)out, num, bits);
  early_ok<<<(n + 255) / 256, 256>>>(in, out, n);
  early_bad<<<(n + 255) / 256, 256>>>(in, out, n);
  corner_ok<<<n, dim3(8, 4, 4)>>>(counter, table, (unsigned *)out, iso);
  corner_bad<<<n, dim3(8, 4, 4)>>>(counter, table, (unsigned *)out, iso);
  row_ok<<<64, 256>>>(most, (float *)out, in);
  row_bad<<<64, 256>>>(most, (float *)out, in);
  count_ok<<<64, 256>>>(out);
  count_bad<<<64, 256>>>(out);
  floats_ok<<<64, 256>>>((float *)out, iso);
  floats_bad<<<64, 256>>>((float *)out, iso);
  cleared_ok<<<64, 256>>>(out, in);
  cleared_bad<<<64, 256>>>(out, in);
  volatile_ok<<<64, 1024>>>(out);
  volatile_bad<<<64, 1024>>>(out);
  scan_ok<<<1, 32>>>(out, in);
  scan_bad<<<1, 32>>>(out, in);
  halving_ok<<<64, 256>>>(g, (float *)out);
  halving_bad<<<64, 256>>>(g, (float *)out);
}

// A block counts its keys by digit, thread 0 sums the counts up, and each key goes to the start of its digit and its rank there: the
// places of two digits do not meet, since a rank is below its digit's count, and no place lies behind as many keys as there are.
// sort: exclusive sums; twins: nobody waits for the counts (soon), a digit's count is set back before the sums (reset), keys are
// counted once more after them (more). back: inclusive sums, and ranks from the end of the digit; twin: from its start. own: each thread sums
// up for itself; twin: one count too few. twice: two places for each key; twin: in a part of the array for one.
// gone: thread 0 draws room for all that its block kept, and leaves; those behind the barrier draw on (racy); stays: they do not.
//@ verdict sort_ok: race-free
//@ verdict soon_bad: racy
//@ verdict reset_bad: racy
//@ verdict more_bad: racy
//@ verdict back_ok: race-free
//@ verdict back_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_bad: racy
//@ verdict twice_ok: race-free
//@ verdict twice_bad: racy
//@ verdict gone_ok: race-free
//@ verdict gone_bad: racy
//@ args: --grid-dim 64 --block-dim 256
enum { SOON = 1, RESET = 2, MORE = 4 };
template <int HOW> __device__ void sort(const unsigned *keys, unsigned *out, int shift) {
  __shared__ int count[16], start[16];
  int t = threadIdx.x, rank = -1;
  if (t < 16)
    count[t] = 0;
  __syncthreads();
  unsigned key = keys[blockIdx.x * 256 + t], digit = key >> shift & 15;
  if (key != 77)
    rank = atomicAdd(&count[digit], 1); // expect-race[soon]
  if (!(HOW & SOON))
    __syncthreads();
  if (HOW & RESET) {
    if (t == 3)
      count[3] = 0;
    __syncthreads();
  }
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < 16; i++) {
      start[i] = sum;
      sum += count[i]; // expect-race[soon]
    }
  }
  __syncthreads();
  if (HOW & MORE && key == 5)
    rank = atomicAdd(&count[digit], 1);
  if (rank >= 0)
    out[blockIdx.x * 256 + start[digit] + rank] = key; // expect-race
}
__global__ void sort_ok(const unsigned *keys, unsigned *out, int shift) { sort<0>(keys, out, shift); } // expect-clean
__global__ void soon_bad(const unsigned *keys, unsigned *out, int shift) { sort<SOON>(keys, out, shift); }
__global__ void reset_bad(const unsigned *keys, unsigned *out, int shift) { sort<RESET>(keys, out, shift); }
__global__ void more_bad(const unsigned *keys, unsigned *out, int shift) { sort<MORE>(keys, out, shift); }

template <int BACK> __device__ void back(const unsigned *keys, unsigned *out, int shift) {
  __shared__ int count[16], end[16];
  int t = threadIdx.x;
  if (t < 16)
    count[t] = 0;
  __syncthreads();
  unsigned key = keys[blockIdx.x * 256 + t], digit = key >> shift & 15;
  int rank = atomicAdd(&count[digit], 1);
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < 16; i++) {
      sum += count[i];
      end[i] = sum;
    }
  }
  __syncthreads();
  out[blockIdx.x * 256 + (BACK ? end[digit] - 1 - rank : end[digit] + rank)] = key; // expect-race[back]
}
__global__ void back_ok(const unsigned *keys, unsigned *out, int shift) { back<1>(keys, out, shift); } // expect-clean
__global__ void back_bad(const unsigned *keys, unsigned *out, int shift) { back<0>(keys, out, shift); }

template <int FEWER> __device__ void own(const unsigned *keys, unsigned *out, int shift) {
  __shared__ int count[16];
  int t = threadIdx.x;
  if (t < 16)
    count[t] = 0;
  __syncthreads();
  unsigned key = keys[blockIdx.x * 256 + t];
  int digit = key >> shift & 15, rank = atomicAdd(&count[digit], 1), start = 0;
  __syncthreads();
  for (int i = 0; i + FEWER < digit; i++)
    start += count[i];
  out[blockIdx.x * 256 + start + rank] = key; // expect-race[own]
}
__global__ void own_ok(const unsigned *keys, unsigned *out, int shift) { own<0>(keys, out, shift); } // expect-clean
__global__ void own_bad(const unsigned *keys, unsigned *out, int shift) { own<1>(keys, out, shift); }

template <int LENGTH> __device__ void twice(const unsigned *keys, unsigned *out, int shift) {
  __shared__ int count[16], start[16];
  int t = threadIdx.x;
  if (t < 16)
    count[t] = 0;
  __syncthreads();
  unsigned key = keys[blockIdx.x * 256 + t], digit = key >> shift & 15;
  int first = atomicAdd(&count[digit], 1), second = atomicAdd(&count[digit], 1);
  __syncthreads();
  if (t == 0) {
    int sum = 0;
    for (int i = 0; i < 16; i++) {
      start[i] = sum;
      sum += count[i];
    }
  }
  __syncthreads();
  out[blockIdx.x * LENGTH + start[digit] + first] = key;  // expect-race[first] expect-race[both]
  out[blockIdx.x * LENGTH + start[digit] + second] = key; // expect-race[both] expect-race[second]
}
__global__ void twice_ok(const unsigned *keys, unsigned *out, int shift) { twice<512>(keys, out, shift); } // expect-clean
__global__ void twice_bad(const unsigned *keys, unsigned *out, int shift) { twice<256>(keys, out, shift); }

template <bool GONE> __device__ void gone(const int *in, int *list, int *total) {
  __shared__ int count, base;
  int i = blockIdx.x * blockDim.x + threadIdx.x, place = -1;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (in[i] > 0)
    place = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0) {
    base = atomicAdd(total, count);
    return;
  }
  __syncthreads();
  if (GONE && in[i] == 0)
    place = atomicAdd(&count, 1);
  if (place >= 0)
    list[base + place] = i; // expect-race[gone]
}
__global__ void gone_ok(const int *in, int *list, int *total) { gone<false>(in, list, total); } // expect-note@-6 {{sm_70 and later}}
__global__ void gone_bad(const int *in, int *list, int *total) { gone<true>(in, list, total); } // expect-note@-7 {{sm_70 and later}}

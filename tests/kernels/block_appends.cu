// Each block appends what its threads keep to a list: a thread takes a number from a counter of the block, thread 0 draws room
// for all of them, and places are start and number (append_ok). Without the barrier before the total is read (early) [early], with
// room for one less (less) [less], with numbers drawn behind the reading as well (more) [more], with a counter that is set back before
// it is read (back) [back], two blocks may have one place. Threads that keep nothing write to the start of the room, which may
// be no room at all (none) [none].
// flush: what was put aside in shared memory is copied to the room (ok), one element more [past], or as many as another thread sets the
// counter to [set].
// reuse: the start of the room is kept in the counter that was drawn from, and a number that is set only by who keeps something
//   (ok); with two leaders (two), with room for one less (less), with the counter set anew behind that (anew), with a number that everybody draws from
//   it behind that (more), with zero as the number of who has none (unset).
//@ verdict reuse_ok: race-free
//@ verdict reuse_two_bad: racy
//@ verdict reuse_less_bad: racy
//@ verdict reuse_anew_bad: racy
//@ verdict reuse_more_bad: racy
//@ verdict reuse_unset_bad: racy
// plane: the same in a block of two axes, whose leader is found by two tests; with one of them there are 16 leaders.
//@ verdict plane_ok: race-free
//@ verdict plane_bad: racy
//@ verdict flush_ok: race-free
//@ verdict flush_bad: racy
//@ verdict flush_set_bad: racy
//@ verdict append_ok: race-free
//@ verdict early_bad: racy
//@ verdict less_bad: racy
//@ verdict more_bad: racy
//@ verdict back_bad: racy
//@ verdict none_bad: racy

__device__ int thread_number() { return blockIdx.x * blockDim.x + threadIdx.x; }

__global__ void append_ok(int *out, int *n, const int *in, int m) { // expect-clean
  __shared__ int count, start;
  int i = thread_number(), at = 0;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  bool keep = i < m && in[i] > 0;
  if (keep)
    at = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    start = atomicAdd(n, count);
  __syncthreads();
  if (keep)
    out[start + at] = in[i];
}

__global__ void early_bad(int *out, int *n, const int *in, int m) {
  __shared__ int count, start;
  int i = thread_number(), at = 0;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  bool keep = i < m && in[i] > 0;
  if (keep)
    at = atomicAdd(&count, 1); // expect-race[count](intra-block,intra-warp)
  if (threadIdx.x == 0)
    start = atomicAdd(n, count); // expect-race[count](intra-block,intra-warp)
  __syncthreads();
  if (keep)
    out[start + at] = in[i]; // expect-race[early](inter-block)
}

__global__ void less_bad(int *out, int *n, const int *in, int m) {
  __shared__ int count, start;
  int i = thread_number(), at = 0;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  bool keep = i < m && in[i] > 0;
  if (keep)
    at = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    start = atomicAdd(n, count - 1);
  __syncthreads();
  if (keep)
    out[start + at] = in[i]; // expect-race[less](inter-block)
}

__global__ void more_bad(int *out, int *n, const int *in, int m) {
  __shared__ int count, start;
  int i = thread_number(), at = 0;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  bool keep = i < m && in[i] > 0;
  if (keep && threadIdx.x < 128)
    at = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    start = atomicAdd(n, count);
  __syncthreads();
  if (keep && threadIdx.x >= 128)
    at = atomicAdd(&count, 1);
  if (keep)
    out[start + at] = in[i]; // expect-race[more](inter-block)
}

__global__ void back_bad(int *out, int *n, const int *in, int m) {
  __shared__ int count, start;
  int i = thread_number(), at = 0;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  bool keep = i < m && in[i] > 0;
  if (keep)
    at = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 32)
    count = 1;
  __syncthreads();
  if (threadIdx.x == 0)
    start = atomicAdd(n, count);
  __syncthreads();
  if (keep)
    out[start + at] = in[i]; // expect-race[back](inter-block)
}

__global__ void none_bad(int *out, int *n, const int *in, int m) {
  __shared__ int count, start;
  int i = thread_number(), at = 0;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  bool keep = i < m && in[i] > 0;
  if (keep)
    at = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    start = atomicAdd(n, count);
  __syncthreads();
  if (keep || threadIdx.x == 5)
    out[start + at] = i; // expect-race[none]
}

__global__ void flush_ok(int *out, int *n, const int *in, int m) { // expect-clean
  __shared__ int kept[256], count, start;
  int i = thread_number();
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (i < m && in[i] > 0)
    kept[atomicAdd(&count, 1)] = in[i];
  __syncthreads();
  if (threadIdx.x == 0)
    start = atomicAdd(n, count);
  __syncthreads();
  for (int j = threadIdx.x; j < count; j += blockDim.x)
    out[start + j] = kept[j];
}

__global__ void flush_bad(int *out, int *n, const int *in, int m) {
  __shared__ int kept[256], count, start;
  int i = thread_number();
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (i < m && in[i] > 0)
    kept[atomicAdd(&count, 1)] = in[i];
  __syncthreads();
  if (threadIdx.x == 0)
    start = atomicAdd(n, count);
  __syncthreads();
  for (int j = threadIdx.x; j <= count; j += blockDim.x)
    out[start + j] = kept[j]; // expect-race[past](inter-block)
}

__global__ void flush_set_bad(int *out, int *n, const int *in, int m) {
  __shared__ int kept[256], count, start;
  int i = thread_number();
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (i < m && in[i] > 0)
    kept[atomicAdd(&count, 1)] = in[i];
  __syncthreads();
  if (threadIdx.x == 0)
    start = atomicAdd(n, count);
  __syncthreads();
  if (threadIdx.x == 0)
    count = 256;
  __syncthreads();
  for (int j = threadIdx.x; j < count; j += blockDim.x)
    out[start + j] = kept[j]; // expect-race[set](inter-block)
}

enum { TWO = 1, LESS = 2, ANEW = 4, MORE = 8, UNSET = 16 };
template <int WRONG> __device__ void reuse(int *out, int *n, const int *in, int m) {
  __shared__ int count;
  int i = thread_number(), at, value;
  if (WRONG & UNSET)
    at = 0;
  if (threadIdx.x == 0)
    count = 0;
  __syncthreads();
  if (i < m) {
    value = in[i];
    if (value > 0)
      at = atomicAdd(&count, 1);
  }
  __syncthreads();
  if (threadIdx.x < (WRONG & TWO ? 2 : 1))
    count = atomicAdd(n, count - (WRONG & LESS ? 1 : 0)); // expect-race[leaders](intra-warp)
  __syncthreads();
  if (WRONG & ANEW && threadIdx.x == 5)
    count = 0;
  if (WRONG & MORE && i < m)
    at = atomicAdd(&count, 1);
  __syncthreads();
  if (i < m && (value > 0 || WRONG & UNSET))
    out[count + at] = value; // expect-race[room]
}
__global__ void reuse_ok(int *out, int *n, const int *in, int m) { reuse<0>(out, n, in, m); } // expect-clean
__global__ void reuse_two_bad(int *out, int *n, const int *in, int m) { reuse<TWO>(out, n, in, m); }
__global__ void reuse_less_bad(int *out, int *n, const int *in, int m) { reuse<LESS>(out, n, in, m); }
__global__ void reuse_anew_bad(int *out, int *n, const int *in, int m) { reuse<ANEW>(out, n, in, m); }
__global__ void reuse_more_bad(int *out, int *n, const int *in, int m) { reuse<MORE>(out, n, in, m); }
__global__ void reuse_unset_bad(int *out, int *n, const int *in, int m) { reuse<UNSET>(out, n, in, m); }

template <bool BOTH> __device__ void plane(int *out, int *n, const int *in) {
  __shared__ int count;
  int i = blockIdx.x * 256 + threadIdx.y * 16 + threadIdx.x, at = 0;
  if (threadIdx.x == 0 && threadIdx.y == 0)
    count = 0;
  __syncthreads();
  if (in[i] > 0)
    at = atomicAdd(&count, 1);
  __syncthreads();
  if (threadIdx.x == 0 && (!BOTH || threadIdx.y == 0))
    count = atomicAdd(n, count); // expect-race[leaders](intra-block,intra-warp)
  __syncthreads();
  if (in[i] > 0)
    out[count + at] = i;
}
__global__ void plane_ok(int *out, int *n, const int *in) { plane<true>(out, n, in); } // expect-clean
__global__ void plane_bad(int *out, int *n, const int *in) { plane<false>(out, n, in); }

int main(int argc, char **) {
  int m = argc * 1000, blocks = (m + 255) / 256, *in, *out, *n;
  cudaMalloc((void **)&in, m * sizeof(int));
  cudaMalloc((void **)&out, m * sizeof(int));
  cudaMalloc((void **)&n, sizeof(int));
  append_ok<<<blocks, 256>>>(out, n, in, m);
  early_bad<<<blocks, 256>>>(out, n, in, m);
  less_bad<<<blocks, 256>>>(out, n, in, m);
  more_bad<<<blocks, 256>>>(out, n, in, m);
  back_bad<<<blocks, 256>>>(out, n, in, m);
  none_bad<<<blocks, 256>>>(out, n, in, m);
  reuse_ok<<<blocks, 256>>>(out, n, in, m);
  reuse_two_bad<<<blocks, 256>>>(out, n, in, m);
  reuse_less_bad<<<blocks, 256>>>(out, n, in, m);
  reuse_anew_bad<<<blocks, 256>>>(out, n, in, m);
  reuse_more_bad<<<blocks, 256>>>(out, n, in, m);
  reuse_unset_bad<<<blocks, 256>>>(out, n, in, m);
  plane_ok<<<blocks, dim3(16, 16)>>>(out, n, in);
  plane_bad<<<blocks, dim3(16, 16)>>>(out, n, in);
  flush_ok<<<blocks, 256>>>(out, n, in, m);
  flush_bad<<<blocks, 256>>>(out, n, in, m);
  flush_set_bad<<<blocks, 256>>>(out, n, in, m);
  return 0;
}

// Tiles are loaded some rounds ahead, and a group is closed only where there is a tile left to load: in the last rounds fewer groups are under way, so
// all of them are waited for. Which of the waits a round comes to hangs on the same bound as which groups there are.
// same: both branches on one condition (ok); one: in the last rounds one group is left (bad). other: the opposite condition decides about the wait (ok), one
// round too late (late), by another number (number). before: the wait stands before the next group of its round (ok), is one round off (off).
// steps: as many groups are left as there are tiles left (ok), one more (more). first: of the tiles loaded before the loop, too, only those that there
// are get a group, by a test in the loop (ok), by its end (end_ok), as another number says (number), all of them one group (joined).
// flags: data say whether there is a tile to load, and what to wait for (ok), those of the next round say (next).
//@ verdict same_ok: race-free
//@ verdict same_one_bad: racy
//@ verdict other_ok: race-free
//@ verdict other_late_bad: racy
//@ verdict other_number_bad: racy
//@ verdict before_ok: race-free
//@ verdict before_off_bad: racy
//@ verdict steps_ok: race-free
//@ verdict steps_more_bad: racy
//@ verdict first_ok: race-free
//@ verdict first_end_ok: race-free
//@ verdict first_number_bad: racy
//@ verdict first_joined_bad: racy
//@ known-undecided first_end_ok: by which of its two ends a loop was left is not known behind it
//@ known-undecided first_number_bad: the model's numbers need not be those of the way on which the copy goes on
//@ verdict flags_ok: race-free
//@ verdict flags_next_bad: racy
#include <cuda_pipeline.h>

enum Form { SAME, SAME_ONE, OTHER, OTHER_LATE, OTHER_NUMBER, BEFORE, BEFORE_OFF, STEPS, STEPS_MORE };
enum First { ALL, TESTED, ENDED, NUMBER, JOINED };

__device__ void load(float *tile, const float *in, int number) {
  __pipeline_memcpy_async(&tile[threadIdx.x], &in[number * 64 + threadIdx.x], sizeof(float)); // expect-race
}

template <int S> __device__ void load_ahead(float (*s)[64], const float *in, int next, int n) {
  if (next < n) {
    load(s[next % S], in, next);
    __pipeline_commit();
  }
}

template <int S, Form form> __device__ void await(int k, int n, int m) {
  int next = k + S - 1;
  if (form == SAME || form == SAME_ONE) {
    if (next < n)
      __pipeline_wait_prior(S - 1);
    else
      __pipeline_wait_prior(form == SAME ? 0 : 1);
  } else if (form == OTHER || form == OTHER_LATE || form == OTHER_NUMBER) {
    if (form == OTHER_LATE ? next > n : next >= (form == OTHER ? n : m))
      __pipeline_wait_prior(0);
    else
      __pipeline_wait_prior(S - 1);
  } else if (form == BEFORE || form == BEFORE_OFF) {
    if (next < (form == BEFORE ? n + 1 : n + 2))
      __pipeline_wait_prior(S - 2);
    else
      __pipeline_wait_prior(0);
  } else {
    int left = form == STEPS ? n - k : n - k + 1;
    if (left > 3)
      __pipeline_wait_prior(3);
    else if (left > 2)
      __pipeline_wait_prior(2);
    else if (left > 1)
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
  }
}

__device__ void load_and_commit(float *tile, const float *in, int number) {
  load(tile, in, number);
  __pipeline_commit();
}

template <int S, First first> __device__ void load_first(float (*s)[64], const float *in, int n, int m) {
  if (first == ENDED) {
    for (int i = 0; i < S - 1 && i < n; i++)
      load_and_commit(s[i], in, i);
  } else if (first == ALL) {
    for (int i = 0; i < S - 1; i++)
      load_and_commit(s[i], in, i);
  } else if (first == JOINED) {
    for (int i = 0; i < S - 1; i++)
      load(s[i], in, i);
  } else {
    for (int i = 0; i < S - 1; i++)
      if (i < (first == NUMBER ? m : n))
        load_and_commit(s[i], in, i);
  }
}

template <int S, Form form, First first> __device__ void tiles(const float *in, float *out, int n, int m) {
  __shared__ float s[S][64];
  int t = threadIdx.x;
  float sum = 0;
  load_first<S, first>(s, in, n, m);
  for (int k = 0; k < n; k++) {
    if (form == BEFORE || form == BEFORE_OFF)
      await<S, form>(k, n, m);
    if (form == BEFORE || form == BEFORE_OFF)
      __syncthreads();
    load_ahead<S>(s, in, k + S - 1, n);
    if (form != BEFORE && form != BEFORE_OFF)
      await<S, form>(k, n, m);
    __syncthreads();
    sum += s[k % S][63 - t]; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}
#define ARGUMENTS const float *in, float *out, int n, int m
__global__ void same_ok(ARGUMENTS) { tiles<3, SAME, ALL>(in, out, n, m); } // expect-clean
__global__ void same_one_bad(ARGUMENTS) { tiles<3, SAME_ONE, ALL>(in, out, n, m); }
__global__ void other_ok(ARGUMENTS) { tiles<3, OTHER, ALL>(in, out, n, m); } // expect-clean
__global__ void other_late_bad(ARGUMENTS) { tiles<3, OTHER_LATE, ALL>(in, out, n, m); }
__global__ void other_number_bad(ARGUMENTS) { tiles<3, OTHER_NUMBER, ALL>(in, out, n, m); }
__global__ void before_ok(ARGUMENTS) { tiles<3, BEFORE, ALL>(in, out, n, m); } // expect-clean
__global__ void before_off_bad(ARGUMENTS) { tiles<3, BEFORE_OFF, ALL>(in, out, n, m); }
__global__ void steps_ok(ARGUMENTS) { tiles<4, STEPS, ALL>(in, out, n, m); } // expect-clean
__global__ void steps_more_bad(ARGUMENTS) { tiles<4, STEPS_MORE, ALL>(in, out, n, m); }
__global__ void first_ok(ARGUMENTS) { tiles<3, OTHER, TESTED>(in, out, n, m); } // expect-clean
__global__ void first_end_ok(ARGUMENTS) { tiles<3, OTHER, ENDED>(in, out, n, m); } // expect-clean
__global__ void first_number_bad(ARGUMENTS) { tiles<3, OTHER, NUMBER>(in, out, n, m); }
__global__ void first_joined_bad(ARGUMENTS) { tiles<3, OTHER, JOINED>(in, out, n, m); }

template <int later> __device__ void flags(const int *more, const float *in, float *out, int n) {
  __shared__ float s[2][64];
  int t = threadIdx.x;
  float sum = 0;
  load(s[0], in, 0);
  __pipeline_commit();
  for (int k = 0; k < n; k++) {
    if (more[k]) {
      load(s[(k + 1) % 2], in, k + 1);
      __pipeline_commit();
    }
    if (more[k + later])
      __pipeline_wait_prior(1);
    else
      __pipeline_wait_prior(0);
    __syncthreads();
    sum += s[k % 2][63 - t]; // expect-race
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}
__global__ void flags_ok(const int *more, const float *in, float *out, int n) { flags<0>(more, in, out, n); } // expect-clean
__global__ void flags_next_bad(const int *more, const float *in, float *out, int n) { flags<1>(more, in, out, n); }

int main(int count, char **words) {
  float *in, *out;
  int *more;
  cudaMalloc((void **)&in, 1 << 20);
  cudaMalloc((void **)&out, 1 << 20);
  cudaMalloc((void **)&more, 1 << 20);
  int m = count + words[0][0];
  same_ok<<<8, 64>>>(in, out, count, m);
  same_one_bad<<<8, 64>>>(in, out, count, m);
  other_ok<<<8, 64>>>(in, out, count, m);
  other_late_bad<<<8, 64>>>(in, out, count, m);
  other_number_bad<<<8, 64>>>(in, out, count, m);
  before_ok<<<8, 64>>>(in, out, count, m);
  before_off_bad<<<8, 64>>>(in, out, count, m);
  steps_ok<<<8, 64>>>(in, out, count, m);
  steps_more_bad<<<8, 64>>>(in, out, count, m);
  first_ok<<<8, 64>>>(in, out, count, m);
  first_end_ok<<<8, 64>>>(in, out, count, m);
  first_number_bad<<<8, 64>>>(in, out, count, m);
  first_joined_bad<<<8, 64>>>(in, out, count, m);
  flags_ok<<<8, 64>>>(more, in, out, count);
  flags_next_bad<<<8, 64>>>(more, in, out, count);
  return 0;
}

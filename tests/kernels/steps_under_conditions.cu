// A variable that is moved on in some rounds of a loop has gone at most as many steps as there were rounds.
//   tile: each block has a tile of 256 numbers, of which a thread takes every 64th, four at most, as long as they are there; the twin makes five rounds.
//   leader: thread 0 of a row goes on by a row of places behind each store, which the others need not; the twin's parts are a row too short.
//   two: a place is left out behind some numbers, so that there are two steps in a round at most; the twin has room for one.
//   either: one of two ways goes one step, the other two; the twin has room for one in each round.
//   back: a place is given back at times, so the variable goes both ways; the twin's parts begin in the middle of the one before.
//   by_width: steps of a size that the caller gives, in one direction; the twin goes once more.
//   since: the place is set back to the start of a row, in some round, and goes on from there; the twin's rows are too short.
//   inner: steps in a loop inside are not counted by the rounds of the outer one.
//@ verdict tile_ok: race-free
//@ verdict tile_bad: racy
//@ verdict leader_ok: race-free
//@ verdict leader_bad: racy
//@ verdict two_ok: race-free
//@ verdict two_bad: racy
//@ verdict either_ok: race-free
//@ verdict either_bad: racy
//@ verdict back_ok: race-free
//@ verdict back_bad: racy
//@ verdict by_width_ok: race-free
//@ verdict by_width_bad: racy
//@ verdict since_ok: race-free
//@ verdict since_bad: racy
//@ verdict inner_bad: racy
#include <cuda_runtime.h>

template <int ROUNDS> __device__ void tile(float *x, int n) {
  int at = 256 * blockIdx.x + threadIdx.x;
  for (int i = 0; i < ROUNDS; i++)
    if (at < n) {
      x[at] *= 2; // expect-race[tile]
      at += 64;
    }
}
__global__ void tile_ok(float *x, int n) { tile<4>(x, n); } // expect-clean
__global__ void tile_bad(float *x, int n) { tile<5>(x, n); }

template <int PART> __device__ void leader(const float *x, float *out, int n) {
  unsigned row = threadIdx.y, at = row + PART * blockIdx.x;
  for (int i = 0; i < 9; i++) {
    float sum = x[(blockIdx.x * 9 + i) * n + row];
    for (int d = 8; d > 0; d /= 2)
      sum += __shfl_down_sync(0xffffffffu, sum, d);
    if (threadIdx.x == 0) {
      out[at] = sum; // expect-race[leader]
      at += 24;
    }
  }
}
__global__ void leader_ok(const float *x, float *out, int n) { leader<216>(x, out, n); } // expect-clean
__global__ void leader_bad(const float *x, float *out, int n) { leader<192>(x, out, n); }

template <int PART> __device__ void two(const int *x, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, at = t * PART;
  for (int i = 0; i < 5; i++) {
    out[at] = x[t + i]; // expect-race[two]
    if (x[t + i] > 0) at++;
    if (x[t + i] > 7) at++;
  }
}
__global__ void two_ok(const int *x, int *out) { two<9>(x, out); } // expect-clean
__global__ void two_bad(const int *x, int *out) { two<5>(x, out); }

template <int PART> __device__ void either(const int *x, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, at = t * PART;
  for (int i = 0; i < 5; i++) {
    out[at] = x[t + i]; // expect-race[either]
    if (x[t + i] > 7)
      at += 3;
    else if (x[t + i] > 0)
      at += 6;
  }
}
__global__ void either_ok(const int *x, int *out) { either<25>(x, out); } // expect-clean
__global__ void either_bad(const int *x, int *out) { either<15>(x, out); }

template <int PART> __device__ void back(const int *x, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, at = t * PART;
  for (int i = 0; i < 4; i++) {
    out[at] = x[t + i]; // expect-race[back]
    if (x[t + i] > 7)
      at++;
    else if (x[t + i] < 0)
      at--;
  }
}
__global__ void back_ok(const int *x, int *out) { back<7>(x, out); } // expect-clean
__global__ void back_bad(const int *x, int *out) { back<6>(x, out); }

__device__ void by_width(float *x, int n, int width, int rounds) {
  int at = rounds * width * blockIdx.x + threadIdx.x;
  for (int i = 0; i < 3; i++)
    if (at < n) {
      x[at] *= 2; // expect-race[width]
      at += width;
    }
}
__global__ void by_width_ok(float *x, int n) { by_width(x, n, blockDim.x, 3); } // expect-clean
__global__ void by_width_bad(float *x, int n) { by_width(x, n, blockDim.x, 2); }

template <int PART> __device__ void since(const int *x, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, at = t * PART;
  for (int i = 0; i < 4; i++) {
    out[at] = x[t + i]; // expect-race[since]
    if (x[t + i] == 3) at = t * PART + i;
    if (x[t + i] > 0) at++;
  }
}
__global__ void since_ok(const int *x, int *out) { since<4>(x, out); } // expect-clean
__global__ void since_bad(const int *x, int *out) { since<3>(x, out); }

__global__ void inner_bad(const int *x, int *out) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, at = t * 4;
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < x[t]; k++) {
      out[at] = x[t + i + k]; // expect-race
      if (x[t + k] > 0) at++;
    }
}

void run(const float *in, float *f, const int *x, int *out, int n) {
  tile_ok<<<(n + 255) / 256, 64>>>(f, n);
  tile_bad<<<(n + 255) / 256, 64>>>(f, n);
  leader_ok<<<n, dim3(16, 24)>>>(in, f, n);
  leader_bad<<<n, dim3(16, 24)>>>(in, f, n);
  two_ok<<<n, 128>>>(x, out);
  two_bad<<<n, 128>>>(x, out);
  either_ok<<<n, 128>>>(x, out);
  either_bad<<<n, 128>>>(x, out);
  back_ok<<<n, 128>>>(x, out);
  back_bad<<<n, 128>>>(x, out);
  by_width_ok<<<n, 128>>>(f, n);
  by_width_bad<<<n, 128>>>(f, n);
  since_ok<<<n, 128>>>(x, out);
  since_bad<<<n, 128>>>(x, out);
  inner_bad<<<n, 128>>>(x, out);
}

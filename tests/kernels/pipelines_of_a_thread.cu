// How many stages of a thread's own pipeline a wait leaves under way, where branches decide what is committed.
// ahead: one tile ahead, only while there is one (ok), nobody waits for the oldest (wait), waits only in later rounds (later), all but two (two), no
// barrier before the buffer is filled again (free). ring: four stages (ok), waits in each second round (second), fills the stage that is read (place).
// nothing: a wait with nothing under way waits for nothing and counts nothing (ok: both are waited for, one: only one). prior: a wait for all but N
// leaves the count at N, even where fewer were committed (ok: N = 1, more: N = 2). two: two pipelines of one thread (ok), the wait is the other one's (other).
// rounds: likewise, in a loop.
//@ verdict ahead_ok: race-free
//@ verdict ahead_wait_bad: racy
//@ verdict ahead_later_bad: racy
//@ verdict ahead_two_bad: racy
//@ verdict ahead_free_bad: racy
//@ verdict ring_ok: race-free
//@ verdict ring_second_bad: racy
//@ verdict ring_place_bad: racy
//@ verdict nothing_ok: race-free
//@ verdict nothing_one_bad: racy
//@ verdict prior_ok: race-free
//@ verdict prior_more_bad: racy
//@ verdict two_ok: race-free
//@ verdict two_other_bad: racy
//@ verdict rounds_ok: race-free
//@ verdict rounds_other_bad: racy
#include <cuda/pipeline>

enum Mistake { OK, WAIT, LATER, TWO, FREE, SECOND, PLACE, ONE, MORE, OTHER };

template <class Pipe> __device__ void fill(Pipe &pipe, int *tile, const int *in) {
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[threadIdx.x], &in[threadIdx.x], sizeof(int), pipe); // expect-race
  pipe.producer_commit();
}

template <Mistake mistake> __device__ void ahead(const int *in, int *out, int n) {
  __shared__ int s[2][128];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x, sum = 0;
  fill(pipe, s[0], in);
  for (int i = 0; i < n; i++) {
    if (i + 1 < n)
      fill(pipe, s[(i + 1) % 2], in + (i + 1) * 128);
    if (mistake == TWO)
      cuda::pipeline_consumer_wait_prior<2>(pipe);
    else if (mistake != WAIT && (mistake != LATER || i > 0))
      pipe.consumer_wait();
    __syncthreads();
    sum += s[i % 2][127 - t]; // expect-race
    pipe.consumer_release();
    if (mistake != FREE)
      __syncthreads();
  }
  out[t] = sum;
}

template <Mistake mistake> __device__ void ring(const int *in, int *out, int n) {
  __shared__ int s[4][128];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < 3; i++)
    fill(pipe, s[i], in + i * 128);
  for (int i = 0; i < n; i++) {
    if (mistake != SECOND || i % 2)
      pipe.consumer_wait();
    __syncthreads();
    sum += s[i % 4][127 - t]; // expect-race
    pipe.consumer_release();
    if (i + 3 < n)
      fill(pipe, s[mistake == PLACE ? i % 4 : (i + 3) % 4], in + (i + 3) * 128);
  }
  out[t] = sum;
}

template <Mistake mistake> __device__ void nothing(const int *in, int *out) {
  __shared__ int s[2][128];
  auto pipe = cuda::make_pipeline();
  pipe.consumer_wait();
  fill(pipe, s[0], in);
  fill(pipe, s[1], in + 128);
  pipe.consumer_wait();
  if (mistake != ONE)
    pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[1][127 - threadIdx.x]; // expect-race
}

template <Mistake mistake> __device__ void prior(const int *in, int *out) {
  __shared__ int s[2][128];
  auto pipe = cuda::make_pipeline();
  fill(pipe, s[0], in);
  cuda::pipeline_consumer_wait_prior<mistake == MORE ? 2 : 1>(pipe);
  fill(pipe, s[1], in + 128);
  pipe.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[0][127 - threadIdx.x]; // expect-race
}

template <Mistake mistake> __device__ void two(const int *in, int *out) {
  __shared__ int s[3][128];
  auto one = cuda::make_pipeline();
  auto other = cuda::make_pipeline();
  fill(other, s[1], in + 128);
  fill(other, s[2], in + 256);
  fill(one, s[0], in);
  mistake == OTHER ? other.consumer_wait() : one.consumer_wait();
  __syncthreads();
  out[threadIdx.x] = s[0][127 - threadIdx.x]; // expect-race
}

template <Mistake mistake> __device__ void rounds(const int *in, int *out, int n) {
  __shared__ int s[3][128];
  auto one = cuda::make_pipeline();
  auto other = cuda::make_pipeline();
  int t = threadIdx.x, sum = 0;
  fill(other, s[1], in);
  for (int i = 0; i < n; i++) {
    if (i + 1 < n)
      fill(other, s[1 + (i + 1) % 2], in + i * 128);
    fill(one, s[0], in);
    other.consumer_wait();
    if (mistake != OTHER)
      one.consumer_wait();
    __syncthreads();
    sum += s[0][127 - t]; // expect-race
    __syncthreads();
  }
  out[t] = sum;
}

__global__ void ahead_ok(const int *in, int *out, int n) { ahead<OK>(in, out, n); } // expect-clean
__global__ void ahead_wait_bad(const int *in, int *out, int n) { ahead<WAIT>(in, out, n); }
__global__ void ahead_later_bad(const int *in, int *out, int n) { ahead<LATER>(in, out, n); }
__global__ void ahead_two_bad(const int *in, int *out, int n) { ahead<TWO>(in, out, n); }
__global__ void ahead_free_bad(const int *in, int *out, int n) { ahead<FREE>(in, out, n); }
__global__ void ring_ok(const int *in, int *out, int n) { ring<OK>(in, out, n); } // expect-clean
__global__ void ring_second_bad(const int *in, int *out, int n) { ring<SECOND>(in, out, n); }
__global__ void ring_place_bad(const int *in, int *out, int n) { ring<PLACE>(in, out, n); }
__global__ void nothing_ok(const int *in, int *out) { nothing<OK>(in, out); } // expect-clean
__global__ void nothing_one_bad(const int *in, int *out) { nothing<ONE>(in, out); }
__global__ void prior_ok(const int *in, int *out) { prior<OK>(in, out); } // expect-clean
__global__ void prior_more_bad(const int *in, int *out) { prior<MORE>(in, out); }
__global__ void two_ok(const int *in, int *out) { two<OK>(in, out); } // expect-clean
__global__ void two_other_bad(const int *in, int *out) { two<OTHER>(in, out); }
__global__ void rounds_ok(const int *in, int *out, int n) { rounds<OK>(in, out, n); } // expect-clean
__global__ void rounds_other_bad(const int *in, int *out, int n) { rounds<OTHER>(in, out, n); }

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  ahead_ok<<<1, 128>>>(in, out, 40);
  ahead_wait_bad<<<1, 128>>>(in, out, 40);
  ahead_later_bad<<<1, 128>>>(in, out, 40);
  ahead_two_bad<<<1, 128>>>(in, out, 40);
  ahead_free_bad<<<1, 128>>>(in, out, 40);
  ring_ok<<<1, 128>>>(in, out, 40);
  ring_second_bad<<<1, 128>>>(in, out, 40);
  ring_place_bad<<<1, 128>>>(in, out, 40);
  nothing_ok<<<1, 128>>>(in, out);
  nothing_one_bad<<<1, 128>>>(in, out);
  prior_ok<<<1, 128>>>(in, out);
  prior_more_bad<<<1, 128>>>(in, out);
  two_ok<<<1, 128>>>(in, out);
  two_other_bad<<<1, 128>>>(in, out);
  rounds_ok<<<1, 128>>>(in, out, 40);
  rounds_other_bad<<<1, 128>>>(in, out, 40);
}

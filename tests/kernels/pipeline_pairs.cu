// Two stages of a pipeline in each round, one after the other.
// pairs: the block hands over two stages, then takes them, in loops of two rounds (ok), of four stages (four_ok), and gives the stage back before it reads
// (early). written: the same written out (ok), the second stage is read behind the wait for the first (ahead), the second stage is filled where the first one is read (place).
// roles: half of the threads fill, the others take (ok), as many stages as are filled in a round (two_ok), both are awaited before one is given back (wait), the
// second one is read before it is awaited (next), read once more behind giving it back (free), there are less buffers than stages (buffers).
// some: the second stage of a round is there only sometimes, so that stages and buffers come out of step (bad).
// own: a pipeline of each thread (ok), the second stage first (order), no barrier before the next round (sync).
// mixed: one stage in each round of who fills, two in each round of who takes (ok), given back too early (bad).
//@ verdict pairs_ok: race-free
//@ verdict pairs_four_ok: race-free
//@ verdict pairs_early_bad: racy
//@ verdict written_ok: race-free
//@ verdict written_ahead_bad: racy
//@ verdict written_place_bad: racy
//@ verdict roles_ok: race-free
//@ verdict roles_two_ok: race-free
//@ verdict roles_wait_bad: racy
//@ verdict roles_next_bad: racy
//@ verdict roles_free_bad: racy
//@ verdict roles_buffers_bad: racy
//@ verdict some_bad: racy
//@ verdict own_ok: race-free
//@ verdict own_order_bad: racy
//@ verdict own_sync_bad: racy
//@ known-undecided mixed_ok: the two loops count stages in different steps
//@ verdict mixed_ok: race-free
//@ verdict mixed_bad: racy
#include <cooperative_groups.h>
#include <cuda/pipeline>

namespace cg = cooperative_groups;
template <int stages> using State = cuda::pipeline_shared_state<cuda::thread_scope_block, stages>;
enum Mistake { OK, EARLY, AHEAD, PLACE, WAIT, NEXT, FREE, ORDER, SYNC };

template <class Pipe> __device__ void fill(Pipe &pipe, int *tile, const int *in, int number) {
  int t = threadIdx.x % 64;
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[t], &in[number * 64 + t], sizeof(int), pipe); // expect-race
  pipe.producer_commit();
}

template <int stages, Mistake mistake> __device__ void pairs(const int *in, int *out, int n) {
  __shared__ State<stages> state;
  __shared__ int s[stages][64];
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < 2; j++)
      fill(pipe, s[(2 * k + j) % stages], in, 2 * k + j);
    for (int j = 0; j < 2; j++) {
      pipe.consumer_wait();
      if (mistake == EARLY)
        pipe.consumer_release();
      sum += s[(2 * k + j) % stages][63 - t]; // expect-race
      if (mistake != EARLY)
        pipe.consumer_release();
    }
  }
  out[blockIdx.x * 64 + t] = sum;
}
__global__ void pairs_ok(const int *in, int *out, int n) { pairs<2, OK>(in, out, n); }      // expect-clean
__global__ void pairs_four_ok(const int *in, int *out, int n) { pairs<4, OK>(in, out, n); } // expect-clean
__global__ void pairs_early_bad(const int *in, int *out, int n) { pairs<2, EARLY>(in, out, n); }

template <Mistake mistake> __device__ void written(const int *in, int *out, int n) {
  __shared__ State<2> state;
  __shared__ int s[2][64];
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    fill(pipe, s[0], in, 2 * k);
    fill(pipe, s[mistake == PLACE ? 0 : 1], in, 2 * k + 1);
    pipe.consumer_wait();
    sum += s[mistake == AHEAD ? 1 : 0][63 - t]; // expect-race
    pipe.consumer_release();
    pipe.consumer_wait();
    sum += s[1][63 - t];
    pipe.consumer_release();
  }
  out[blockIdx.x * 64 + t] = sum;
}
__global__ void written_ok(const int *in, int *out, int n) { written<OK>(in, out, n); } // expect-clean
__global__ void written_ahead_bad(const int *in, int *out, int n) { written<AHEAD>(in, out, n); }
__global__ void written_place_bad(const int *in, int *out, int n) { written<PLACE>(in, out, n); }

template <int stages, int buffers, Mistake mistake> __device__ void roles(const int *in, int *out, int n) {
  __shared__ State<stages> state;
  __shared__ int s[buffers][64];
  auto role = threadIdx.x < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
  int t = threadIdx.x % 64, sum = 0;
  if (role == cuda::pipeline_role::producer) {
    for (int k = 0; k < n; k += 2) {
      fill(pipe, s[k % buffers], in, k);
      fill(pipe, s[(k + 1) % buffers], in, k + 1);
    }
  } else {
    for (int k = 0; k < n; k += 2) {
      pipe.consumer_wait();
      if (mistake == WAIT)
        pipe.consumer_wait();
      sum += s[k % buffers][63 - t]; // expect-race
      if (mistake == NEXT)
        sum += s[(k + 1) % buffers][63 - t]; // expect-race
      pipe.consumer_release();
      if (mistake != WAIT)
        pipe.consumer_wait();
      sum += s[(k + 1) % buffers][63 - t]; // expect-race
      pipe.consumer_release();
      if (mistake == FREE)
        sum += s[(k + 1) % buffers][63 - t]; // expect-race
    }
    out[blockIdx.x * 64 + t] = sum;
  }
}
__global__ void roles_ok(const int *in, int *out, int n) { roles<4, 4, OK>(in, out, n); }     // expect-clean
__global__ void roles_two_ok(const int *in, int *out, int n) { roles<2, 2, OK>(in, out, n); } // expect-clean
__global__ void roles_wait_bad(const int *in, int *out, int n) { roles<4, 4, WAIT>(in, out, n); }
__global__ void roles_next_bad(const int *in, int *out, int n) { roles<4, 4, NEXT>(in, out, n); }
__global__ void roles_free_bad(const int *in, int *out, int n) { roles<4, 4, FREE>(in, out, n); }
__global__ void roles_buffers_bad(const int *in, int *out, int n) { roles<4, 3, OK>(in, out, n); }

__global__ void some_bad(const int *more, const int *in, int *out, int n) {
  __shared__ State<2> state;
  __shared__ int s[2][64];
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state);
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    fill(pipe, s[0], in, 2 * k);
    if (more[k])
      fill(pipe, s[1], in, 2 * k + 1);
    pipe.consumer_wait();
    sum += s[0][63 - t]; // expect-race
    pipe.consumer_release();
    if (more[k]) {
      pipe.consumer_wait();
      sum += s[1][63 - t];
      pipe.consumer_release();
    }
  }
  out[blockIdx.x * 64 + t] = sum;
}

template <Mistake mistake> __device__ void own(const int *in, int *out, int n) {
  __shared__ int s[2][64];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++) {
    for (int j = 0; j < 2; j++)
      fill(pipe, s[j], in, 2 * k + j);
    for (int j = 0; j < 2; j++) {
      pipe.consumer_wait();
      __syncthreads();
      sum += s[mistake == ORDER ? 1 - j : j][63 - t]; // expect-race
      pipe.consumer_release();
    }
    if (mistake != SYNC)
      __syncthreads();
  }
  out[blockIdx.x * 64 + t] = sum;
}
__global__ void own_ok(const int *in, int *out, int n) { own<OK>(in, out, n); } // expect-clean
__global__ void own_order_bad(const int *in, int *out, int n) { own<ORDER>(in, out, n); }
__global__ void own_sync_bad(const int *in, int *out, int n) { own<SYNC>(in, out, n); }

template <bool early> __device__ void mixed(const int *in, int *out, int n) {
  __shared__ State<4> state;
  __shared__ int s[4][64];
  auto role = threadIdx.x < 64 ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer;
  auto pipe = cuda::make_pipeline(cg::this_thread_block(), &state, role);
  int t = threadIdx.x % 64, sum = 0;
  if (role == cuda::pipeline_role::producer) {
    for (int k = 0; k < 2 * n; k++)
      fill(pipe, s[k % 4], in, k);
  } else {
    for (int k = 0; k < n; k++) {
      pipe.consumer_wait();
      if (early)
        pipe.consumer_release();
      sum += s[2 * k % 4][63 - t]; // expect-race
      if (!early)
        pipe.consumer_release();
      pipe.consumer_wait();
      sum += s[(2 * k + 1) % 4][63 - t];
      pipe.consumer_release();
    }
    out[blockIdx.x * 64 + t] = sum;
  }
}
__global__ void mixed_ok(const int *in, int *out, int n) { mixed<false>(in, out, n); } // expect-clean
__global__ void mixed_bad(const int *in, int *out, int n) { mixed<true>(in, out, n); }

int main(int count, char **words) {
  int *more, *in, *out;
  cudaMalloc((void **)&more, 1 << 20);
  cudaMalloc((void **)&in, 1 << 24);
  cudaMalloc((void **)&out, 1 << 20);
  pairs_ok<<<8, 64>>>(in, out, count);
  pairs_four_ok<<<8, 64>>>(in, out, count);
  pairs_early_bad<<<8, 64>>>(in, out, count);
  written_ok<<<8, 64>>>(in, out, count);
  written_ahead_bad<<<8, 64>>>(in, out, count);
  written_place_bad<<<8, 64>>>(in, out, count);
  roles_ok<<<8, 128>>>(in, out, count);
  roles_two_ok<<<8, 128>>>(in, out, count);
  roles_wait_bad<<<8, 128>>>(in, out, count);
  roles_next_bad<<<8, 128>>>(in, out, count);
  roles_free_bad<<<8, 128>>>(in, out, count);
  roles_buffers_bad<<<8, 128>>>(in, out, count);
  some_bad<<<8, 64>>>(more, in, out, count);
  own_ok<<<8, 64>>>(in, out, count);
  own_order_bad<<<8, 64>>>(in, out, count);
  own_sync_bad<<<8, 64>>>(in, out, count);
  mixed_ok<<<8, 128>>>(in, out, count);
  mixed_bad<<<8, 128>>>(in, out, count);
  return 0;
}

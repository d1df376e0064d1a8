// A loop that tries until the phase of a barrier object is over, with a variable that says so and is looked at before each try: such a loop is a wait.
// tries: false at the start (ok), true (done), left when the phase is not over (not), tried once (once), another object (object), the next phase's parity, which
// counts as over (parity), given up after some tries (some), the variable says at the end whether it came to that (kept_ok).
//@ verdict tries_ok: race-free
//@ verdict tries_done_bad: racy
//@ verdict tries_not_bad: racy
//@ verdict tries_once_bad: racy
//@ verdict tries_object_bad: racy
//@ verdict tries_parity_bad: racy
//@ verdict tries_some_bad: racy
//@ known-undecided tries_kept_ok: what was tried last is looked at behind the loop
//@ verdict tries_kept_ok: race-free
#include <cuda/ptx>

namespace ptx = cuda::ptx;
enum Mistake { OK, DONE, NOT, ONCE, OBJECT, PARITY, SOME, KEPT };

template <Mistake mistake> __device__ void tries(const int *in, int *out, int n) {
  __shared__ alignas(16) int s[128];
  __shared__ uint64_t full, other;
  int t = threadIdx.x;
  if (t == 0) {
    ptx::mbarrier_init(&full, 1);
    ptx::mbarrier_init(&other, 1);
  }
  __syncthreads();
  if (t == 0) {
    ptx::mbarrier_arrive(&other);
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, s, in, 512u, &full); // expect-race
    ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &full, 512u);
  }
  bool is_over = mistake == DONE;
  uint64_t *object = mistake == OBJECT ? &other : &full;
  if constexpr (mistake == ONCE) {
    is_over = ptx::mbarrier_try_wait_parity(object, 0);
  } else if constexpr (mistake == SOME) {
    for (int i = 0; i < n && !is_over; i++)
      is_over = ptx::mbarrier_try_wait_parity(object, 0);
  } else if constexpr (mistake == NOT) {
    while (!is_over)
      is_over = !ptx::mbarrier_try_wait_parity(object, 0);
  } else {
    while (!is_over)
      is_over = ptx::mbarrier_try_wait_parity(object, mistake == PARITY);
  }
  out[blockIdx.x * 128 + t] = s[127 - t] + (mistake == KEPT && is_over); // expect-race
}
__global__ void tries_ok(const int *in, int *out, int n) { tries<OK>(in, out, n); } // expect-clean
__global__ void tries_done_bad(const int *in, int *out, int n) { tries<DONE>(in, out, n); }
__global__ void tries_not_bad(const int *in, int *out, int n) { tries<NOT>(in, out, n); }
__global__ void tries_once_bad(const int *in, int *out, int n) { tries<ONCE>(in, out, n); }
__global__ void tries_object_bad(const int *in, int *out, int n) { tries<OBJECT>(in, out, n); }
__global__ void tries_parity_bad(const int *in, int *out, int n) { tries<PARITY>(in, out, n); }
__global__ void tries_some_bad(const int *in, int *out, int n) { tries<SOME>(in, out, n); }
__global__ void tries_kept_ok(const int *in, int *out, int n) { tries<KEPT>(in, out, n); } // expect-clean

int main(int count, char **words) {
  int *in, *out;
  cudaMalloc((void **)&in, 1 << 24);
  cudaMalloc((void **)&out, 1 << 20);
  tries_ok<<<8, 128>>>(in, out, count);
  tries_done_bad<<<8, 128>>>(in, out, count);
  tries_not_bad<<<8, 128>>>(in, out, count);
  tries_once_bad<<<8, 128>>>(in, out, count);
  tries_object_bad<<<8, 128>>>(in, out, count);
  tries_parity_bad<<<8, 128>>>(in, out, count);
  tries_some_bad<<<8, 128>>>(in, out, count);
  tries_kept_ok<<<8, 128>>>(in, out, count);
  return 0;
}

// Whether a thread holds a lock is what one of two constants says, as the test of the operation chooses (ok), or as it does where the
// thread asks for the lock at all (asked, ok); the constants stand the other way round (bad), or neither says no (asked, bad).
//@ args: --grid-dim=4 --block-dim=64
//@ verdict ok: race-free
//@ rule ok: lock
//@ verdict bad: racy
//@ verdict asked_ok: race-free
//@ verdict asked_bad: racy
template <int yes, int no> __device__ void add(int *lock, int *sum) {
  int mine = atomicCAS(lock, 0, 1) == 0 ? yes : no;
  if (mine == 5) {
    __threadfence();
    *sum += threadIdx.x; // expect-race
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void ok(int *lock, int *sum) { add<5, 0>(lock, sum); } // expect-clean
__global__ void bad(int *lock, int *sum) { add<0, 5>(lock, sum); }

template <int yes, int no> __device__ void add_asked(int *lock, int *sum, const int *in) {
  int mine = 0;
  if (in[blockIdx.x] > 3) mine = atomicCAS(lock, 0, 1) == 0 ? yes : no;
  if (mine) {
    __threadfence();
    *sum += threadIdx.x; // expect-race
    __threadfence();
    atomicExch(lock, 0);
  }
}
__global__ void asked_ok(int *lock, int *sum, const int *in) { add_asked<1, 0>(lock, sum, in); } // expect-clean
__global__ void asked_bad(int *lock, int *sum, const int *in) { add_asked<1, 2>(lock, sum, in); }

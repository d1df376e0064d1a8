// Readers that count themselves in by additions, and out again, and a writer that goes from 0 to a large number, which it takes off: who is returned
// less than that reads (ok). No fence behind the addition (read_acquire, bad) or before the subtraction (read_release, bad), of the writer likewise (write_acquire,
// write_release, bad), or of block scope (scope, bad); the reader does not look at what it is returned (look, bad), or comes in with more (more, bad), or counts out
// twice who had to wait (twice, bad); the writer stores 0, and forgets who waits (forgets, bad), or leaves so much that one reader more
// makes the number negative (wraps, bad); operations of block scope (narrow, bad); two readers write (readers, bad). A number that is no zero at the start keeps all out.
// The writer goes to the least number there is, readers read if they are returned no negative one (negative_ok); no fence behind the writer's (negative_acquire, bad), he
// stores 0 (negative_forgets, bad); or he goes to -1, so that the second reader who has to wait is returned 0 (negative_small, bad). Another writer goes to a positive
// number, and readers read if they are returned less than that, as they are while there is a negative one (negative_both, bad).
//@ verdict ok: race-free
//@ rule ok: reader-writer-lock
//@ verdict read_acquire_bad: racy
//@ verdict read_release_bad: racy
//@ verdict write_acquire_bad: racy
//@ verdict write_release_bad: racy
//@ verdict scope_bad: racy
//@ verdict look_bad: racy
//@ verdict more_bad: racy
//@ verdict twice_bad: racy
//@ verdict forgets_bad: racy
//@ verdict wraps_bad: racy
//@ verdict narrow_bad: racy
//@ verdict readers_bad: racy
//@ verdict negative_ok: race-free
//@ rule negative_ok: reader-writer-lock
//@ verdict negative_acquire_bad: racy
//@ verdict negative_forgets_bad: racy
//@ verdict negative_small_bad: racy
//@ verdict negative_both_bad: racy
enum {
  NOTHING,
  READ_ACQUIRE,
  READ_RELEASE,
  WRITE_ACQUIRE,
  WRITE_RELEASE,
  SCOPE,
  LOOK,
  MORE,
  TWICE,
  FORGETS,
  WRAPS,
  NARROW,
  READERS
};

template <int wrong> __device__ void read_or_write(int *lock, int *data, int *out) {
  const int writer = wrong == WRAPS ? 0x7fffffff : 0x10000;
  if (threadIdx.x != 0) return;
  if (blockIdx.x % 4 == 0) {
    while ((wrong == NARROW ? atomicCAS_block(lock, 0, writer) : atomicCAS(lock, 0, writer)) != 0) // expect-race[narrow]
      ;
    if (wrong != WRITE_ACQUIRE) __threadfence();
    data[0] += 1; // expect-race
    if (wrong == SCOPE) __threadfence_block();
    else if (wrong != WRITE_RELEASE) __threadfence();
    if (wrong == FORGETS) atomicExch(lock, 0);
    else atomicSub(lock, writer); // expect-race[narrow]
    return;
  }
  if (wrong == LOOK) {
    atomicAdd(lock, 1);
  } else {
    while (atomicAdd(lock, 1) >= (wrong == MORE ? 2 * writer : writer)) // expect-race[narrow]
      atomicSub(lock, 1); // expect-race[narrow]
  }
  if (wrong != READ_ACQUIRE) __threadfence();
  if (wrong == READERS) data[0] = blockIdx.x; // expect-race
  else out[blockIdx.x] = data[0]; // expect-race
  if (wrong != READ_RELEASE) __threadfence();
  atomicSub(lock, 1); // expect-race[narrow]
  if (wrong == TWICE) atomicSub(lock, 1);
}
__global__ void ok(int *lock, int *data, int *out) { read_or_write<NOTHING>(lock, data, out); } // expect-clean
__global__ void read_acquire_bad(int *lock, int *data, int *out) { read_or_write<READ_ACQUIRE>(lock, data, out); }
__global__ void read_release_bad(int *lock, int *data, int *out) { read_or_write<READ_RELEASE>(lock, data, out); }
__global__ void write_acquire_bad(int *lock, int *data, int *out) { read_or_write<WRITE_ACQUIRE>(lock, data, out); }
__global__ void write_release_bad(int *lock, int *data, int *out) { read_or_write<WRITE_RELEASE>(lock, data, out); }
__global__ void scope_bad(int *lock, int *data, int *out) { read_or_write<SCOPE>(lock, data, out); }
__global__ void look_bad(int *lock, int *data, int *out) { read_or_write<LOOK>(lock, data, out); }
__global__ void more_bad(int *lock, int *data, int *out) { read_or_write<MORE>(lock, data, out); }
__global__ void twice_bad(int *lock, int *data, int *out) { read_or_write<TWICE>(lock, data, out); }
__global__ void forgets_bad(int *lock, int *data, int *out) { read_or_write<FORGETS>(lock, data, out); }
__global__ void wraps_bad(int *lock, int *data, int *out) { read_or_write<WRAPS>(lock, data, out); }
__global__ void narrow_bad(int *lock, int *data, int *out) { read_or_write<NARROW>(lock, data, out); }
__global__ void readers_bad(int *lock, int *data, int *out) { read_or_write<READERS>(lock, data, out); }

template <int wrong> __device__ void read_or_write_below_zero(int *lock, int *data, int *out) {
  const int writer = wrong == READERS ? -1 : -0x7fffffff - 1;
  if (threadIdx.x != 0) return;
  if (blockIdx.x % 4 == 0) {
    if (wrong == MORE && blockIdx.x % 8 == 0) {
      while (atomicCAS(lock, 0, 0x10000) != 0)
        ;
      __threadfence();
      data[0] += 1;
      __threadfence();
      atomicSub(lock, 0x10000);
      return;
    }
    while (atomicCAS(lock, 0, writer) != 0)
      ;
    if (wrong != WRITE_ACQUIRE) __threadfence();
    data[0] += 1; // expect-race
    __threadfence();
    if (wrong == FORGETS) atomicExch(lock, 0);
    else atomicSub(lock, writer);
    return;
  }
  while (wrong == MORE ? atomicAdd(lock, 1) >= 0x10000 : atomicAdd(lock, 1) < 0)
    atomicSub(lock, 1);
  __threadfence();
  out[blockIdx.x] = data[0]; // expect-race
  __threadfence();
  atomicSub(lock, 1);
}
__global__ void negative_ok(int *lock, int *data, int *out) { read_or_write_below_zero<NOTHING>(lock, data, out); } // expect-clean
__global__ void negative_acquire_bad(int *lock, int *data, int *out) { read_or_write_below_zero<WRITE_ACQUIRE>(lock, data, out); }
__global__ void negative_forgets_bad(int *lock, int *data, int *out) { read_or_write_below_zero<FORGETS>(lock, data, out); }
__global__ void negative_small_bad(int *lock, int *data, int *out) { read_or_write_below_zero<READERS>(lock, data, out); }
__global__ void negative_both_bad(int *lock, int *data, int *out) { read_or_write_below_zero<MORE>(lock, data, out); }

int main() {
  int *lock, *data, *out;
  cudaMalloc(&lock, sizeof *lock);
  cudaMalloc(&data, sizeof *data);
  cudaMalloc(&out, 1 << 20);
#define RUN(kernel)                    \
  cudaMemset(lock, 0, sizeof *lock);   \
  kernel<<<64, 32>>>(lock, data, out);
  RUN(ok)
  RUN(read_acquire_bad)
  RUN(read_release_bad)
  RUN(write_acquire_bad)
  RUN(write_release_bad)
  RUN(scope_bad)
  RUN(look_bad)
  RUN(more_bad)
  RUN(twice_bad)
  RUN(forgets_bad)
  RUN(wraps_bad)
  RUN(narrow_bad)
  RUN(readers_bad)
  RUN(negative_ok)
  RUN(negative_acquire_bad)
  RUN(negative_forgets_bad)
  RUN(negative_small_bad)
  RUN(negative_both_bad)
}

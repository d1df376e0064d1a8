// What a function of the library calls back sets one of the two pointers that a launch is given to the other (bad), or a third one (ok).
// bytes: as bytes (bad); it copies a number (ok). chosen: one of the two, as a number says (bad). behind: a place behind it (bad). both: a struct that
// holds one pointer twice (bad). over: by way of a variable, from which another function takes it (bad), or does not (ok). thread: the function
// of a thread of the host (bad); it moves a number (ok). lambda: a closure that a thread of the host runs (bad); it moves a number (ok).
//@ verdict called_ok: race-free
//@ verdict called_bad: racy
//@ verdict bytes_ok: race-free
//@ verdict bytes_bad: racy
//@ verdict chosen_bad: racy
//@ verdict behind_bad: racy
//@ verdict both_bad: racy
//@ verdict over_ok: race-free
//@ verdict over_bad: racy
//@ verdict thread_ok: race-free
//@ verdict thread_bad: racy
//@ verdict lambda_ok: race-free
//@ verdict lambda_bad: racy
#include <cstring>
#include <thread>
#include <cstdlib>
#include <cuda_runtime.h>

__device__ void move_on(float *to, const float *from) {
  to[threadIdx.x] = from[threadIdx.x + 1]; // expect-race[moved]
}
__global__ void called_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void called_bad(float *to, const float *from) { move_on(to, from); }
__global__ void bytes_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void bytes_bad(float *to, const float *from) { move_on(to, from); }
__global__ void chosen_bad(float *to, const float *from) { move_on(to, from); }
__global__ void behind_bad(float *to, const float *from) { move_on(to, from); }
__global__ void both_bad(float *to, const float *from) { move_on(to, from); }
__global__ void over_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void over_bad(float *to, const float *from) { move_on(to, from); }
__global__ void thread_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void thread_bad(float *to, const float *from) { move_on(to, from); }
__global__ void lambda_ok(float *to, const float *from) { move_on(to, from); } // expect-clean
__global__ void lambda_bad(float *to, const float *from) { move_on(to, from); }

static float *mine, *theirs, *third;
static int with_third(const void *, const void *) {
  third = mine;
  return 0;
}
static int with_theirs(const void *, const void *) {
  theirs = mine;
  return 0;
}

#define PAIR(name)      \
  struct name {         \
    float *to, *from;   \
    int length, kept;   \
  };
PAIR(Number)
static void copy_number(void *pair) { memcpy(&((Number *)pair)->kept, &((Number *)pair)->length, 4); }
PAIR(Bytes)
static void copy_bytes(void *pair) { memcpy(&((Bytes *)pair)->from, &((Bytes *)pair)->to, 8); }
PAIR(Chosen)
static int is_in_place;
static void choose(void *pair) {
  Chosen *chosen = (Chosen *)pair;
  chosen->from = is_in_place ? chosen->to : chosen->from;
}
PAIR(Behind)
static void go_on(void *pair) { ((Behind *)pair)->from = ((Behind *)pair)->to + 1; }
PAIR(Both)
static void set_both(void *pair) {
  Both *both = (Both *)pair, one = {both->to, both->to, 0, 0};
  *both = one;
}
PAIR(Over)
static float *over, *unused;
static void put_over(void *pair) { over = ((Over *)pair)->to; }
static void take_over(void *pair) { ((Over *)pair)->from = over; }
PAIR(Put)
static void put_only(void *pair) { unused = ((Put *)pair)->to; }
PAIR(Threaded)
static void in_thread(Threaded *pair) { pair->from = pair->to; }
PAIR(Counted)
static void in_counting_thread(Counted *pair) { pair->kept = pair->length; }

PAIR(Closed)
PAIR(Enclosed)

template <class T> static T *make(T *pair) {
  cudaMalloc(&pair->to, 4096);
  cudaMalloc(&pair->from, 4096);
  return pair;
}

static void run(cudaStream_t stream) {
  Number number;
  cudaLaunchHostFunc(stream, copy_number, make(&number));
  cudaStreamSynchronize(stream);
  bytes_ok<<<1, 64>>>(number.to, number.from);
  Bytes bytes;
  cudaLaunchHostFunc(stream, copy_bytes, make(&bytes));
  cudaStreamSynchronize(stream);
  bytes_bad<<<1, 64>>>(bytes.to, bytes.from);
  Chosen chosen;
  cudaLaunchHostFunc(stream, choose, make(&chosen));
  cudaStreamSynchronize(stream);
  chosen_bad<<<1, 64>>>(chosen.to, chosen.from);
  Behind behind;
  cudaLaunchHostFunc(stream, go_on, make(&behind));
  cudaStreamSynchronize(stream);
  behind_bad<<<1, 64>>>(behind.to, behind.from);
  Both both;
  cudaLaunchHostFunc(stream, set_both, make(&both));
  cudaStreamSynchronize(stream);
  both_bad<<<1, 64>>>(both.to, both.from);
  Over taken;
  cudaLaunchHostFunc(stream, put_over, make(&taken));
  cudaLaunchHostFunc(stream, take_over, &taken);
  cudaStreamSynchronize(stream);
  over_bad<<<1, 64>>>(taken.to, taken.from);
  Put put;
  cudaLaunchHostFunc(stream, put_only, make(&put));
  cudaStreamSynchronize(stream);
  over_ok<<<1, 64>>>(put.to, put.from);
}

static void run_threads() {
  Threaded threaded;
  std::thread moves(in_thread, make(&threaded));
  moves.join();
  thread_bad<<<1, 64>>>(threaded.to, threaded.from);
  Counted counted;
  std::thread counts(in_counting_thread, make(&counted));
  counts.join();
  thread_ok<<<1, 64>>>(counted.to, counted.from);
  Closed closed;
  make(&closed);
  std::thread closes([&closed] { closed.from = closed.to; });
  closes.join();
  lambda_bad<<<1, 64>>>(closed.to, closed.from);
  Enclosed enclosed;
  make(&enclosed);
  std::thread encloses([&enclosed] { enclosed.kept = enclosed.length; });
  encloses.join();
  lambda_ok<<<1, 64>>>(enclosed.to, enclosed.from);
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  run(stream);
  run_threads();
  int numbers[2] = {2, 1};
  cudaMalloc(&mine, 4096);
  cudaMalloc(&theirs, 4096);
  qsort(numbers, 2, sizeof *numbers, with_third);
  called_ok<<<1, 64>>>(mine, theirs);
  qsort(numbers, 2, sizeof *numbers, with_theirs);
  called_bad<<<1, 64>>>(mine, theirs);
  cudaDeviceSynchronize();
}

// A call through a pointer may record an event again: it comes to whatever the program has. behind: a virtual function (bad) or the same call in front
// of the record (ok). hook: out of a table of functions (bad), in front of the record (ok). turns: two functions that call each other, of which one records (bad: either one is called), in front of the record (ok).
// The runs hold events in no order but the program's, so what is not proved stays open.
//@ verdict behind_ok: race-free
//@ verdict behind_bad: racy
//@ verdict hook_ok: race-free
//@ verdict hook_bad: racy
//@ verdict turns_ok: race-free
//@ verdict turns_bad: racy
//@ verdict turns_other_bad: racy
#include <cuda_runtime.h>

__global__ void behind_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void behind_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void hook_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void hook_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void turns_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void turns_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void turns_other_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race

struct Step {
  virtual void go() = 0;
};
struct Records : Step {
  cudaEvent_t event;
  cudaStream_t stream;
  void go() override { cudaEventRecord(event, stream); }
};
struct Rests : Step {
  void go() override {}
};

static cudaEvent_t kept_event;
static cudaStream_t kept_stream;
static void record() { cudaEventRecord(kept_event, kept_stream); }
static void rest() {}
void (*hooks[2])() = {rest, record};

static void there(int n);
static void __attribute__((noinline)) back(int n) {
  if (n > 0) there(n - 1);
}
static void __attribute__((noinline)) there(int n) {
  if (n > 1) back(n - 1);
  cudaEventRecord(kept_event, kept_stream);
}

static int *zeros() {
  int *to;
  cudaMalloc(&to, 1024);
  cudaMemset(to, 0, 1024);
  cudaDeviceSynchronize();
  return to;
}

int main(int argc, char **) {
  int *a, *places;
  cudaStream_t s, t;
  cudaEvent_t e;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaEventCreate(&e);
  kept_event = e;
  kept_stream = t;
  cudaMalloc(&a, 2048);
  cudaMallocHost(&places, 1024);
  for (int i = 0; i < 256; i++)
    places[i] = i;
  Records records;
  records.event = e;
  records.stream = t;
  Rests rests;
  Step *step = argc > 1 ? (Step *)&records : (Step *)&rests;

  int *one = zeros();
  cudaMemcpyAsync(one, places, 1024, cudaMemcpyHostToDevice, s);
  step->go();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  behind_ok<<<1, 256, 0, t>>>(a, one);

  int *two = zeros();
  cudaMemcpyAsync(two, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(e, s);
  step->go();
  cudaStreamWaitEvent(t, e, 0);
  behind_bad<<<1, 256, 0, t>>>(a, two);

  int *three = zeros();
  cudaMemcpyAsync(three, places, 1024, cudaMemcpyHostToDevice, s);
  hooks[argc & 1]();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  hook_ok<<<1, 256, 0, t>>>(a, three);

  int *four = zeros();
  cudaMemcpyAsync(four, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(e, s);
  hooks[argc & 1]();
  cudaStreamWaitEvent(t, e, 0);
  hook_bad<<<1, 256, 0, t>>>(a, four);

  int *five = zeros();
  cudaMemcpyAsync(five, places, 1024, cudaMemcpyHostToDevice, s);
  there(argc);
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e, 0);
  turns_ok<<<1, 256, 0, t>>>(a, five);

  int *six = zeros();
  cudaMemcpyAsync(six, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(e, s);
  there(argc);
  cudaStreamWaitEvent(t, e, 0);
  turns_bad<<<1, 256, 0, t>>>(a, six);

  int *seven = zeros();
  cudaMemcpyAsync(seven, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(e, s);
  back(argc);
  cudaStreamWaitEvent(t, e, 0);
  turns_other_bad<<<1, 256, 0, t>>>(a, seven);
}

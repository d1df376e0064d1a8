// What launches, copies and fills leave counts once they are over, by waits for events as by others. All tables end as the identity if the text went on
// operation by operation; before that all places are zero.
// event: the host waits for an event behind the copy (ok) or in front of it (bad). again: the event is recorded again, in the other stream (bad) or in the same one (ok); another event is
// (ok). launch: a kernel has filled the table, the later stream waits for an event behind it (ok) or in front of it (bad). chain: a third stream passes it on (ok), or waits too early (bad).
// over: a copy into a table that a kernel in another stream may still fill (bad), or has filled (ok). from: a copy out of a table that is not there yet, waited for itself (bad), or with the kernel
// in front waited for (ok). zeros: a fill that may come late (bad) or not (ok). inside: the record stands in a function (ok). driver: by the driver's names (ok, bad). fetched: the host waits for a copy of something else,
// in the default stream (ok), or does not wait for one in another stream (bad). empty: that copy is one of nothing, and at_home: of host memory, which waits for nothing (bad).
//@ verdict fill: race-free
//@ verdict event_ok: race-free
//@ verdict event_bad: racy
//@ verdict again_ok: race-free
//@ verdict again_bad: racy
//@ verdict other_event_ok: race-free
//@ verdict launch_ok: race-free
//@ verdict launch_bad: racy
//@ known-undecided launch_bad: runs are made in the order of the program
//@ verdict chain_ok: race-free
//@ verdict chain_bad: racy
//@ verdict over_ok: race-free
//@ verdict over_bad: racy
//@ verdict from_ok: race-free
//@ verdict from_bad: racy
//@ verdict zeros_ok: race-free
//@ verdict zeros_bad: racy
//@ verdict inside_ok: race-free
//@ verdict fetched_ok: race-free
//@ verdict fetched_bad: racy
//@ verdict empty_bad: racy
//@ verdict at_home_bad: racy
//@ verdict driver_ok: race-free
//@ verdict driver_bad: racy
#include <cuda.h>
#include <cuda_runtime.h>

__global__ void fill(int *place) { // expect-clean
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  place[i] = i;
}
__global__ void event_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void event_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void again_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void again_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void other_event_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void launch_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void launch_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; }
__global__ void chain_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void chain_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void over_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void over_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void from_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void from_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void zeros_ok(int *a, const int *shift) { a[shift[threadIdx.x] + threadIdx.x] = threadIdx.x; } // expect-clean
__global__ void zeros_bad(int *a, const int *shift) { a[shift[threadIdx.x] + threadIdx.x] = threadIdx.x; } // expect-race
__global__ void inside_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void fetched_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void fetched_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void empty_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void at_home_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race
__global__ void driver_ok(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-clean
__global__ void driver_bad(int *a, const int *to) { a[to[threadIdx.x]] = threadIdx.x; } // expect-race

static int *zeros() {
  int *to;
  cudaMalloc(&to, 1024);
  cudaMemset(to, 0, 1024);
  cudaDeviceSynchronize();
  return to;
}

static void __attribute__((noinline)) record(cudaEvent_t event, cudaStream_t stream) { cudaEventRecord(event, stream); }

static void events(int *a, const int *places, cudaStream_t s, cudaStream_t t, cudaEvent_t copied, cudaEvent_t other) {
  int *to = zeros();
  cudaMemcpyAsync(to, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(copied, s);
  cudaEventSynchronize(copied);
  event_ok<<<1, 256, 0, t>>>(a, to);

  int *early = zeros();
  cudaEventRecord(copied, s);
  cudaMemcpyAsync(early, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventSynchronize(copied);
  event_bad<<<1, 256, 0, t>>>(a, early);

  int *twice = zeros();
  cudaMemcpyAsync(twice, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(copied, s);
  cudaEventRecord(copied, s);
  cudaStreamWaitEvent(t, copied, 0);
  again_ok<<<1, 256, 0, t>>>(a, twice);

  int *again = zeros();
  cudaMemcpyAsync(again, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(copied, s);
  cudaEventRecord(copied, t);
  cudaStreamWaitEvent(t, copied, 0);
  again_bad<<<1, 256, 0, t>>>(a, again);
}

int main() {
  int *a, *places;
  cudaStream_t s, t, u;
  cudaEvent_t copied, other;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaStreamCreate(&u);
  cudaEventCreate(&copied);
  cudaEventCreate(&other);
  cudaMalloc(&a, 2048);
  cudaMallocHost(&places, 1024);
  for (int i = 0; i < 256; i++)
    places[i] = i;
  events(a, places, s, t, copied, other);

  int *apart = zeros();
  cudaMemcpyAsync(apart, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(copied, s);
  cudaEventRecord(other, t);
  cudaStreamWaitEvent(t, copied, 0);
  other_event_ok<<<1, 256, 0, t>>>(a, apart);

  int *filled = zeros();
  fill<<<1, 256, 0, s>>>(filled);
  cudaEventRecord(copied, s);
  cudaStreamWaitEvent(t, copied, 0);
  launch_ok<<<1, 256, 0, t>>>(a, filled);

  int *late = zeros();
  cudaEventRecord(copied, s);
  fill<<<1, 256, 0, s>>>(late);
  cudaStreamWaitEvent(t, copied, 0);
  launch_bad<<<1, 256, 0, t>>>(a, late);

  int *passed = zeros();
  cudaMemcpyAsync(passed, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(copied, s);
  cudaStreamWaitEvent(u, copied, 0);
  cudaEventRecord(other, u);
  cudaStreamWaitEvent(t, other, 0);
  chain_ok<<<1, 256, 0, t>>>(a, passed);

  int *lost = zeros();
  cudaMemcpyAsync(lost, places, 1024, cudaMemcpyHostToDevice, s);
  cudaEventRecord(copied, s);
  cudaEventRecord(other, u);
  cudaStreamWaitEvent(u, copied, 0);
  cudaStreamWaitEvent(t, other, 0);
  chain_bad<<<1, 256, 0, t>>>(a, lost);

  int *last = zeros();
  cudaMemsetAsync(last, 0, 1024, t);
  cudaStreamSynchronize(t);
  cudaMemcpyAsync(last, places, 1024, cudaMemcpyHostToDevice, s);
  cudaDeviceSynchronize();
  over_ok<<<1, 256, 0, t>>>(a, last);

  int *first = zeros();
  cudaMemsetAsync(first, 0, 1024, t);
  cudaMemcpyAsync(first, places, 1024, cudaMemcpyHostToDevice, s);
  cudaDeviceSynchronize();
  over_bad<<<1, 256, 0, t>>>(a, first);

  int *source = zeros(), *target = zeros();
  cudaMemcpyAsync(source, places, 1024, cudaMemcpyHostToDevice, s);
  cudaStreamSynchronize(s);
  cudaMemcpyAsync(target, source, 1024, cudaMemcpyDeviceToDevice, t);
  cudaDeviceSynchronize();
  from_ok<<<1, 256, 0, t>>>(a, target);

  int *unfinished = zeros(), *part = zeros();
  cudaMemcpyAsync(unfinished, places, 1024, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(part, unfinished, 1024, cudaMemcpyDeviceToDevice, t);
  cudaDeviceSynchronize();
  from_bad<<<1, 256, 0, t>>>(a, part);

  int *shift = zeros();
  cudaMemcpy(shift, places, 1024, cudaMemcpyHostToDevice);
  cudaMemsetAsync(shift, 0, 1024, s);
  cudaStreamSynchronize(s);
  zeros_ok<<<1, 256, 0, t>>>(a, shift);

  int *shifts = zeros();
  cudaMemcpy(shifts, places, 1024, cudaMemcpyHostToDevice);
  cudaMemsetAsync(shifts, 0, 1024, s);
  zeros_bad<<<1, 256, 0, t>>>(a, shifts);

  int *inside = zeros();
  cudaMemcpyAsync(inside, places, 1024, cudaMemcpyHostToDevice, s);
  record(copied, s);
  cudaStreamWaitEvent(t, copied, 0);
  inside_ok<<<1, 256, 0, t>>>(a, inside);

  int *before = zeros(), number = 0;
  cudaMemcpyAsync(before, places, 1024, cudaMemcpyHostToDevice, s);
  cudaMemcpy(&number, a, sizeof number, cudaMemcpyDeviceToHost);
  fetched_ok<<<1, 256, 0, t>>>(a, before);

  int *unfetched = zeros();
  cudaMemcpyAsync(unfetched, places, 1024, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(&number, a, sizeof number, cudaMemcpyDeviceToHost, t);
  fetched_bad<<<1, 256, 0, t>>>(a, unfetched);

  int *unheld = zeros();
  cudaMemcpyAsync(unheld, places, 1024, cudaMemcpyHostToDevice, s);
  cudaMemcpy(&number, a, 0, cudaMemcpyDeviceToHost);
  empty_bad<<<1, 256, 0, t>>>(a, unheld);

  int *at_home = zeros(), one = 1;
  cudaMemcpyAsync(at_home, places, 1024, cudaMemcpyHostToDevice, s);
  cudaMemcpy(&number, &one, sizeof number, cudaMemcpyHostToHost);
  at_home_bad<<<1, 256, 0, t>>>(a, at_home);

  int *driven = zeros();
  cuMemcpyHtoDAsync((CUdeviceptr)driven, places, 1024, s);
  cuStreamSynchronize(s);
  driver_ok<<<1, 256, 0, t>>>(a, driven);

  int *wrong = zeros();
  cuMemcpyHtoDAsync((CUdeviceptr)wrong, places, 1024, s);
  cuStreamSynchronize(t);
  driver_bad<<<1, 256, 0, t>>>(a, wrong);
}

// Rows of `width` words, one for each y: a thread's word is its own as long as blockDim.x is the width. Between the
// dimensions and the launch there is a call without a body.
// alone: none. between: other() is not given the two, but load() was, and may have kept where they are: a race only if it did, and
// other() makes use of it: possible, and the call is named. In a loop around the launch it is the same. given: change() is
// given the width, so it holds another number: definite. own: the address of the two never leaves main, so that other() cannot
// know of them. anyway: a race that needs no change is definite, whatever is called before; what was checked in front of
// the call counts (n >= 1). seen: a call whose body is here changes nothing.
//@ verdict alone: race-free
//@ verdict between: racy
//@ verdict in_loop: racy
//@ verdict given: racy
//@ verdict own: race-free
//@ verdict anyway: racy
//@ verdict seen: race-free
#include <cuda_runtime.h>

void load(int *width, int *height);
void change(int *width);
void other();
int number();
void with_body() {}

__global__ void alone(float *d, int width) { // expect-clean
  d[threadIdx.y * width + threadIdx.x] += 1;
}

__global__ void between(float *d, int width) {
  d[threadIdx.y * width + threadIdx.x] += 1; // expect-race {{/possible/}}
}

__global__ void in_loop(float *d, int width) {
  d[threadIdx.y * width + threadIdx.x] += 1; // expect-race {{/possible/}}
}

__global__ void given(float *d, int width) {
  d[threadIdx.y * width + threadIdx.x] += 1; // expect-race {{definite}}
}

__global__ void own(float *d, int width) { // expect-clean
  d[threadIdx.y * width + threadIdx.x] += 1;
}

__global__ void anyway(float *d, int n) {
  d[(threadIdx.x + n) / 2] += 1; // expect-race {{definite}}
}

__global__ void seen(float *d, int width) { // expect-clean
  d[threadIdx.y * width + threadIdx.x] += 1;
}

void run_alone(float *d) {
  int width, height;
  load(&width, &height);
  alone<<<1, dim3(width, height)>>>(d, width);
}

void run_between(float *d) {
  int width, height;
  load(&width, &height);
  dim3 block(width, height);
  other();
  between<<<1, block>>>(d, width);
}

void run_in_loop(float *d) {
  int width, height;
  load(&width, &height);
  dim3 block(width, height);
  for (int i = 0; i < 4; i++) {
    other();
    in_loop<<<1, block>>>(d, width);
  }
}

void run_given(float *d) {
  int width, height;
  load(&width, &height);
  dim3 block(width, height);
  change(&width);
  given<<<1, block>>>(d, width);
}

void run_own(float *d) {
  int width = number(), height = number();
  dim3 block(width, height);
  other();
  own<<<1, block>>>(d, width);
}

void run_anyway(float *d) {
  int n, height;
  load(&n, &height);
  if (n < 1) return;
  other();
  anyway<<<1, 64>>>(d, n);
}

void run_seen(float *d) {
  int width, height;
  load(&width, &height);
  dim3 block(width, height);
  with_body();
  seen<<<1, block>>>(d, width);
}

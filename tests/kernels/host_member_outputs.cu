// Calls of the runtime and of the C library fill one member of a struct, of a handle's size, or of what the format says:
// the members behind it keep what they hold.
//@ verdict strided_ok: race-free
//@ verdict strided_bad: racy
//@ verdict apart_ok: race-free
//@ verdict apart_bad: racy
//@ verdict numbered_ok: race-free
//@ verdict numbered_bad: racy
//@ verdict scanned_ok: race-free
//@ verdict scanned_bad: racy
//@ verdict text_bad: racy
#include <cstdio>

struct WithStep {
  cudaStream_t stream;
  int step;
};

__global__ void strided_ok(int *a, int step) { // expect-clean
  int i = threadIdx.x;
  a[i * step] = i;
  a[i * step + 1] = -i;
}

__global__ void strided_bad(int *a, int step) {
  int i = threadIdx.x;
  a[i * step] = i;      // expect-race[step] {{definite}}
  a[i * step + 1] = -i; // expect-race[step] {{definite}}
}

void strided(int *a) {
  WithStep good, bad;
  good.step = 2;
  cudaStreamCreate(&good.stream);
  strided_ok<<<1, 64, 0, good.stream>>>(a, good.step);
  bad.step = 1;
  cudaStreamCreate(&bad.stream);
  strided_bad<<<1, 64, 0, bad.stream>>>(a, bad.step);
}

struct WithArrays {
  cudaStream_t stream;
  int *a, *b;
};

__global__ void apart_ok(int *a, int *b) { // expect-clean
  int t = threadIdx.x;
  a[t] = t;
  b[t + 1] = 2 * t;
}

__global__ void apart_bad(int *a, int *b) {
  int t = threadIdx.x;
  a[t] = t;         // expect-race[apart] {{definite}}
  b[t + 1] = 2 * t; // expect-race[apart] {{definite}}
}

void apart() {
  WithArrays good, bad;
  cudaMalloc(&good.a, 4000);
  good.b = good.a + 100;
  cudaStreamCreateWithFlags(&good.stream, cudaStreamNonBlocking);
  apart_ok<<<1, 64, 0, good.stream>>>(good.a, good.b);
  cudaMalloc(&bad.a, 4000);
  bad.b = bad.a;
  cudaStreamCreateWithFlags(&bad.stream, cudaStreamNonBlocking);
  apart_bad<<<1, 64, 0, bad.stream>>>(bad.a, bad.b);
}

struct OfDevice {
  int device, step;
};

__global__ void numbered_ok(int *a, int step) { // expect-clean
  int i = threadIdx.x;
  a[i * step] = i;
  a[i * step + 1] = -i;
}

__global__ void numbered_bad(int *a, int step) {
  int i = threadIdx.x;
  a[i * step] = i;      // expect-race[numbered] {{definite}}
  a[i * step + 1] = -i; // expect-race[numbered] {{definite}}
}

void numbered(int *a) {
  OfDevice good, bad;
  good.step = 2;
  cudaGetDevice(&good.device);
  numbered_ok<<<1, 64>>>(a, good.step);
  bad.step = 2;
  cudaGetDevice(&bad.step); // of 0, as well
  numbered_bad<<<1, 64>>>(a, bad.step);
}

struct Scanned {
  char text[8];
  int count, step;
};

__global__ void scanned_ok(int *a, int step) { // expect-clean
  int i = threadIdx.x;
  a[i * step] = i;
  a[i * step + 1] = -i;
}

__global__ void scanned_bad(int *a, int step) {
  int i = threadIdx.x;
  a[i * step] = i;      // expect-race[scanned]
  a[i * step + 1] = -i; // expect-race[scanned]
}

__global__ void text_bad(int *a, int step) { // a long word goes on into what lies behind
  int i = threadIdx.x;
  a[i * step] = i;      // expect-race[text]
  a[i * step + 1] = -i; // expect-race[text]
}

void scanned(int *a, const char *line) {
  Scanned good, bad, text;
  good.step = 2;
  sscanf(line, "%d", &good.count);
  scanned_ok<<<1, 64>>>(a, good.step);
  bad.step = 2;
  sscanf(line, "%ld", (long *)&bad.count);
  scanned_bad<<<1, 64>>>(a, bad.step);
  text.step = 2;
  sscanf(line, "%s", text.text);
  text_bad<<<1, 64>>>(a, text.step);
}

int main(int argc, char **argv) {
  int *a;
  cudaMalloc(&a, 4000);
  strided(a);
  apart();
  numbered(a);
  scanned(a, argv[1]);
  return 0;
}

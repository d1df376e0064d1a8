// A workspace that the host splits into parts whose addresses it rounds: up keeps them apart, down makes them overlap.
//@ verdict reverse_up: race-free
//@ verdict reverse_down: racy
//@ verdict reverse_page: race-free
//@ verdict reverse_page_short: racy
//@ verdict reverse_given: race-free
//@ verdict reverse_given_down: racy
//@ verdict reverse_std: race-free
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdlib>
#include <memory>

__global__ void reverse_up(float *out, const float *in, int n) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = in[n - 1 - t];
}

__global__ void reverse_down(float *out, const float *in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = in[n - 1 - t]; // expect-race[down]
}

__global__ void reverse_page(float *out, const float *in, int n) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = in[n - 1 - t];
}

__global__ void reverse_page_short(float *out, const float *in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = in[n - 1 - t]; // expect-race[page]
}

__global__ void reverse_given(float *out, const float *in, int n) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = in[n - 1 - t];
}

__global__ void reverse_given_down(float *out, const float *in, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = in[n - 1 - t]; // expect-race[given]
}

__global__ void reverse_std(float *out, const float *in, int n) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t < n) out[t] = in[n - 1 - t];
}

static uintptr_t up(uintptr_t at, uintptr_t step) { return (at + step - 1) / step * step; }

static void split(char *base, int n) {
  float *first = (float *)base;
  char *end = base + n * sizeof(float);
  float *above = (float *)(((uintptr_t)end + 255) & ~(uintptr_t)255);
  float *below = (float *)((uintptr_t)end & ~(uintptr_t)255);
  reverse_up<<<(n + 255) / 256, 256>>>(first, above, n);
  reverse_down<<<(n + 255) / 256, 256>>>(first, below, n);
}

// The runtime promises multiples of 256, no more.
static void split_pages(char *base, int n) {
  char *page = (char *)up((uintptr_t)base, 4096);
  float *next = (float *)up((uintptr_t)page + n * sizeof(float), 4096);
  reverse_page<<<(n + 255) / 256, 256>>>((float *)page, next, n);
  reverse_page_short<<<(n + 255) / 256, 256>>>((float *)page, (float *)(page + n * sizeof(float) - 256), n);
}

void split_given(char *base, int n) {
  char *first = (char *)up((uintptr_t)base, 64);
  char *second = (char *)up((uintptr_t)(first + n * sizeof(float)), 64);
  reverse_given<<<(n + 255) / 256, 256>>>((float *)first, (float *)second, n);
  char *under = (char *)((uintptr_t)(first + n * sizeof(float)) & ~(uintptr_t)63);
  reverse_given_down<<<(n + 255) / 256, 256>>>((float *)first, (float *)under, n);
}

static void split_std(char *base, size_t room, int n) {
  float *first = (float *)base;
  void *at = base + n * sizeof(float);
  room -= n * sizeof(float);
  if (!std::align(256, n * sizeof(float), at, room)) return;
  reverse_std<<<(n + 255) / 256, 256>>>(first, (float *)at, n);
}

int main(int argc, char **argv) {
  char *base, *pages, *other;
  int n = argc > 1 ? atoi(argv[1]) : 1000;
  if (n < 1 || n > 100000) return 1;
  cudaMalloc(&base, 1 << 20);
  cudaMalloc(&pages, 1 << 20);
  cudaMalloc(&other, 1 << 20);
  split(base, n);
  split_pages(pages, n);
  split_std(other, 1 << 20, n);
}

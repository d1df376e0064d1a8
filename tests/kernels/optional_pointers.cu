// Pointers that a kernel may be given or not: it asks whether they are null. A race behind the test is one of the launches that give it, all
// threads alike find the pointer given; what stands in the two branches never meets.
// bias: read behind the test, each element of the sum by one thread (ok) or by two (bad). mask: two tests, with a barrier between what is
// written behind the first and read behind the second (ok), or none (bad). given: null at one launch, given at another: the race is one of
// the second launch (bad); where both launches give none, nothing is written (ok). member: a pointer in a struct. unseen: no launch. both: two
// pointers, of which the race needs one given and the other not (bad), or the branches exclude each other (ok). chosen: `p == nullptr ? a : p`,
// where each thread has an element of its own (ok) or two share one (bad). behind: an optional pointer is moved by an offset; what is not null
// is only known of the pointer itself. reversed: `nullptr == p`.
//@ verdict bias_ok: race-free
//@ verdict bias_bad: racy
//@ verdict mask_ok: race-free
//@ verdict mask_bad: racy
//@ verdict given_ok: race-free
//@ verdict given_bad: racy
//@ verdict member_ok: race-free
//@ verdict member_bad: racy
//@ verdict unseen_ok: race-free
//@ verdict unseen_bad: racy
//@ verdict both_ok: race-free
//@ verdict both_bad: racy
//@ verdict chosen_ok: race-free
//@ verdict chosen_bad: racy
//@ verdict behind_ok: race-free
//@ verdict behind_bad: racy
//@ verdict reversed_ok: race-free
//@ verdict reversed_bad: racy
#include <cuda_runtime.h>

__global__ void bias_ok(float *out, const float *bias) { // expect-clean
  int t = threadIdx.x;
  if (bias) out[t] += bias[t / 2];
}
__global__ void bias_bad(float *out, const float *bias) {
  int t = threadIdx.x;
  if (bias) out[t / 2] += bias[t]; // expect-race[bias]
}

__global__ void mask_ok(int *out, const int *mask) { // expect-clean
  __shared__ int kept[128];
  int t = threadIdx.x;
  if (mask) kept[t] = mask[t];
  __syncthreads();
  if (mask) out[t] = kept[127 - t];
}
__global__ void mask_bad(int *out, const int *mask) {
  __shared__ int kept[128];
  int t = threadIdx.x;
  if (mask) kept[t] = mask[t];      // expect-race[mask]
  if (mask) out[t] = kept[127 - t]; // expect-race[mask]
}

__global__ void given_ok(int *out, const int *perm) { // expect-clean
  int t = threadIdx.x;
  if (perm != nullptr) out[t / 2] = t;
}
__global__ void given_bad(int *out, const int *perm) {
  int t = threadIdx.x;
  if (perm != nullptr) out[t / 2] = t; // expect-race[given definite]
}

struct Layer {
  float *out;
  const float *scale;
  int n;
};
__global__ void member_ok(Layer layer) { // expect-clean
  int t = threadIdx.x;
  if (t < layer.n && layer.scale != nullptr) layer.out[t] = t;
}
__global__ void member_bad(Layer layer) {
  int t = threadIdx.x;
  if (t < layer.n && layer.scale != nullptr) layer.out[t / 2] = t; // expect-race[member]
}

__global__ void unseen_ok(int *out, const int *perm) { // expect-clean
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (perm) out[t] = perm[t];
  if (!perm) out[t] = t;
}
__global__ void unseen_bad(int *out, const int *perm) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (perm) out[t / 2] = perm[t]; // expect-race[unseen]
  if (!perm) out[t] = t;
}

__global__ void both_ok(int *out, const int *first, const int *second) { // expect-clean
  int t = threadIdx.x;
  if (first && !second) out[t] = 1;
  if (second) out[127 - t] = 2;
}
__global__ void both_bad(int *out, const int *first, const int *second) {
  int t = threadIdx.x;
  if (first && !second) out[t] = 1; // expect-race[both]
  if (!second) out[127 - t] = 2;    // expect-race[both]
}

__global__ void chosen_ok(int *a, int *p) { // expect-clean
  int t = threadIdx.x;
  int *to = p == nullptr ? a : p;
  to[t] = t;
}
__global__ void chosen_bad(int *a, int *p) {
  int t = threadIdx.x;
  int *to = p == nullptr ? a : p;
  to[t / 2] = t; // expect-race[chosen]
}

__global__ void behind_ok(int *out, const int *rows, int n) { // expect-clean
  int t = threadIdx.x;
  const int *row = rows ? rows + blockIdx.x * n : nullptr;
  int *to = out + blockIdx.x * 128;
  if (row) to[t] = row[t];
  if (!rows) to[127 - t] = 0;
}
__global__ void behind_bad(int *out, const int *rows, int n) {
  int t = threadIdx.x;
  const int *row = rows ? rows + blockIdx.x * n : nullptr;
  int *to = out + blockIdx.x * 128;
  if (row) to[t] = row[t];    // expect-race[behind]
  if (rows) to[127 - t] = 0; // expect-race[behind]
}

__global__ void reversed_ok(int *out, const int *perm) { // expect-clean
  if (nullptr == perm) out[threadIdx.x] = 0;
}
__global__ void reversed_bad(int *out, const int *perm) {
  if (nullptr == perm) out[threadIdx.x / 2] = threadIdx.x; // expect-race[reversed]
}

void host(float *f, const float *bias, int *i, const int *perm, const int *mask, int *p, Layer layer, int n) {
  bias_ok<<<1, 128>>>(f, bias);
  bias_bad<<<1, 128>>>(f, bias);
  mask_ok<<<1, 128>>>(i, mask);
  mask_bad<<<1, 128>>>(i, mask);
  given_ok<<<1, 128>>>(i, nullptr);
  given_bad<<<1, 128>>>(i, nullptr);
  int *d;
  cudaMalloc(&d, 512);
  given_bad<<<1, 128>>>(i, d);
  member_ok<<<1, 128>>>(layer);
  member_bad<<<1, 128>>>(layer);
  both_ok<<<1, 128>>>(i, perm, mask);
  both_bad<<<1, 128>>>(i, perm, mask);
  chosen_ok<<<1, 128>>>(i, p);
  chosen_bad<<<1, 128>>>(i, p);
  behind_ok<<<4, 128>>>(i, perm, n);
  behind_bad<<<4, 128>>>(i, perm, n);
  reversed_ok<<<1, 128>>>(i, perm);
  reversed_bad<<<1, 128>>>(i, perm);
}
